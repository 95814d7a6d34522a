"""Repair of lost facts and of facts of another version: their records become due again.

A part of an earlier form, or with missing or damaged files, no longer counts. The rows of a part of
another engine count until new rows replace them.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from django.core.cache import cache

from records.base import clock
from records.base.bulk import slices
from records.facts.compaction import Described, forget, locate
from records.facts.database import open_cursor
from records.facts.parts import (
    WRITE_SECONDS,
    PartUnavailable,
    file_of,
    find_faults,
    find_live,
    find_lost,
    get_storage,
    local_path,
    select_files,
)
from records.facts.refresh import find_due, outdate
from records.facts.rows import COUNTED
from records.facts.snapshot import SUSPECT
from records.facts.tables import ENGINE, FORM
from records.models import FactPart, Record
from records.privacy import revisions

#: The pause between two searches of `tidy` for missing files.
EVERY_SECONDS: Final = 600
#: The cache key that is set after a search for missing files.
SEARCHED: Final = "facts-searched"
_BATCH: Final = 500
_MANY: Final = 5_000

logger = logging.getLogger(__name__)


def tidy() -> None:
    """Make lost facts, and facts of another version, due again; part of the sweep.

    Reads all files if a query met a damaged file; otherwise only searches for missing files.
    """
    drop_parts(list(FactPart.objects.filter(dropped=None, form__lt=FORM)))
    outdated_part = find_live().exclude(engine=ENGINE).filter(outdated=False).first()
    if outdated_part is not None:
        outdate_part(outdated_part)
    if cache.delete(SUSPECT):
        repair()
    elif cache.add(SEARCHED, True, EVERY_SECONDS):
        drop_parts([part for part in find_live() if not _has_all_files(part)])


def _has_all_files(part: FactPart) -> bool:
    return all(get_storage().exists(file_of(part.name, table)) for table in part.rows)


def is_damaged() -> bool:
    """Return whether facts are damaged, and not written again yet.

    True after a query met a damaged file, and while games of lost parts are due.
    """
    return bool(cache.get(SUSPECT)) or (find_lost().exists() and find_due().exists())


def repair() -> list[str]:
    """Drop the parts with missing or damaged files; return the faults of the files.

    A part that cannot be read stays: its storage may respond later.
    """
    faults_by_part = {}
    for part in find_live():
        try:
            faults_by_part[part] = find_faults(part)
        except PartUnavailable as error:
            logger.warning("%s", error)
    drop_parts([part for part, faults in faults_by_part.items() if faults])
    return [fault for faults in faults_by_part.values() for fault in faults]


def drop_parts(parts: Sequence[FactPart]) -> None:
    """Exclude parts from statistics and make their games due."""
    dropped = [part.pk for part in parts]
    for part in parts:
        logger.error(
            "facts %s: lost, damaged or of an earlier form: it will be written again", part
        )
        # Games come first: if the process is killed, the part is dropped again.
        for games in _find_games(part, dropped):
            forget(games)
        FactPart.objects.filter(pk=part.pk, dropped=None).update(dropped=clock.now())
        revisions.advance(part.ruleset)


def _find_games(part: FactPart, dropped: Sequence[int]) -> Iterator[set[Described]]:
    """Yield the games whose rows are in no live part except the dropped parts.

    Does not read the part, which may be damaged.
    """
    # Read records before the parts: the parts then contain the rows of all records.
    records = Record.objects.order_by("pk").filter(
        ruleset=part.ruleset,
        pk__range=(part.first_game, part.last_game),
        facts__gte=0,
        status__in=COUNTED,
        deals_played__gt=0,
    )
    last = part.first_game - 1
    while pairs := list(records.filter(pk__gt=last).values_list("pk", "facts")[:_MANY]):
        first, last = pairs[0][0], pairs[-1][0]
        parts = find_live().filter(ruleset=part.ruleset, first_game__lte=last, last_game__gte=first)
        rows = set(pairs)
        yield rows.difference(*locate(parts.exclude(pk__in=dropped), rows).values())


def outdate_part(part: FactPart) -> None:
    """Make the games with rows in a part due."""
    with open_cursor(WRITE_SECONDS) as cursor:
        path = local_path(part.name, "games")
        cursor.execute(f"SELECT game, revision FROM ({select_files([path])}) ORDER BY game")
        rows = cursor.fetchall()
    games_by_revision: defaultdict[int, list[int]] = defaultdict(list)
    for game, revision in rows:
        games_by_revision[revision].append(game)
    for revision, games in games_by_revision.items():
        for pks in slices(games, _BATCH):
            outdate(Record.objects.filter(pk__in=pks, facts=revision, revision=revision))
    FactPart.objects.filter(pk=part.pk).update(outdated=True)
