"""Comparison of facts with the games: every counted public game has exactly its rows.

The games are judged again from their texts, in slices. Rows of a game and table are compared by
their number and the sum of their hashes, which is independent of the order. DuckDB compares, and
spills to disk if memory is insufficient.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final

import duckdb
import numpy as np
from django.core.cache import cache
from django.db.models import F, Max

from records.base.bulk import slices
from records.facts.compaction import Described, find_strays, forget
from records.facts.current import find_newest, read_snapshot
from records.facts.parts import (
    PartUnavailable,
    find_faults,
    find_live,
    make_batches,
    select_typed,
)
from records.facts.refresh import judge_games, outdate
from records.facts.repair import repair
from records.facts.snapshot import SUSPECT
from records.facts.tables import TABLES
from records.models import FactPart, Record, StaleFacts, Visibility

#: Games judged at a time.
BATCH: Final = 200
#: Number of primary keys per statement that makes games due.
SLICE: Final = 5_000
#: Maximum seconds of a statement over all rows of a table.
SECONDS: Final = 3_600.0
_SUMS: Final = "(name VARCHAR, game BIGINT, revision INTEGER, rows BIGINT, digest HUGEINT)"
_UNLIKE: Final = """
WITH unlike AS (
    SELECT
        name, game, revision,
        coalesce(found.rows, 0) AS found, coalesce(expected.rows, 0) AS expected
    FROM found FULL JOIN expected USING (name, game, revision)
    WHERE found.digest IS DISTINCT FROM expected.digest
        OR found.rows IS DISTINCT FROM expected.rows
)
SELECT
    game, revision, sum(found),
    string_agg(name || ' ' || found || ' for ' || expected, ', ' ORDER BY name)
FROM unlike ANTI JOIN skipped USING (game)
GROUP BY game, revision ORDER BY game, revision
"""


@dataclass(slots=True)
class FactsDifferences:
    """The differences as texts, and the games and revisions with wrong or missing rows."""

    differences: list[str] = field(default_factory=list)
    rows: set[Described] = field(default_factory=set)


def check(report: Callable[[int], object]) -> FactsDifferences:
    """Compare all facts with the games, without changes.

    ``report`` is called with the number of judged games. Leaves out games whose facts are due.
    Games whose rows are in damaged files are only counted.
    """
    result = FactsDifferences()
    faulty = _find_faulty_parts(result)
    result.differences += [f"{name} belongs to no part" for name in find_strays()]
    try:
        unlike = _compare(None, _slice_public(), faulty, report)
        # Games may have changed since the snapshot: different games are compared once more.
        games = sorted({game for game, *_others in unlike})
        if games:
            unlike = _compare(games, slices(games, BATCH), faulty, lambda _: None)
    except PartUnavailable as error:
        # A file was damaged meanwhile, or DuckDB cannot read a part.
        result.differences.append(f"the games are not compared: {error}")
        return result
    lost = 0
    for game, revision, rows, text in unlike:
        result.rows.add((game, revision))
        if not rows and any(part.first_game <= game <= part.last_game for part in faulty):
            lost += 1
        else:
            result.differences.append(f"game {game}, revision {revision}: {text}")
    if lost:
        result.differences.append(f"{lost} games have no rows in other files than these")
    return result


def _find_faulty_parts(result: FactsDifferences) -> list[FactPart]:
    """Return the parts with missing, damaged or unreadable files; note their faults."""
    faulty = []
    for part in find_live():
        try:
            faults = find_faults(part)
        except PartUnavailable as error:
            faults = [str(error)]
        if faults:
            result.differences += faults
            faulty.append(part)
    return faulty


def repair_all(result: FactsDifferences) -> None:
    """Make games with wrong rows and damaged files due; the facts job rewrites them."""
    cache.delete(SUSPECT)
    repair()
    forget(result.rows)
    StaleFacts.objects.bulk_create(
        [StaleFacts(game=game, revision=revision) for game, revision in sorted(result.rows)],
        ignore_conflicts=True,
    )


def rebuild() -> int:
    """Make the facts of all public games due again and return the number of games."""
    public = Record.objects.filter(visibility=Visibility.PUBLIC, facts=F("revision"))
    last = Record.objects.aggregate(last=Max("pk"))["last"] or 0
    return sum(
        outdate(public.filter(pk__range=(first, first + SLICE - 1)))
        for first in range(0, last + 1, SLICE)
    )


def _compare(
    games: Sequence[int] | None,
    pks: Iterable[Sequence[int]],
    faulty: Collection[FactPart],
    report: Callable[[int], object],
) -> list[tuple[int, int, int, str]]:
    """Return game, revision, number of rows and difference of each game with wrong rows.

    Compares the rows of ``games`` (None: all) with the rows of the public games among ``pks``,
    without the rows in ``faulty`` parts. Raises `PartUnavailable`.
    """
    snapshot = read_snapshot(find_newest()).without({part.name for part in faulty})
    with snapshot.open_cursor(SECONDS) as cursor:
        for name in ("found", "expected"):
            cursor.execute(f"CREATE TEMP TABLE {name} {_SUMS}")
        cursor.execute("CREATE TEMP TABLE skipped (game BIGINT)")
        for name in TABLES:
            rows = f"SELECT * FROM {snapshot.source(name)}"
            if games is not None:
                cursor.register("sought", {"game": np.array(games, "i8")})
                rows += " SEMI JOIN sought USING (game)"
            _add_sums(cursor, "found", name, rows)
        count = 0
        for batch in pks:
            _add_expected(cursor, batch)
            count += len(batch)
            report(count)
        return cursor.execute(_UNLIKE).fetchall()


def _slice_public() -> Iterator[list[int]]:
    """Yield the primary keys of public games without copies, `BATCH` at a time."""
    public = Record.objects.filter(visibility=Visibility.PUBLIC, copy_of=None).order_by("pk")
    last = 0
    while pks := list(public.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        last = pks[-1]
        yield pks


def _add_expected(cursor: duckdb.DuckDBPyConnection, pks: Sequence[int]) -> None:
    judged = list(judge_games(pks))
    due = [game.record.pk for game in judged if game.record.facts != game.record.revision]
    if due:
        cursor.register("due", {"game": np.array(due, "i8")})
        cursor.execute("INSERT INTO skipped SELECT game FROM due")
    for batch in make_batches(judged):
        for name, columns in batch.tables():
            cursor.register("rows", columns)
            _add_sums(cursor, "expected", name, select_typed(TABLES[name]))
            cursor.unregister("rows")


def _add_sums(cursor: duckdb.DuckDBPyConnection, target: str, name: str, rows: str) -> None:
    """Add number and sum of hashes of a table's rows by game."""
    values = ", ".join(f'"{column.name}"' for column in TABLES[name].columns)
    cursor.execute(
        f"INSERT INTO {target} SELECT '{name}', game, revision, count(*), sum(hash({values}))"
        f" FROM ({rows}) GROUP BY game, revision"
    )


def count_by_ruleset() -> Iterator[tuple[str, int, int, int, int]]:
    """Yield ruleset, parts, games, rows and bytes of the live parts."""
    for ruleset, same in groupby(find_live().order_by("ruleset"), key=attrgetter("ruleset")):
        sizes = [(1, part.games, sum(part.rows.values()), part.size) for part in same]
        parts, games, rows, size = map(sum, zip(*sizes, strict=True))
        yield ruleset, parts, games, rows, size
