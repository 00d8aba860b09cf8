"""The one door: its functions choose a method, call a kernel and say which it was.

========= ==========================================================
legs      `leg_odds`
races     `race_odds`
========= ==========================================================
"""

from camelodds.odds.legs import leg_odds
from camelodds.odds.races import race_odds

__all__ = ["leg_odds", "race_odds"]
