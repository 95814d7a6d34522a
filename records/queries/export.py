"""Games as text, many at once."""

from __future__ import annotations

from collections.abc import Sequence

from records.models import Record
from records.pseudonyms import texts as shown


def texts(records: Sequence[Record]) -> list[str]:
    """The canonical texts of some games, in their order, by one question."""
    rows = Record.objects.order_by().filter(pk__in=[record.pk for record in records])
    found = shown(dict(rows.values_list("pk", "text")))
    return [found[record.pk] for record in records if record.pk in found]
