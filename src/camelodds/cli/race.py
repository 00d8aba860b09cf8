"""``camelodds race``."""

from __future__ import annotations

from pathlib import Path

from camelodds.cli.common import AsJson, Word, at_least_one, read_position, show, tell_unused
from camelodds.odds.races import race_odds


def race(
    *position: Word,
    edition: str | None = None,
    method: str = "auto",
    n: float | None = None,
    seed: int | None = None,
    until: float | None = None,
    folder: Path | None = None,
    as_json: AsJson = False,
) -> None:
    """Who wins the race and who is last.

    Parameters
    ----------
    position
        Stacks bottom to top (3:ob is orange with blue on it), tiles (5-, 8+@Ann), and the dice
        left (dice=ob*, * the grey one; all if left out); or a JSON object.  Or a file with one
        of these, a game or a log, whose position it then is; - for standard input.
        Tiles act in this leg only.
    edition
        first, second or cards; told by the camels if left out.  A position of the Card Game
        needs the number of players, as in "... last=16 deck=6+2 players=4".
    method
        auto, exact, table, sample (whole random races) or tail (this leg enumerated, random
        races from its ends).
    n
        Number of sampled races, 1e6 for a million.
    seed
        The same seed gives the same numbers.
    until
        Sample until no probability has a greater standard error, instead of n.
    folder
        Where the race tables are, if not in the usual cache folder.
    as_json
        Print one JSON object.
    """
    at_least_one(n)
    odds = race_odds(
        read_position(position, edition),
        method,
        folder=folder,
        n=n,  # type: ignore[arg-type]
        seed=seed,
        until=until,
    )
    tell_unused(odds, {"--n": n, "--seed": seed, "--until": until})
    show(odds, as_json=as_json)
