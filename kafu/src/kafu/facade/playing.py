"""Games played by strategies, and odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.facade import rulesets
from kafu.facade.errors import BadValue, IllegalAction, make_random, wrong_type
from kafu.facade.positions import check_letters, open_deal
from kafu.facade.table import Table
from kafu.notation.actions import SEATED, Action
from kafu.notation.game import Game
from kafu.odds import exact
from kafu.rules.yaku import Made
from kafu.simulation import simulate as simulation

#: A function that chooses a legal action: table, legal actions, chance and own seat to action.
Strategy = Callable[[Table, Sequence[Action], Random, int], Action | str]
#: The names of the library's strategies: random, and sensible play.
STRATEGIES: Final = tuple(simulation.PLAYERS)


def simulate(
    rules: str,
    *,
    seed: int = 1,
    players: int | None = None,
    options: Mapping[str, str | int] | None = None,
    strategies: str | Sequence[str] = "sensible",
    claims: bool = True,
) -> Game:
    """Simulate a game to its end with `STRATEGIES`: one name for all seats, or one per seat.

    The same seed gives the same game. ``claims`` adds the score of each deal and the settlement.
    Raises WrongType, UnknownRuleset, BadValue, NotPlayable.

    >>> import kafu
    >>> game = kafu.simulate("koikoi", seed=3, strategies=["sensible", "random"])
    >>> game == kafu.simulate("koikoi", seed=3, strategies=["sensible", "random"])
    True
    """
    machine, resolved = rulesets.make_machine(rules, players, options)
    seats = machine.players
    if not isinstance(seed, int):
        raise wrong_type("seed", seed, "int")
    if not isinstance(strategies, str | Sequence):
        raise wrong_type("strategies", strategies, "str", "a sequence of str")
    names = [strategies] * seats if isinstance(strategies, str) else list(strategies)
    for name in names:
        _find_strategy(name)
    if len(names) != seats:
        raise BadValue(f"{len(names)} strategies for {seats} players", code="wrong-players")
    if len(set(names)) == 1:
        return simulation.simulate(
            rules, seed=seed, players=seats, player=names[0], options=resolved, claims=claims
        )
    random = Random(f"{rules} {seed}")
    while True:
        table = play(Table(rules, players=seats, options=resolved), names, random)
        if table.final is not None:
            return table.game(claims=claims)


def play(
    table: Table, strategies: Sequence[Strategy | str], random: Random | int | None = None
) -> Table:
    """Play a table on to the end of its game, each seat by its strategy.

    A strategy is a name of `STRATEGIES`, or a function of table, legal actions, chance and its seat
    that returns one of the actions. It sees the whole table; pass `Table.seen_by` to a player that
    must not. A seat is asked only for its own actions (`Table.actions_of`): before the seat in
    turn, each seat that may declare or cancel something, which else chooses ``pass``. ``random`` is
    a generator or seed as for `Table.deal`. Raises WrongType, BadValue, and IllegalAction for an
    illegal choice.

    >>> import kafu
    >>> def first(table, actions, random, seat):
    ...     return actions[0]
    >>> table = kafu.play(kafu.Table("koikoi"), [first, "sensible"], 5)
    >>> table.finished
    True
    >>> kafu.verify(table.game(["Aya", "Ben"])).status
    'verified'
    """
    if not isinstance(table, Table):
        raise wrong_type("table", table, "Table")
    if isinstance(strategies, str) or not isinstance(strategies, Sequence):
        raise wrong_type("strategies", strategies, "a sequence of names and functions")
    if len(strategies) != table.players:
        message = f"{len(strategies)} strategies for {table.players} players"
        raise BadValue(message, code="wrong-players")
    chosen = [
        strategy if callable(strategy) else _find_strategy(strategy) for strategy in strategies
    ]
    chance = make_random(random)
    while not table.finished:
        if table.legal_actions:
            table = table.apply(_choose_action(table, chosen, chance))
        else:
            table = table.deal(chance)
    return table


def _choose_action(table: Table, strategies: Sequence[Strategy], random: Random) -> Action | str:
    """Return the next action: of the first seat out of turn that acts, or of the seat in turn."""
    actions = table.legal_actions
    if SEATED.isdisjoint([action.kind for action in actions]):
        return strategies[table.seat - 1](table, actions, random, table.seat)
    *others, in_turn = table.choosers
    for seat in others:
        offered = table.actions_of(seat)
        choice = strategies[seat - 1](table, offered, random, seat)
        written = [str(action) for action in offered]
        if str(choice) not in written:
            raise IllegalAction(
                f"seat {seat} is out of turn and cannot choose {str(choice)[:40]!r}",
                code="no-action",
                expected=written,
                legal=offered,
            )
        if str(choice) != written[0]:
            return choice
    return strategies[in_turn - 1](table, table.actions_of(in_turn), random, in_turn)


def _find_strategy(name: object) -> Strategy:
    """Return the strategy with a name. Raises WrongType, BadValue."""
    if not isinstance(name, str):
        raise wrong_type("strategy", name, "str", "a function")
    player = simulation.PLAYERS.get(name)
    if player is None:
        message = f"there is no strategy {name!r}"
        raise BadValue(message, code="unknown-strategy", expected=STRATEGIES)

    def choose(table: Table, actions: Sequence[Action], random: Random, seat: int) -> Action:
        return table.choose(player, actions, random)

    return choose


def yaku_of(
    rules: str,
    captured: str,
    options: Mapping[str, str | int] | None = None,
    *,
    month: int = 1,
) -> tuple[Made, ...]:
    """Return the captured yaku (出来役) in a set of cards, as `Table.yaku`.

    Some houses have a yaku of the ``month``. Yaku of the last player in turn (ビキ) count. Raises
    WrongType, UnknownRuleset, BadValue, NotPlayable.

    >>> import kafu
    >>> [(yaku.id, yaku.value) for yaku in kafu.yaku_of("koikoi", "AIcg")]
    [('teppo', 6), ('sanko', 6)]
    """
    if not isinstance(captured, str):
        raise wrong_type("captured", captured, "str")
    check_letters((), captured, None)
    machine, _ = rulesets.make_machine(rules, None, options)
    state = open_deal(machine, dealer=1)[1].replace(month=month)
    seat = machine.in_play(state)[-1]
    state.table.captured[seat - 1] = cards.mask(captured)
    return machine.yaku(state, seat)


def odds_of(rules: str) -> exact.Odds:
    """Return the exact odds of dealt hands (``hands``) and of field grades (``year``).

    Counts are whole numbers; the first call for a ruleset computes them. ``year`` is None for a
    ruleset without grades. Raises WrongType, UnknownRuleset.

    >>> import kafu
    >>> hands = kafu.odds_of("koikoi").hands
    >>> hands.rows["teshi"], hands.total
    (1584000, 377348994)
    """
    return exact.odds(rulesets.check_ruleset(rules))
