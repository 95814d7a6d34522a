"""The situations of a game that are compared with those of other games.

In: a game, or the facts of one that was judged. Out: its situations. Each has keys that are equal
for situations that are the same once suits which the rules do not distinguish
(`kafu.comparing.suits`) are exchanged. Two different situations share a key by chance: one pair in
2 to the power of 48.

Three kinds are compared, each where a seat has a choice:

- ``field``: the field before the first card of a deal is played. The choice is the card, and what
  it captures.
- ``captured``: what each seat has captured, from the seat in turn on, before the second and the
  third card of a deal are played from a hand. The choice is the card. (Later hardly two games have
  the same sets.)
- ``decision``: a seat that may stop or go on (`Decisive`). The choice is the word. It is compared
  as a whole or in part (`Match`).

All of it is of one house: the ruleset, its options but for those of a game's length, and the number
of players. Where a yaku is of the month that is played (K16), it is of one month too. Deals that
have no end, or that were voided, are left out: they brought nobody anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum, StrEnum
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from kafu.comparing.suits import Arrangement, Suits, suits_of
from kafu.judging import playthrough
from kafu.judging.facts import DealFacts, Decision, GameFacts, HandPlay, Observer
from kafu.notation.game import Game
from kafu.rules.defaults import completed
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import RULESETS, Unsupported, machine_of
from kafu.rules.yaku import missing

#: Bytes of the key of a situation, and of what a decision has besides yaku and value.
_KEY_BYTES: Final = 6
_REST_BYTES: Final = 4
#: An opponent who lacks more cards of every yaku threatens none.
NEAR: Final = 2
_LENGTH: Final = frozenset(("months", "first-to"))


class Aspect(IntEnum):
    """What is compared."""

    FIELD = 0
    CAPTURED = 1
    DECISION = 2


class Match(StrEnum):
    """Which parts of a decision must be the same. Fields and captured cards always are as a whole.

    ``exact``: every part. ``value``: the yaku, and what stopping is worth. ``yaku``: the yaku.
    """

    EXACT = "exact"
    VALUE = "value"
    YAKU = "yaku"


#: The fields of `Decisive` that are the same in all decisions of a match.
FIXED: Final[Mapping[Match, tuple[str, ...]]] = {
    Match.EXACT: ("yaku", "stop", "left", "calls", "grade", "carried", "threat"),
    Match.VALUE: ("yaku", "stop"),
    Match.YAKU: ("yaku",),
}


class Key(NamedTuple):
    """The key of a situation: of its field, its captured cards or the yaku of its decision.

    A decision has further ones: ``stop`` is what stopping is worth, ``rest`` is equal for equal
    other parts. Both are 0 for plays.
    """

    base: int
    stop: int = 0
    rest: int = 0


class Threat(NamedTuple):
    """The yaku that an opponent is nearest to, and the number of its cards that are lacking."""

    yaku: str
    lacking: int


class Decisive(NamedTuple):
    """The stakes of a decision to stop or go on.

    ``yaku`` are the captured yaku of the seat, ``stop`` what the deal would have brought it from
    here on had it stopped, ``left`` its cards in hand, ``calls`` how often it and the others went
    on in this deal, ``grade`` the field grade, ``carried`` what was carried over into the deal (a
    bound of `kafu.rules.grades`, or ``replay`` for a month that is played over), ``threat`` the
    nearest yaku of the opponents.
    """

    yaku: tuple[str, ...]
    stop: int
    left: int
    calls: tuple[int, int]
    grade: str | None
    carried: str | None
    threat: Threat | None


class Occurrence(NamedTuple):
    """A situation: after step ``step`` (from 0, as `kafu.judging.replay` counts) of deal ``deal``
    (from 1) it is the turn of ``seat``.

    ``choice`` is a number of 12 bits that means the same in all situations of a key: the card's
    place in the common form and that of the captured card, or 0 for the word that stops and 1 for
    the one that goes on. ``paid`` is what the deal had brought the seat before.
    """

    kind: Aspect
    deal: int
    step: int
    seat: int
    key: Key
    choice: int
    paid: int


class Meaning(NamedTuple):
    """A choice in the cards of one game: a ``card`` and one that it captures, if any (masks), or a
    ``word``.
    """

    card: int = 0
    take: int = 0
    word: str = ""


class Compared(NamedTuple):
    """A situation with what is compared, for display: ``field`` (mask), ``captured`` (masks, from
    the seat in turn on), or ``decisive``, by its kind.
    """

    situation: Occurrence
    field: int = 0
    captured: tuple[int, ...] = ()
    decisive: Decisive | None = None
    form: Arrangement | None = None
    words: tuple[str, str] = ("", "")

    def meaning(self, choice: int) -> Meaning:
        """Return what a choice of any situation with this key means in the cards of this game."""
        if self.form is None:
            return Meaning(word=self.words[choice])
        place, take = divmod(choice, 64)
        return Meaning(self.form.card(place), self.form.card(take - 1) if take else 0)


def compare_game(game: Game) -> list[Compared]:
    """Return the situations of a game, in order.

    Raises `kafu.rules.rulesets.Unsupported` for rules that this version does not play, and for a
    score sheet.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    observer = Observer(rules)
    outcome = playthrough.play(game, rules, observer=observer)
    facts, comparison = observer.facts, Comparison(observer.facts, game.options)
    return [
        compared
        for number, (result, deal) in enumerate(
            zip(outcome.deals, facts.deals, strict=False), start=1
        )
        if result.end != "void"
        for compared in comparison.compare_deal(number, deal, list(facts.decisions(deal)))
    ]


