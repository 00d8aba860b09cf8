"""The value of every legal action: arithmetic on odds, no kernels.

After the action nobody acts any more: the dice keep coming until the race is over, and what
is held is paid.  An action is worth what the player then has more than without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np

from camelodds.actions import PILES, Event, legal_events
from camelodds.card_values import card_values
from camelodds.editions import Edition
from camelodds.errors import OptionError, Problem, not_one_of, refuse
from camelodds.game import Game
from camelodds.odds.placements import placement_odds
from camelodds.odds.sampling import read_plan
from camelodds.results.actions import ActionValue, ActionValues, largest_first
from camelodds.results.errors import FloatArray
from camelodds.scoring import PYRAMID, Held, prize, ticket_by_place

BELIEFS = ("odds", "uniform")
METHODS = ("auto", "table", "sample", "tail")


def action_values(
    game: Game,
    *,
    belief: object = "odds",
    without: Collection[str] = (),
    method: str = "auto",
    n: int | None = None,
    seed: int | None = None,
) -> ActionValues:
    """The value of every legal action of the player to move, best first.

    Parameters
    ----------
    game
        What to ask about.
    belief
        What colours hidden overall cards have: ``"odds"``, each on a camel as probably as the
        camel wins now (in the loser pile: is last now); ``"uniform"``; or one's own numbers:
        a probability by camel, ``{"b": 0.5, "w": 0.5}``, or by pile such a mapping, or by
        pile a list of them, one for each hidden card, first placed first.
    without
        Kinds of action to leave out, for example ``["winner", "last"]``.
    method
        Where race odds come from, see `camelodds.race_odds`: ``"auto"`` takes the race table
        if there is one, else it samples.
    n, seed
        Number of sampled races of each position, 32 768 if left out, and what gives the same
        ones again.

    Returns
    -------
    ActionValues
        Empty after the race.

    Raises
    ------
    OptionError
        If an argument cannot be used.

    Notes
    -----
    Where a player's coins are known, leg income is floored at zero (F9): coins are then what
    is held now and the *expected* tile coins still to come in this leg, an approximation.
    Overall bets are valued without the floor.  No tile is placed or moved later.

    In the Card Game a turn is a track action and at most one bet (C5): the rows of track actions
    tell the best bet before and after (`ActionValue.turn`), bets stand in rows of their own.
    What the player to move knows of the deck counts (`Game.seen_by`); without the turn, and
    after it, only the deck is revealed, its unknown cards drawn evenly (C14).  The
    round as it stands is exact where `leg_odds` is, and so are the tickets and third-place cards
    that are valued by it.  After actions, rounds that are too many to enumerate are sampled,
    200 000 for each position, and so are races that this round does not decide, 50 000, unless
    `n` says otherwise; all with one seed, so that differences are smaller than their
    `standard_error`, which takes them for independent.

    Examples
    --------
    >>> import camelodds as co
    >>> g = co.Game.start(co.FIRST, players=4, position="1:gyo 3:bw")
    >>> values = co.action_values(g, without=["winner", "last"])
    >>> values["ticket g"].value, -5161 / 14580  # doctest: +ELLIPSIS
    (-0.35397805..., -0.35397805...)
    """
    _check(game, without, method, n, seed)
    left_out = set(without)
    events = [event for event in legal_events(game) if event.kind not in left_out]
    if game.edition.by_cards:
        read_belief(game, belief, None)  # nothing is hidden, but a wrong one is told
        return card_values(game, events, method, n, seed)
    return _Valuation(game, events, belief, method, n, seed).result()


def _check(game: object, without: object, method: object, n: object, seed: object) -> None:
    plan, faults = read_plan(n, seed)
    if plan is not None and plan.n < 1:
        faults.append(Problem(f"n={n!r:.40}", "no races to sample", tip="such as 32_768"))
    if not isinstance(game, Game):
        tip = "make one with Game.start(...)"
        raise OptionError(Problem(f"{game!r:.60}", "not a Game", tip=tip))
    kinds = [kind for group in game.edition.turn for kind in group]
    if isinstance(without, str) or not isinstance(without, Collection):
        what = f"without={without!r:.40}"
        faults.append(Problem(what, "not a list of kinds", tip='as in ["winner", "last"]'))
    else:
        faults += [
            Problem(f"without={kind!r:.40}", "no such kind", tip=f"use some of {', '.join(kinds)}")
            for kind in without
            if kind not in kinds
        ]
    faults += not_one_of("method", method, METHODS)
    refuse(faults)


# Payoffs as functions of the outcome ----------------------------------------------------


@lru_cache(maxsize=64)
def ticket_payoffs(edition: Edition, worth: int) -> FloatArray:
    """(5, N) float64: what a leg ticket of each camel pays with each outcome (F8)."""
    pays = np.array(ticket_by_place(float(worth)))[edition.outcomes.T - 1]
    pays.flags.writeable = False
    return pays


def net_payoffs(edition: Edition, held: Held) -> FloatArray:
    """(N,) float64: net of a leg scoring with each outcome, without a partner's bonus."""
    net = np.full(len(edition.outcomes), float(PYRAMID * held.pyramid))
    for ticket in held.tickets:
        net += ticket_payoffs(edition, ticket.worth)[edition.racing.index(ticket.camel)]
    return net


