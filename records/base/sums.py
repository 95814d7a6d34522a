"""Sums of figures: whole numbers that can be added in any order, and subtracted again.

A vector of zeros and a figure without keys are removed, so that equal sums are equal dicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from operator import add as plus
from typing import Final

import msgspec

#: Figure, key, vector of whole numbers; `records.totals.layout` defines them.
Sums = dict[str, dict[str, list[int]]]
#: The same, read-only.
Counted = Mapping[str, Mapping[str, list[int]]]
#: By place: "0" is the table as a whole, "1" to "7" its seats.
Tally = dict[str, Sums]

#: The place of figures that belong to no seat.
TABLE = "0"
# Every stored game writes and reads some of these: ten times and twice as fast as `json`.
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(dict[str, Sums]).decode
_decode_line: Final = msgspec.json.Decoder(Sums).decode
_NEXT: Final = ",\n"
#: Numbers of most vectors: they are added in half the time of others.
_MOST: Final = 4


def add(into: Sums, more: Mapping[str, Mapping[str, list[int]]], times: int = 1) -> None:
    """Add ``times`` times ``more`` to ``into`` (-1 subtracts it).

    >>> sums = {"games": {"all": [1, 2]}}
    >>> add(sums, {"games": {"all": [1, 0], "x": [0, 5]}})
    >>> sums
    {'games': {'all': [2, 2], 'x': [0, 5]}}
    >>> add(sums, {"games": {"x": [0, 5]}}, -1)
    >>> sums
    {'games': {'all': [2, 2]}}
    """
    # Called several times for every stored game. Vectors are shared, since none ever changes.
    for figure, rows in more.items():
        have = into.get(figure)
        if have is None:
            if times == 1 and rows:
                into[figure] = {**rows}
                continue
            have = into[figure] = {}
        for key, vector in rows.items():
            change = vector if times == 1 else [times * number for number in vector]
            old = have.get(key)
            if old is None:
                new = change
            elif len(old) == _MOST:
                a, b, c, d = old
                e, f, g, h = change
                new = [a + e, b + f, c + g, d + h]
            else:
                new = [*map(plus, old, change)]
            if new[0] or any(new):
                have[key] = new
            elif old is not None:
                del have[key]
        if not have:
            del into[figure]


def add_tally(into: Tally, more: Mapping[str, Sums], times: int = 1) -> None:
    """The same, place by place."""
    for place, sums in more.items():
        have = into.setdefault(place, {})
        add(have, sums, times)
        if not have:
            del into[place]


def merge_seats(tally: Mapping[str, Sums], seats: Iterable[int] | None = None) -> Sums:
    """The sums of the seats (all of them if none are named) as one, without the table's."""
    wanted = None if seats is None else {str(seat) for seat in seats}
    merged: Sums = {}
    for place, sums in tally.items():
        if place != TABLE and (wanted is None or place in wanted):
            add(merged, sums)
    return merged


def only(tally: Mapping[str, Sums], seats: Iterable[int]) -> Tally:
    """The table's sums and those of ``seats``; the vectors are shared, not copied."""
    places = {TABLE, *map(str, seats)}
    return {place: sums for place, sums in tally.items() if place in places}


# As text ------------------------------------------------------------------------------------------


def dumps(tally: Mapping[str, Sums]) -> str:
    """A tally as JSON, a line for each figure with its sums by place: see :class:`LazySums`.

    >>> print(dumps({"0": {"ends": {"shobu": [1, 5]}}, "1": {"final": {"0": [1]}}}))
    {"ends":{"0":{"shobu":[1,5]}},
    "final":{"1":{"0":[1]}}}
    """
    figures: dict[str, Sums] = {}
    for place, sums in tally.items():
        for figure, rows in sums.items():
            figures.setdefault(figure, {})[place] = rows
    lines = (f'"{name}":{_encode(rows).decode()}' for name, rows in figures.items())
    return "{" + _NEXT.join(lines) + "}"


def loads(text: str) -> Tally:
    """The tally of a text."""
    tally: Tally = {}
    for figure, places in _decode(text).items():
        for place, rows in places.items():
            tally.setdefault(place, {})[figure] = rows
    return tally


class LazySums(Counted):
    """Sums of some places of some texts, each figure added up when it is first used: few of all
    figures are, and the largest rarely. The texts are fetched with the first.
    """

    def __init__(self, texts: Callable[[], Iterable[str]], counts: Callable[[str], bool]) -> None:
        """``counts``: whether a place counts."""
        self._texts = texts
        self._counts = counts
        self._found: Sums = {}

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for text in self._texts():
            for line in filter(None, text[1:-1].split(_NEXT)):
                figure, _colon, rows = line.partition(":")
                found.setdefault(figure[1:-1], []).append(rows)
        return found

    def __getitem__(self, figure: str) -> dict[str, list[int]]:
        if figure not in self._found:
            sums: Sums = {}
            for line in self._lines.get(figure, ()):
                for place, rows in _decode_line(line).items():
                    if self._counts(place):
                        add(sums, {figure: rows})
            self._found[figure] = sums.get(figure, {})
        if not self._found[figure]:
            raise KeyError(figure)
        return self._found[figure]

    def __iter__(self) -> Iterator[str]:
        return (figure for figure in self._lines if self.get(figure))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Later(Counted):
    """Sums that are made when they are first used."""

    def __init__(self, make: Callable[[], Sums]) -> None:
        """``make`` is called at most once."""
        self._make = make

    @cached_property
    def _made(self) -> Sums:
        return self._make()

    def __getitem__(self, figure: str) -> dict[str, list[int]]:
        return self._made[figure]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
