"""Verdicts and faults as lines for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from kafu.cli.sources import Sourced
from kafu.cli.terminal import Ink, printable
from kafu.notation.faults import Fault, caret, player_name

_COLOURS: Final = {
    "verified": "green",
    "consistent": "green",
    "unfinished": "yellow",
    "unsupported": "yellow",
}
#: Formats for deals and turns, and for wrong claims.
_PLACES: Final = {
    "en": {"deal": "deal {}", "turn": "turn {}"},
    "ja": {"deal": "{}番目の月", "turn": "{}手目"},
}
_CLAIM: Final = {
    "en": "{where}: {claimed} claimed, {computed} computed",
    "ja": "{where}: 記録は {claimed}、計算では {computed}",
}
_EXPECTED: Final = {"en": " (expected: {})", "ja": "（正しくは: {}）"}
#: Maximum number of expected values in a message.
_NAMED: Final = 12


def ndjson(value: Mapping[str, Any]) -> str:
    """Return an object as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def format_row(verdict: Mapping[str, Any], lang: str = "en", ink: Ink | None = None) -> str:
    """Return a verdict as one line for people: status, place, ruleset, and totals or faults.

    The place is the file, line and column of the error, if the verdict has an error.
    """
    error, status = verdict["error"], verdict["status"]
    place = f"{verdict['source']}:{verdict['line'] or 1}"
    if error is not None:
        place = format_place(verdict["source"], error["line"] or verdict["line"], error["column"])
        where = _format_where(error, lang)
        message = f"{where}: {error['message']}" if where else error["message"]
        message += format_expected(error["expected"], lang)
    elif verdict["mismatches"]:
        message = "; ".join(_format_claim(mismatch, lang) for mismatch in verdict["mismatches"])
    else:
        message = " ".join(f"{total:+}" for total in verdict["final"] or ())
    line = printable(f"{status:<12}{place}  {verdict['rules'] or '-':<14}{message}".rstrip())
    colour = _COLOURS.get(status, "red")
    return line.replace(status, ink.on(status, colour), 1) if ink is not None else line


def format_place(source: str, line: int | None, column: int | None) -> str:
    """Return a place in the format of compilers: ``file:line:column``, or without a column."""
    return f"{source}:{line or 1}" + (f":{column}" if column else "")


def format_expected(due: Any, lang: str) -> str:
    """Return the expected values in brackets, "" for an empty list."""
    if not due:
        return ""
    return _EXPECTED[lang].format(", ".join(due[:_NAMED]) + (", …" if len(due) > _NAMED else ""))


def _format_where(place: Mapping[str, Any], lang: str) -> str:
    """Return the known parts of deal and turn."""
    parts = [form.format(place[n]) for n, form in _PLACES[lang].items() if place.get(n) is not None]
    return ", ".join(parts)


def _format_claim(mismatch: Mapping[str, Any], lang: str) -> str:
    """Return one claim that differs from the computed value."""
    deal, seat = _format_where({"deal": mismatch["deal"]}, lang), mismatch["seat"]
    player = () if seat is None else (player_name(seat, lang),)
    where = ", ".join([mismatch["where"], *((deal,) if deal else ()), *player])
    return _CLAIM[lang].format(**{**mismatch, "where": where})


def format_fault(game: Sourced, fault: Fault, kind: str, lang: str, ink: Ink) -> list[str]:
    """Return a fault in the format of compilers: place, message, and the line with a caret."""
    piece = game.piece
    line, column = fault.line or piece.line, fault.column or 1
    message = fault.message(lang) + format_expected(fault.expected, lang)
    place = printable(f"{game.source}:{line}:{column}")
    word = ink.on(kind, "red" if kind == "error" else "yellow")
    shown = [f"{place}: {word}: {printable(message)}"]
    # Not splitlines(): a form feed or U+2028 ends no line of Kafu.
    lines = piece.text().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if fault.column is not None and 0 <= line - piece.line < len(lines):
        text, mark = caret(lines[line - piece.line], column).split("\n")
        # Replace each character by one character, to keep the caret in place.
        safe = "".join(c if c.isprintable() or c == "\u3000" else "\ufffd" for c in text)
        shown += [safe, ink.on(mark, "bold")]
    return shown