def best_payoffs(edition: Edition, held: Held) -> FloatArray:
    """(N,) float64: the bonus of this player's partner with each outcome (S10)."""
    best = np.full(len(edition.outcomes), float(PYRAMID if held.pyramid else 0))
    for ticket in held.tickets:
        pays = ticket_payoffs(edition, ticket.worth)[edition.racing.index(ticket.camel)]
        best = np.maximum(best, pays)
    return best


# Overall bets ----------------------------------------------------------------------------


def correct_before(chances: Sequence[float]) -> FloatArray:
    """P(k of these cards are correct) for each k, each with its own chance.

    Examples
    --------
    >>> correct_before([0.5, 0.5]).tolist()
    [0.25, 0.5, 0.25]
    """
    found = np.ones(1)
    for chance in chances:
        found = np.convolve(found, [1.0 - chance, chance])
    return found


def expected_prize(edition: Edition, chances: Sequence[float]) -> float:
    """Expected prize of a correct card after cards that are correct with these chances (F13)."""
    counts = correct_before(chances)
    return float(sum(p * prize(edition, k) for k, p in enumerate(counts.tolist())))


def read_belief(
    game: Game, belief: object, now: Mapping[str, FloatArray] | None
) -> dict[str, list[FloatArray]]:
    """By pile: the chance of each camel for every card, (5,) float64 each.

    Parameters
    ----------
    game, belief
        See `action_values`.
    now
        By pile: P(wins), P(is last) of the position; None if they were not asked for.

    Raises
    ------
    OptionError
        If it is no belief.
    """
    edition = game.edition
    racing = edition.racing
    n_hidden = {pile: sum(bet.camel is None for bet in game.piles[pile]) for pile in PILES}
    hidden: dict[str, list[FloatArray]] = {}
    if isinstance(belief, str):
        if belief not in BELIEFS:
            tip = 'use "odds", "uniform", or a probability by camel'
            raise OptionError(Problem(f"belief={belief!r:.40}", "no such belief", tip=tip))
        for pile in PILES:
            one = np.full(len(racing), 1.0 / len(racing))
            if belief == "odds" and now is not None:
                one = now[pile]
            hidden[pile] = [one] * n_hidden[pile]
    else:
        hidden = _own_belief(racing, belief, n_hidden)
    found: dict[str, list[FloatArray]] = {}
    for pile in PILES:
        cards = iter(hidden[pile])
        known = np.eye(len(racing))
        found[pile] = [
            next(cards) if bet.camel is None else known[racing.index(bet.camel)]
            for bet in game.piles[pile]
        ]
    return found


def _own_belief(
    racing: str, belief: object, n_hidden: Mapping[str, int]
) -> dict[str, list[FloatArray]]:
    tip = 'as in {"b": 0.5, "w": 0.5}, or {"winner": [{"b": 1}, {"w": 1}], "last": []}'
    if not isinstance(belief, Mapping):
        raise OptionError(Problem(f"belief={belief!r:.60}", "no belief", tip=tip))
    by_pile = belief if set(belief) & set(PILES) else dict.fromkeys(PILES, belief)
    faults = [
        Problem(f"belief: {key!r:.40}", "no such pile", tip=tip)
        for key in by_pile
        if key not in PILES
    ]
    found = {}
    for pile in PILES:
        cards = by_pile.get(pile, [])
        if isinstance(cards, Mapping):
            found[pile] = [_chances(racing, pile, cards, faults)] * n_hidden[pile]
            continue
        if not isinstance(cards, Sequence) or isinstance(cards, str):
            faults.append(Problem(f"belief: {pile}: {cards!r:.60}", "not understood", tip=tip))
            continue
        if len(cards) != n_hidden[pile]:
            what = f"{len(cards)} of them, but {n_hidden[pile]} cards are hidden"
            faults.append(Problem(f"belief: {pile}", what, "F13"))
        found[pile] = [_chances(racing, pile, card, faults) for card in cards]
    refuse(faults)
    return found


