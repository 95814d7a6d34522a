"""History of corrections: how a game was corrected, and where the address of a former game leads.

Corrections are uploads that replaced a game by another.
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import Any, Final, NamedTuple

from kafu.importers import read_piece
from kafu.notation.difference import Change, differences
from kafu.notation.stream.extent import Piece
from kafu.notation.writer import write
from records.models import Gone, Record, Submission, Upload
from records.privacy.access import ANONYMOUS, Viewer, is_sender, may_quote, may_see
from records.privacy.masking import masked_as
from records.serving.computing import compute
from records.shapes.records import CorrectionJson
from records.texts.pieces import extent_of, piece_of

#: Maximum number of followed corrections, and of listed changes of each.
MAX_CORRECTIONS: Final = 20
MAX_CHANGES: Final = 50
#: Maximum number of characters quoted of either side of a change.
MAX_QUOTED: Final = 400
#: The maximum bytes of a text that is compared; a game of 48 deals has 11,000. A page reads up to
#: 40 texts.
MAX_COMPARED: Final = 64 << 10


class _Step(NamedTuple):
    """A corrected text of a game (``after``) and its former text, if it is stored.

    ``is_quotable`` tells whether the viewer may see both texts.
    """

    fresh: Submission
    after: Record
    former: Submission | None
    before: Record
    is_quotable: bool


class GoneGame(NamedTuple):
    """A game that was visible once, with the reason and time of its removal.

    ``successor`` is the key of the game that replaced it, or "" if the viewer may see none.
    """

    why: str
    when: datetime
    successor: str


def corrections(record: Record, viewer: Viewer) -> list[CorrectionJson]:
    """Return the corrections that led to a game, the newest first."""
    return [_correction(step, viewer) for step in _steps(record, viewer)]


def state_of(key: str) -> tuple[object, ...]:
    """Return a value that changes whenever the corrections of a game change for the public.

    The texts of corrections depend on the pseudonyms of all players too.
    """
    record = Record.objects.only("key").filter(key=key).first()
    steps = _steps(record, ANONYMOUS) if record is not None else []
    return tuple(
        (step.fresh.pk, step.former and step.former.pk, step.before.key, step.is_quotable)
        for step in steps
    )


def _steps(record: Record, viewer: Viewer) -> list[_Step]:
    """Return the steps that led to a game, the newest first.

    A correction that the viewer may not see is left out, unless its sender corrected it again.
    """
    steps: list[_Step] = []
    after = record
    while len(steps) < MAX_CORRECTIONS:
        newer = steps[-1] if steps else None
        fresh, is_shown = _newest_correction(after, newer, viewer)
        if fresh is None:
            break
        before = Record.objects.only("key").filter(key=fresh.upload.replaces).first()
        if before is None:
            break
        former = _former(fresh, before)
        is_quotable = is_shown and former is not None and may_quote(former, fresh.upload, viewer)
        steps.append(_Step(fresh, after, former, before, is_quotable))
        after = before
    return steps


def _newest_correction(
    record: Record, newer: _Step | None, viewer: Viewer
) -> tuple[Submission | None, bool]:
    """Return the newest correction that led to a game, and whether its text may be quoted."""
    sent = Submission.objects.filter(record=record, upload__former_since__isnull=False)
    if newer is not None:
        sent = sent.filter(upload__lt=newer.fresh.upload_id)
    sent = sent.select_related("upload", "file", "chunk").order_by("-upload_id")
    for fresh in sent[:MAX_CORRECTIONS]:
        replaced_by = newer.fresh.upload if newer and _is_replaced(fresh, newer) else None
        is_shown = may_quote(fresh, replaced_by, viewer)
        if is_shown or replaced_by is not None:
            return fresh, is_shown
    return None, False


def _is_replaced(fresh: Submission, newer: _Step) -> bool:
    """Return whether the sender of an earlier correction made the newer step too."""
    sender, later = _sender(fresh.upload), _sender(newer.fresh.upload)
    return fresh == newer.former or (sender == later and sender is not None)


def _sender(upload: Upload) -> int | str | None:
    """Return an identifier of the sender of an upload, or None for a deleted account."""
    return upload.owner_id or upload.secret or None


def _former(fresh: Submission, before: Record) -> Submission | None:
    """Return the sender's last text of a game before they corrected it.

    Return None if the account was deleted and several texts could have been its.
    """
    sent = Submission.objects.filter(record=before, upload__owner=fresh.upload.owner_id)
    if fresh.upload.owner_id is None:
        sent = sent.filter(upload__secret=fresh.upload.secret)
    earlier = sent.filter(upload__lt=fresh.upload_id).select_related("upload", "file", "chunk")
    candidates = list(earlier.order_by("-upload_id", "-pk")[:2])
    if not candidates or (len(candidates) > 1 and _sender(fresh.upload) is None):
        return None
    return candidates[0]


def find_gone(key: str, viewer: Viewer) -> GoneGame | None:
    """Return the removed game with a key, or None if no such game was ever visible to others."""
    record = Record.objects.only("key", "gone", "gone_why", "visibility").filter(key=key).first()
    if record is None or record.gone is None:
        return None
    last = record
    seen = {key}
    while (after := _successor(last.key)) is not None and after.key not in seen:
        if may_see(after, viewer):
            return GoneGame(Gone.REPLACED, record.gone, after.key)
        if after.gone is None or len(seen) > MAX_CORRECTIONS:
            break
        seen.add(after.key)
        last = after
    assert last.gone is not None
    return GoneGame(last.gone_why, last.gone, "")


def _successor(key: str) -> Record | None:
    """Return the game that replaced the game with a key last."""
    uploads = Upload.objects.filter(replaces=key)
    sent = Submission.objects.filter(upload__in=uploads, record__isnull=False)
    pk = sent.order_by("-upload_id").values_list("record", flat=True).first()
    records = Record.objects.only("key", "gone", "gone_why", "visibility")
    return records.filter(pk=pk).first() if pk is not None else None


def _correction(step: _Step, viewer: Viewer) -> CorrectionJson:
    sent = step.fresh.upload
    return CorrectionJson(step.before.key, sent.created, is_sender(sent, viewer), *_changes(step))


def _changes(step: _Step) -> tuple[Any, bool]:
    """Return at most `MAX_CHANGES` changes, and whether there are more.

    Return None for changes that may not be quoted, and no changes of texts above `MAX_COMPARED`.
    """
    if step.former is None or not step.is_quotable:
        return None, False
    if max(extent_of(sent).length for sent in (step.former, step.fresh)) > MAX_COMPARED:
        return [], True
    texts = _text(step.former, step.before), _text(step.fresh, step.after)
    changes = compute(_compare, *texts)
    shown = [change._asdict() for change in changes[:MAX_CHANGES]]
    return shown, len(changes) > MAX_CHANGES


def _text(sent: Submission, record: Record) -> str:
    """Return the canonical text of a submission of a record, with pseudonyms."""
    text = compute(_write_canonical, piece_of(sent))
    return masked_as(record, text) if text else ""


def _write_canonical(piece: Piece) -> str:
    """Return the canonical text of a piece, "" for an unreadable one."""
    game = read_piece(piece).game
    return write(game) if game is not None else ""


def _compare(former: str, fresh: str) -> list[Change]:
    """Return the changes between two texts, at most `MAX_CHANGES` + 1, with shortened quotes."""
    return [
        change._replace(before=change.before[:MAX_QUOTED], after=change.after[:MAX_QUOTED])
        for change in islice(differences(former, fresh), MAX_CHANGES + 1)
    ]