def house_of(rules: str, options: Mapping[str, str], players: int) -> str:
    """Return what the rules of a deal depend on, as text that is equal for equal houses."""
    chosen = completed(rules, options)
    words = [f"{name}={chosen[name]}" for name in sorted(chosen) if name not in _LENGTH]
    return " ".join((rules, str(players), *words))


def find_threat(rules: Machine[Any], state: State, seat: int) -> Threat | None:
    """Return the yaku that the opponents of a seat are nearest to; None if none of them is `NEAR`.

    Only yaku count whose missing cards nobody else captured. Of several equally near ones it is the
    most valuable.
    """
    captured = state.table.captured
    every = sum(captured)
    nearest: tuple[int, int, str] | None = None
    for opponent in rules.in_play(state):
        if opponent == seat:
            continue
        mine = captured[opponent - 1]
        for row in rules.yaku_table(state):
            if (mine & row.cards).bit_count() < row.need - NEAR:
                continue
            lacking = missing(row, mine, taken=every ^ mine)
            if lacking is None or row.must & (every ^ mine):
                continue
            lacking = max(lacking, (row.must & ~mine).bit_count())
            near = lacking, -row.value, row.id
            if lacking and (nearest is None or near < nearest):
                nearest = near
    return Threat(nearest[2], nearest[0]) if nearest else None


class Comparison:
    """The situations of one judged game, deal by deal."""

    def __init__(self, facts: GameFacts, options: Mapping[str, str]) -> None:
        """Prepare for a game with these facts and options."""
        self.facts, self.options = facts, options
        self.rules = rules = facts.rules
        self.house = house_of(rules.id, options, rules.players).encode()
        self.suits: Suits = suits_of(rules.id, options)
        choice = RULESETS[rules.id].choice
        self.words = (choice.stop, choice.on) if choice else ("", "")

    def compare_deal(
        self, number: int, deal: DealFacts, decisions: Sequence[Decision]
    ) -> list[Compared]:
        """Return the situations of a deal that ended, in order.

        ``decisions`` are those of `GameFacts.decisions`.
        """
        suits, house = self._of_month(deal.ended)
        found = [
            _compare_play(number, turn, play, suits, house) for turn, play in enumerate(deal.plays)
        ]
        if decisions:
            found += self._compare_decisions(number, deal, decisions, house)
            found.sort(key=lambda compared: compared.situation.step)
        return found

    def _of_month(self, state: State) -> tuple[Suits, bytes]:
        """Return the suits and the house of the month that ended in a state (K16)."""
        if self.rules.yaku_table(state) is self.rules.captured_yaku:
            return self.suits, self.house
        assert state.result is not None, "the deal ended"
        month = (state.result.month - 1) % 12 + 1
        return suits_of(self.rules.id, self.options, month), self.house + f" month {month}".encode()

    def _compare_decisions(
        self, number: int, deal: DealFacts, decisions: Sequence[Decision], house: bytes
    ) -> Iterator[Compared]:
        for spoken, decision in zip(self.facts.free_decisions(deal), decisions, strict=True):
            seat, before = spoken.seat, spoken.before
            paid = spoken.paid
            callers = [
                earlier.seat
                for earlier in deal.spoken
                if earlier.step < spoken.step and earlier.word == self.words[1]
            ]
            own_calls = callers.count(seat)
            decisive = Decisive(
                tuple(sorted(decision.yaku)),
                decision.stopped[seat - 1] - paid,
                decision.left,
                (own_calls, len(callers) - own_calls),
                before.grade,
                _carried_over(self.rules, before),
                find_threat(self.rules, before, seat),
            )
            base = _base(Aspect.DECISION, house, " ".join(decisive.yaku).encode())
            key = Key(base, decisive.stop, _hash(repr(decisive[2:]).encode(), _REST_BYTES))
            choice = self.words.index(spoken.word)
            at = Occurrence(Aspect.DECISION, number, spoken.step, seat, key, choice, paid)
            yield Compared(at, decisive=decisive, words=self.words)


def _compare_play(number: int, turn: int, play: HandPlay, suits: Suits, house: bytes) -> Compared:
    """Return the situation before a hand card; ``turn`` is its number in the deal, from 0."""
    field, taking = 0, 0
    captured: tuple[int, ...] = ()
    if turn:
        captured = play.captured[play.seat - 1 :] + play.captured[: play.seat - 1]
        kind, form = Aspect.CAPTURED, suits.arrange(*captured)
    else:
        field = play.field
        kind, form = Aspect.FIELD, suits.arrange(field)
        if play.taken:
            taking = form.place(play.taken & -play.taken) + 1
    choice = 64 * form.place(play.card) + taking
    key = Key(_base(kind, house, form.text))
    at = Occurrence(kind, number, play.step, play.seat, key, choice, play.paid)
    return Compared(at, field, captured, form=form)


def _carried_over(rules: Machine[Any], state: Any) -> str | None:
    grades = RULESETS[rules.id].grades
    if grades is not None:
        return grades.name(state.bound)
    return "replay" if getattr(state, "replayed", False) else None


def _base(kind: Aspect, house: bytes, text: bytes) -> int:
    return _hash(b"%c\0%b\0%b" % (kind, house, text), _KEY_BYTES)


def _hash(text: bytes, size: int) -> int:
    return int.from_bytes(blake2b(text, digest_size=size).digest(), signed=True)
