"""Faults and warnings: one closed list of codes, each with a sentence in English and Japanese.

The sentences are data, in ``codes.json``. Each code is a constant of `kafu.notation.codes` or
`kafu.rules.codes`, which lists all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypedDict

#: A spot of a record outside of deals: the game's first tag. Other spots are the keys of
#: `kafu.notation.game.Month.places`.
OF_GAME: Final = "game"


def player_name(seat: int, lang: str, players: Sequence[str] = ()) -> str:
    """Return the name of the player at a seat, from 1, or "player 1" for an unknown name."""
    if 0 < seat <= len(players):
        return players[seat - 1]
    return f"プレイヤー{seat}" if lang == "ja" else f"player {seat}"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of fault: an id, a sentence in two languages, and the rulings behind it.

    The sentence has ``{name}`` for each value of a fault, and ``{player}`` for the player at the
    value ``seat``. ``rulings`` are their numbers (``H10, H22``), or "".
    """

    id: str
    en: str
    ja: str
    rulings: str = ""

    def text(
        self,
        lang: str,
        values: Mapping[str, Any],
        players: Sequence[str] = (),
        *,
        plain: bool = False,
    ) -> str:
        """Return the sentence in ``lang`` ("en" or "ja") with ``values`` filled in.

        ``players`` are names by seat for ``{player}``; without names the text is "player 1". A
        ``plain`` sentence has neither the letters of cards nor the rulings.
        """
        sentence = self.ja if lang == "ja" else self.en
        if "{player}" in sentence:
            values = {**values, "player": player_name(int(values["seat"]), lang, players)}
        return sentence.format_map(values)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, or a repair (warning), and its place. Positions count from 1.

    ``deal`` and ``turn`` are None for a fault outside deals and turns. ``expected`` is a short list
    of valid values, or empty. ``where`` lists spots in the deal, best first, for faults from
    judging: with a spot, the fault can be placed in another text of the same game.
    """

    code: Code
    line: int | None = None
    column: int | None = None
    deal: int | None = None
    turn: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    expected: tuple[str, ...] = ()
    where: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def message(self, lang: str = "en") -> str:
        """Return the fault's sentence in a language."""
        return self.code.text(lang, self.values)

    def to_stored(self) -> dict[str, Any]:
        """Return the ``error`` object of verdict.md with ``values`` instead of ``message``.

        The object has no language. `kafu.rules.verdict.localise_fault` adds the message.
        """
        return {
            "code": self.code.id,
            "line": self.line,
            "column": self.column,
            "deal": self.deal,
            "turn": self.turn,
            "expected": list(self.expected),
            "values": dict(self.values),
        }

    def at(self, place: tuple[int, int] | None) -> Fault:
        """Return the same fault at a line and column."""
        return self if place is None else replace(self, line=place[0], column=place[1])


class FaultJson(TypedDict):
    """A fault or a repair, and its place. Positions count from 1."""

    code: str
    line: int | None
    column: int | None
    deal: int | None
    turn: int | None
    expected: list[str]
    message: str


class Malformed(Exception):
    """Text or JSON that cannot be read as Kafu; ``fault`` is the :class:`Fault`."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message())
        self.fault = fault


def caret(line_text: str, column: int, width: int = 78) -> str:
    """Return a source line with a caret below ``column`` (from 1), cut to ``width`` around it.

    Full-width characters take two places on a terminal, so the caret line has ideographic spaces
    below them.
    """
    start = max(0, column - 1 - width // 2)
    shown = line_text[start : start + width].replace("\t", " ").rstrip("\r\n")
    before = shown[: column - 1 - start]
    pad = "".join("\u3000" if ord(ch) > 0x2E7F else " " for ch in before)
    return f"{shown}\n{pad}^"
