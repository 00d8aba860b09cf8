"""The one door: its functions choose a method, call a kernel and say which it was.

========= ==========================================================
legs      `leg_odds`
races     `race_odds`
batches   `leg_odds_batch`, `race_odds_batch`, and `pack`
next_roll `by_next_roll`
compare   `compare_methods`
========= ==========================================================
"""
