"""The situations of a game that are compared with those of other games, and what became of each.

In: a game. Out: its situations, each with a key that is equal for situations that are the same once
suits which the rules do not tell apart (`kafu.comparing.suits`) are exchanged, and by chance for
one pair of others in 2 to the power of 48.

Three kinds are compared, each where a seat has a choice:

- ``field``: the field before the first card of a deal is played. The choice is the card, and what
  it captures.
- ``captured``: what each seat has captured, from the seat in turn on, before the second and the
  third card of a deal are played from a hand. The choice is the card. (Later hardly two games have
  the same sets.)
- ``decision``: the captured yaku of a seat that may stop or go on, its cards in hand, and how many
  cards that opponent has captured who has most (`kafu.judging.facts.Decision`). The choice is the
  word.

All of it is of one house: the ruleset, its options but for those of a game's length, and how many
play. Where a yaku is of the month that is played (K16), it is of one month too. What became of it
is the score of the seat in the deal, in the small unit. Deals that have no end, or that were
voided, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from kafu.comparing.suits import Arrangement, Suits, suits_of
from kafu.judging import playthrough
from kafu.judging.facts import Observer
from kafu.notation.game import Game
from kafu.rules.defaults import completed
from kafu.rules.play.actions import Deal
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import RULESETS, Unsupported, machine_of

#: Bytes of a key.
KEY_BYTES: Final = 6
#: The turns of a deal, from its beginning, before which captured sets are compared.
TURNS: Final = 3
_LENGTH: Final = frozenset(("months", "first-to"))


class Aspect(IntEnum):
    """What is compared."""

    FIELD = 0
    CAPTURED = 1
    DECISION = 2


class Occurrence(NamedTuple):
    """A situation: after step ``step`` (from 0, as `kafu.judging.replay` counts) of deal ``deal``
    (from 1) it is the turn of ``seat``.

    ``choice`` is a number of 12 bits that means the same in all situations of a key: the card's
    place in the common form and that of the captured card, or 0 for the word that stops and 1 for
    the one that goes on. ``score`` is what the deal brought the seat.
    """

    kind: Aspect
    deal: int
    step: int
    seat: int
    key: bytes
    choice: int
    score: int


class Meaning(NamedTuple):
    """A choice in the cards of one game: a ``card`` and one that it captures, if any (masks), or a
    ``word``.
    """

    card: int = 0
    take: int = 0
    word: str = ""


class Compared(NamedTuple):
    """A situation as it stands in its game: what is compared, for who shows it.

    ``field`` (mask), ``captured`` (masks, from the seat in turn on), or ``yaku``, ``left`` and
    ``opponent``, by its kind.
    """

    situation: Occurrence
    field: int = 0
    captured: tuple[int, ...] = ()
    yaku: tuple[str, ...] = ()
    left: int = 0
    opponent: int = 0
    form: Arrangement | None = None
    words: tuple[str, str] = ("", "")

    def meaning(self, choice: int) -> Meaning:
        """What a choice of any situation with this key means here, in the cards of this game."""
        if self.form is None:
            return Meaning(word=self.words[choice])
        place, take = divmod(choice, 64)
        return Meaning(self.form.card(place), self.form.card(take - 1) if take else 0)


def situations(game: Game) -> list[Occurrence]:
    """The situations of a game, in order.

    Raises `kafu.rules.rulesets.Unsupported` for rules that this version does not play, and for a
    score sheet.
    """
    return [one.situation for one in compared(game)]


def compared(game: Game) -> list[Compared]:
    """As :func:`situations`, with what is compared."""
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    seen = _Collector(rules, game.options)
    outcome = playthrough.play(game, rules, observer=seen)
    ended = {number: deal for number, deal in enumerate(outcome.deals, 1) if deal.end != "void"}
    return [
        one._replace(situation=at._replace(score=ended[at.deal].score[at.seat - 1]))
        for one in seen.found
        for at in [one.situation]
        if at.deal in ended
    ]


def house_of(rules: str, options: Mapping[str, str], players: int) -> str:
    """What the rules of a deal depend on, in words that are equal for equal ones."""
    chosen = completed(rules, options)
    words = [f"{name}={chosen[name]}" for name in sorted(chosen) if name not in _LENGTH]
    return " ".join((rules, str(players), *words))


class _Collector(Observer):
    """Collects situations while a game is played through."""

    def __init__(self, rules: Machine[Any], options: Mapping[str, str]) -> None:
        super().__init__(rules, TURNS)
        self.options = options
        self.suits: Suits = suits_of(rules.id, options)
        self.whole_house = self.house = house_of(rules.id, options, rules.players).encode()
        choice = RULESETS[rules.id].choice
        self.words = (choice.stop, choice.on) if choice else ("", "")
        self.found: list[Compared] = []
        self.number = self.left = 0

    def begin(self) -> None:
        """The game is played from its beginning (again)."""
        super().begin()
        self.found, self.number = [], 0

    def dealt(self, deal: Deal, state: State) -> None:
        """A deal was laid out."""
        super().dealt(deal, state)
        self.number += 1
        rules = self.facts.rules
        if rules.yaku_table(state) is not rules.captured_yaku:
            month = (state.month - 1) % 12 + 1
            self.suits = suits_of(rules.id, self.options, month)
            self.house = self.whole_house + f" month {month}".encode()

    def plays(self, state: State, card: int, taken: int) -> None:
        """A card of a hand."""
        table, seat = state.table, state.seat
        # All cards so far: one from a hand and one from the stock each turn.
        step = self.stated + 2 * state.turn
        if not state.turn:
            self.left = table.left
            form = self.suits.arrange(table.field)
            take = taken & ~card
            taking = form.place(take & -take) + 1 if take else 0
            at = self._at(Aspect.FIELD, step, seat, form.text, 64 * form.place(card) + taking)
            self.found.append(Compared(at, field=table.field, form=form))
            return
        captured = tuple(table.captured[seat - 1 :] + table.captured[: seat - 1])
        form = self.suits.arrange(*captured)
        at = self._at(Aspect.CAPTURED, step, seat, form.text, 64 * form.place(card))
        self.found.append(Compared(at, captured=captured, form=form))

    def decides(self, state: State, word: str) -> None:
        """A word that may be a decision."""
        rules = self.facts.rules
        if word not in self.words or len(rules.legal_actions(state)) < 2:
            return
        table, seat = state.table, state.seat
        yaku = tuple(sorted(one.id for one in rules.yaku(state, seat)))
        left = table.hands[seat - 1].bit_count() + table.hidden[seat - 1]
        opponent = max(taken.bit_count() for i, taken in enumerate(table.captured, 1) if i != seat)
        text = " ".join((str(left), str(opponent), *yaku)).encode()
        step = self.stated + state.turn + self.left - table.left
        at = self._at(Aspect.DECISION, step, seat, text, self.words.index(word))
        one = Compared(at, yaku=yaku, left=left, opponent=opponent, words=self.words)
        self.found.append(one)

    def _at(self, kind: Aspect, step: int, seat: int, text: bytes, choice: int) -> Occurrence:
        whole = b"\0".join((bytes((kind,)), self.house, text))
        key = blake2b(whole, digest_size=KEY_BYTES).digest()
        return Occurrence(kind, self.number, step, seat, key, choice, 0)
