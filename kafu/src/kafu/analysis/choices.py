"""The choices in a recorded game, in order, and their analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.analysis.knowledge import (
    Option,
    PublicKnowledge,
    Silent,
    Unknowable,
    View,
    list_turn_options,
)
from kafu.analysis.policy import Policy
from kafu.analysis.search import ChoiceValue, Effort, Search
from kafu.analysis.winning import WinChances, load_win_chances
from kafu.judging.actions import from_engine
from kafu.judging.playthrough import Playthrough
from kafu.notation.game import Game
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    CallAction,
    Deal,
    Draw,
    Play,
    Redeal,
    Say,
    ShowAction,
)
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, Unsupported, machine_of

#: Kinds of choices.
HAND, STOCK, SAY, BID, SHOW = KINDS = ("hand", "stock", "say", "bid", "show")
#: Notation for the choice to stay silent.
SILENT: Final = "-"

_KINDS: Final = {AT_HAND: HAND, AT_STOCK: STOCK, Phase.BID: BID, Phase.SHOW: SHOW}


class ChoicePoint(NamedTuple):
    """A choice in a record: the available actions and the knowledge of the seat.

    ``deal`` and ``turn`` count from 1, ``step`` from 0 like the steps of `kafu.judging.replay`.
    ``played`` is the index of the recorded action. ``view`` is None if the choice cannot be
    analysed; ``reason`` is then a key of `kafu.analysis.knowledge.REASONS`.
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
    def is_forced(self) -> bool:
        """Return whether the rules allowed a single action."""
        return len(self.actions) < 2


class _Finder:
    """A collector of the choices of a game."""

    def __init__(self, machine: Machine[Any]) -> None:
        self.machine = machine
        self.public = PublicKnowledge(machine)
        self.before: State = machine.start()
        self.step = 0
        self.is_misdealt = False
        self.points: list[ChoicePoint] = []

    def add(self, played: Playthrough) -> None:
        """Add the choice of the last action."""
        number, action, state = played.number, played.action, played.state.copy()
        self.step = played.step
        if isinstance(action, Deal):
            self.public = PublicKnowledge(self.machine)
            self.is_misdealt = action.misdealt
        if not self.is_misdealt:
            for declaration in list_declarations(self.machine, self.before, action):
                self._add_declaration(number, declaration)
        if isinstance(action, Play | Draw | Say | CallAction | Bid):
            self._add_turn_choice(number, action)
        self.public.follow(self.before, action, state)
        self.before = state

    def _add_declaration(self, number: int, declaration: OptionalDeclaration) -> None:
        state, (seat, actions, played) = self.before, declaration
        kind = SAY if state.phase is AT_STOCK else _KINDS[state.phase]
        place = number, self.step, state.turn, seat, kind
        is_blind = state.phase is Phase.BID
        try:
            view = View(self.public.copy(), state, seat=seat, is_blind=is_blind)
        except Unknowable as error:
            point = ChoicePoint(*place, (actions[played],), 0, None, error.reason)
        else:
            point = ChoicePoint(*place, tuple(actions), played, view)
        self.points.append(point)

    def _add_turn_choice(self, number: int, action: Play | Draw | Say | CallAction | Bid) -> None:
        state = self.before
        if isinstance(action, Bid):
            if action not in self.machine.legal_actions(state):
                return  # The seat is already in because it went in blind (B14).
            # A holder of the blank card bids instead of the dealer (T3).
            state = state.replace(seat=action.seat)
        elif isinstance(action, CallAction) and action.seat != state.seat:
            return
        turned = action.card if isinstance(action, Draw) else 0
        played: Action = action
        if isinstance(action, Play | Draw) and not action.take:
            take = captures(state.table.field, action.card)[0]
            played = action._replace(take=take)
        turn = state.turn + (state.phase is AT_HAND)
        place = number, self.step, turn, state.seat, _KINDS.get(state.phase, SAY)
        try:
            view = View(self.public.copy(), state, turned)
        except Unknowable as error:
            self.points.append(ChoicePoint(*place, (played,), 0, None, error.reason))
            return
        actions = tuple(list_turn_options(self.machine, state, turned))
        if played in actions:  # A claim is no turn choice: `list_declarations` has it.
            self.points.append(ChoicePoint(*place, actions, actions.index(played), view))


