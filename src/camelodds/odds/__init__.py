"""The one door: its functions choose a method, call a kernel and say which it was.

========= ==========================================================
legs      `leg_odds`
races     `race_odds`
batches   `leg_odds_batch`, `race_odds_batch`, and `pack`
next_roll `by_next_roll`
compare   `compare_methods`
========= ==========================================================
"""

from camelodds.odds.batches import PackedBatch, leg_odds_batch, pack, race_odds_batch
from camelodds.odds.compare import compare_methods
from camelodds.odds.legs import leg_odds
from camelodds.odds.next_roll import by_next_roll
from camelodds.odds.races import race_odds

__all__ = [
    "PackedBatch",
    "by_next_roll",
    "compare_methods",
    "leg_odds",
    "leg_odds_batch",
    "pack",
    "race_odds",
    "race_odds_batch",
]
