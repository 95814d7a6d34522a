"""The input of a figure: the sums of a query's facts, and the counts of games and deals."""

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
    """The input of a figure: ``games`` and ``deals`` counted, and ``sums`` computed on first use.

    ``data`` is other input of the figure, ``selection`` the counted rows. ``as_of`` is the time of
    the newest facts, None without games. ``notes`` are sentences in the language of the request.
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
    """Return the input of a figure for a query; without games for an unknown player.

    ``data`` changed at the time ``changed``. The caller checks whether figures of the player may be
    shown (`records.statistics.questions.check`).
    """
    selection = Selection(question)
    sums = SelectionSums(selection)
    counts = sums["games"][ALL]
    times = [selection.snapshot.as_of(question.ruleset) if counts["games"] else None, changed]
    return Gathered(
        sums=sums,
        data=data,
        as_of=max(filter(None, times), default=None),
        notes=notes,
        games=counts["games"],
        deals=counts["deals"],
        selection=selection,
    )
