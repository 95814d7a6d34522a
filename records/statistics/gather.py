"""What a figure reads: the sums of a query's facts, and how many games and deals these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from records.statistics.questions import Question
from records.statistics.selection import Selection
from records.statistics.sums import ALL, NO_SUMS, SelectionSums, Sums


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was counted: ``games`` and their ``deals``, and their ``sums``, computed when used.

    ``data`` is what a figure reads besides; a figure that has any is empty without them. ``as_of``
    is the time of the newest facts, None if nothing was counted. ``notes`` are sentences in the
    language of the request. ``selection`` are the rows that count.
    """

    sums: Mapping[str, Sums] = field(default_factory=lambda: NO_SUMS)
    data: Any = None
    as_of: datetime | None = None
    notes: Sequence[str] = ()
    games: int = 0
    deals: int = 0
    selection: Selection | None = None


def gather(
    question: Question,
    data: Any = None,
    *,
    notes: Sequence[str] = (),
    changed: datetime | None = None,
) -> Gathered:
    """Return what a query is about; no games for a player without games.

    ``data`` changed at the time ``changed``. Whether a player's figures may be shown is decided by
    `records.statistics.questions.check`.
    """
    selection = Selection(question)
    sums = SelectionSums(selection)
    counts = sums["games"][ALL]
    times = [selection.snapshot.as_of if counts["games"] else None, changed]
    return Gathered(
        sums=sums,
        data=data,
        as_of=max(filter(None, times), default=None),
        notes=notes,
        games=counts["games"],
        deals=counts["deals"],
        selection=selection,
    )