def find_choices(game: Game) -> list[ChoicePoint]:
    """Return the choices of a game up to its end or first fault, including forced ones.

    Two actions are left out: taking the dealer's hand (親手をもらう), because neither hand has been
    seen, and turning two cards (二枚めくり), a mistake. Raises `kafu.rules.rulesets.Unsupported`,
    also for a score sheet, which has no cards.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    machine = machine_of(game.rules, game.options, len(game.players))
    finder = _Finder(machine)
    for played in Playthrough(game, machine).advance():
        finder.add(played)
    return finder.points


def default_effort(ruleset: str, most: int | None = None) -> Effort:
    """Return the default effort of a choice, with at most ``most`` deals for a comparison.

    The target error is 0.3 mon in koi-koi. In other rulesets it grows with the width of the bins
    by which statistics count deal scores.
    """
    effort = Effort(error=0.3 * RULESETS[ruleset].bins[0])
    return effort if most is None else effort.within(most)


def analyse(
    game: Game,
    points: Iterable[ChoicePoint] | None = None,
    *,
    seed: int = 0,
    effort: Effort | None = None,
) -> Iterator[tuple[ChoicePoint, ChoiceValue | None]]:
    """Yield ``points`` (by default all choices of the game), each with the values of its actions.

    The values are None for a forced choice, and for a choice with a ``reason`` against analysis.
    Equal seeds give equal values, whichever choices are analysed. Raises like `find_choices`.
    """
    machine = machine_of(game.rules, game.options, len(game.players))
    policy = Policy(machine)
    effort = effort or default_effort(game.rules)
    chances = load_win_chances(machine, effort.games)
    for point in find_choices(game) if points is None else points:
        yield _analyse_point(point, policy, chances, effort, seed)


def _analyse_point(
    point: ChoicePoint, policy: Policy, chances: WinChances, effort: Effort, seed: int
) -> tuple[ChoicePoint, ChoiceValue | None]:
    if point.view is None or point.is_forced:
        return point, None
    search = Search(policy, chances, point.view, point.actions, point.played)
    random = Random(f"{seed} {point.deal} {point.step} {point.seat} {point.kind}")
    try:
        return point, search.run(effort, random)
    except Unknowable as error:
        return point._replace(view=None, reason=error.reason), None


def format_option(action: Option) -> str:
    """Write an action in Kafu notation; silence is `SILENT`.

    A card has its capture, a declaration the cards laid open.

    >>> format_option(Play(0b1, 0b100)), format_option(Say("shobu")), format_option(Silent(1))
    ('AxC', 'shobu', '-')
    >>> format_option(ShowAction(1, ("akatan",), 0b1))
    'akatan A'
    """
    match action:
        case Play() | Draw():
            return str(from_engine(action, 0)).removeprefix("/")
        case Say(word) | CallAction(word, _):
            return word
        case Bid(_, goes_in):
            return "in" if goes_in else "out"
        case Blind():
            return "blind"
        case ShowAction(_, yaku, laid):
            return f"{'+'.join(yaku)} {cards.letters(laid)}"
        case Silent():
            return SILENT
    raise ValueError(action)


# Optional declarations ----------------------------------------------------------------------------


class OptionalDeclaration(NamedTuple):
    """An optional declaration: a seat's ``options``, silence last, and the index ``played``."""

    seat: int
    position: list[Option]
    played: int


def list_declarations(
    machine: Machine[Any], state: State, action: Action
) -> Iterator[OptionalDeclaration]:
    """Yield the optional declarations that ended when ``action`` was applied to ``state``.

    They are: going in blind (みずてん), declaring a dealt hand unless it is paid automatically, and
    claims. Several ways to lay cards open for the same yaku count as a single option, because the
    policy of play-outs ignores open cards. The recorded way has priority.
    """
    if isinstance(action, Bid | Blind):
        for legal in machine.legal_actions(state):
            if isinstance(legal, Blind):
                yield _declaration(legal.seat, action, [legal])
    elif state.phase is Phase.SHOW and not machine.pays_hands:
        yield from _list_shows(machine.legal_actions(state), action)
    elif state.phase is AT_STOCK:
        for claim in machine.claims(state):
            yield _declaration(state.seat, action, [claim])


def _list_shows(legal: Sequence[Action], action: Action) -> Iterator[OptionalDeclaration]:
    """Yield the choice of a seat that shows its hand, or at the end of all seats still silent.

    After a declaration that has the month dealt again, silence makes no difference.
    """
    options_by_seat: dict[int, dict[tuple[str, ...], Option]] = {}
    for show in reversed(legal):
        if isinstance(show, ShowAction):
            options_by_seat.setdefault(show.seat, {})[show.yaku] = show
    if isinstance(action, ShowAction):
        if not action.disputed:
            by_yaku = options_by_seat.get(action.seat, {}) | {action.yaku: action}
            yield _declaration(action.seat, action, list(by_yaku.values()))
    elif isinstance(action, Begin) or (isinstance(action, Redeal) and action.reason == "shima"):
        for seat in sorted(options_by_seat):
            yield _declaration(seat, action, list(options_by_seat[seat].values()))


def _declaration(seat: int, action: Action, spoken: list[Option]) -> OptionalDeclaration:
    played = spoken.index(action) if action in spoken else len(spoken)
    return OptionalDeclaration(seat, [*spoken, Silent(seat)], played)
