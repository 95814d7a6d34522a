"""Blocks: facts as columns of numbers, in tables that hang below the first.

The first table has a row for each seat in play in each deal that counts. A table below it has so
many rows for each of its rows as the column of counts says: opponents, choices to stop or go on,
losses of choices that were analysed. All numbers are whole, most codes from 1; 0 is what is not
known. Several yaku at once are one code, that of their set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from records.base.zstd import zstd

Array = np.ndarray[Any, Any]
Block = dict[str, Array]

#: Columns of each table; "" is the first, the others hang below it.
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "": (
        *("game", "player", "house", "seat", "place", "month", "grade", "hand", "yaku", "date"),
        *("hour", "event", "rating", "first", "took", "score", "won", "made", "turns", "got"),
        "gave",
    ),
    "opponents": ("opponent", "versus"),
    "choices": ("on", "left", "gain", "held"),
    "losses": ("kind", "loss"),
}
BELOW: Final = tuple(filter(None, TABLES))
#: Columns of sets of yaku (`records.insights.names`).
OF_SETS: Final = ("yaku", "held")
TABLE_OF: Final[Mapping[str, str]] = {
    column: table for table, columns in TABLES.items() for column in columns
}
#: Facts of a part: so many are compressed together, and rewritten where one is removed.
PART: Final = 1 << 15
#: How columns are stored: the narrowest of these that holds all their numbers, named by its place.
_TYPES: Final = tuple(np.dtype(one) for one in ("<u1", "<i2", "<u2", "<u4", "<i8"))
_BOUNDS: Final = tuple((int(np.iinfo(one).min), int(np.iinfo(one).max)) for one in _TYPES)
_LEVEL: Final = 3


def counts_of(table: str) -> str:
    """The column that counts the rows of a table below the first, for each row of that."""
    return f"#{table}"


#: Every column, that of counts too.
COLUMNS: Final = (*TABLE_OF, *(counts_of(table) for table in BELOW))


def block(columns: Mapping[str, Sequence[int]]) -> Block:
    """A block of lists of numbers by column."""
    return {name: np.array(columns[name], np.int64) for name in COLUMNS}


def empty() -> Block:
    """A block without facts."""
    return block(dict.fromkeys(COLUMNS, ()))


def size(of: Block) -> int:
    """The facts of a block."""
    return len(of["game"])


def joined(blocks: Sequence[Block]) -> Block:
    """Blocks one after another, of the same columns."""
    if len(blocks) == 1:
        return blocks[0]
    return {name: np.concatenate([one[name] for one in blocks]) for name in blocks[0]}


def chosen(of: Block, which: Array) -> Block:
    """The facts of a block that a mask chooses, as `taken` takes them."""
    return taken(of, np.flatnonzero(which))


def taken(of: Block, places: Array) -> Block:
    """The facts of a block at some places, in order, with all that hangs below them; of a block
    with some columns alone these.
    """
    rows = {"": places}
    for table in BELOW:
        counts = of.get(counts_of(table))
        if counts is not None:
            which = np.zeros(len(counts), bool)
            which[places] = True
            rows[table] = np.flatnonzero(np.repeat(which, counts))
    return {name: one.take(rows[TABLE_OF.get(name, "")]) for name, one in of.items()}


def slices(of: Block) -> Iterable[Block]:
    """A block in pieces of the size of a part."""
    numbers = np.arange(size(of)) // PART
    if size(of) <= PART:
        yield of
        return
    for number in range(int(numbers[-1]) + 1):
        yield chosen(of, numbers == number)


def pack(*columns: Array) -> bytes:
    """Columns of one length as bytes: those that name their types, the rest compressed at once."""
    kinds = bytes(map(_kind, columns))
    pairs = zip(kinds, columns, strict=True)
    data = b"".join(column.astype(_TYPES[kind]).tobytes() for kind, column in pairs)
    return kinds + zstd.compress(data, _LEVEL)


def _kind(column: Array) -> int:
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    return next(kind for kind, (least, most) in enumerate(_BOUNDS) if least <= low and high <= most)


def unpack(packed: bytes) -> Array:
    """The one column of `pack`, of its narrow type."""
    return unpack_many(packed, 1)[0]


def unpack_many(packed: bytes, count: int) -> list[Array]:
    """So many columns of `pack`, each of its narrow type."""
    data = zstd.decompress(packed[count:])
    types = [_TYPES[kind] for kind in packed[:count]]
    length = len(data) // sum(one.itemsize for one in types)
    found, at = [], 0
    for one in types:
        found.append(np.frombuffer(data, one, length, at))
        at += length * one.itemsize
    return found
