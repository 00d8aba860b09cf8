"""What comes out: arrays with labels, which know how to show themselves.

A result is frozen.  How it looks is in `camelodds.display`, imported when it is shown.

========= ==========================================================
leg       `LegOdds`, the distribution of a leg's outcome
race      `RaceOdds`, who wins the race and who is last
========= ==========================================================
"""

from camelodds.results.leg import LegOdds
from camelodds.results.race import RaceOdds

__all__ = ["LegOdds", "RaceOdds"]
