"""The cards in the lines of a text: which parts are names, which letters, and which neither.

Nothing is decided here: a name that several cards share keeps them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from kafu import cards
from kafu.naming.table import BY_INDEX, BY_NUMBER, fold, key_of, latin_words, names, nearest
from kafu.notation.faults import Fault, Malformed
from kafu.notation.reading.source import REPAIRS, clip
from kafu.notation.vocabulary import STATEMENTS
from kafu.rules import codes

#: What a line is about, where it has cards: a statement of that name, or movetext.
MOVES: Final = "moves"
# The words of a statement in front of its cards.
_HEADS: Final = {
    "hand": re.compile(r"\s*hand\s+([1-7])"),
    "field": re.compile(r"\s*field"),
    "stock": re.compile(r"\s*stock"),
    "split": re.compile(r"\s*split"),
    "draw": re.compile(r"\s*draw"),
    "show": re.compile(r"\s*show\s+([1-7])\s+\S+"),
}
_PLAIN: Final = frozenset({*STATEMENTS, "final"} - {*_HEADS, "turns"})
_STATEMENT: Final = re.compile(rf"(?:{'|'.join(_PLAIN)})\b")
# What a line of movetext has, and a misspelt statement has not.
_MOVES: Final = re.compile(r"[/=:]|[0-9]\.")
_WORD: Final = re.compile(r"\s*([a-z]+|\[?)")
_MONTH: Final = re.compile(r"\s*month(?:\s+[0-9]+\s+dealer\s+([1-7]))?")
_COMMENT_BEGINS: Final = re.compile("[{;]")
_COMMENT_ENDS: Final = re.compile("}")
# Words and numbers, of which a name has at most seven.
_LATIN: Final = re.compile(r"(?:[a-z]+|[0-9]+)(?:[ \t_-]{0,3}(?:[a-z]+|[0-9]+)){0,6}")
_LATIN_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
_BLANKS: Final = re.compile(r"\s+")
# Which of the cards of a name: behind it, or behind a blank.
_NUMBER_ENDS: Final = r"([1-3])(?![0-9:月a-wyz]|[_-][0-9a-z]|\.(?!\.\.))"
_NUMBER: Final = re.compile(rf"[_-]?{_NUMBER_ENDS}")
_APART: Final = re.compile(rf"[ \t]+{_NUMBER_ENDS}")
# Letters of cards that look like a word, as Water does.
_HAND_IN_WORDS: Final = re.compile(
    r"^(?:hand [1-7]|field)((?: +[A-Z]?[a-z]{2,})+) *(?=[\r\n]|\Z)", re.MULTILINE
)
_WORD_SHAPE: Final = re.compile(r"(?=.*[aeiou])[A-Z]?[a-z]{2,}")
_COMMAS: Final = re.compile("[,、・+&]")
_LETTERS: Final = re.compile(r"[A-Va-vW-Z_?]+")
_DOTS: Final = re.compile(r"\.{3}|…")
_CUT: Final = ("...", "…")
_FIELD: Final = "field "
_SEAT: Final = re.compile(r"[1-7]")
# A round number; a seat; a decision, or a call with its seat.
_MARKS: Final = re.compile(
    r"[0-9]{1,4}\.|[1-7]\s*:"
    r"|=\s*(?:(?:torikeshi|void-show|下ゲノ取消シ)\s+[1-7]|[a-z-]+|[^\s/=a-z{;]+)"
)
#: Parts behind which a turn goes on.
JOINING: Final = ("capture", "draw", "comma")
_UNKNOWN: Final = re.compile(r"[^\s,、/×={;]+")
# Cards by numbers in logs of other programs (`kafu.importers`): [month, number], month-number, and
# #index.
_NUMBERED: Final = re.compile(
    r"\[\s*(?P<month>[1-9]|1[0-2])\s*,\s*(?P<place>[1-4])\s*\]"
    r"|(?<![0-9a-z])m?0?(?P<month_>[1-9]|1[0-2])[_-]0?(?P<place_>[1-4])(?![0-9a-wyz]|[_-])"
    r"|#(?P<index>[0-3]?[0-9]|4[0-7])(?![0-9])"
)
#: A card by month and number, roughly.
ID: Final = re.compile("[0-9][_-][0-9]")


@dataclass(slots=True)
class Written:
    """A part of a line. ``text`` is what stands in its place in Kafu: of a name the card's letter,
    once it is chosen from ``letters``.
    """

    kind: str  # name, letters, capture, draw, comma, blank, mark, other, unknown
    text: str
    start: int
    end: int
    letters: str = ""


@dataclass(slots=True)
class Line:
    """A line with its role (`MOVES`, a statement with cards, "month", or "" for all others), the
    seat that it names, and its parts.
    """

    number: int
    role: str = ""
    seat: int = 0
    tokens: list[Written] = field(default_factory=list)


@cache
def _longest() -> int:
    """The length of the longest name that is not in Latin letters."""
    return max(len(key) for key in names() if not key.isascii())


def find_name(folded: str, start: int, *, digits: bool = True) -> tuple[int, str] | None:
    """The longest name that begins at a place of a folded text, with its number: its end, and the
    letters of the cards that it may mean. Without ``digits`` none begins with a digit.
    """
    found = _name_at(folded, start, digits=digits)
    if found is None:
        return None
    end, letters = found
    number = _NUMBER.match(folded, end) if digits or len(letters) > 1 else None
    if number is None and digits and len(letters) > 1:
        number = _APART.match(folded, end)
        if number and _name_at(folded, number.start(1), digits=True):
            number = None
    if number is None or int(number[1]) > len(letters):
        return end, letters
    return number.end(), letters[int(number[1]) - 1]


def _name_at(folded: str, start: int, *, digits: bool) -> tuple[int, str] | None:
    """The longest name at a place, without a number behind it."""
    if number := _NUMBERED.match(folded, start):
        month, place = number["month"] or number["month_"], number["place"] or number["place_"]
        letter = BY_NUMBER[int(month)][int(place)] if month else BY_INDEX[int(number["index"])]
        return number.end(), letter
    first = folded[start]
    if first.isdigit() and (not digits or (start and folded[start - 1].isalnum())):
        return None
    if first.isascii() and first.isalpha() and _is_in_word(folded, start):
        return None
    table = names()
    if not first.isascii() or first.isdigit():
        most = min(_longest(), len(folded) - start)
        ends = (start + n for n in range(most, 0, -1) if folded[start : start + n] in table)
        if end := next(ends, 0):
            return end, table[folded[start:end]]
    if run := _LATIN.match(folded, start):
        words = list(_LATIN_WORD.finditer(folded, start, run.end()))
        for count in range(len(words), 0, -1):
            key = key_of(" ".join(word[0] for word in words[:count]))
            if key in table:
                return words[count - 1].end(), table[key]
    return None


def _is_in_word(folded: str, start: int) -> bool:
    """Whether a letter goes on with a word; one behind the ``x`` of a capture does not."""
    before = folded[max(0, start - 2) : start]
    return "a" <= before[-1:] <= "z" and not (before[-1:] == "x" and not before[0].islower())


def lines_of(
    text: str, *, line: int = 1, named: bool = True, most: int = 1 << 20
) -> Iterator[Line]:
    """The lines of a text in their parts; what is no card where one is due is "unknown" (`check`).

    Where it is not ``named`` all its cards are letters. Of a line with more than ``most`` parts the
    others are missing.
    """
    in_comment = False
    role, seat = "", 0
    was_moves = is_open = False
    for number, written in enumerate(text.split("\n"), line):
        source = written if written.isascii() else written.translate(REPAIRS)
        folded = fold(source)
        begin = 0
        if not in_comment:
            role, seat, begin = _role(folded)
            if not role and was_moves and _may_go_on(folded, is_open=is_open):
                role = MOVES
        found = Line(number, role, seat)
        if begin:
            found.tokens.append(Written("other", source[:begin], 0, begin))
        if role == "tag":
            found.tokens.append(Written("other", written, 0, len(written)))
            begin = len(written)
        place = begin
        while place < len(written) and len(found.tokens) <= most:
            if in_comment or source[place] in "{;":
                in_comment = in_comment or source[place] == "{"
                closed = _COMMENT_ENDS.search(source, place) if in_comment else None
                end = closed.end() if closed else len(source)
                in_comment = in_comment and closed is None
                token = Written("other", written[place:end], place, end)
            elif role in ("", "month"):
                opened = _COMMENT_BEGINS.search(source, place)
                end = opened.start() if opened else len(source)
                token = Written("other", written[place:end], place, end)
            else:
                token = _token(source, folded, place, found, named=named)
            found.tokens.append(token)
            place = token.end
        if not all(map(_is_nothing, found.tokens)):
            was_moves = role == MOVES
            is_open = was_moves and _is_open(found)
        if named:
            _doubt_words(found, written)
        yield found


def _is_nothing(token: Written) -> bool:
    """Whether a part is a blank or a comment."""
    return token.kind == "blank" or (
        token.kind == "other" and token.text.lstrip()[:1] in ("", "{", ";")
    )


def _is_open(line: Line) -> bool:
    """Whether the last turn of a line of movetext goes on in the next line."""
    last = next((t for t in reversed(line.tokens) if t.kind not in ("blank", "other")), None)
    return last is not None and (last.kind in JOINING or last.text.endswith((".", ":")))


def is_in_words(text: str) -> bool:
    """Whether the letters of a hand or field are words of names, as in ``hand 1 pine crane``: whole
    words, which are not in card order as letters of a canonical text are.
    """
    for match in _HAND_IN_WORDS.finditer(text):
        letters = "".join(match[1].split())
        if cards.sort(letters) != letters and latin_words().issuperset(match[1].lower().split()):
            return True
    return False


def _doubt_words(line: Line, source: str) -> None:
    """Let letters be "unknown" where they may be a word of a name, as in "Water lily, pine crane":
    in a line with names or :func:`is_in_words`, those that look like a word, and small ones next to
    a Latin name.
    """
    tokens = line.tokens
    if not any(token.kind == "name" for token in tokens) and not is_in_words(source):
        return
    before = ""
    for i, token in enumerate(tokens):
        kind = token.kind
        touched: list[Written] = []
        if kind != "letters":
            doubtful = False
        elif line.role == MOVES:
            doubtful = len(token.text) > 1 and before not in ("capture", "comma")
        else:
            touched = _touched(tokens, i, source)
            small = any(letter.islower() for letter in token.text)
            doubtful = _WORD_SHAPE.fullmatch(token.text) is not None or (small and bool(touched))
        if doubtful:
            token.kind = "unknown"
            token.text = source[token.start : max(t.end for t in (token, *touched))]
        before = before if kind == "blank" else kind


def _touched(tokens: list[Written], i: int, source: str) -> list[Written]:
    """The Latin names with nothing but blanks between them and a part."""
    return [
        tokens[near]
        for blank, near in ((i - 1, i - 2), (i + 1, i + 2))
        if 0 <= near < len(tokens)
        and tokens[blank].kind == "blank"
        and tokens[near].kind == "name"
        and source[tokens[near].start].isalpha()
        and source[tokens[near].start].isascii()
    ]


def _may_go_on(folded: str, *, is_open: bool) -> bool:
    """Whether a line behind movetext belongs to it: its last turn ``is_open``, or the line begins
    with a name or the sign of a capture.
    """
    begins = len(folded) - len(folded.lstrip())
    if begins == len(folded) or _STATEMENT.match(folded, begins):
        return False
    return is_open or folded[begins] == "x" or find_name(folded, begins) is not None


def _role(folded: str) -> tuple[str, int, int]:
    """The role of a line, its seat, and where its cards begin."""
    word = _WORD.match(folded)
    first = word[1] if word else ""
    if first == "[":
        return "tag", 0, 0
    if first == "month":
        head = _MONTH.match(folded)
        return "month", int(head[1] or 0) if head else 0, 0
    if first in _PLAIN:
        return "", 0, 0
    if first in _HEADS:
        head = _HEADS[first].match(folded)
        if head is None:
            return "", 0, 0
        return first, int(head[1]) if head.re.groups else 0, head.end()
    return (MOVES if _MOVES.search(folded) else ""), 0, 0


def _token(source: str, folded: str, place: int, line: Line, *, named: bool) -> Written:
    """The part of a line of cards or moves that begins at a place."""
    moves = line.role == MOVES
    if blank := _BLANKS.match(folded, place):
        return Written("blank", " ", place, blank.end())
    if moves and (mark := _MARKS.match(folded, place)):
        text = re.sub(r"\s*:", ":", source[place : mark.end()])
        return Written("mark", text, place, mark.end())
    digits = line.role not in ("draw", "split")
    if named and (found := find_name(folded, place, digits=digits)):
        return Written("name", "", place, found[0], found[1])
    if moves and source[place] in "x×":
        return Written("capture", "x", place, place + 1)
    if moves and folded[place] == "/":
        return Written("draw", "/", place, place + 1)
    if _COMMAS.match(folded, place):
        return Written("comma", " ", place, place + 1)
    if letters := _LETTERS.match(source, place):
        # Letters of cards never come twice, as those of words do.
        end = letters.end()
        known = letters[0].replace("?", "").replace("_", "")
        is_word = named and (known in latin_words() or len(set(known)) < len(known) > 2)
        after = folded[end : end + 1]
        if not is_word and (not after.isalpha() or after == "x"):
            return Written("letters", letters[0], place, end)
    if not moves and (other := _DOTS.match(source, place) or _SEAT.match(folded, place)):
        return Written("mark", source[place : other.end()], place, other.end())
    unknown = _LATIN.match(folded, place) or _UNKNOWN.match(folded, place)
    end = unknown.end() if unknown else place + 1
    return Written("unknown", source[place:end], place, end)


def check(line: Line) -> None:
    """Raise `Malformed` at the first part that is no card's name, with those most like it."""
    for token in line.tokens:
        if token.kind == "unknown":
            values = {"text": clip(token.text)}
            near = nearest(token.text)
            fault = Fault(codes.NO_CARD_NAME, line.number, token.start + 1, values=values)
            raise Malformed(replace(fault, expected=near))


