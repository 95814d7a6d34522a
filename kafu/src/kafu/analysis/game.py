"""The choices of a recorded game, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from kafu.analysis.knowledge import Deals, Unknowable, View, alternatives
from kafu.analysis.policy import Policy
from kafu.analysis.search import Effort, Search, Valued
from kafu.judging import options, playthrough
from kafu.notation.game import Game
from kafu.rules.play.actions import Action, Begin, Bid, Call, Deal, Draw, Event, Pile, Play, Say
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, Unsupported, machine_of

#: Kinds of choices by what is chosen.
HAND, STOCK, SAY, BID = "hand", "stock", "say", "bid"

_KINDS: Final = {AT_HAND: HAND, AT_STOCK: STOCK, Phase.BID: BID}


class Point(NamedTuple):
    """A choice that a record has: the state before it, what the seat did, what it could do.

    ``deal`` counts from 1 and ``step`` from 0 as the steps of `kafu.judging.replay` do; ``turn`` is
    that of the deal, from 1. ``view`` is what the seat knew, None where ``reason``, one of
    `kafu.analysis.knowledge.REASONS`, says why it cannot be analysed.
    """

    deal: int
    step: int
    turn: int
    seat: int
    kind: str
    actions: tuple[Action, ...]
    played: int
    view: View | None
    reason: str = ""

    @property
    def forced(self) -> bool:
        """Whether nothing else was allowed."""
        return len(self.actions) < 2


class _Finder:
    """Collects the choices while a game is played through; ``watch`` is as of `playthrough`."""

    def __init__(self, rules: Machine[Any]) -> None:
        self.rules = rules
        self.deals = Deals(rules)
        self.before: State = rules.start()
        self.step = 0
        self.points: list[Point] = []

    def watch(
        self,
        number: int,
        action: Action,
        state: State,
        events: tuple[Event, ...],
        comments: list[str],
    ) -> None:
        """One more action of the record."""
        if isinstance(action, Deal):
            self.deals = Deals(self.rules)
            self.step = -1
        if not isinstance(action, Begin | Pile):
            self.step += 1
        if isinstance(action, Play | Draw | Say | Call | Bid):
            self._choice(number, action)
        self.deals.after(self.before, action, state)
        self.before = state

    def _choice(self, number: int, action: Play | Draw | Say | Call | Bid) -> None:
        state = self.before
        if isinstance(action, Bid):
            # Not the dealer's bid where that seat has the blank card (T3).
            state = state.replace(seat=action.seat)
        elif isinstance(action, Call) and action.seat != state.seat:
            return
        turned = action.card if isinstance(action, Draw) else 0
        chosen: Action = action
        if isinstance(action, Play | Draw) and not action.take:
            take = captures(state.table.field, action.card)[0]
            chosen = action._replace(take=take)
        seat, turn = state.seat, state.turn + (state.phase is AT_HAND)
        kind = _KINDS.get(state.phase, SAY)
        where = number, self.step, turn, seat, kind
        try:
            view = View(self.deals.copy(), state, turned)
        except Unknowable as why:
            self.points.append(Point(*where, (chosen,), 0, None, why.reason))
            return
        actions = tuple(alternatives(self.rules, state, turned))
        if chosen in actions:  # else a claim of the rules, no choice: menjo, nimai, a bid again
            self.points.append(Point(*where, actions, actions.index(chosen), view))


def points(game: Game) -> list[Point]:
    """The choices of a game up to its end or first fault, forced ones too.

    Not among them are what is said before a hand is seen (みずてん, 親手をもらう), declarations of
    dealt hands, and claims (免除, 二枚めくり). Raises
    `kafu.rules.rulesets.Unsupported`, for a score sheet too, which has no cards.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    finder = _Finder(rules)
    playthrough.play(game, rules, finder.watch)
    return finder.points


def effort_of(rules: str) -> Effort:
    """How much is done for a choice by default: the error aimed at is 0.3 mon in koi-koi, and in
    others so much of the width by which statistics count scores of deals.
    """
    return Effort(error=0.3 * RULESETS[rules].bins[0])


def analyse(
    game: Game,
    wanted: Iterable[Point] | None = None,
    *,
    seed: int = 0,
    effort: Effort | None = None,
) -> Iterator[tuple[Point, Valued | None]]:
    """Each choice of a game, or those of its points that are ``wanted``, with what its actions
    are worth: None for a forced one, and for one that cannot be analysed, whose point says why.

    The same ``seed`` gives the same values, whichever choices are analysed. Raises as `points`.
    """
    rules = machine_of(game.rules, game.options, len(game.players))
    policy = Policy(rules)
    effort = effort or effort_of(game.rules)
    for point in points(game) if wanted is None else wanted:
        yield valued(point, policy, effort, seed)


def valued(point: Point, policy: Policy, effort: Effort, seed: int) -> tuple[Point, Valued | None]:
    """One choice analysed, as in `analyse`."""
    if point.view is None or point.forced:
        return point, None
    search = Search(policy, point.view, point.actions, point.played)
    random = Random(f"{seed} {point.deal} {point.step}")
    try:
        return point, search.run(effort, random)
    except Unknowable as why:
        return point._replace(view=None, reason=why.reason), None


def move(action: Action) -> str:
    """An action of a choice as Kafu writes it: card and capture, or the word.

    >>> move(Play(0b1, 0b100)), move(Say("shobu"))
    ('AxC', 'shobu')
    """
    match action:
        case Play(card, take) | Draw(card, take):
            return options.part(card, take)
        case Say(word) | Call(word, _):
            return word
        case Bid(_, goes_in):
            return "in" if goes_in else "out"
    raise ValueError(action)
