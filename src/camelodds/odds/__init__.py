"""The one door: its functions choose a method, call a kernel and say which it was.

========= ==========================================================
legs      `leg_odds`
========= ==========================================================
"""

from camelodds.odds.legs import leg_odds

__all__ = ["leg_odds"]
