"""The value of every turn of the Card Game, and of every bet alone: arithmetic on odds.

A turn is a track action and at most one bet, before or after it (C5).  The bet after the track
action sees what it revealed; the one before it does not.  Without the turn the deck alone is
revealed, in this round and in all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType

import numpy as np

from camelodds.actions import MARKER_SIGNS, PILES, Event
from camelodds.draft import Tile
from camelodds.errors import OptionError, Problem
from camelodds.game import Game
from camelodds.odds.legs import MOST_STATES, exact_leg_odds, leg_odds
from camelodds.odds.races import race_odds
from camelodds.odds.sampling import draw_seed
from camelodds.position import Position
from camelodds.results.actions import ActionValue, ActionValues, largest_first
from camelodds.results.errors import FloatArray
from camelodds.results.leg import LegOdds
from camelodds.scoring import Held, pays_by_place

STATES, CONTENTS = 300_000, 6_000
"""Budget of each exact round, and most contents of a deck for which it is likely to do; many
positions are looked at for one answer."""

ROUNDS, RACES = 200_000, 50_000
"""Samples of each position where nothing is said."""

ROUNDED = 1e-18
"""Variance of a number that is off by roundings only."""

NO_BET = ""

Bets = tuple[str, float, float, Mapping[str, str], float, float]
"""Best bet before a track action, its value and standard error; by card that comes the best bet
after it, the expected value of that and its standard error."""

NO_BETS: Bets = (NO_BET, 0.0, 0.0, {}, 0.0, 0.0)


@dataclass(frozen=True)
class Odds:
    """What is known of the rest of the round and of the race from one position on.

    Attributes
    ----------
    outcomes : (N,) float64
        Probability of each outcome of the round.
    penalties : mapping of str to float
        By player: expected number of marker cards that still lie at the scoring (C11).
    lies : mapping of int to float
        The same by sign of the marker, for those on the track.
    race : (5, 5) float64
        P(camel at place) at the end of the race; zeros where it was not asked for.
    over
        Whether the round or the race is over, so that no bet can follow (C10, C12).
    n_rounds, n_races : int or None
        Samples of the two; None where they are exact.
    """

    outcomes: FloatArray
    penalties: Mapping[str, float]
    lies: Mapping[int, float]
    race: FloatArray
    over: bool
    n_rounds: int | None = None
    n_races: int | None = None


def mixed(parts: Sequence[tuple[float, Odds]]) -> Odds:
    """The odds where one of several cases holds, each with its probability."""
    if len(parts) == 1:
        return parts[0][1]
    total = sum(chance for chance, _ in parts)
    penalties: dict[str, float] = {}
    for chance, odds in parts:
        for player, lying in odds.penalties.items():
            penalties[player] = penalties.get(player, 0.0) + chance / total * lying
    first = parts[0][1]
    return Odds(
        sum((chance / total * odds.outcomes for chance, odds in parts), np.zeros(1)),
        penalties,
        first.lies,
        sum((chance / total * odds.race for chance, odds in parts), np.zeros(1)),
        all(odds.over for _, odds in parts),
        first.n_rounds,
        first.n_races,
    )


def card_values(
    game: Game, events: list[Event], method: str, n: int | None, seed: int | None
) -> ActionValues:
    """The rows of `camelodds.action_values` for a game of the Card Game."""
    if method == "table":
        tip = "races of the Card Game are sampled"
        raise OptionError(Problem(f"method={method!r}", "no such table", tip=tip))
    return _Turn(game, events, method, n, seed).result()


class _Turn:
    """One question: the position now, and after every track action."""

    def __init__(
        self, game: Game, events: list[Event], method: str, n: int | None, seed: int | None
    ) -> None:
        self.game, self.edition, self.events = game, game.edition, events
        self.me = game.to_move
        self.position = game.seen_by(self.me)
        self.bets = [event for event in events if self.edition.group_of(event.kind) == 1]
        self.method, self.n = method, n
        self.seed = draw_seed() if seed is None else seed
        # Race cards are held, or can be had: then every position needs race odds.
        self.races = any(game.piles.values()) or any(bet.kind in PILES for bet in self.bets)
        self.net = {player: self._net(game.held[player]) for player in game.players}
        self.stakes = {player: self._stakes(player) for player in game.players}
        if events:
            self.now = self.odds(self.position)
            self.best_known = self._best_known()
            self.before = {player: self.wealth(player, self.now) for player in game.players}

    # What is held --------------------------------------------------------------------

    def _by_outcome(self, kind: str, camel: str, worth: int = 0) -> FloatArray:
        """(N,) float64: what a bet pays with each outcome of the round."""
        pays = np.array(pays_by_place(self.edition, kind, worth), dtype=np.float64)
        by_outcome: FloatArray = pays[self.edition.outcomes[:, self._row(camel)] - 1]
        return by_outcome

    def _row(self, camel: str) -> int:
        return self.edition.racing.index(camel)

    def _net(self, held: Held) -> FloatArray:
        """(N,) float64: what tickets and third-place cards pay."""
        parts = [self._by_outcome("ticket", t.camel, t.worth) for t in held.tickets]
        parts += [self._by_outcome("third", camel) for camel in held.third]
        return reduce(np.add, parts, np.zeros(len(self.edition.outcomes)))

    def _stakes(self, player: str) -> FloatArray:
        """(5, 5) float64: what the race cards of a player pay, by camel and place."""
        stakes = np.zeros((len(self.edition.racing),) * 2)
        for pile in PILES:
            for bet in self.game.piles[pile]:
                if bet.player == player and bet.camel is not None:
                    stakes[self._row(bet.camel)] += pays_by_place(self.edition, pile)
        return stakes

    # Odds ----------------------------------------------------------------------------

    def odds(self, position: Position) -> Odds:
        """Of one position; the same seed for all, so that differences are calm."""
        n = ROUNDS if self.n is None else self.n
        method, deck = self.method, position.deck
        if deck is not None and deck.n_contents() > CONTENTS:
            method = "sample"  # no need to try
        leg = leg_odds(position, method, n=n, seed=self.seed, states=STATES, progress=False)
        race, n_races = np.zeros((len(self.edition.racing),) * 2), None
        if self.races and (leg.sampled or leg.race_end_weight < leg.total):
            n = RACES if self.n is None else self.n
            sampled = race_odds(position, "sample", n=n, seed=self.seed, progress=False)
            if sampled.places is not None:
                race, n_races = sampled.places, sampled.n
        return self._of(leg, race, n_races)

    def _best_known(self) -> Odds:
        """The position as it is, exact if it can be.

        For bets about it.  What actions change is measured from `now`, which is as good as
        what comes after them: with the same seed most of the errors cancel.
        """
        if self.now.n_rounds is None or self.method == "sample":
            return self.now
        leg = exact_leg_odds(self.position, MOST_STATES)
        if not isinstance(leg, LegOdds):
            return self.now
        return self._of(leg, self.now.race, self.now.n_races)

    def _of(self, leg: LegOdds, race: FloatArray, n_races: int | None) -> Odds:
        """What the odds of a round tell; of the race too if it decides that."""
        position = leg.position
        penalties: dict[str, float] = {}
        lies = {tile.sign: 1.0 - leg.gone[space] for space, tile in position.tiles.items()}
        for tile in position.tiles.values():
            if tile.owner is not None:
                penalties[tile.owner] = penalties.get(tile.owner, 0.0) + lies[tile.sign]
        if self.races and leg.race_end_weight == leg.total and not leg.sampled:
            race, n_races = leg.places, None
        shares = leg.weights / leg.total
        return Odds(shares, penalties, lies, race, position.leg_over, leg.n, n_races)

    def reveals(self) -> dict[str, tuple[float, Odds]]:
        """By the card that comes: its probability, and the odds behind it."""
        deck = self.position.deck
        assert deck is not None
        parts: dict[str, list[tuple[float, Odds]]] = {}
        for card, weight, rest in deck.draws(self.edition.crazy):
            after = self.position.moved(card[0], int(card[1:]), deck=rest).after
            chance = weight * rest.total / deck.total
            parts.setdefault(card, []).append((chance, self.odds(after)))
        return {card: (sum(c for c, _ in some), mixed(some)) for card, some in parts.items()}

    # Values --------------------------------------------------------------------------

    def wealth(
        self,
        player: str,
        odds: Odds,
        delta: int = 0,
        extra: FloatArray | float = 0.0,
        stakes: FloatArray | float = 0.0,
    ) -> float:
        """Expected coins of a player at the end, less those held now.

        Parameters
        ----------
        player, odds
            Whose, and from which position on.
        delta
            Coins that change hands at once.
        extra, stakes
            Payoffs beside what is held now: by outcome of the round, by camel and place.
        """
        net = self.net[player] + extra + delta - odds.penalties.get(player, 0.0)
        held = self.game.coins[player]
        if held is not None:
            # C11: floored once; the markers enter with their expectation.
            net = np.maximum(0.0, held + net) - held
        return float(odds.outcomes @ net + (odds.race * (self.stakes[player] + stakes)).sum())

    def bet_value(self, bet: Event, odds: Odds, delta: int = 0) -> float:
        """What a bet adds to the player's coins (C9: a race card gives up the one held)."""
        extra, stakes = self._payoffs(bet)
        with_it = self.wealth(self.me, odds, delta, extra, stakes)
        return with_it - self.wealth(self.me, odds, delta)

    def _payoffs(self, bet: Event) -> tuple[FloatArray | float, FloatArray | float]:
        if bet.kind not in PILES:
            worth = self.game.tickets_left[bet.camel][0] if bet.kind == "ticket" else 0
            return self._by_outcome(bet.kind, bet.camel, worth), 0.0
        stakes = np.zeros((len(self.edition.racing),) * 2)
        pays = np.array(pays_by_place(self.edition, bet.kind), dtype=np.float64)
        stakes[self._row(bet.camel)] += pays
        for old in self.game.piles[bet.kind]:
            if old.player == self.me and old.camel is not None:
                stakes[self._row(old.camel)] -= pays
        return 0.0, stakes

    def best_bet(self, odds: Odds, delta: int = 0) -> tuple[str, float, float]:
        """The best bet, its value and standard error; none and 0 if none is worth taking."""
        best, most = None, 0.0
        for bet in self.bets:
            value = self.bet_value(bet, odds, delta)
            if value > most + 1e-12:
                best, most = bet, value
        if best is None:
            return NO_BET, 0.0, 0.0
        return str(best), most, self._error([odds], *self._payoffs(best)) or 0.0

    def result(self) -> ActionValues:
        rows = [self._row_of(event) for event in self.events]
        rows.sort(key=lambda row: -round(row.turn, 12))
        samples = self.now.n_races if self.events else None
        rounds = self.now.n_rounds if self.events else None
        race_method = None
        if self.events and self.races:
            race_method = "exact" if samples is None else "sampled"
        seed = None if samples is None and rounds is None else self.seed
        return ActionValues(self.game, tuple(rows), "odds", race_method, samples, seed, rounds)

    def _row_of(self, event: Event) -> ActionValue:
        if event.kind == "done":
            return self._made(event, self.now, 0.0)
        if self.edition.group_of(event.kind) == 1:
            return self._bet(event)
        if event.kind == "reveal":
            return self._reveal(event)
        if event.kind in MARKER_SIGNS:
            return self._marker(event)
        return self._card(event)

    def _reveal(self, event: Event) -> ActionValue:
        before = self.best_bet(self.best_known)
        bets_after: dict[str, str] = {}
        value_after = variance = 0.0
        if self.bets:
            for card, (chance, odds) in self.reveals().items():
                if not odds.over:
                    bets_after[card], value, error = self.best_bet(odds)
                    value_after += chance * value
                    variance += (chance * error) ** 2
        # A fair deck changes no expectation.
        after = (bets_after, value_after, float(np.sqrt(variance)))
        return self._made(event, self.now, 0.0, bets=(*before, *after))

    def _marker(self, event: Event) -> ActionValue:
        tiles = {**self.position.tiles, event.number: Tile(event.sign, self.me)}
        odds = self.odds(self.position._with(tiles=tiles))
        lies = odds.lies[event.sign]
        pays = {-1: lies, 0: 1.0 - lies}
        own = None if odds.n_rounds is None else lies * (1.0 - lies) / odds.n_rounds
        return self._made(event, odds, -lies, bets=self._known(odds), pays=pays, own=own)

    def _card(self, event: Event) -> ActionValue:
        card = self.game.hands[event.player].face_up or ""
        odds = self.odds(self.position.moved(card[0], int(card[1:])).after)
        price = int(event.player != self.me)
        paid = {self.me: -price, event.player: price} if price else {}
        return self._made(
            event, odds, float(-price), paid, bets=self._known(odds, -price), pays={-price: 1.0}
        )

    def _known(self, odds: Odds, delta: int = 0) -> Bets:
        """Best bets about a track action that reveals nothing: the same before and after."""
        bet, value, error = best = self.best_bet(odds, delta)
        return (*best, {}, 0.0, 0.0) if odds.over else (*best, {NO_BET: bet}, value, error)

    def _bet(self, event: Event) -> ActionValue:
        odds = self.best_known
        value = self.bet_value(event, odds)
        worth = self.game.tickets_left[event.camel][0] if event.kind == "ticket" else 0
        race = event.kind in PILES
        places = odds.race if race else self.places_of(odds)
        chances: dict[int, float] = {}
        for pay, chance in zip(
            pays_by_place(self.edition, event.kind, worth),
            places[self._row(event.camel)].tolist(),
            strict=True,
        ):
            chances[pay] = chances.get(pay, 0.0) + chance
        extra, stakes = self._payoffs(event)
        error = self._error([odds], extra, stakes)
        return self._made(event, self.now, value, {}, value=value, pays=chances, error=error)

    def places_of(self, odds: Odds) -> FloatArray:
        """(5, 5) float64: P(camel at place) at the end of the round."""
        places: FloatArray = self.edition.at_place @ odds.outcomes
        return places

    def _error(
        self,
        of: Sequence[Odds],
        extra: FloatArray | float = 0.0,
        stakes: FloatArray | float = 0.0,
        *,
        holder: str = "",
    ) -> float | None:
        """Standard error of a sum of wealths, as if they were sampled apart.

        Parameters
        ----------
        of
            From which positions on.
        extra, stakes
            Payoffs, see `wealth`.
        holder
            Whose holdings come to them.
        """
        variance, sampled = 0.0, False
        net = np.zeros(len(self.edition.outcomes)) + extra
        at_stake = np.zeros((len(self.edition.racing),) * 2) + stakes
        if holder:
            net = net + self.net[holder]
            at_stake = at_stake + self.stakes[holder]
        for odds in of:
            if odds.n_rounds is not None:
                sampled = True
                mean = odds.outcomes @ net
                variance += float(odds.outcomes @ (net - mean) ** 2) / odds.n_rounds
            if odds.n_races is not None:
                sampled = sampled or bool(at_stake.any())
                mean_of = (odds.race * at_stake).sum(axis=1)
                spread = np.maximum(0.0, (odds.race * at_stake**2).sum(axis=1) - mean_of**2)
                variance += float(np.sqrt(spread).sum()) ** 2 / odds.n_races
        # What only rounds off is certain.
        return float(np.sqrt(variance if variance > ROUNDED else 0.0)) if sampled else None

    def _made(
        self,
        event: Event,
        odds: Odds,
        direct: float,
        paid: Mapping[str, int] = MappingProxyType({}),
        *,
        value: float | None = None,
        bets: Bets = NO_BETS,
        pays: Mapping[int, float] = MappingProxyType({}),
        error: float | None = None,
        own: float | None = None,
    ) -> ActionValue:
        changes = dict.fromkeys(self.game.players, 0.0)
        errors: dict[str, float] = {}
        if odds is not self.now:
            for player in self.game.players:
                after = self.wealth(player, odds, paid.get(player, 0))
                changes[player] = after - self.before[player]
                found = self._error([self.now, odds], holder=player)
                if found is not None:
                    errors[player] = found
            error = errors.pop(self.me, None)
            if error is not None and own is not None:
                error = float(np.hypot(error, np.sqrt(own)))
        direct_error = None if own is None else float(np.sqrt(own)) or None
        if value is not None:
            changes[self.me], direct_error = value, error
        mine = changes.pop(self.me)
        relative = mine - sum(changes.values()) / len(changes) if changes else mine
        relative_error = error
        if error is not None and errors:
            rivals = np.sqrt(sum(e**2 for e in errors.values())) / len(errors)
            relative_error = float(np.hypot(error, rivals))
        bet_before, value_before, error_before, bets_after, value_after, error_after = bets
        return ActionValue(
            str(event),
            mine,
            direct,
            mine - direct,
            MappingProxyType(changes),
            relative,
            error,
            MappingProxyType(errors),
            relative_error,
            largest_first(pays),
            bet_before,
            value_before,
            MappingProxyType(bets_after),
            value_after,
            error_before or None,
            error_after or None,
            direct_error,
        )
