"""Repeated judging of the archive's games by a changed engine."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet

from kafu.comparing.copies import fingerprint
from kafu.judging.verify import Verification, verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules import ENGINE_VERSION
from records.base import clock
from records.base.spelling import compose
from records.ingest.copies import candidates, regroup
from records.ingest.rows import rewrite, write_players
from records.models import Listing, Record
from records.privacy import change_log, revisions
from records.texts.columns import fill_verdict

BATCH: Final = 200
_DATE: Final = re.compile(r'^\[Date "[^\n]*\n', re.MULTILINE)
_NAME: Final = re.compile(r'^(\[Player\d+ ")(.*)("\])$', re.MULTILINE)

logger = logging.getLogger(__name__)


class StatusChange(NamedTuple):
    """A game with another status than before. ``code`` is the fault of the new verdict, or ""."""

    key: str
    before: str
    after: str
    code: str


class JudgedBatch(NamedTuple):
    """The result of a batch: the number of games judged so far, and the changes of the batch."""

    judged: int
    changes: list[StatusChange]


class Share(NamedTuple):
    """A share of the games, for several processes: the ``number``-th of ``total``, from 1."""

    number: int = 1
    total: int = 1


EVERY_GAME: Final = Share()


def find_outdated(share: Share = EVERY_GAME) -> QuerySet[Record]:
    """Return the games of a share that another version of the engine judged."""
    outdated = Record.objects.exclude(engine_version=ENGINE_VERSION)
    return outdated.alias(turn=F("pk") % share.total).filter(turn=share.number - 1)


def forget_all() -> int:
    """Mark every game as judged by no version, and return the number of games."""
    return Record.objects.update(engine_version="")


def reverify(share: Share = EVERY_GAME) -> Iterator[JudgedBatch]:
    """Judge every outdated game of a share again; yield the result of each batch.

    Each batch is a transaction, so that an interrupted run can be continued. Submissions keep their
    original verdict.
    """
    count = last = 0
    while True:
        stale = find_outdated(share).filter(pk__gt=last)
        batch = list(stale.order_by("pk").values_list("pk", "text")[:BATCH])
        if not batch:
            return
        fresh = {pk: (text, verify(read(text), facts=True)) for pk, text in batch}
        with transaction.atomic():
            # Locked in the order of identities, like the storing of games, to prevent deadlocks.
            games = [judged.game for _text, judged in fresh.values() if judged.game is not None]
            condition = Q(pk__in=list(fresh)) | candidates(map(fingerprint, games))
            rows = Record.objects.select_for_update(no_key=True).filter(condition)
            # A record whose text was replaced meanwhile has been judged with the new text.
            same = [
                row
                for row in rows.order_by("identity")
                if row.pk in fresh and row.text == fresh[row.pk][0]
            ]
            before = {record.pk: record.status for record in same}
            _rejudge([(record, fresh[record.pk][1]) for record in same])
            if same:
                revisions.advance(*(record.ruleset for record in same))
        last = batch[-1][0]
        count += len(batch)
        changes = [
            StatusChange(record.key, before[record.pk], record.status, _code(fresh[record.pk][1]))
            for record in same
            if record.status != before[record.pk]
        ]
        yield JudgedBatch(count, changes)


def _code(verification: Verification) -> str:
    """Return the code of the fault of a game, "" without one."""
    error = verification.verdict.error
    return error.code.id if error else ""


def _rejudge(judged: list[tuple[Record, Verification]]) -> None:
    games: list[Game] = []
    rewritten = []
    for record, verification in judged:
        game = verification.game
        if game is not None and verification.verdict.identity == record.identity:
            games.append(game)
            rewritten.append((record, verification))
        elif game is not None and _normalize_tags(record.text) == _normalize_tags(
            verification.text
        ):
            games.append(game)
            _identify(record, verification.verdict.identity)
            rewritten.append((record, verification.canonical()))
        else:
            _store_verdict(record, verification)
    rewrite(rewritten, write_players(games), same_texts=True)
    regroup([record.pk for record, _verification in judged])


def _normalize_tags(text: str) -> str:
    """Return a canonical text without its date and without blanks around names.

    Letters are composed. Earlier versions did not normalize dates, names and letters.
    """
    undated = _DATE.sub("", text, count=1)
    return compose(_NAME.sub(lambda match: match[1] + match[2].strip() + match[3], undated))


def _identify(record: Record, identity: str | None) -> None:
    """Update the identity of a record, unless another record has it; the address stays."""
    if identity is not None and not Record.objects.filter(identity=identity).exists():
        record.identity = identity
        record.save(update_fields=["identity"])


def _store_verdict(record: Record, verification: Verification) -> None:
    """Store the verdict on a text that the current version reads as a different game."""
    logger.error("record %s: the identity of its text has changed", record.key)
    fill_verdict(record, verification.verdict)
    record.revision += 1
    record.changed = clock.now()
    record.save()
    change_log.mark([record])
    Listing.objects.filter(record=record).update(status=record.status)
