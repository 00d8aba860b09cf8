"""``camelodds leg``."""

from __future__ import annotations

from camelodds.cli.common import AsJson, Word, at_least_one, read_position, show, tell_unused
from camelodds.odds.legs import leg_odds


def leg(
    *position: Word,
    edition: str | None = None,
    method: str = "auto",
    n: float | None = None,
    seed: int | None = None,
    until: float | None = None,
    as_json: AsJson = False,
) -> None:
    """Odds of the present leg: places, tickets, landings on tiles.

    Parameters
    ----------
    position
        Stacks bottom to top (3:ob is orange with blue on it), tiles (5-, 8+@Ann), and the dice
        left (dice=ob*, * the grey one; all if left out); or a JSON object.  Or a file with one
        of these, a game or a log, whose position it then is; - for standard input.
        In the Card Game also the track and the deck, as in "0:p 3:by 6:Kgr 5- last=16
        deck=6+2 known=y1".
    edition
        first, second or cards; told by the camels if left out.
    method
        auto, exact or sample; auto is exact.
    n
        Number of samples, 1e6 for a million.
    seed
        The same seed gives the same numbers.
    until
        Sample until no probability has a greater standard error, instead of n.
    as_json
        Print one JSON object.
    """
    at_least_one(n)
    odds = leg_odds(
        read_position(position, edition),
        method,
        n=n,  # type: ignore[arg-type]
        seed=seed,
        until=until,
    )
    tell_unused(odds, {"--n": n, "--seed": seed, "--until": until})
    show(odds, as_json=as_json)
