"""Repairs of a record at its fault: a legal alternative in the place of the word, or its removal.

Texts are repaired line by line, records of the editor by their steps.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from kafu.editing import changes
from kafu.editing.table_at import Walked, walk
from kafu.facade.errors import BadValue
from kafu.judging.position import REST, Option, position_of
from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.notation.reading.statements import FORMS
from kafu.notation.writer import write

#: A turn in a line of movetext, as written, with optional numbers before it.
_TURN: Final = re.compile(
    r"(?P<before>(?:[0-9]+\.)?(?:[0-9]+:)?)"
    r"(?P<hand>[A-Za-v_](?:x[A-Za-v_]+)?)(?P<said>(?:=[^\s/={};]+)*)"
    r"(?:/(?P<stock>[A-Za-v_](?:x[A-Za-v_]+)?)(?P<words>(?:=[^\s/={};]+)*))?(?![^\s{};])"
)
#: The number of a round, which a turn may follow without a blank.
_ROUND: Final = re.compile(r"(?<!\S)[0-9]+\.")
#: The end of a deal.
_NEXT: Final = re.compile(r"\s*(?:month|final|\[)")
#: A statement in a line of its own.
_STATEMENTS: Final = ("show", "month", "bid", "blind", "swap")


def put_in(text: str, line: int | None, column: int | None, option: Option) -> str | None:
    """Return the text with ``option`` in the place of the word at ``line`` and ``column`` (from 1).

    The other parts of the turn are unchanged: its number, and the stock card after a hand card.
    Return None if no turn is at the place or if the replacement is ambiguous.
    """
    lines = text.split("\n")
    if line is None or column is None or not 0 < line <= len(lines):
        return None
    row = lines[line - 1]
    if option.kind in _STATEMENTS:
        new_row = _statement(row, column - 1, option)
    elif option.kind in ("hand", "stock", "say"):
        new_row = _turn(row, column - 1, option)
    elif option.kind == "round":
        new_row = _round(row, column - 1, option)
    else:
        new_row = None
    if new_row is None:
        return None
    lines[line - 1] = new_row
    return "\n".join(lines)


def leave_out(text: str, line: int | None, column: int | None, omit: str) -> str | None:
    """Return the text without ``omit``, the word at ``line`` and ``column`` (from 1).

    The word may also belong to the turn or statement at the place; otherwise return None.
    """
    lines = text.split("\n")
    if line is None or column is None or not omit or not 0 < line <= len(lines):
        return None
    row = lines[line - 1]
    if omit.startswith("month "):  # a deal goes with all its contents
        ends = (n for n, following in enumerate(lines[line:], line) if _NEXT.match(following))
        del lines[line - 1 : next(ends, len(lines))]
        return "\n".join(lines)
    if omit in FORMS:  # a misplaced statement goes with all its words
        omit = row[column - 1 :].split(";")[0].split("{")[0].rstrip()
    start = row.find(omit, _start(row, column - 1))
    if start < 0 and omit.startswith("=void-show"):  # the error is at an earlier declaration
        number = next((n for n in range(line, len(lines)) if omit in lines[n]), None)
        if number is None or any(_NEXT.match(following) for following in lines[line:number]):
            return None
        line, row, start = number + 1, lines[number], lines[number].find(omit)
    if start < 0 and _ROUND.fullmatch(omit):  # the error is at the turn behind the number
        start = row.rfind(omit, 0, column - 1)
    end = start + len(omit)
    if start < 0 or row[end : end + 1] not in ("", " ", "\t", "/", "=", ";", "{"):
        return None
    before = row[:start].rstrip() if row[end : end + 1] in ("", " ", "\t") else row[:start]
    lines[line - 1] = before + row[end:]
    if not lines[line - 1].strip():
        del lines[line - 1]
    return "\n".join(lines)


def _start(row: str, place: int) -> int:
    """Return the beginning of the word at ``place``."""
    return max(row.rfind(blank, 0, place + 1) for blank in " \t\u3000}") + 1


def _turn(row: str, place: int, option: Option) -> str | None:
    match = _TURN.match(row, _start(row, place))
    if match is None or not match.start() <= place < match.end():
        return None
    stock = f"/{match['stock']}{match['words']}" if match["stock"] else ""
    match option.kind:
        case "hand":
            move = option.text.removesuffix(REST) + match["said"] + stock
        case "stock":
            move = option.text + (match["words"] or "")
        case _:
            behind = stock if "/" not in option.text else ""
            move = option.text + behind
    numbers = match["before"]
    if option.kind == "hand" and ":" in numbers:  # the seat may be wrong
        numbers = numbers[: numbers.find(".") + 1]
    return row[: match.start()] + numbers + move + row[match.end() :]


def _round(row: str, place: int, option: Option) -> str | None:
    """Replace the number of the round at a place, or the last number before the place."""
    numbers = [number for number in _ROUND.finditer(row) if number.start() <= place]
    return row[: numbers[-1].start()] + option.text + row[numbers[-1].end() :] if numbers else None


def _statement(row: str, place: int, option: Option) -> str | None:
    """Replace the statement of a line. A comment after the statement stays."""
    words = re.match(r"\s*([a-z]+)[^{};]*", row[place:])
    if words is None or words[1] != option.text.split(" ")[0] or words[1] == "bid":
        return None
    behind = row[place + words.end() :]
    return row[:place] + option.text + (f" {behind}" if behind else "")


def put_instead(walked: Walked, text: str, verification: Verification, instead: str) -> Walked:
    """Return the record with ``instead`` in the place of the fault.

    ``instead`` is the text of a legal alternative, or the word to be left out. ``verification`` is
    the verdict on ``text``. Raise BadValue for another ``instead`` or if the text has no fault.
    """
    error = verification.verdict.error
    place = position_of(walked.outcome) if error is not None else None
    if error is None or place is None:
        raise BadValue(_("There is nothing to replace."), code="no-fault")
    option = next((legal for legal in place.legal if legal.text == instead), None)
    if option is not None and (written := _put_action(walked, place.deal, place.step, option)):
        return written
    if option is not None:
        corrected = put_in(text, error.line, error.column, option)
    elif instead == place.omit:
        corrected = leave_out(text, error.line, error.column, instead)
    else:
        corrected = None
    game = read(corrected).game if corrected is not None else None
    if game is None:
        error_text = _("This could not be inserted: please edit the text yourself.")
        raise BadValue(error_text, code="no-fault")
    number = min(max(error.deal or 1, 1), len(game.months))
    return changes.with_claims(walk(game), game, number)


def _put_action(walked: Walked, deal: int, step: int, option: Option) -> Walked | None:
    """Return the record with an action after the step before the fault.

    Return None for an option other than an action, or if the new text could not be read.
    """
    if option.kind in ("month", "round") or walked.at(deal, step) is None:
        return None
    words = option.text
    if option.kind == "stock":
        words = f"/{words.rpartition('/')[2]}"
    elif option.kind == "say":
        words = f"={words.rpartition('=')[2]}"
    try:
        changed = changes.put(walked, deal, step, words.removesuffix(REST))
    except BadValue:
        return None
    return (
        changed if changes.is_open(changed) or read(write(changed.game)).game is not None else None
    )
