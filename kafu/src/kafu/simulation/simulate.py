"""Simulated players: whole games, random or with sense, for samples, fuzzing and load tests.

A player chooses among `Machine.legal_actions`; the recorder writes the actions as a `Game`. The
same seed gives the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from kafu.judging.actions import from_engine
from kafu.notation.game import Game, Month
from kafu.notation.vocabulary import MAX_DEALS, RULES
from kafu.rules.play.actions import Action, Begin, Deal, Pile
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.rulesets import machine_of
from kafu.simulation.strategy import choose_sensibly

#: A function to choose a legal action.
Player = Callable[[Machine[Any], Any, Sequence[Action], Random], Action]

#: The players' names by seat.
NAMES: Final = ("Aya", "Ben", "Chie", "Daigo", "Emi", "Fumi", "Gen")


def choose_at_random(
    machine: Machine[Any], state: Any, actions: Sequence[Action], random: Random
) -> Action:
    """Choose uniformly among the legal actions."""
    return random.choice(actions)


PLAYERS: Final[Mapping[str, Player]] = {"random": choose_at_random, "sensible": choose_sensibly}


def collect_options(ruleset: str, profile: str = "", written: Sequence[str] = ()) -> dict[str, str]:
    """Return the options of the house ``profile``, and the ``written`` ones (``name=value``).

    Raises ValueError with the allowed values if the ruleset has no such name or value.
    """
    allowed = RULES[ruleset].options
    options: dict[str, str] = {}
    for word in [*([f"profile={profile}"] if profile else []), *written]:
        name, _, value = word.partition("=")
        if name not in allowed:
            kind, wrong = ("option", name) if word in written else ("house", value)
            names = ", ".join(allowed) if kind == "option" else ""
            raise ValueError(f"{ruleset}: no {kind} {wrong!r}; there are: {names or 'none'}")
        if value not in allowed[name].known:
            expected = ", ".join(allowed[name].expected)
            raise ValueError(f"{ruleset}: {name}={value}: expected one of {expected}")
        if options.get(name, value) != value:
            raise ValueError(f"{ruleset}: {name}={value}, but {name}={options[name]} before")
        options[name] = value
    return options


def simulate(
    ruleset: str,
    *,
    seed: int,
    players: int | None = None,
    player: str = "sensible",
    options: Mapping[str, str] | None = None,
    claims: bool = True,
) -> Game:
    """Play one game of a ruleset to its end, with the smallest number of ``players`` by default.

    With ``claims`` the record states the score of each deal and the settlement. A game of more than
    64 deals, the limit of the notation, is replaced by another one. Raises `Unsupported` for a
    ruleset without an engine, KeyError for an unknown player.
    """
    options = dict(options or {})
    players = players or RULES[ruleset].seats[0]
    machine = machine_of(ruleset, options, players)
    choose = PLAYERS[player]
    random = Random(f"{ruleset} {seed}")
    while True:
        game = Game(ruleset, NAMES[:players], options)
        add_months(game, _play(machine, choose, random), claims=claims)
        if game.termination == "normal":
            return game


def _play(machine: Machine[Any], choose: Player, random: Random) -> Iterator[tuple[Action, Any]]:
    """Play a game up to its end or the limit of deals, and yield each action and the state."""
    state = machine.start()
    while state.phase is not Phase.OVER and (
        state.phase is not Phase.DEAL or state.deals < MAX_DEALS
    ):
        action: Action
        if state.phase is Phase.DEAL:
            action = machine.deal(state, random)
        elif state.phase is Phase.PILE:
            action = machine.pile(state, random)
        else:
            action = choose(machine, state, machine.legal_actions(state), random)
        state = machine.step(state, action)
        yield action, state


def add_months(game: Game, steps: Iterable[tuple[Action, Any]], *, claims: bool) -> Game:
    """Return ``game`` with the played months, from each action and the state after it.

    ``claims`` adds the score of each ended deal and the settlement. The notation has no half turns,
    so a last turn without its stock card is left out.
    """
    phase = Phase.DEAL
    for action, state in steps:
        if isinstance(action, Deal):
            game.months.append(make_month(action))
        else:
            write_down(game.months[-1], action)
        phase = state.phase
        if phase in (Phase.DEAL, Phase.OVER) and claims:
            game.months[-1].score = state.result.score
        if phase is Phase.OVER and claims:
            game.result = game.final = state.final
    statements = game.months[-1].statements
    if phase in (Phase.STOCK, Phase.DECIDE) and statements[-1].is_half:
        statements.pop()
    if phase is not Phase.OVER:
        game.tags["Termination"] = "unfinished"
    return game


def make_month(deal: Deal) -> Month:
    """Return a month with the dealt cards and no turns."""
    return Month(
        deal.month,
        deal.dealer,
        draws=[dict(row) for row in deal.draws],
        split=deal.split and dict(deal.split),
        hands=dict(deal.hands),
        field=deal.field,
        stock=deal.stock,
        stock_cut=deal.stock_cut,
    )


def write_down(month: Month, action: Action) -> None:
    """Add an action to the record of its deal, in which the dealt cards are already written."""
    if isinstance(action, Pile):
        month.stock, month.stock_cut = action.stock, action.stock_cut
    elif not isinstance(action, Begin):
        month.write_down(from_engine(action, 0))
