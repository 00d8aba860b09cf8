"""Actions explained in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from camelodds.display.text import NO_COINS, coins, percent

if TYPE_CHECKING:
    from camelodds.results.actions import ActionValue, ActionValues


def explain_action(values: ActionValues, row: ActionValue) -> str:
    """One sentence: what the action pays, in which cases, what it changes."""
    game, me = values.game, values.game.to_move
    old = game.tile_of(me)
    if row.kind == "tile":
        pays = f"it pays 1 for each unit that comes to it, {row.direct:.2f} on average"
        if old is not None:
            pays += f", and gives up the landings on {old}"
    elif row.kind == "partner":
        pays = "it pays the best reward among the partner's tickets, if one is above 0"
    elif not row.pays:
        pays = "it pays nothing itself"
    else:
        cases = [f"{pay} ({percent(chance)})" for pay, chance in row.pays.items()]
        pays = f"it pays {', '.join(cases)}"
        mean = sum(pay * chance for pay, chance in row.pays.items())
        if abs(mean - row.direct) >= NO_COINS:
            pays += f", which would be {coins(mean)} without the floor of zero"
    if abs(row.holdings) < NO_COINS:
        changes = f"what {me} holds already stays worth the same"
    else:
        changes = f"what {me} holds already changes by {coins(row.holdings)}"
    rivals = [f"{p} {coins(change)}" for p, change in row.rivals.items() if abs(change) >= NO_COINS]
    others = f"; rivals change by {', '.join(rivals)}" if rivals else ""
    worth = coins(row.value, row.standard_error or None)
    turn = ""
    if row.bet_before or row.bets_after:
        after = f"{coins(row.after_value)} with the best bet after it"
        turn = f"; {coins(row.before_value)} more with {row.bet_before or 'no bet'} before, {after}"
    return f"{row.action} is worth {worth}: {pays}; {changes}{others}{turn}."
