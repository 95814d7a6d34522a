"""Places where situations occurred, packed: some ten bytes each, and found without unpacking all.

A part holds the places of situations whose keys begin with one byte, its shelf. What does not
compress stands first as it is: the first game, the number of places, the rest of the keys in their
order, the last byte of each game's distance from the first. The other numbers follow byte by byte,
the first bytes of all games, the second bytes of all games …: most of these are zero, and take
hardly any room once they are compressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafu.comparing.situations import KEY_BYTES
from records.base.zstd import zstd

#: Places of a part, at most: so many fit into a row, four to a page, without another table for long
#: values.
PART: Final = 180
_REST: Final = KEY_BYTES - 1
#: Bytes before the keys: those of the first game and of the number of places.
_FIRST, _HEAD = 8, 10
#: Bytes of the compressed numbers of a place: the distance of its game without the last byte, deal,
#: step, choice, score.
_WIDTHS: Final = (3, 1, 2, 2, 4)
_LEVEL: Final = 10


class Found(NamedTuple):
    """A place where a situation occurred: the step of a deal, of the ``game`` with this primary
    key; ``choice`` and ``score`` as of `kafu.comparing.situations.Occurrence`.
    """

    game: int
    deal: int
    step: int
    choice: int
    score: int

    @property
    def order(self) -> tuple[int, int, int]:
        """The order in which places are listed: the newest game first, and its last deal."""
        return -self.game, -self.deal, -self.step


def pack(places: Sequence[tuple[bytes, Found]]) -> bytes:
    """Some places of one shelf, each with the rest of its key."""
    rows = sorted(places)
    first = min((found.game for _key, found in rows), default=0)
    far = [found.game - first for _key, found in rows]
    numbers = [
        (away >> 8, found.deal, found.step, found.choice, _unsigned(found.score))
        for away, (_key, found) in zip(far, rows, strict=True)
    ]
    plain = [first.to_bytes(_FIRST), len(rows).to_bytes(_HEAD - _FIRST)]
    plain += [key for key, _found in rows]
    parts = []
    for column, width in enumerate(_WIDTHS):
        whole = b"".join([row[column].to_bytes(width) for row in numbers])
        parts += [whole[at::width] for at in range(width)]
    packed: bytes = zstd.compress(b"".join(parts), _LEVEL)
    return b"".join(plain) + bytes([away & 255 for away in far]) + packed


def unpack(packed: bytes) -> list[tuple[bytes, Found]]:
    """All places of a part, each with the rest of its key."""
    size = _size(packed)
    keys = (packed[_HEAD + _REST * i :][:_REST] for i in range(size))
    return list(zip(keys, _places(packed, range(size)), strict=True))


def matching(packed: bytes, rest: bytes) -> list[Found]:
    """The places of a part whose keys end so."""
    end = _HEAD + _REST * _size(packed)
    at = packed.find(rest, _HEAD, end)
    while at != -1 and (at - _HEAD) % _REST:
        at = packed.find(rest, at + 1, end)
    if at == -1:
        return []
    first = last = (at - _HEAD) // _REST
    while at < end and packed.startswith(rest, at):
        at, last = at + _REST, last + 1
    return _places(packed, range(first, last))


def _size(packed: bytes) -> int:
    return int.from_bytes(packed[_FIRST:_HEAD])


def _places(packed: bytes, rows: range) -> list[Found]:
    size = _size(packed)
    near = _HEAD + _REST * size
    data = zstd.decompress(packed[near + size :])
    start = int.from_bytes(packed[:_FIRST])
    columns: list[Sequence[int]] = []
    at = 0
    for width in _WIDTHS:
        planes = [data[at + size * i :][rows.start : rows.stop] for i in range(width)]
        at += size * width
        columns.append(_numbers(planes))
    away, deals, steps, choices, scores = columns
    last = packed[near + rows.start : near + rows.stop]
    games = [start + (far << 8 | by) for far, by in zip(away, last, strict=True)]
    return list(map(Found, games, deals, steps, choices, map(_signed, scores)))


def _numbers(planes: list[bytes]) -> Sequence[int]:
    """A column by its bytes, the highest first. A common situation has thousands of places: where
    all but the last bytes are zero, as most are, those are the numbers.
    """
    *high, low = planes
    if not any(map(any, high)):
        return low
    return [int.from_bytes(one) for one in zip(*planes, strict=True)]


def _unsigned(score: int) -> int:
    """A score so that small ones are small numbers, whatever their sign."""
    return 2 * score if score >= 0 else -2 * score - 1


def _signed(number: int) -> int:
    return number // 2 if number % 2 == 0 else -(number + 1) // 2
