"""The situations of a game, with keys for a comparison with other games.

Situations have equal keys if they are equal after an exchange of suits that the rules do not
distinguish (`kafu.comparing.suits`). Different situations share a key with a probability of 2 to
the power of -48.

There are three kinds of situations, all at a choice of a seat:

- ``field``: the field before the first card of a deal. The choice is a card and its capture.
- ``captured``: the captured cards of each seat, starting with the seat in turn, before the second
  and the third hand card of a deal. The choice is a card. (Later, games hardly ever agree.)
- ``decision``: the stakes of a decision to stop or go on (`Decisive`). The choice is the word. The
  stakes are compared as a whole or in part (`Match`).

Only situations of the same house are equal: the same ruleset, options (except for the length of the
game) and number of players. If the yaku depend on the month (K16), the month must be the same as
well. Deals without an end and voided deals are left out, because nobody won anything by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum, StrEnum
from hashlib import blake2b
from typing import Annotated, Any, Final, NamedTuple

from kafu.comparing.suits import Arrangement, Suits, suits_of
from kafu.judging.facts import DealFacts, Decision, GameFacts, HandPlay, collect_facts
from kafu.judging.playthrough import Playthrough
from kafu.notation.game import Game
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import RULESETS, complete_options
from kafu.rules.yaku import missing

#: Bytes of the key of a situation, and of the key of a decision's further parts.
_KEY_BYTES: Final = 6
_REST_BYTES: Final = 4
#: The largest number of lacking cards at which a yaku counts as a threat.
NEAR: Final = 2
_LENGTH: Final = frozenset(("months", "first-to"))


class Aspect(IntEnum):
    """A kind of situation."""

    FIELD = 0
    CAPTURED = 1
    DECISION = 2


class Match(StrEnum):
    """The parts of a decision that must be equal; fields and captured cards must be equal entirely.

    ``exact``: all parts; ``value``: the yaku and the value of stopping; ``yaku``: only the yaku.
    """

    EXACT = "exact"
    VALUE = "value"
    YAKU = "yaku"


#: The fields of `Decisive` that must be equal for a match.
FIXED: Final[Mapping[Match, tuple[str, ...]]] = {
    Match.EXACT: ("yaku", "stop", "left", "calls", "grade", "carried", "threat"),
    Match.VALUE: ("yaku", "stop"),
    Match.YAKU: ("yaku",),
}


class Key(NamedTuple):
    """The key of a situation: ``base`` is that of the field, the captured cards or the yaku.

    For a decision, ``stop`` is the value of stopping, and ``rest`` the key of all further parts.
    Both are 0 for plays.
    """

    base: int
    stop: int = 0
    rest: int = 0


class Threat(NamedTuple):
    """The yaku that an opponent is nearest to."""

    yaku: str
    lacking: Annotated[int, "Cards that the opponent lacks: 1 or 2."]


class Decisive(NamedTuple):
    """The stakes of a decision to stop or go on.

    ``yaku`` are the captured yaku of the seat, ``stop`` the score that stopping would have added,
    ``left`` the number of hand cards, ``calls`` the numbers of times that the seat and all
    opponents went on in the deal, ``grade`` the field grade, ``threat`` the nearest yaku of the
    opponents. ``carried`` is the carry-over into the deal: a bound of `kafu.rules.grades`, or
    ``replay`` for a month that is played again.

    Names and order of the fields from ``left`` on, and those of `Threat`, are part of stored keys.
    """

    yaku: tuple[str, ...]
    stop: int
    left: int
    calls: tuple[int, int]
    grade: str | None
    carried: str | None
    threat: Threat | None


class Occurrence(NamedTuple):
    """A situation: the turn of ``seat`` after a ``step`` of a ``deal``.

    Deals count from 1, steps from 0 like those of `kafu.judging.replay`. ``choice`` is a number of
    12 bits with the same meaning in all situations with the key: the places of the card and the
    captured card in the common form, or for a decision 0 to stop and 1 to go on. ``paid`` is the
    seat's score in the deal before the choice.
    """

    kind: Aspect
    deal: int
    step: int
    seat: int
    key: Key
    choice: int
    paid: int


class Meaning(NamedTuple):
    """A choice in a game: a ``card`` with its capture (masks, 0 for none), or a ``word``."""

    card: int = 0
    take: int = 0
    word: str = ""


class Compared(NamedTuple):
    """A situation with its content for display.

    By kind the content is the ``field`` (a mask), the ``captured`` cards (masks, from the seat in
    turn on), or the stakes of a decision (``decisive``).
    """

    situation: Occurrence
    field: int = 0
    captured: tuple[int, ...] = ()
    decisive: Decisive | None = None
    form: Arrangement | None = None
    words: tuple[str, str] = ("", "")

    def meaning(self, choice: int) -> Meaning:
        """Translate a choice in any situation with the same key into the cards of the game."""
        if self.form is None:
            return Meaning(word=self.words[choice])
        place, take = divmod(choice, 64)
        return Meaning(self.form.card(place), self.form.card(take - 1) if take else 0)


def compare_game(game: Game) -> list[Compared]:
    """Return the situations of a game, in order.

    Raises `kafu.rules.rulesets.Unsupported` for unsupported rules and for a score sheet.
    """
    playthrough = Playthrough.of(game)
    facts = collect_facts(playthrough)
    outcome, comparison = playthrough.outcome, GameComparer(facts, game.options)
    return [
        compared
        for number, (result, deal) in enumerate(
            zip(outcome.deals, facts.deals, strict=False), start=1
        )
        if result.end != "void"
        for compared in comparison.compare_deal(number, deal, list(facts.decisions(deal)))
    ]


def make_house_key(ruleset: str, options: Mapping[str, str], players: int) -> str:
    """Return a text that is equal for equal houses: the ruleset, players and relevant options."""
    chosen = complete_options(ruleset, options)
    words = [f"{name}={chosen[name]}" for name in sorted(chosen) if name not in _LENGTH]
    return " ".join((ruleset, str(players), *words))


def find_threat(machine: Machine[Any], state: State, seat: int) -> Threat | None:
    """Return the nearest yaku of the opponents of a seat, or None if no yaku is `NEAR`.

    A yaku is impossible if another seat has captured its last missing cards. Among equally near
    yaku, the most valuable is returned.
    """
    captured = state.table.captured
    all_captured = sum(captured)
    nearest: tuple[int, int, str] | None = None
    for opponent in machine.in_play(state):
        if opponent == seat:
            continue
        own_cards = captured[opponent - 1]
        gone = all_captured ^ own_cards
        for row in machine.yaku_table(state):
            if (own_cards & row.cards).bit_count() < row.need - NEAR:
                continue
            lacking = missing(row, own_cards, taken=gone)
            if lacking is None or row.must & gone:
                continue
            lacking = max(lacking, (row.must & ~own_cards).bit_count())
            candidate = lacking, -row.value, row.id
            if lacking and (nearest is None or candidate < nearest):
                nearest = candidate
    return Threat(nearest[2], nearest[0]) if nearest else None


class GameComparer:
    """A comparer of one judged game, deal by deal."""

    def __init__(self, facts: GameFacts, options: Mapping[str, str]) -> None:
        self.facts, self.options = facts, options
        self.machine = machine = facts.machine
        self.house_key = make_house_key(machine.id, options, machine.players).encode()
        self.suits: Suits = suits_of(machine.id, options)
        choice = RULESETS[machine.id].choice
        self.words = (choice.stop, choice.on) if choice else ("", "")

    def compare_deal(
        self, number: int, deal: DealFacts, decisions: Sequence[Decision]
    ) -> list[Compared]:
        """Return the situations of a deal that ended, in order.

        ``decisions`` come from `GameFacts.decisions`.
        """
        suits, house_key = self._suits_and_house_key(deal.ended)
        situations = [
            _compare_play(number, turn, play, suits, house_key)
            for turn, play in enumerate(deal.plays)
        ]
        if decisions:
            situations += self._compare_decisions(number, deal, decisions, house_key)
            situations.sort(key=lambda compared: compared.situation.step)
        return situations

    def _suits_and_house_key(self, state: State) -> tuple[Suits, bytes]:
        """Return suits and house, including the month if the yaku depend on it (K16)."""
        if self.machine.yaku_table(state) is self.machine.captured_yaku:
            return self.suits, self.house_key
        assert state.result is not None, "the deal ended"
        month = (state.result.month - 1) % 12 + 1
        return suits_of(
            self.machine.id, self.options, month
        ), self.house_key + f" month {month}".encode()

    def _compare_decisions(
        self, number: int, deal: DealFacts, decisions: Sequence[Decision], house_key: bytes
    ) -> Iterator[Compared]:
        for decision in decisions:
            step, seat, paid, before, word = decision.spoken
            callers = [
                earlier.seat
                for earlier in deal.spoken
                if earlier.step < step and earlier.word == self.words[1]
            ]
            own_calls = callers.count(seat)
            decisive = Decisive(
                tuple(sorted(decision.yaku)),
                decision.stopped[seat - 1] - paid,
                decision.left,
                (own_calls, len(callers) - own_calls),
                before.grade,
                _carried_over(self.machine, before),
                find_threat(self.machine, before, seat),
            )
            base = _base_key(Aspect.DECISION, house_key, " ".join(decisive.yaku).encode())
            key = Key(base, decisive.stop, _hash(repr(decisive[2:]).encode(), _REST_BYTES))
            choice = self.words.index(word)
            situation = Occurrence(Aspect.DECISION, number, step, seat, key, choice, paid)
            yield Compared(situation, decisive=decisive, words=self.words)


def _compare_play(
    number: int, turn: int, play: HandPlay, suits: Suits, house_key: bytes
) -> Compared:
    """Return the situation before a hand card; ``turn`` is its number in the deal from 0."""
    field, take_code = 0, 0
    captured: tuple[int, ...] = ()
    if turn:
        captured = play.captured[play.seat - 1 :] + play.captured[: play.seat - 1]
        kind, form = Aspect.CAPTURED, suits.arrange(*captured)
    else:
        field = play.field
        kind, form = Aspect.FIELD, suits.arrange(field)
        if play.taken:
            take_code = form.place(play.taken & -play.taken) + 1
    choice = 64 * form.place(play.card) + take_code
    key = Key(_base_key(kind, house_key, form.text))
    situation = Occurrence(kind, number, play.step, play.seat, key, choice, play.paid)
    return Compared(situation, field, captured, form=form)


def _carried_over(machine: Machine[Any], state: Any) -> str | None:
    grades = RULESETS[machine.id].grades
    if grades is not None:
        return grades.name(state.bound)
    return "replay" if getattr(state, "replayed", False) else None


def _base_key(kind: Aspect, house_key: bytes, text: bytes) -> int:
    return _hash(b"%c\0%b\0%b" % (kind, house_key, text), _KEY_BYTES)


def _hash(text: bytes, size: int) -> int:
    return int.from_bytes(blake2b(text, digest_size=size).digest(), signed=True)
