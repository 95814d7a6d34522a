"""Merging in tiers: few live parts, each row is rewritten a few times, no part is too large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from records.facts import compaction
from records.facts.compaction import FAN, FULL_BYTES, LEAST_BYTES, MOST_BYTES
from records.facts.parts import begin_part, find_live
from records.models import FactPart

pytestmark = pytest.mark.django_db

#: Bytes of a new part, and the number of new parts: enough for two full parts.
NEW_BYTES = FULL_BYTES // 200
NEW = 400


def add_parts(count: int, year: int, size: int) -> list[FactPart]:
    """List parts without files."""
    parts = [begin_part("koikoi", year) for _ in range(count)]
    for part in parts:
        part.size, part.first_game, part.last_game, part.games = size, 1, 2, 1
    return FactPart.objects.bulk_create(parts)


def merge_all() -> Iterator[list[FactPart]]:
    """Merge parts without files until no tier is crowded; yield the sources."""
    while sources := compaction.find_crowded():
        yield sources
        FactPart.objects.filter(pk__in=[source.pk for source in sources]).delete()
        add_parts(1, sources[0].year, sum(source.size for source in sources))


def test_each_row_is_rewritten_once_a_tier_until_its_part_is_full() -> None:
    rewritten, most_live = 0, 0
    for _ in range(0, NEW, FAN):
        add_parts(FAN, 2026, NEW_BYTES)
        rewritten += sum(source.size for sources in merge_all() for source in sources)
        most_live = max(most_live, find_live().filter(size__lt=FULL_BYTES).count())
    total = NEW * NEW_BYTES
    tiers = 3  # above 335 kB: up to 2 MB, 16 MB, and a full part
    assert LEAST_BYTES < NEW_BYTES < FAN * LEAST_BYTES
    assert rewritten <= tiers * total
    assert most_live < tiers * FAN
    sizes = list(find_live().values_list("size", flat=True))
    assert sum(sizes) == total
    assert max(sizes) <= MOST_BYTES
    assert sum(size for size in sizes if size >= FULL_BYTES) > total / 2


def test_parts_of_different_years_are_not_merged() -> None:
    add_parts(FAN - 1, 2025, 1000)
    add_parts(FAN, 2026, 1000)
    assert [{part.year for part in sources} for sources in merge_all()] == [{2026}]
    assert Counter(find_live().values_list("year", flat=True)) == {2025: FAN - 1, 2026: 1}