def _chances(racing: str, pile: str, card: object, faults: list[Problem]) -> FloatArray:
    where = f"belief: {pile}: {card!r:.60}"
    chances = np.zeros(len(racing))
    if not isinstance(card, Mapping):
        faults.append(Problem(where, "not a probability by camel"))
        return chances
    for camel, chance in card.items():
        if not isinstance(camel, str) or len(camel) != 1 or camel not in racing:
            tip = f"the racing camels are {', '.join(racing)}"
            faults.append(Problem(where, f"no racing camel {camel!r:.20}", tip=tip))
        elif isinstance(chance, bool) or not isinstance(chance, (int, float, np.number)):
            faults.append(Problem(where, f"{chance!r:.20} is no probability"))
        elif not 0 <= chance <= 1:
            faults.append(Problem(where, f"{chance!r:.20} is no probability", tip="0 to 1"))
        else:
            chances[racing.index(camel)] = float(chance)
    if not faults and abs(chances.sum() - 1) > 1e-6:
        what = f"the probabilities add up to {chances.sum():g}"
        faults.append(Problem(where, what, tip="a card is on one camel: to 1"))
    return chances


# All of it ------------------------------------------------------------------------------


class _Valuation:
    """One question: the position as it is, and with every placement of the tile."""

    def __init__(
        self,
        game: Game,
        events: list[Event],
        belief: object,
        method: str,
        n: int | None,
        seed: int | None,
    ) -> None:
        self.game, self.events, self.edition = game, events, game.edition
        self.me = game.players.index(game.to_move)
        tiles = [event for event in events if event.kind == "tile"]
        self.placed = {event: i + 1 for i, event in enumerate(tiles)}
        self.positions = [game.position, *(game.placed(e.number, e.sign) for e in tiles)]
        self.piles = any(game.piles.values())
        if self.piles and tiles:
            race_of = len(self.positions)
        else:
            race_of = int(any(event.kind in PILES for event in events))
        self.odds = placement_odds(self.positions, race_of=race_of, method=method, n=n, seed=seed)
        self.race = self.odds.race
        now = None
        if len(self.race):
            now = {pile: self.race[0, i] for i, pile in enumerate(PILES)}
        self.by_odds = isinstance(belief, str) and belief == "odds"
        self.cards = read_belief(game, belief, now)
        self.belief = belief if isinstance(belief, str) else "own"
        self._leg_income()
        self._pile_income()

    def _leg_income(self) -> None:
        """Everybody's expected leg income, for each of the positions."""
        game, edition = self.game, self.edition
        self.net = np.array([net_payoffs(edition, game.held[p]) for p in game.players])
        self.best = np.array([best_payoffs(edition, game.held[p]) for p in game.players])
        self.partner = {
            game.players.index(a): game.players.index(b) for a, b in game.partners.items()
        }
        for one, other in self.partner.items():
            self.net[one] += self.best[other]
        self.coins = [game.coins[player] for player in game.players]
        seats = {player: i for i, player in enumerate(game.players)}
        self.tile_coins = np.zeros((len(self.positions), len(game.players)))
        for b, position in enumerate(self.positions):
            for space, tile in position.tiles.items():
                if tile.owner is not None:
                    self.tile_coins[b, seats[tile.owner]] += self.odds.landings[b, space]
        self.income = np.column_stack(
            [self.expected(player, self.net[player]) for player in range(len(game.players))]
        )

    def expected(self, player: int, net: FloatArray, only_now: bool = False) -> FloatArray:
        """(B,) float64: expected leg income of a player with this net by outcome."""
        stop = 1 if only_now else len(self.positions)
        outcomes, coming = self.odds.outcomes[:stop], self.tile_coins[:stop, player]
        coins = self.coins[player]
        if coins is None:
            income: FloatArray = outcomes @ net + coming
            return income
        # F9: of what is held now and the expected tile coins, never less than nothing.
        held = np.maximum(0.0, coins + coming[:, None] + net)
        floored: FloatArray = np.einsum("bo,bo->b", outcomes, held) - coins
        return floored

    def _pile_income(self) -> None:
        """Add what the cards in the piles are expected to pay."""
        game, edition = self.game, self.edition
        camels = range(len(edition.racing))
        # What a card pays is linear in who wins: coefficients by pile and camel.
        self.stakes = np.zeros((len(game.players), len(PILES), len(camels)))
        for i, pile in enumerate(PILES):
            cards = self.cards[pile]
            for j, bet in enumerate(game.piles[pile]):
                player = game.players.index(bet.player)
                for c in camels:
                    if cards[j][c]:
                        before = [card[c] for card in cards[:j]]
                        worth = expected_prize(edition, before) + 1
                        self.stakes[player, i, c] += cards[j][c] * worth
        if len(self.race) == len(self.positions):
            self.income += np.einsum("bic,pic->bp", self.race, self.stakes)

    def result(self) -> ActionValues:
        rows = [self._row(event) for event in self.events]
        rows.sort(key=lambda row: -round(row.value, 12))
        return ActionValues(
            self.game,
            tuple(rows),
            str(self.belief),
            self.odds.method,
            self.odds.n,
            self.odds.seed,
        )

    def _row(self, event: Event) -> ActionValue:
        if event.kind == "tile":
            return self._tile(event)
        if event.kind in PILES:
            return self._bet(event)
        return self._leg_action(event)

    def _made(
        self,
        event: Event,
        change: Sequence[float],
        direct: float,
        error: float | None = None,
        errors: Sequence[float] = (),
        relative_error: float | None = None,
        *,
        pays: Mapping[int, float] = MappingProxyType({}),
    ) -> ActionValue:
        value = float(change[self.me])
        players = self.game.players
        rivals = {p: float(c) for p, c in zip(players, change, strict=True)}
        del rivals[self.game.to_move]
        rival_errors = {p: e for p, e in zip(players, errors, strict=False) if p in rivals and e}
        return ActionValue(
            str(event),
            value,
            direct,
            value - direct,
            MappingProxyType(rivals),
            value - sum(rivals.values()) / len(rivals),
            error,
            MappingProxyType(rival_errors),
            relative_error or None,
            pays,
            direct_error=None if event.kind == "tile" else error,
        )

    def _leg_action(self, event: Event) -> ActionValue:
        """A ticket, a pyramid ticket, a partnership: more net with every outcome."""
        game, edition, me = self.game, self.edition, self.me
        net = {me: self.net[me]}
        pays: Mapping[int, float] = {}
        if event.kind == "partner":
            other = game.players.index(event.player)
            net = {me: net[me] + self.best[other], other: self.net[other] + self.best[me]}
        else:
            if event.kind == "roll":
                more = np.full(len(edition.outcomes), float(PYRAMID))
                pays = {PYRAMID: 1.0}
            else:
                worth = game.tickets_left[event.camel][0]
                camel = edition.racing.index(event.camel)
                more = ticket_payoffs(edition, worth)[camel]
                places = edition.outcomes[:, camel]
                chances = [float(self.odds.outcomes[0] @ (places == place)) for place in (1, 2)]
                pays = largest_first({worth: chances[0], 1: chances[1], -1: 1 - sum(chances)})
            net = {me: net[me] + more}
            if me in self.partner:
                other = self.partner[me]
                net[other] = self.net[other] - self.best[me] + np.maximum(self.best[me], more)
        change = [0.0] * len(game.players)
        for player, then in net.items():
            now = self.expected(player, self.net[player], only_now=True)[0]
            change[player] = float(self.expected(player, then, only_now=True)[0] - now)
        return self._made(event, change, change[me], pays=pays)

    def _tile(self, event: Event) -> ActionValue:
        b = self.placed[event]
        direct = float(self.odds.landings[b, event.number])
        change = (self.income[b] - self.income[0]).tolist()
        if not self.odds.changes:
            return self._made(event, change, direct)
        pays = self._stake_pays
        others = np.delete(pays, self.me, axis=0)
        errors = [self.odds.change_error(b, row) for row in pays]
        relative = self.odds.change_error(b, pays[self.me] - others.mean(axis=0))
        return self._made(event, change, direct, errors[self.me] or None, errors, relative)

    @cached_property
    def _stake_pays(self) -> FloatArray:
        """(P, N) float64: what the cards in the piles pay each player, by the race's outcome."""
        places = self.edition.outcomes
        wins, last = (places == 1).argmax(axis=1), (places == places.max()).argmax(axis=1)
        pays: FloatArray = self.stakes[:, 0][:, wins] + self.stakes[:, 1][:, last]
        return pays

    def _bet(self, event: Event) -> ActionValue:
        """A new card comes after all others, so it changes what it pays only."""
        edition, pile = self.edition, PILES.index(event.kind)
        camel = edition.racing.index(event.camel)
        wins = float(self.race[0, pile, camel])
        before = [float(card[camel]) for card in self.cards[event.kind]]
        counts = correct_before(before)
        worth = expected_prize(edition, before)
        value = wins * worth - (1 - wins)
        error = None
        if self.odds.errors.any():
            slope = worth + 1
            if self.by_odds:
                # The belief moves with the odds: the chance of every hidden card does.
                for j, bet in enumerate(self.game.piles[event.kind]):
                    if bet.camel is None:
                        others = before[:j] + before[j + 1 :]
                        with_it = expected_prize(edition, [*others, 1.0])
                        slope += wins * (with_it - expected_prize(edition, others))
            error = abs(slope) * float(self.odds.errors[pile, camel])
        pays: dict[int, float] = {-1: 1 - wins}
        for k, chance in enumerate(counts.tolist()):
            pays[prize(edition, k)] = pays.get(prize(edition, k), 0.0) + wins * chance
        change = [0.0] * len(self.game.players)
        change[self.me] = value
        return self._made(
            event, change, value, error, relative_error=error, pays=largest_first(pays)
        )
