"""The one door: its functions choose a method, call a kernel and say which it was.

============= ==================================================================
legs          `leg_odds`
races         `race_odds`, and what a race table says of many positions
batches       `leg_odds_batch`, `race_odds_batch`, and `pack`
next_roll     `by_next_roll`
compare       `compare_methods`
sampling      how samples are drawn: chunks, seeds, workers, when to stop
sampled_races random races, whole or from the exact ends of the present leg
placements    the same position with other tiles, for the values of actions
graph         the merged graph of a leg, for best play
============= ==================================================================
"""
