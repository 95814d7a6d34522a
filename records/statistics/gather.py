"""What a figure reads: the sums of a query's facts, and how many games and deals these are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b

from records.statistics.questions import Question
from records.statistics.selection import Selection
from records.statistics.sums import ALL, NO_SUMS, SelectionSums, Sums


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was counted: ``games`` and their ``deals``, and their ``sums``, computed when used.

    ``stamp`` changes with any of it; ``as_of`` is the time of the newest facts, None if nothing
    was counted. ``notes`` are sentences in the language of the request.
    """

    sums: Mapping[str, Sums] = field(default_factory=lambda: NO_SUMS)
    as_of: datetime | None = None
    stamp: str = ""
    notes: Sequence[str] = ()
    games: int = 0
    deals: int = 0


def gather(question: Question) -> Gathered:
    """Return the sums that a query is about; none for a player without games.

    Whether the player's figures may be shown is decided by `records.statistics.questions.check`.
    """
    selection = Selection(question)
    sums = SelectionSums(selection)
    counts = sums["games"][ALL]
    return Gathered(
        sums=sums,
        as_of=selection.snapshot.as_of if counts["games"] else None,
        stamp=selection.stamp,
        games=counts["games"],
        deals=counts["deals"],
    )


def stamp_of(parts: Iterable[str]) -> str:
    """Return a hash that changes with any of these texts."""
    return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
