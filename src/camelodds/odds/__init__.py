"""The one door: its functions choose a method, call a kernel and say which it was.

========= ==========================================================
legs      `leg_odds`
races     `race_odds`
batches   `leg_odds_batch`, `race_odds_batch`, and `pack`
========= ==========================================================
"""

from camelodds.odds.batches import PackedBatch, leg_odds_batch, pack, race_odds_batch
from camelodds.odds.legs import leg_odds
from camelodds.odds.races import race_odds

__all__ = ["PackedBatch", "leg_odds", "leg_odds_batch", "pack", "race_odds", "race_odds_batch"]
