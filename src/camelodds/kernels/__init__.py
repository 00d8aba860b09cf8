"""The numba core: integers and arrays in, integers and arrays out.

No Python objects, no exceptions, no allocation in an inner loop.  What goes in was checked by
whoever calls: `camelodds.odds`, the solvers of races and of best play, and `Position` for one move.

========== ==========================================================================
cache      where compiled kernels are kept
stacks     the packed stack and its one move
board      where a unit lands: tiles, lines, clamps as a small table
bag        what is drawn without replacement, as a graph of what is already out
legs       exact enumeration of what is left of a leg
batches    the same for many positions, each checked
graph      the same leg as a graph of merged states, to be walked forward and backward
play       best play, by backward induction over that graph
rng        random streams, side by side
sampling   random legs and races of dice
decks      random rounds and races of the Card Game, with the set-up between rounds
index      perfect numbering of the positions between legs
races      race tables: one sweep over those positions, and looking one up
========== ==========================================================================

Only what Python calls is cached (``cache=True``): the compiled code of a kernel holds all that it
calls, and looking for a cache takes a millisecond of the import for each function.

With ``NUMBA_DISABLE_JIT=1`` the same source runs on Python integers.  NumPy scalars would
warn of overflow there, so a value read from an array goes through ``int`` first; numba
compiles that to nothing.
"""

from camelodds.kernels import cache as cache