def letters_of(text: str, *, lying: str = "") -> str:
    """The letters of cards that are written by names or letters, ``?`` for unknown ones, in the
    order of the text; of cards that are alike the first that does not stand in it yet, nor in
    ``lying``.

    >>> letters_of("松に鶴、松のカス pine dregs, moon, QR")
    'ACDcQR'

    Raises `Malformed` at what is no card.
    """
    (line,) = lines_of(f"{_FIELD}{_BLANKS.sub(' ', text)}")
    tokens = line.tokens
    for token in tokens:
        token.start -= len(_FIELD)
    check(line)
    found = "".join(token.text for token in tokens if token.kind == "letters")
    used = {*found, *lying}
    for token in tokens:
        if token.kind == "name":
            free = [letter for letter in token.letters if letter not in used]
            if not free:
                raise all_placed(token, 1)
            token.text = free[0]
            used.add(free[0])
    written = [t.text for t in tokens if t.kind in ("letters", "name") or t.text in _CUT]
    return "".join(written).replace("…", "...")


def is_lettered(text: str) -> bool:
    """Whether a text of cards has letters alone, and is no name at the same time."""
    return set(text) <= set(f"{cards.ORDER}. ") and key_of(text) not in names()


def all_placed(token: Written, line: int) -> Malformed:
    """The fault of a name whose cards all lie somewhere already."""
    values = {"cards": token.letters[0]}
    return Malformed(Fault(codes.CARD_NAME_USED, line, token.start + 1, values=values))
