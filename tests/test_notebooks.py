"""What is stored in the notebooks; that they run is tested by `make notebooks`."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PATHS = ("/home/", "/root/", "/tmp/", "/Users/", "site-packages", "C:\\\\", "file://")


def test_there_are_five():
    names = ["1_leg", "2_actions", "3_sampling", "4_race", "5_cards"]
    assert [path.stem for path in NOTEBOOKS] == names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_stores_nothing_of_the_machine_and_no_failure(path):
    text = path.read_text(encoding="utf-8")
    assert not [word for word in PATHS if word in text]
    notebook = json.loads(text)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    cells = notebook["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert cells[0]["source"][0].startswith("# ")
    headings = [line.strip() for cell in cells for line in cell["source"] if line.startswith("## ")]
    assert headings[-1] == "## What one would not have guessed"
    for cell in cells:
        assert "execution" not in cell["metadata"]  # times of running
        for output in cell.get("outputs", ()):
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr"
    ran = [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"]
    assert ran == list(range(1, len(ran) + 1))  # once, from start to end
