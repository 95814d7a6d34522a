"""Tags of games that several senders sent: empty tags are filled, other tags stay.

The tags of a record are those of its first sender (`records.texts.choice`). A later sender fills
empty tags of `FILLED_TAGS`; the report of the upload names the tags that were not taken over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.game import Game
from records.ingest.rows import rewrite
from records.models import Chunk, Record, Submission, Upload, Visibility
from records.texts.choice import FILLED_TAGS, text_for_all
from records.texts.judged import JudgedGame

#: Tags that belong to the moves or to the identity, not to the first sender.
_OF_MOVES: Final = frozenset(("Date", "Sheet", "Termination"))
#: Maximum number of tags that a warning names.
_MOST_NAMED: Final = 10


def fill_tags(
    upload: Upload,
    judged: Iterable[JudgedGame],
    records: Mapping[str, Record],
    players: Mapping[str, int],
) -> None:
    """Fill empty tags of locked records, by identity, from the stored texts of an upload.

    ``players`` is the result of `records.ingest.rows.write_players`.
    """
    fillable: dict[int, Record] = {}
    for sent in judged:
        game = sent.canonical.game
        if game is not None and sent.identity is not None:
            record = records[sent.identity]
            # Owners of a private game must not learn of each other.
            is_visible = upload.visibility >= record.visibility >= Visibility.UNLISTED
            if is_visible and _fills(game, record):
                fillable[record.pk] = record
    for record in fillable.values():
        text = text_for_all(record)
        if text is not None and text.text != record.text:
            rewrite([(record, text)], players)


def _fills(game: Game, record: Record) -> bool:
    """Return whether a game has a tag that is empty in its record."""
    return any(game.tags.get(name) and not record.tags.get(name) for name in FILLED_TAGS)


def warn_of_lost_tags(
    chunk: Chunk, judged: Iterable[JudgedGame], records: Mapping[str, Record]
) -> None:
    """Add a warning to each submission of a chunk with tags that its record does not have.

    ``records`` are the records, by identity, that the sender could see before the upload.
    """
    for sent in judged:
        game = sent.canonical.game
        if game is None or sent.identity is None or sent.identity not in records:
            continue
        lost = find_lost_tags(game.tags, records[sent.identity].tags)
        if lost:
            submission = Submission.objects.get(chunk=chunk, number=sent.number)
            warning = Fault(codes.TAGS_KEPT, sent.line, 1, values={"tags": ", ".join(lost)})
            submission.warnings.append(warning.to_stored())
            submission.save(update_fields=["warnings"])


def find_lost_tags(sent: Mapping[str, str], tags: Mapping[str, str]) -> list[str]:
    """Return the first names of the tags of a text that have another value in ``tags``."""
    lost = (name for name, value in sorted(sent.items()) if value and tags.get(name) != value)
    return [name for name in lost if name not in _OF_MOVES][:_MOST_NAMED]
