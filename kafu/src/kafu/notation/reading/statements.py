"""The statements of a month (kafu.md §4) and of a month of a score sheet (§6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple, NoReturn, cast

from kafu import cards
from kafu.notation import codes
from kafu.notation.actions import Action, ActionKind
from kafu.notation.faults import Code
from kafu.notation.game import Month, Payment, Place, Statement
from kafu.notation.reading import amounts
from kafu.notation.reading.source import SourceLine, Warn, clip, fail, warn_of_repair
from kafu.notation.vocabulary import (
    GRADES,
    MAX_STATEMENTS,
    RANK,
    REDEALS,
    SHEET_GRADES,
    VOIDS,
    YAKU,
    RulesetNotation,
    compound,
)

_COMMA: Final = re.compile("[,、・]")
_PLUS_APART: Final = re.compile(r"(?<=[a-z])([ \t\f]*)\+([ \t\f]*)(?=[a-z])")
_BETWEEN_CARDS: Final = re.compile(r"[\s,、・]+")
#: Order of the statements of a sheet, in which payments and struck-out payments may be mixed.
SHEET_RANK: Final[Mapping[str, int]] = {
    name: RANK["pay" if name == "void" else name]
    for name in ("month", "ba", "pay", "void", "stone", "score", "final")
}

_NUMBER: Final = re.compile("[0-9]{1,3}")
_NO_CARD: Final = re.compile("[^A-Za-v_]")
_NO_CARD_OF_HAND: Final = re.compile("[^A-Za-v_?]")
_SEAT_CARDS: Final = re.compile(
    r"([0-9]+)[ \t\f]*([A-Za-v_](?:[ \t\f]*[A-Za-v_])*)(?![^ \t\f])[ \t\f]*"
)
_BID: Final = re.compile("([0-9]+)(in|out)")
_LABEL: Final = re.compile("[a-z][a-z0-9+-]{0,127}")
#: The number of characters of a misspelt yaku that are compared with known ids.
_LONGEST_YAKU: Final = 64
#: The maximum number of yaku declared for one hand; a real hand has at most two.
MAX_YAKU: Final = 8


def split_words(line: SourceLine, keyword: str, warn: Warn) -> list[str]:
    """Return the words of a statement, after removing optional blanks and commas.

    Blanks behind signs and around joined yaku are removed. Commas between letters of cards are read
    as blanks, with a warning.
    """
    form = FORMS[keyword]
    if form.has_yaku and "+" in line.text:
        matches = _PLUS_APART.finditer(line.text)
        spans = [span for match in matches for span in (match.span(1), match.span(2))]
        line.remove([(start, end) for start, end in spans if start < end])
    if form.has_sums:
        amounts.join_signs(line)
    elif form.before_cards and (comma := _COMMA.search(line.text)):
        words = line.text.split(maxsplit=form.before_cards)
        if all(map(_are_card_letters, _BETWEEN_CARDS.split(words[-1]))):
            warn_of_repair(comma[0], line.at(comma.start()), warn, " ")
            line.text = _COMMA.sub(" ", line.text)
    words = line.text.split()
    for index in range(min(len(words), MAX_STATEMENTS))[slice(*form.fixed)]:
        small = words[index].lower()
        if small != words[index]:
            warn(codes.ALIAS, line.word(index), found=clip(words[index]), read=clip(small))
            words[index] = small
    return words


def read_keyword(line: SourceLine, warn: Warn) -> str:
    """Return the first word of a line, "" for a blank line.

    A keyword with capitals, as keyboards of phones write it, becomes lower case with a warning.
    """
    word = next(iter(line.text.split(maxsplit=1)), "")
    keyword = word.lower()
    # BA alone can be two cards.
    if keyword == word or keyword not in FORMS or not (word.istitle() or len(word) > 2):
        return word
    warn(codes.ALIAS, line.word(0), found=word, read=keyword)
    line.text = line.text.replace(word, keyword, 1)
    return keyword


def _are_card_letters(word: str) -> bool:
    """Return whether a word between commas is letters of cards in card order, and no name."""
    letters = word.lstrip("0123456789").rstrip(".…")
    order = [cards.ORDER.find(letter) for letter in letters]
    return all(0 <= a < b for a, b in pairwise((*order, len(cards.ORDER))))


@dataclass(slots=True)
class Statements:
    """A reader of the statements of one month; ``words`` are a line's words, keyword first.

    The method of a keyword returns the value of the statement. It raises Malformed for an invalid
    statement.
    """

    notation: RulesetNotation
    seats: int
    sheet: bool
    warn: Warn
    month: Month = field(default_factory=lambda: Month(0, 0))

    def read(self, keyword: str, line: SourceLine, words: list[str]) -> Statement:
        """Read one statement into the month and return it.

        ``month`` begins a new month, and ``final`` is behind all months.
        """
        if self.sheet and keyword == "void":
            keyword = "pay"
        form = FORMS[keyword]
        if len(words) < form.least:
            self._fail_form(line, words, len(words))
        statement = Statement(keyword, form.read(self, line, words), line.word(0))
        if keyword == "draw":
            statement.card_places = self._read_seat_cards(line, words)[1]
        if keyword == "month":
            self.month = Month.of([statement])
        elif keyword == "hand":
            self.month.add(statement)  # in the order of seats
        elif keyword != "final":
            written = self.month.written
            written.append(statement)
            if len(written) > MAX_STATEMENTS < sum(item.keyword == keyword for item in written):
                self._fail_count(line, words)
        return statement

    def _read_month(self, line: SourceLine, words: list[str]) -> tuple[int, int]:
        if len(words) > 4:
            self._fail_form(line, words, 4)
        if not _NUMBER.fullmatch(words[1]) or words[2] != "dealer":
            self._fail_form(line, words)
        return int(words[1]), self._read_seat(line, words, 3)

    def _read_draw(self, line: SourceLine, words: list[str]) -> dict[int, str]:
        draw, _ = self._read_seat_cards(line, words)
        for seat, letters in draw.items():
            if len(letters) != 1:
                form = f"{FORMS['draw'].text} ({seat}{letters})"
                fail(codes.STATEMENT_FORM, line.word(1), form=form)
        return draw

    def _read_split(self, line: SourceLine, words: list[str]) -> dict[int, str]:
        split, _ = self._read_seat_cards(line, words)
        return {seat: cards.sort(split[seat]) for seat in sorted(split)}

    def _read_hand(self, line: SourceLine, words: list[str]) -> tuple[int, str]:
        seat = self._read_seat(line, words, 1)
        if seat in self.month.hands:
            fail(codes.STATEMENT_TWICE, line.word(0), statement=f"hand {seat}")
        return seat, cards.sort(self._read_cards(line, words, 2, _NO_CARD_OF_HAND))

    def _read_field(self, line: SourceLine, words: list[str]) -> str:
        return cards.sort(self._read_cards(line, words, 1))

    def _read_stock(self, line: SourceLine, words: list[str]) -> tuple[str, bool]:
        last = words[-1]
        if last.endswith("…"):
            warn_of_repair("…", line.word(len(words) - 1), self.warn, "...")
            last = last[:-1] + "..."
        is_cut = last.endswith("...")
        last = last.removesuffix("...")
        words = words[:-1] + ([last] if last else [])
        return self._read_cards(line, words, 1) if len(words) > 1 else "", is_cut

    def _read_bid(self, line: SourceLine, words: list[str]) -> tuple[Action, ...]:
        if len(words) > MAX_STATEMENTS:
            self._fail_count(line, words)
        bids: list[Action] = []
        index = 0
        while (index := index + 1) < len(words):
            word = words[index]
            if word.isdigit() and words[index + 1 : index + 2] in (["in"], ["out"]):
                word += words[index + 1]
                found = clip(f"{words[index]} {words[index + 1]}")
                self.warn(codes.ALIAS, line.word(index), found=found, read=clip(word))
                index += 1
            match = _BID.fullmatch(word)
            if match is None:
                self._fail_form(line, words, index)
            seat = amounts.parse_seat(match[1], self.seats, partial(line.word, index))
            if any(seat == bid.seat for bid in bids):
                fail(codes.SEAT_TWICE, line.word(index), seat=seat)
            bids.append(Action("bid", seat, say=match[2]))
        return tuple(bids)

    def _read_ba(self, line: SourceLine, words: list[str]) -> str:
        grades = SHEET_GRADES if self.sheet else GRADES
        return self._read_choice(line, words, grades, codes.UNKNOWN_GRADE)

    def _read_show(self, line: SourceLine, words: list[str]) -> tuple[Action]:
        seat, yaku = self._read_seat(line, words, 1), tuple(words[2].split("+"))
        for name in yaku:
            if name not in YAKU or len(yaku) > MAX_YAKU:
                choices = sorted(self.notation.shows)
                similar = get_close_matches(name[:_LONGEST_YAKU], choices, cutoff=0.5) or choices
                fail(codes.BAD_YAKU, line.word(2), *similar, found=clip(name))
        word = self._read_compound(line, words, 2)
        letters = "" if words[3:] == ["-"] else self._read_cards(line, words, 3)
        return (Action("show", seat, take=cards.sort(letters), say=word),)

    def _read_end(self, line: SourceLine, words: list[str]) -> tuple[Action]:
        reasons = REDEALS if words[0] == "redeal" else VOIDS
        word = self._read_choice(line, words, reasons, codes.UNKNOWN_REASON)
        return (Action(cast(ActionKind, words[0]), say=word),)

    def _read_seat_action(self, line: SourceLine, words: list[str]) -> tuple[Action]:
        return (Action(cast(ActionKind, words[0]), self._read_only_seat(line, words)),)

    def _read_pay(self, line: SourceLine, words: list[str]) -> Payment:
        if not _LABEL.fullmatch(words[1]):
            fail(codes.BAD_LABEL, line.word(1), found=clip(words[1]))
        if words[1] == "points" and len(words) == 2 * self.seats:
            words = self._fill_in_points(line, words)
        amounts_paid = self._read_sums(line, words, 2)
        label = self._read_compound(line, words, 1)
        return Payment(label, amounts_paid, void=words[0] == "void")

    def _fill_in_points(self, line: SourceLine, words: list[str]) -> list[str]:
        """Add the card points of the last player, since the points sum to zero (S9)."""
        missing = {str(seat) for seat in range(1, self.seats + 1)} - set(words[2::2])
        sums = [amounts.parse_canonical(amounts.normalise(word) or word) for word in words[3::2]]
        if len(missing) > 1 or None in sums:
            return words
        (seat,) = missing
        filled_in = amounts.text(-sum(filter(None, sums)), self.notation.kan)
        self.warn(codes.POINTS_FILLED_IN, line.word(1), seat=seat, read=filled_in)
        return [*words, seat, filled_in]

    def _read_sums(self, line: SourceLine, words: list[str], start: int = 1) -> tuple[int, ...]:
        """Return the sums in ``words[start:]``, ``1 +5 2 0``, in seat order: each seat once."""
        sums: dict[int, int] = {}
        for index in range(start, len(words) - 1, 2):
            seat = self._read_seat(line, words, index)
            if seat in sums:
                fail(codes.SEAT_TWICE, line.word(index), seat=seat)
            find_place = partial(line.word, index + 1)
            sums[seat] = amounts.parse(words[index + 1], self.notation, find_place, self.warn)
        count = start + 2 * self.seats
        if len(sums) != self.seats or len(words) != count:
            fail(codes.BAD_AMOUNTS, line.word(min(len(words), count)), seats=self.seats)
        return tuple(sums[seat] for seat in sorted(sums))

    # --- words of statements ---

    def _fail_form(self, line: SourceLine, words: list[str], index: int = 1) -> NoReturn:
        """Raise ``statement-form`` at word ``index``."""
        form = FORMS[words[0]].text
        fail(codes.STATEMENT_FORM, line.word(index), form, form=form)

    def _read_seat(self, line: SourceLine, words: list[str], index: int) -> int:
        return amounts.parse_seat(words[index], self.seats, partial(line.word, index))

    def _read_only_seat(self, line: SourceLine, words: list[str]) -> int:
        if len(words) != 2:
            self._fail_form(line, words)
        return self._read_seat(line, words, 1)

    def _read_compound(self, line: SourceLine, words: list[str], index: int) -> str:
        """Return word ``index`` with its yaku in canonical order. Warn of another order."""
        ordered = "+".join(compound(words[index].split("+")))
        if ordered != words[index]:
            self.warn(codes.ALIAS, line.word(index), found=clip(words[index]), read=clip(ordered))
        return ordered

    def _read_choice(
        self, line: SourceLine, words: list[str], choices: tuple[str, ...], code: Code
    ) -> str:
        if len(words) != 2:
            self._fail_form(line, words)
        if words[1] not in choices:
            fail(code, line.word(1), *choices, found=clip(words[1]))
        return words[1]

    def _fail_count(self, line: SourceLine, words: list[str]) -> NoReturn:
        """Raise ``too-many`` for a statement, or for its words."""
        fail(codes.TOO_MANY, line.word(0), limit=MAX_STATEMENTS, statement=words[0])

    def _read_cards(
        self, line: SourceLine, words: list[str], start: int, no_card: re.Pattern[str] = _NO_CARD
    ) -> str:
        for index, word in enumerate(words[start:], start):
            if wrong := no_card.search(word):
                place = line.word(index, wrong.start())
                if wrong[0] == "?":
                    fail(codes.UNKNOWN_CARD_HERE, place)
                fail(codes.BAD_CARD, place, found=wrong[0])
        letters = "".join(words[start:])
        if len(letters) > len(cards.ORDER):
            fail(codes.BAD_CARD, line.word(start), found=clip(letters))
        return letters

    def _read_seat_cards(
        self, line: SourceLine, words: list[str]
    ) -> tuple[dict[int, str], tuple[Place, ...]]:
        """Read words like ``1AFKQ``. Return the cards by seat, and their places, in written order.

        A blank may follow the seat.
        """
        text = line.text
        position = text.index(words[0]) + len(words[0])
        position += len(text[position:]) - len(text[position:].lstrip())
        cards_by_seat: dict[int, str] = {}
        places: list[Place] = []
        while position < len(text):
            match = _SEAT_CARDS.match(text, position)
            if match is None:
                place, form = line.at(position), FORMS[words[0]].text
                if "?" in text[position:].split(maxsplit=1)[0]:
                    fail(codes.UNKNOWN_CARD_HERE, place)
                fail(codes.STATEMENT_FORM, place, form, form=form)
            seat = amounts.parse_seat(match[1], self.seats, partial(line.at, position))
            if seat in cards_by_seat:
                fail(codes.SEAT_TWICE, line.at(position), seat=seat)
            letters = "".join(match[2].split())
            if len(letters) > len(cards.ORDER):
                fail(codes.BAD_CARD, line.at(match.start(2)), found=clip(match[2]))
            cards_by_seat[seat] = letters
            places.append(line.at(match.start(2)))
            position = match.end()
        if not cards_by_seat:
            self._fail_form(line, words)
        return cards_by_seat, tuple(places)


class Form(NamedTuple):
    """The form of a statement: its ``text`` for messages, and the function that reads its value.

    ``least`` is the least number of words of a statement that may have more, ``before_cards`` the
    number of words before its cards. ``fixed`` are the begin and the end of the words with a fixed
    spelling. A statement with ``has_sums`` has a sum for every seat, and one with ``has_yaku`` yaku
    joined by ``+``. A month may have several statements that are ``repeated``.

    Bound methods would be a reference cycle, and keep a game in memory until the garbage collector
    runs.
    """

    text: str
    read: Callable[[Statements, SourceLine, list[str]], Any]
    least: int = 0
    before_cards: int = 0
    fixed: tuple[int, int | None] = (0, 0)
    has_sums: bool = False
    has_yaku: bool = False
    repeated: bool = False


#: The forms of the statements by keyword.
FORMS: Final[Mapping[str, Form]] = {
    "month": Form("month M dealer P", Statements._read_month, least=4, fixed=(2, 3), repeated=True),
    "draw": Form("draw 1E 2k", Statements._read_draw, before_cards=1, repeated=True),
    "split": Form("split 1AFKQ 2BDIM", Statements._read_split, before_cards=1),
    "blind": Form("blind P", Statements._read_seat_action),
    "hand": Form("hand P CARDS", Statements._read_hand, least=3, before_cards=2, repeated=True),
    "field": Form("field CARDS", Statements._read_field, least=2, before_cards=1),
    "stock": Form("stock CARDS", Statements._read_stock, least=2, before_cards=1),
    "swap": Form("swap P", Statements._read_seat_action, repeated=True),
    "bid": Form("bid 2in 3out", Statements._read_bid, least=2, fixed=(1, None)),
    "ba": Form("ba small|large|absolute", Statements._read_ba, fixed=(1, 2)),
    "show": Form(
        "show P YAKU CARDS",
        Statements._read_show,
        least=4,
        before_cards=3,
        fixed=(2, 3),
        has_yaku=True,
        repeated=True,
    ),
    "redeal": Form("redeal REASON", Statements._read_end, fixed=(1, 2)),
    "void": Form("void REASON", Statements._read_end, fixed=(1, 2), has_sums=True, has_yaku=True),
    "pay": Form(
        "pay LABEL 1 +4k 2 -2k 3 -2k",
        Statements._read_pay,
        least=4,
        fixed=(1, 2),
        has_sums=True,
        has_yaku=True,
        repeated=True,
    ),
    "stone": Form("stone P", Statements._read_only_seat),
    "score": Form("score 1 +5 2 0", Statements._read_sums, has_sums=True),
    "final": Form("final 1 +13k 2 +71k 3 -84k", Statements._read_sums, least=2, has_sums=True),
}
