"""The copy of the facts follows the games: a job that reads what changed since.

In: the changes of games in the order in which everybody could see them (`records.search.changes`).
Out: facts in parts, the sums that are kept of them, and how far that is.

A game that changed is removed, and added again if it is public. Where ratings changed, their bands
are made again. With another engine all is read again. Until the job is there, answers leave out the
games that are no longer public (`records.insights.asking`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from time import monotonic, time_ns
from typing import Final, NamedTuple

import numpy as np
from django.db import transaction
from django.db.models import Q, QuerySet

from kafu.analysis.report import Choice
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from records.base import clock
from records.base.bulk import slices as some_of
from records.base.times import second_of_day
from records.facts.rows import COUNTED, month_of
from records.facts.versions import ENGINE
from records.insights import bands, names, sums
from records.insights.bands import Bands
from records.insights.blocks import (
    COLUMNS,
    PART,
    Array,
    Block,
    block,
    chosen,
    counts_of,
    empty,
    joined,
    pack,
    size,
    slices,
    unpack,
)
from records.insights.facts import About, Lists, add, date_code
from records.insights.names import Members, Numbering
from records.models import (
    Analysis,
    GameChange,
    InsightColumn,
    InsightName,
    InsightPart,
    InsightProgress,
    InsightSums,
    Job,
    RatingDue,
    Record,
    Seat,
    Visibility,
)
from records.privacy import revisions
from records.search.changes import places
from records.store.changes import publish
from records.work.enqueue import enqueue
from records.work.ledger import finish, heartbeat, hold, put_off

#: The kind, and the subject, of the one job.
INSIGHTS: Final = "insights"
ALL: Final = "games"
#: What made the copy: the engine that plays and analyses, and the form of what is stored.
VERSION: Final = f"{ENGINE}-3"
#: Games that are read for a turn, and the seconds after which it ends before.
BATCH: Final = 1_000
TURN_SECONDS: Final = 4.0
#: How long bands wait at most, after they were made, for ratings that are being computed.
RATINGS_WAIT: Final = timedelta(minutes=10)
#: Texts in memory at once.
_TEXTS: Final = 100
_ONE: Final = 1


class CopyPoint(NamedTuple):
    """How far the copy is: up to a game of a change, by the version that made it."""

    version: str
    number: int
    game: int
    stamp: int
    rated: str


def point() -> CopyPoint:
    """How far the copy is; one of another version is at its beginning."""
    rows = InsightProgress.objects.filter(pk=_ONE, version=VERSION)
    found = rows.values_list(*CopyPoint._fields).first()
    return CopyPoint(*found) if found else CopyPoint(VERSION, 0, 0, 0, "")


def changed_since(at: CopyPoint) -> QuerySet[Record]:
    """The games that changed since, also those whose change has no number yet."""
    later = GameChange.objects.filter(Q(number=None) | Q(number__gte=at.number))
    done = Q(change__number=at.number, pk__lte=at.game)
    return Record.objects.order_by().filter(change__in=later).exclude(done)


def fresh_analyses() -> QuerySet[Analysis]:
    """The analyses that were made since their games were copied, or before."""
    return Analysis.objects.filter(engine=ENGINE, made__isnull=False, counted=False)


def is_complete() -> bool:
    """Whether all that everybody can see is in the copy."""
    at = point()
    changed = changed_since(at).exists() or fresh_analyses().exists()
    return publish() and not changed and _is_rated(at)


def _is_rated(at: CopyPoint) -> bool:
    """Return whether the bands match the ratings, or are new enough while ratings change."""
    if at.rated == bands.stamp():
        return True
    # They end with the time of the newest rating.
    made = at.rated.rpartition(" ")[2]
    is_new = bool(made) and datetime.fromisoformat(made) > clock.now() - RATINGS_WAIT
    return is_new and RatingDue.objects.exists()


def schedule() -> None:
    """Enqueue the job where there is something to do."""
    if not is_complete():
        enqueue(INSIGHTS, ALL)


def run(job: Job) -> None:
    """Read games for a turn. Raises :class:`records.work.ledger.LeaseLost`."""
    at = _begin()
    block_, more = places((at.number, at.game), BATCH)
    analysed = fresh_analyses().order_by("pk").values_list("pk", "made")
    heartbeat(job, total=job.progress + changed_since(at).count() + analysed.count())
    # Games that changed, and after the last of them those that were analysed since.
    made = {} if more else dict(analysed[:BATCH])
    games = list(dict.fromkeys([*(place[-1] for place in block_), *made]))
    until = monotonic() + TURN_SECONDS
    known = Numbering()
    done, found = _read(games, until, known)
    with transaction.atomic():
        held = hold(job)
        held.progress += done
        if done:
            last = block_[min(done, len(block_)) - 1] if block_ else (at.number, at.game)
            if _write(at, last, games[:done], found, known):
                for game in set(games[:done]) & set(made):
                    fresh_analyses().filter(pk=game, made=made[game]).update(counted=True)
        if done == len(games) and not more and not _is_rated(at := point()):
            _rate(at)
        if done or more:
            put_off(held)
        else:
            finish(held)
            revisions.advance()  # answers that are kept are made again


@transaction.atomic
def _begin() -> CopyPoint:
    """As `point`, with what another version made removed."""
    row = _locked()
    if row.version != VERSION:
        for model in (InsightColumn, InsightPart, InsightSums, InsightName):
            model._default_manager.all().delete()
        row.version, row.number, row.game, row.rated = VERSION, 0, 0, ""
        _save(row)
    return CopyPoint(row.version, row.number, row.game, row.stamp, row.rated)


def _locked() -> InsightProgress:
    rows = InsightProgress.objects.select_for_update(no_key=True)
    return rows.get_or_create(pk=_ONE, defaults={"version": VERSION})[0]


def _save(row: InsightProgress) -> None:
    """Save what is another copy now: its stamp is one that no other has, nor had before a backup
    was put back.
    """
    row.stamp = max(row.stamp + 1, time_ns())
    row.save()


def _moved(at: CopyPoint) -> InsightProgress | None:
    """The row of progress, locked; None if the copy is not where it was."""
    row = _locked()
    return row if at == tuple(getattr(row, name) for name in CopyPoint._fields) else None


# Reading ------------------------------------------------------------------------------------------


def _read(games: Sequence[int], until: float, known: Numbering) -> tuple[int, dict[str, Block]]:
    """The facts of games, by ruleset: of how many of them."""
    lists: dict[str, Lists] = {}
    done = 0
    for some in some_of(games, _TEXTS):
        choices = _analysed(some)
        for record, players in _public(some):
            one = lists.setdefault(record.ruleset, defaultdict(list))
            about = _about(record, players, choices.get(record.pk, ()))
            add(one, about, verify(read(record.text), facts=True), known)
        done += len(some)
        if monotonic() >= until:
            break
    return done, {ruleset: block(one) for ruleset, one in lists.items()}


def _public(games: Collection[int]) -> Iterator[tuple[Record, list[int]]]:
    """Those of some games that count, with the primary keys of their players by seat."""
    seats: dict[int, list[int]] = defaultdict(list)
    sat = Seat.objects.filter(record__in=games).order_by("record", "number")
    for pk, player in sat.values_list("record", "player"):
        seats[pk].append(player)
    rows = Record.objects.order_by("pk").filter(pk__in=games, visibility=Visibility.PUBLIC)
    for record in rows.filter(status__in=COUNTED).defer("verdict"):
        yield record, seats[record.pk]


def _analysed(games: Collection[int]) -> dict[int, Sequence[Choice]]:
    """The choices of those of some games that are analysed."""
    rows = Analysis.objects.filter(pk__in=games, engine=ENGINE, made__isnull=False)
    return {pk: found["choices"] for pk, found in rows.values_list("pk", "found")}


def _about(record: Record, players: Sequence[int], choices: Sequence[Choice]) -> About:
    time = second_of_day(record.tags)
    return About(
        game=record.pk,
        players=players,
        profile=record.profile,
        options=record.options,
        date=date_code(month_of(record.date_from, record.date_to) or 0),
        hour=(time - 1) // 3600 if time else None,
        event=record.event,
        choices=choices,
    )


# Writing ------------------------------------------------------------------------------------------


def _write(
    at: CopyPoint,
    last: Sequence[int],
    games: Sequence[int],
    found: dict[str, Block],
    known: Numbering,
) -> bool:
    """Part of a transaction: put the facts of games in the place of those that they had. False if
    the copy is not where it was, and nothing was written.
    """
    row = _moved(at)
    if row is None:
        return False
    known.write()
    removed = _remove(games)
    for ruleset in sorted({*found, *removed}):
        added = found.get(ruleset, empty())
        if size(added):
            added = {**added, **Bands(ruleset).of_block(added)}
            _append(ruleset, added)
        sums.change(ruleset, added, removed.get(ruleset, empty()), known.members())
    if removed:
        _forget()
    row.number, row.game = last
    _save(row)
    return True


def _append(ruleset: str, facts: Block) -> None:
    """Add facts: first to the part that has room."""
    part = InsightPart.objects.order_by("pk").filter(ruleset=ruleset, size__lt=PART).first()
    if part is not None:
        facts = joined([loaded([part.pk], COLUMNS)[part.pk], facts])
    for one in slices(facts):
        if part is None:
            part = InsightPart(ruleset=ruleset)
        _store(part, one)
        part = None


def _store(part: InsightPart, facts: Block) -> None:
    part.size = size(facts)
    part.save()
    _put(part, facts)


def _put(part: InsightPart, columns: Block) -> None:
    """Write columns of a part."""
    InsightColumn.objects.bulk_create(
        [InsightColumn(part=part, name=name, data=pack(one)) for name, one in columns.items()],
        update_conflicts=True,
        unique_fields=["part", "name"],
        update_fields=["data"],
    )


def loaded(parts: Collection[int], columns: Iterable[str]) -> dict[int, Block]:
    """Some columns of parts, by their primary keys."""
    found: dict[int, Block] = {pk: {} for pk in parts}
    rows = InsightColumn.objects.order_by("part", "name")
    rows = rows.filter(part__in=list(parts), name__in=list(columns))
    for pk, name, data in rows.values_list("part", "name", "data"):
        found[pk][name] = unpack(bytes(data))
    return found


def _remove(games: Collection[int]) -> dict[str, Block]:
    """Remove the facts of games, and return them by ruleset."""
    removed: dict[str, list[Block]] = defaultdict(list)
    wanted = np.array(sorted(games), np.int64)
    parts = InsightPart.objects.in_bulk()
    for pk, columns in loaded(list(parts), ("game",)).items():
        gone = np.isin(columns["game"], wanted)
        if not gone.any():
            continue
        part = parts[pk]
        facts = loaded([pk], COLUMNS)[pk]
        removed[part.ruleset].append(chosen(facts, gone))
        if gone.all():
            part.delete()
        else:
            _store(part, chosen(facts, ~gone))
    return {ruleset: joined(blocks) for ruleset, blocks in removed.items()}


def _forget() -> None:
    """Forget the names of events that no game has any more."""
    rows = InsightColumn.objects.order_by().filter(name="event")
    used: set[int] = set()
    for data in rows.values_list("data", flat=True).iterator():
        used.update(np.unique(unpack(bytes(data))).tolist())
    names.forget(names.EVENT, used)


# Ratings ------------------------------------------------------------------------------------------


def _rate(at: CopyPoint) -> None:
    """Part of a transaction: make the bands of all facts those of the ratings as they are."""
    stamp = bands.stamp()
    row = _moved(at)
    if row is None:
        return
    members = names.members()
    for ruleset in InsightPart.objects.order_by().values_list("ruleset", flat=True).distinct():
        known = Bands(ruleset)
        for part in InsightPart.objects.order_by("pk").filter(ruleset=ruleset):
            _band(part, known, members)
    row.rated = stamp
    _save(row)


def _band(part: InsightPart, known: Bands, members: Members) -> None:
    names_ = ("player", "date", "rating", "opponent", "versus", counts_of("opponents"))
    facts = loaded([part.pk], names_)[part.pk]
    due = known.of_block(facts)
    which = due["rating"] != facts["rating"]
    which |= _any_below(due["versus"] != facts["versus"], facts[counts_of("opponents")])
    if not which.any():
        return
    whole = loaded([part.pk], COLUMNS)[part.pk]
    before, after = chosen(whole, which), chosen({**whole, **due}, which)
    sums.change(part.ruleset, after, before, members, ("rating", "versus"))
    _put(part, due)


def _any_below(which: Array, counts: Array) -> Array:
    """For each row of a table whether any of so many rows below it is chosen."""
    owners = np.repeat(np.arange(len(counts)), counts)
    found = np.zeros(len(counts), bool)
    found[owners[which]] = True
    return found
