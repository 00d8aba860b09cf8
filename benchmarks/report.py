"""The small table: what the benchmarks found, from the JSON of ``make bench``."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def report(path: Path) -> str:
    """A Markdown table with a line for each figure that a benchmark noted."""
    data = json.loads(path.read_text())
    lines = ["| benchmark | figure | |", "|---|---|---|"]
    for bench in data["benchmarks"]:
        name = bench["name"].removeprefix("test_").replace("_", " ")
        for figure, value in bench["extra_info"].items():
            lines.append(f"| {name} | {figure} | {value:,} |")
            name = ""
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(Path(sys.argv[1])))
