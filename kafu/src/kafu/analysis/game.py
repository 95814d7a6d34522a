"""The choices of a recorded game, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.analysis.knowledge import Deals, Option, Silent, Unknowable, View, alternatives
from kafu.analysis.policy import Policy
from kafu.analysis.saying import Saying, sayings
from kafu.analysis.search import Effort, Search, Valued
from kafu.analysis.winning import Winning, winning
from kafu.judging import options, playthrough
from kafu.notation.game import Game
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Event,
    Pile,
    Play,
    Say,
    Show,
)
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, Unsupported, machine_of

#: Kinds of choices by what is chosen.
HAND, STOCK, SAY, BID, SHOW = KINDS = ("hand", "stock", "say", "bid", "show")
#: How a choice is written that is to be silent.
SILENT: Final = "-"

_KINDS: Final = {AT_HAND: HAND, AT_STOCK: STOCK, Phase.BID: BID, Phase.SHOW: SHOW}


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
    actions: tuple[Option, ...]
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
        self.misdealt = False
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
            self.misdealt = action.misdealt
        if not isinstance(action, Begin | Pile):
            self.step += 1
        if not self.misdealt:
            for saying in sayings(self.rules, self.before, action):
                self._saying(number, saying)
        if isinstance(action, Play | Draw | Say | Call | Bid):
            self._choice(number, action)
        self.deals.after(self.before, action, state)
        self.before = state

    def _saying(self, number: int, saying: Saying) -> None:
        """What a seat declared, or did not."""
        state, (seat, actions, played) = self.before, saying
        kind = SAY if state.phase is AT_STOCK else _KINDS[state.phase]
        where = number, self.step, state.turn, seat, kind
        try:
            view = View(self.deals.copy(), state, seat=seat, blind=state.phase is Phase.BID)
        except Unknowable as why:
            self.points.append(Point(*where, (actions[played],), 0, None, why.reason))
            return
        self.points.append(Point(*where, tuple(actions), played, view))

    def _choice(self, number: int, action: Play | Draw | Say | Call | Bid) -> None:
        state = self.before
        if isinstance(action, Bid):
            if action not in self.rules.legal_actions(state):
                return  # of who is in already, having gone in blind (B14)
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
        if chosen in actions:  # else it was a claim
            self.points.append(Point(*where, actions, actions.index(chosen), view))


def points(game: Game) -> list[Point]:
    """The choices of a game up to its end or first fault, forced ones too.

    Not among them are the dealer's hand taken (親手をもらう), which nobody has seen, and two cards
    turned (二枚めくり), a mistake. Raises `kafu.rules.rulesets.Unsupported`, for a score sheet too,
    which has no cards.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    finder = _Finder(rules)
    playthrough.play(game, rules, finder.watch)
    return finder.points


def effort_of(rules: str, most: int | None = None) -> Effort:
    """How much is done for a choice by default, with no more than ``most`` deals for a comparison:
    the error aimed at is 0.3 mon in koi-koi, and in others so much of the width by which statistics
    count scores of deals.
    """
    effort = Effort(error=0.3 * RULESETS[rules].bins[0])
    return effort if most is None else effort.within(most)


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
    chances = winning(rules, effort.games)
    for point in points(game) if wanted is None else wanted:
        yield _valued(point, policy, chances, effort, seed)


def _valued(
    point: Point, policy: Policy, chances: Winning, effort: Effort, seed: int
) -> tuple[Point, Valued | None]:
    """One choice analysed, as in `analyse`."""
    if point.view is None or point.forced:
        return point, None
    search = Search(policy, chances, point.view, point.actions, point.played)
    random = Random(f"{seed} {point.deal} {point.step} {point.seat} {point.kind}")
    try:
        return point, search.run(effort, random)
    except Unknowable as why:
        return point._replace(view=None, reason=why.reason), None


def move(action: Option) -> str:
    """An action of a choice as Kafu writes it: card and capture, the word, or a declaration with
    the cards that it lays open; `SILENT` where nothing is said.

    >>> move(Play(0b1, 0b100)), move(Say("shobu")), move(Show(1, ("akatan",), 0b1)), move(Silent(1))
    ('AxC', 'shobu', 'akatan A', '-')
    """
    match action:
        case Play(card, take) | Draw(card, take):
            return options.part(card, take)
        case Say(word) | Call(word, _):
            return word
        case Bid(_, goes_in):
            return "in" if goes_in else "out"
        case Blind():
            return "blind"
        case Show(_, yaku, laid):
            return f"{'+'.join(yaku)} {cards.letters(laid)}"
        case Silent():
            return SILENT
    raise ValueError(action)
