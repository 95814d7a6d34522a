"""Exports into a file: interrupted exports are continued, and hidden games are left out at the end.

The file appears when it is complete. Until then ``<name>.part`` grows, and ``<name>.part.json`` has
a line for the selection and a line for each written block of games. Before the file appears, the
games are compared with the database once more, and blocks with hidden or changed games are written
again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from os import fsync
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from records.models import Record, Visibility
from records.search.export import Place, games, places
from records.search.export_forms import PlacedGames, write_games
from records.search.selection import GameSelection

#: Games of a block.
BLOCK: Final = 1_000
#: Number of times the games are compared before the file appears.
ATTEMPTS: Final = 5

#: The places of games, each with the last change of the game's public content.
Changes = list[tuple[Place, int | None]]


class ExportStillChanging(Exception):
    """Games were hidden or changed during each of `ATTEMPTS` attempts to complete the file."""


class _Block(NamedTuple):
    """A block of a draft: its end in bytes, its last place, and its number of games.

    ``line`` is the position of the block's line in the note.
    """

    end: int
    after: Sequence[int]
    games: int
    line: int


def write_file(
    target: Path,
    form: str,
    selection: GameSelection,
    report: Callable[[int], object] = lambda count: None,
) -> int:
    """Write the public games of a selection into a file; return the number of games.

    After an interruption, the same call resumes. ``report`` is called with the number of written
    games. Raises OSError and :class:`ExportStillChanging`.
    """
    draft = target.with_name(f"{target.name}.part")
    note = target.with_name(f"{target.name}.part.json")
    query = hashlib.sha256(json.dumps([form, asdict(selection)], default=str).encode()).hexdigest()
    blocks, note_end = _read_note(note, query, draft.stat().st_size if draft.exists() else 0)
    end, after = (blocks[-1].end, blocks[-1].after) if blocks else (0, ())
    with draft.open("r+b" if blocks else "wb") as file, note.open("r+b" if blocks else "wb") as log:
        file.truncate(end)
        file.seek(end)
        log.truncate(note_end)
        log.seek(note_end)
        if not blocks:
            log.write(_format_line(query))
        more = True
        while more:
            block_places = list(places(selection, after, BLOCK))
            changes = _write_block(file, form, block_places)
            file.flush()
            fsync(file.fileno())
            after = block_places[-1] if block_places else after
            blocks.append(_Block(file.tell(), after, len(changes), log.tell()))
            log.write(_format_line([file.tell(), after, changes]))
            log.flush()
            report(sum(block.games for block in blocks))
            more = len(block_places) == BLOCK
    count = _complete(target, draft, note, form, blocks)
    draft.unlink(missing_ok=True)
    note.unlink()
    return count


def _format_line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _read_note(note: Path, query: str, size: int) -> tuple[list[_Block], int]:
    """Return the blocks of a draft of ``size`` bytes, and the end of their lines in the note.

    No block if the draft is of another query.
    """
    blocks: list[_Block] = []
    note_end = 0
    try:
        with note.open("rb") as log:
            line = log.readline()
            if json.loads(line) != query:
                return [], 0
            note_end = len(line)
            for line in log:
                end, after, changes = json.loads(line)
                if end > size:
                    break
                blocks.append(_Block(end, after, len(changes), note_end))
                note_end += len(line)
    except (OSError, ValueError, TypeError):
        pass  # The note is missing, or its last line was not written completely.
    return blocks, note_end


def _read_changes(note: Path, block: _Block) -> Changes:
    with note.open("rb") as log:
        log.seek(block.line)
        changes: Changes = json.loads(log.readline())[-1]
        return changes


def _write_block(file: BinaryIO, form: str, block: Sequence[Place]) -> Changes:
    """Write the games of places that are public now; return them with their changes."""
    changes: Changes = []

    def noted(placed_games: PlacedGames) -> Iterator[tuple[Place, Record]]:
        for place, record in placed_games:
            changes.append((place, record.change_id))
            yield place, record

    for piece in write_games(form, noted(games(block)), head=not file.tell()):
        file.write(piece)
    return changes


def _is_outdated(changes: Changes) -> bool:
    """Return whether a game is hidden now, or public with other contents."""
    public = Record.objects.order_by().filter(visibility=Visibility.PUBLIC)
    now = dict(
        public.filter(pk__in=[place[-1] for place, _change in changes]).values_list("pk", "change")
    )
    return any(now.get(place[-1], -1) != change for place, change in changes)


def _complete(target: Path, draft: Path, note: Path, form: str, blocks: Sequence[_Block]) -> int:
    """Move the draft to its target, without hidden games; return the number of games.

    The draft and its note stay as they are if games are hidden, so that a later call can resume.
    """
    whole, rewritten = draft, dict[int, Changes]()
    for _attempt in range(ATTEMPTS):
        outdated = [
            number
            for number, block in enumerate(blocks)
            if _is_outdated(
                rewritten[number] if number in rewritten else _read_changes(note, block)
            )
        ]
        if not outdated:
            whole.replace(target)
            return sum(
                len(rewritten[number]) if number in rewritten else block.games
                for number, block in enumerate(blocks)
            )
        whole = draft.with_name(f"{draft.name}.new")
        rewritten |= {number: [] for number in outdated}
        with draft.open("rb") as source, whole.open("wb") as file:
            for number, block in enumerate(blocks):
                start = blocks[number - 1].end if number else 0
                if number in rewritten:
                    former = [tuple(place) for place, _change in _read_changes(note, block)]
                    rewritten[number] = _write_block(file, form, former)
                else:
                    source.seek(start)
                    file.write(source.read(block.end - start))
    whole.unlink()
    raise ExportStillChanging(f"games were hidden or changed during each of {ATTEMPTS} attempts")
