"""Draw the pictures of README.md and docs/ anew: `python tools/pictures.py`."""

from pathlib import Path

import camelodds as co

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    first = co.Position.parse("3:ob 4:g 6:y 7:w 5- 8+", edition=co.FIRST)
    second = co.Position.parse("5:bg 9:WrK 3:yp 12-@Ann", edition=co.SECOND).move("K3")
    cards = co.Position.parse("0:r 2:gp 3:by 7:K 4+ flip=5 players=4", edition=co.CARDS)
    return {
        "first.svg": first.svg(),
        "second.svg": second.after.svg(last_move=second, highlight="r"),
        "cards.svg": cards.svg(),
    }


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (IMAGES / name).write_text(text, encoding="utf-8")
