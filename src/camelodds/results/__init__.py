"""What comes out: arrays with labels, which know how to show themselves.

A result is frozen.  How it looks is in `camelodds.display`, imported when it is shown.

========== =========================================================
leg        `LegOdds`, the distribution of a leg's outcome
race       `RaceOdds`, who wins the race and who is last
play       `LegPlay`, best play of a leg; `PlayOption` and `PlayStep`, its rows and its line
batch      `LegBatch`, `RaceBatch`, the odds of many positions
policy     `LegPolicy`, the choice of best play in every state of a leg
actions    `ActionValues`, what every legal action is worth
next_roll  `NextRoll`, what the next roll changes
comparison `Comparison`, enumeration against sampling
log        `OddsByEvent`, the odds after each event of a recorded game
errors     standard errors and confidence intervals, for all of them
========== =========================================================
"""
