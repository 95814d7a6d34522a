"""The tokens of a text with cards: names, letters, other parts of moves, and unknown words.

A name shared by several cards keeps all their letters; `placement` chooses between them.
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
from kafu.notation.reading.movetext import CIRCLED, ROUND_MARKS
from kafu.notation.reading.source import REPAIRS, clip
from kafu.notation.vocabulary import STATEMENTS
from kafu.rules import codes

#: The role of a line of movetext; every further line with cards is named after its statement.
MOVES: Final = "moves"
#: The beginnings of statements with cards.
_HEADS: Final = {
    "hand": re.compile(r"\s*hand\s+([1-7])"),
    "field": re.compile(r"\s*field"),
    "stock": re.compile(r"\s*stock"),
    "split": re.compile(r"\s*split"),
    "draw": re.compile(r"\s*draw"),
    "show": re.compile(r"\s*show\s+([1-7])\s+[^\s+]+(?:\s*\+\s*[^\s+]+)*"),
}
_PLAIN: Final = frozenset({*STATEMENTS} - {*_HEADS, "turns"})
_STATEMENT: Final = re.compile(rf"(?:{'|'.join(_PLAIN)})\b")
#: Signs of movetext, absent in misspelt statements.
_MOVES: Final = re.compile(r"[/=:]|[0-9]\.")
_WORD: Final = re.compile(r"\s*([a-z]+|\[?)")
_MONTH: Final = re.compile(r"\s*month(?:\s+[0-9]+\s+dealer\s+([1-7]))?")
_COMMENT_BEGINS: Final = re.compile("[{;]")
_COMMENT_ENDS: Final = re.compile("}")
#: Up to seven words and numbers, the maximum in a name.
_LATIN: Final = re.compile(r"(?:[a-z]+|[0-9]+)(?:[ \t_-]{0,3}(?:[a-z]+|[0-9]+)){0,6}")
_LATIN_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
_BLANKS: Final = re.compile(r"\s+")
#: The number of a card with a shared name, directly after the name or after a blank.
_NUMBER_ENDS: Final = r"([1-3])(?![0-9:月a-wyz]|[_-][0-9a-z]|\.(?!\.\.))"
_NUMBER: Final = re.compile(rf"[_-]?{_NUMBER_ENDS}")
_APART: Final = re.compile(rf"[ \t]+{_NUMBER_ENDS}")
#: Statements whose letters look like words, as in "hand 1 Water".
_HAND_IN_WORDS: Final = re.compile(
    r"^(?:hand [1-7]|field)((?: +[A-Z]?[a-z]{2,})+) *(?=[\r\n]|\Z)", re.MULTILINE
)
_WORD_SHAPE: Final = re.compile(r"(?=.*[aeiou])[A-Z]?[a-z]{2,}")
_COMMAS: Final = re.compile("[,、・+&]")
_LETTERS: Final = re.compile(r"[A-Va-vW-Z_?]+")
#: The sign of a declaration that lays no card open.
_NO_CARD: Final = re.compile(r"-(?=\s|$|[{;])")
_DOTS: Final = re.compile(r"\.{3}|…")
_CUT: Final = ("...", "…")
_FIELD: Final = "field "
_SEAT: Final = re.compile(r"[1-7]")
#: A turn number, a seat, a decision, or a call with its seat.
_MARKS: Final = re.compile(
    rf"[0-9]{{1,4}}[{ROUND_MARKS}]"
    r"|(?P<seat>[1-7])\s*:"
    r"|=\s*(?:(?:torikeshi|void-show|下ゲノ取消シ)\s+[1-7]|[a-z-]+|[^\s/=a-z{;]+)"
)
#: A round number in a circle, which `fold` reads as a digit.
_CIRCLED: Final = re.compile(rf"[{CIRCLED}][{ROUND_MARKS}]?")
#: Tokens after which a turn continues.
JOINING: Final = ("capture", "draw", "comma")
_UNKNOWN: Final = re.compile(r"[^\s,、/×={;]+")
#: Cards by numbers in logs (`kafu.importers`): [month, number], month-number, #index.
_NUMBERED: Final = re.compile(
    r"\[\s*(?P<month>[1-9]|1[0-2])\s*,\s*(?P<place>[1-4])\s*\]"
    r"|(?<![0-9a-z])m?0?(?P<month_>[1-9]|1[0-2])[_-]0?(?P<place_>[1-4])(?![0-9a-wyz]|[_-])"
    r"|#(?P<index>[0-3]?[0-9]|4[0-7])(?![0-9])"
)
#: A quick check for a card by month and number.
ID: Final = re.compile("[0-9][_-][0-9]")


@dataclass(slots=True)
class NameToken:
    """A token of a line, from column ``start`` to ``end``.

    ``kind`` is name, letters, capture, draw, comma, blank, mark, other or unknown. ``text`` is the
    equivalent in Kafu; for a name it is empty until one of its ``letters`` is chosen.
    """

    kind: str
    text: str
    start: int
    end: int
    letters: str = ""


@dataclass(slots=True)
class NamedLine:
    """A line of a text: its number, role, seat and tokens.

    The role is `MOVES`, the name of a statement with cards, "month", or "" for other lines. The
    seat is that of a hand or show, or the dealer of a month.
    """

    number: int
    role: str = ""
    seat: int = 0
    tokens: list[NameToken] = field(default_factory=list)


@cache
def _longest() -> int:
    """Return the length of the longest Japanese name."""
    return max(len(key) for key in names() if not key.isascii())


def find_name(folded: str, start: int, *, digits: bool = True) -> tuple[int, str] | None:
    """Find the longest name that starts at a column of a folded text, including its number.

    Return its end and its possible letters. Without ``digits`` no name starts with a digit.
    """
    match = _name_at(folded, start, digits=digits)
    if match is None:
        return None
    end, letters = match
    number = _NUMBER.match(folded, end) if digits or len(letters) > 1 else None
    if number is None and digits and len(letters) > 1:
        number = _APART.match(folded, end)
        if number and _name_at(folded, number.start(1), digits=True):
            number = None
    if number is None or int(number[1]) > len(letters):
        return end, letters
    return number.end(), letters[int(number[1]) - 1]


def _name_at(folded: str, start: int, *, digits: bool) -> tuple[int, str] | None:
    """Return the end and letters of the longest name at a column, ignoring a number after it."""
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
        longest = min(_longest(), len(folded) - start)
        ends = (start + n for n in range(longest, 0, -1) if folded[start : start + n] in table)
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
    """Return whether a letter continues a word, unless it follows the ``x`` of a capture."""
    before = folded[max(0, start - 2) : start]
    return "a" <= before[-1:] <= "z" and not (before[-1:] == "x" and not before[0].islower())


def split_lines(
    text: str, *, first: int = 1, named: bool = True, most: int = 1 << 20
) -> Iterator[NamedLine]:
    """Split a text into lines of tokens; ``first`` is the number of its first line.

    A word in the place of a card is "unknown" (see `check_names`). If the text is not ``named``,
    all cards are letters. Tokens of a line after the first ``most`` are dropped.
    """
    in_comment = False
    role, seat = "", 0
    was_moves = is_open = False
    for number, row in enumerate(text.split("\n"), first):
        source = row if row.isascii() else row.translate(REPAIRS)
        folded = fold(source)
        begin = 0
        if not in_comment:
            role, seat, begin = _role(folded)
            if not role and was_moves and _may_continue(folded, is_open=is_open):
                role = MOVES
        line = NamedLine(number, role, seat)
        if begin:
            line.tokens.append(NameToken("other", source[:begin], 0, begin))
        if role == "tag":
            line.tokens.append(NameToken("other", row, 0, len(row)))
            begin = len(row)
        place = begin
        while place < len(row) and len(line.tokens) <= most:
            if in_comment or source[place] in "{;":
                in_comment = in_comment or source[place] == "{"
                closed = _COMMENT_ENDS.search(source, place) if in_comment else None
                end = closed.end() if closed else len(source)
                in_comment = in_comment and closed is None
                token = NameToken("other", row[place:end], place, end)
            elif role in ("", "month"):
                opened = _COMMENT_BEGINS.search(source, place)
                end = opened.start() if opened else len(source)
                token = NameToken("other", row[place:end], place, end)
            else:
                token = _read_token(source, folded, place, line, named=named)
            line.tokens.append(token)
            place = token.end
        if not all(map(_is_blank_or_comment, line.tokens)):
            was_moves = role == MOVES
            is_open = was_moves and _is_open(line)
        if named:
            _mark_doubtful_words(line, row)
        yield line


def _is_blank_or_comment(token: NameToken) -> bool:
    return token.kind == "blank" or (
        token.kind == "other" and token.text.lstrip()[:1] in ("", "{", ";")
    )


def _is_open(line: NamedLine) -> bool:
    """Return whether the last turn of a line continues in the next line."""
    last = next((t for t in reversed(line.tokens) if t.kind not in ("blank", "other")), None)
    return last is not None and (last.kind in JOINING or last.text.endswith((".", ":")))


def has_names_like_letters(text: str) -> bool:
    """Return whether the letters of a hand or field are names, as in ``hand 1 pine crane``.

    Letters in card order are not words, because canonical texts have this order.
    """
    for match in _HAND_IN_WORDS.finditer(text):
        letters = "".join(match[1].split())
        if cards.sort(letters) != letters and latin_words().issuperset(match[1].lower().split()):
            return True
    return False


def _mark_doubtful_words(line: NamedLine, source: str) -> None:
    """Turn letters into "unknown" if they may be a word, as in "Water lily, pine crane".

    In a line with names, doubtful letters are those that look like a word, and lower case letters
    next to a Latin name.
    """
    tokens = line.tokens
    if not any(token.kind == "name" for token in tokens) and not has_names_like_letters(source):
        return
    before = ""
    for i, token in enumerate(tokens):
        kind = token.kind
        adjacent: list[NameToken] = []
        if kind != "letters":
            is_doubtful = False
        elif line.role == MOVES:
            is_doubtful = len(token.text) > 1 and before not in ("capture", "comma")
        else:
            adjacent = _adjacent_names(tokens, i, source)
            is_small = any(letter.islower() for letter in token.text)
            is_doubtful = _WORD_SHAPE.fullmatch(token.text) is not None or (
                is_small and bool(adjacent)
            )
        if is_doubtful:
            token.kind = "unknown"
            token.text = source[token.start : max(t.end for t in (token, *adjacent))]
        before = before if kind == "blank" else kind


def _adjacent_names(tokens: list[NameToken], i: int, source: str) -> list[NameToken]:
    """Return the Latin names before and after a token, separated only by a blank."""
    return [
        tokens[name]
        for blank, name in ((i - 1, i - 2), (i + 1, i + 2))
        if 0 <= name < len(tokens)
        and tokens[blank].kind == "blank"
        and tokens[name].kind == "name"
        and source[tokens[name].start].isalpha()
        and source[tokens[name].start].isascii()
    ]


def _may_continue(folded: str, *, is_open: bool) -> bool:
    """Return whether a line after movetext continues it.

    It does if the last turn ``is_open``, or if the line begins with a name or a capture.
    """
    start = len(folded) - len(folded.lstrip())
    if start == len(folded) or _STATEMENT.match(folded, start):
        return False
    return is_open or folded[start] == "x" or find_name(folded, start) is not None


def _role(folded: str) -> tuple[str, int, int]:
    """Return the role of a line, its seat, and the column of its first card."""
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


def _read_token(source: str, folded: str, place: int, line: NamedLine, *, named: bool) -> NameToken:
    """Read the token of a line of cards or moves at a column."""
    moves = line.role == MOVES
    if blank := _BLANKS.match(folded, place):
        return NameToken("blank", " ", place, blank.end())
    if moves and (circled := _CIRCLED.match(source, place)):
        return NameToken("mark", source[place : circled.end()], place, circled.end())
    if moves and (mark := _MARKS.match(folded, place)):
        text = f"{mark['seat']}:" if mark["seat"] else source[place : mark.end()]
        return NameToken("mark", text, place, mark.end())
    digits = line.role not in ("draw", "split")
    if named and (match := find_name(folded, place, digits=digits)):
        return NameToken("name", "", place, *match)
    if moves and source[place] in "x×":
        return NameToken("capture", "x", place, place + 1)
    if moves and folded[place] == "/":
        return NameToken("draw", "/", place, place + 1)
    if _COMMAS.match(folded, place):
        return NameToken("comma", " ", place, place + 1)
    if letters := _LETTERS.match(source, place):
        # Letters of cards never repeat, unlike letters of words.
        end = letters.end()
        word = letters[0].replace("?", "").replace("_", "")
        is_word = named and (word in latin_words() or len(set(word)) < len(word) > 2)
        after = folded[end : end + 1]
        if not is_word and (not after.isalpha() or after == "x"):
            return NameToken("letters", letters[0], place, end)
    if line.role == "show" and (sign := _NO_CARD.match(source, place)):
        return NameToken("mark", sign[0], place, sign.end())
    if not moves and (dots := _DOTS.match(source, place) or _SEAT.match(folded, place)):
        return NameToken("mark", source[place : dots.end()], place, dots.end())
    unknown = _LATIN.match(folded, place) or _UNKNOWN.match(folded, place)
    end = unknown.end() if unknown else place + 1
    return NameToken("unknown", source[place:end], place, end)


def check_names(line: NamedLine) -> None:
    """Raise `Malformed` with the nearest names at the first unknown word."""
    for token in line.tokens:
        if token.kind == "unknown":
            values = {"text": clip(token.text)}
            fault = Fault(codes.NO_CARD_NAME, line.number, token.start + 1, values=values)
            raise Malformed(replace(fault, expected=nearest(token.text)))


def letters_of(text: str, *, lying: str = "") -> str:
    """Return the letters of cards given by names or letters, with ``?`` for unknown cards.

    A name shared by several cards means the first one neither in the text nor in ``lying``.

    >>> letters_of("松に鶴、松のカス pine dregs, moon, QR")
    'ACDcQR'

    Raises `Malformed` at a word that names no card, and at a name with no card left.
    """
    (line,) = split_lines(f"{_FIELD}{_BLANKS.sub(' ', text)}")
    tokens = line.tokens
    for token in tokens:
        token.start -= len(_FIELD)
    check_names(line)
    letters = "".join(token.text for token in tokens if token.kind == "letters")
    used = {*letters, *lying}
    for token in tokens:
        if token.kind == "name":
            free = [letter for letter in token.letters if letter not in used]
            if not free:
                values = {"cards": token.letters[0]}
                raise Malformed(Fault(codes.CARD_NAME_USED, 1, token.start + 1, values=values))
            token.text = free[0]
            used.add(free[0])
    parts = [t.text for t in tokens if t.kind in ("letters", "name") or t.text in _CUT]
    return "".join(parts).replace("…", "...")


def is_lettered(text: str) -> bool:
    """Return whether a text of cards consists of letters and is not also a name."""
    return set(text) <= set(f"{cards.ORDER}. ") and key_of(text) not in names()
