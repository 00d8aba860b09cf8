"""``camelodds compare``."""

from __future__ import annotations

from pathlib import Path

from camelodds.cli.common import AsJson, Word, read_position, show
from camelodds.errors import OptionError, Problem
from camelodds.odds.compare import SAMPLES, compare_methods


def compare(
    *position: Word,
    edition: str | None = None,
    samples: str | None = None,
    seed: int | None = None,
    plot: Path | None = None,
    as_json: AsJson = False,
) -> None:
    """Enumeration against sampling: time and error of both, by the dice left.

    Parameters
    ----------
    position
        Stacks bottom to top, tiles and dice left, as in "3:ob 4:g 6:y 7:w 5- 8+".
    edition
        first or second; told by the camels if left out.
    samples
        How many samples to compare with, as in 1e3,1e5,1e7.
    seed
        The same seed gives the same errors.
    plot
        Also draw error against time into this file.
    as_json
        Print one JSON object.
    """
    numbers = SAMPLES if samples is None else tuple(map(_number, samples.split(",")))
    found = compare_methods(read_position(position, edition), numbers, seed=seed)
    if plot is not None:
        figure = found.plot().get_figure(root=True)
        assert figure is not None
        try:
            figure.savefig(plot)
        except ValueError as error:
            raise OptionError(Problem(f"plot={plot}", str(error), tip="such as plot.png")) from None
    show(found, as_json=as_json)


def _number(text: str) -> int:
    # What is no number is refused where all numbers are.
    try:
        return float(text)  # type: ignore[return-value]
    except ValueError:
        return text  # type: ignore[return-value]
