"""Simulated players: whole games, random or with sense, for samples, fuzzing and load tests.

A player chooses among `Machine.legal_actions`; the recorder writes the actions as a `Game`. The
same seed gives the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.notation import game as kafu
from kafu.notation.vocabulary import MAX_DEALS, RULES
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Pile,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.rulesets import machine_of
from kafu.simulation.rare import Plan, Rare
from kafu.simulation.strategy import sensible

#: Chooses one of the legal actions.
Player = Callable[[Machine[Any], Any, Sequence[Action], Random], Action]

#: Who plays, seat by seat.
NAMES: Final = ("Aya", "Ben", "Chie", "Daigo", "Emi", "Fumi", "Gen")


def at_random(rules: Machine[Any], state: Any, actions: Sequence[Action], random: Random) -> Action:
    """Any legal action, each as likely."""
    return random.choice(actions)


PLAYERS: Final[Mapping[str, Player]] = {"random": at_random, "sensible": sensible}


def house_rules(rules: str, house: str = "", written: Sequence[str] = ()) -> dict[str, str]:
    """The options of a game: a ``house`` by name, and single ones ``written`` as ``name=value``.

    Raises ValueError for what the ruleset does not have, with the allowed values.
    """
    known = RULES[rules].options
    options: dict[str, str] = {}
    for word in [*([f"profile={house}"] if house else []), *written]:
        name, _, value = word.partition("=")
        if name not in known:
            kind, wrong = ("option", name) if word in written else ("house", value)
            names = ", ".join(known) if kind == "option" else ""
            raise ValueError(f"{rules}: no {kind} {wrong!r}; there are: {names or 'none'}")
        if value not in known[name].known:
            expected = ", ".join(known[name].expected)
            raise ValueError(f"{rules}: {name}={value}: expected one of {expected}")
        if options.get(name, value) != value:
            raise ValueError(f"{rules}: {name}={value}, but {name}={options[name]} before")
        options[name] = value
    return options


def simulate(
    rules: str,
    *,
    seed: int,
    players: int | None = None,
    player: str = "sensible",
    options: Mapping[str, str] | None = None,
    claims: bool = True,
    rare: bool = False,
) -> kafu.Game:
    """Play one game of a ruleset to its end, with the smallest number of ``players`` by default.

    ``claims``: write the score of each deal and the settlement too. ``rare``: favour rare events
    (`kafu.simulation.rare`), whoever plays. A game that would need more than the notation's 64
    deals is dealt again from the next seed in line. Raises `Unsupported` for a ruleset without an
    engine, KeyError for an unknown player.
    """
    options = dict(options or {})
    players = players or RULES[rules].seats[0]
    machine = machine_of(rules, options, players)
    choose = PLAYERS[player]
    random = Random(f"{rules} {seed}")
    while True:
        leaning = Rare(machine, random) if rare else None
        game = kafu.Game(rules, NAMES[:players], options)
        state = machine.start()
        while state.phase is not Phase.OVER and len(game.months) < MAX_DEALS:
            plan = leaning.plan(state) if leaning else None
            state = _deal(machine, state, game, choose, random, plan, claims=claims)
        if state.final is not None:
            if claims:
                game.result = game.final = state.final
            return game


def _deal(
    machine: Machine[Any],
    state: Any,
    game: kafu.Game,
    choose: Player,
    random: Random,
    plan: Plan | None,
    *,
    claims: bool,
) -> Any:
    """Play one deal and write it down; the state after it."""
    deal = plan.deal if plan else machine.deal(state, random)
    month = kafu.Month(
        deal.month,
        deal.dealer,
        draws=list(deal.draws),
        split=dict(deal.split),
        hands=dict(deal.hands),
        field=deal.field,
        stock=deal.stock,
    )
    game.months.append(month)
    state = machine.step(state, deal)
    if plan and claims:
        month.ba = state.grade
    while state.phase not in (Phase.DEAL, Phase.OVER):
        action: Action
        written = True
        if plan:
            action, written = plan.action(state, machine.legal_actions(state))
        elif state.phase is Phase.PILE:
            action = machine.pile(state, random)
        else:
            action = choose(machine, state, machine.legal_actions(state), random)
        if written:
            write_down(month, action)
        state = machine.step(state, action)
    if claims:
        month.score = state.result.score
    return state


def write_down(month: kafu.Month, action: Action) -> None:
    """Write an action into the record of its deal; the deal itself is there already."""
    turns = month.turns
    match action:
        case Blind(seat):
            month.blind = seat
        case Swap(seat):
            month.swaps.append(seat)
        case Bid(seat, goes_in):
            month.bids.append((seat, goes_in))
        case Pile(stock, stock_cut):
            month.stock, month.stock_cut = stock, stock_cut
        case Show(seat, yaku, laid):
            month.shows.append(kafu.Show(seat, yaku, cards.letters(laid)))
        case Redeal(reason):
            month.redeal = reason
        case Void(reason):
            month.void = reason
        case Play(card, take):
            turns.append(kafu.Turn(cards.letters(card), cards.letters(take)))
        case Draw(card, take) if turns and isinstance(turns[-1], kafu.Turn):
            turns[-1].turn, turns[-1].take2 = cards.letters(card), cards.letters(take)
            turns[-1].say1, turns[-1].say = turns[-1].say, ()
        case Say(word) if turns and isinstance(turns[-1], kafu.Turn):
            turns[-1].say = (*turns[-1].say, word)
        case Call(word, seat):
            turns.append(kafu.Call(word, seat))
        case Begin() | Deal():
            pass
