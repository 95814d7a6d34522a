"""The games of a dump: their texts and their columns.

Games are written in batches of two files each, a text and a Parquet file. A batch is rewritten if a
game in it was hidden or changed meanwhile, or if a player opted out. At the end the texts are
joined into one file. Memory does not depend on the number of games.

The names of players in open data.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.db.models import QuerySet

from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from records.base.bulk import slices
from records.base.clock import second_of_day
from records.base.keys import base58
from records.base.packed_values import zstd
from records.facts.database import open_cursor
from records.facts.parts import quote, select_empty
from records.facts.rows import COUNTED, make_array, month_of
from records.facts.tables import FactColumn
from records.models import Player, Record, Seat
from records.opendata.schedule import find_games
from records.opendata.tables import LISTED
from records.privacy.masking import masked
from records.privacy.redaction import archive_redaction

#: Games of a batch, and texts in memory at the same time: a text has up to 1 MiB.
BATCH: Final = 500
_TEXTS: Final = 50
#: Columns in addition to `LISTED`, whose first column is the key.
_IDS: Final = (
    FactColumn("game", "BIGINT", LISTED[0].meaning),
    FactColumn("revision", "INTEGER", LISTED[0].meaning),
    # The last change of the public content: a changed name is no new revision.
    FactColumn("change", "BIGINT", LISTED[0].meaning),
    FactColumn("key", "VARCHAR", LISTED[0].meaning),
    # True if the facts must have rows of the game.
    FactColumn("counted", "BOOLEAN", LISTED[0].meaning),
)
_COLUMNS: Final = (*_IDS, *LISTED[1:])
#: The empty line between the last game of a batch and the first of the next.
_SEPARATOR: Final = zstd.compress(b"\n")
#: A statement over all listed games is never interrupted before.
_SECONDS: Final = 600.0


class Masks:
    """The names of the players of some games in open data.

    Players with a pseudonym appear under the pseudonym. Players who opted out of statistics appear
    as a word that is the same in every dump and does not identify them.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        """Take records with prefetched ``seats__player``."""
        self.redaction = archive_redaction()
        self.names = {
            record.pk: {
                seat.number: name
                for seat in record.seats.all()
                if (name := _mask_name(seat.player)) is not None
            }
            for record in records
        }

    def text(self, record: Record) -> str:
        """Return the text of a game with the shown names."""
        names = self.names[record.pk]
        replaced, unchanged = {}, []
        for seat in record.seats.all():
            if seat.number in names:
                replaced[seat.player.real_name or seat.player.name] = names[seat.number]
            else:
                unchanged.append(seat.player.name)
        return masked(record.text, names, self.redaction.within(replaced, unchanged))


def _mask_name(player: Player) -> str | None:
    """Return the replacement of a player's name, None if the name may stay."""
    if not player.statistics:
        # The key prevents finding the name by hashing names.
        key = hashlib.sha256(f"open data {settings.SECRET_KEY}".encode()).digest()
        return f"player-{base58(hmac.digest(key, player.origin.encode(), 'sha256')[:8])}"
    return player.name if player.real_name else None


class MonthGameList:
    """The games of a month's dump, in batches of files in a directory."""

    def __init__(self, directory: Path, month: str) -> None:
        self.directory = directory
        self.month = month
        self.unnamed = _find_unnamed()
        directory.mkdir()

    def write(self, report: Callable[[int], object]) -> None:
        """Write all games that are public now, the oldest in the archive first.

        ``report`` is called after each batch, with the number of written games.
        """
        games = find_games(self.month)
        last, count, batch = 0, 0, 0
        while pks := list(games.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
            count += self._write_batch(f"{batch:07}", pks)
            last, batch = pks[-1], batch + 1
            report(count)

    def write_changed(self) -> None:
        """Rewrite batches with games that have been hidden or changed since."""
        unnamed = _find_unnamed()
        changed = self._find_batches("game", "revision", "change")
        self.unnamed = unnamed
        for path, pks in changed:
            self._write_batch(Path(path).stem, pks)

    def is_outdated(self) -> bool:
        """Return whether a listed game is hidden now, or public with other contents or names."""
        return bool(self._find_batches("game", "change"))

    def _find_batches(self, *columns: str) -> list[tuple[str, list[int]]]:
        """Return the file and the games of each batch with a game that differs in a column now."""
        games = find_games(self.month).values_list("pk", "revision", "change")
        rows = ((pk, revision, change or 0) for pk, revision, change in games.iterator(10_000))
        values = np.fromiter(rows, dtype="i8,i4,i8")
        opted_out = _find_unnamed() - self.unnamed
        seats = (
            Seat.objects.order_by().filter(player__in=opted_out).values_list("record", flat=True)
        )
        renamed = np.fromiter(seats.iterator(10_000) if opted_out else (), dtype="i8")
        query = (
            f"SELECT filename, list(game ORDER BY game) FROM {self.select} WHERE filename IN "
            f"(SELECT filename FROM {self.select} ANTI JOIN now USING ({', '.join(columns)})) "
            "GROUP BY filename"
        )
        with open_cursor(_SECONDS) as cursor:
            cursor.register(
                "all_now", {"game": values["f0"], "revision": values["f1"], "change": values["f2"]}
            )
            cursor.register("renamed", {"game": renamed})
            cursor.execute(
                "CREATE TEMP VIEW now AS SELECT * FROM all_now ANTI JOIN renamed USING (game)"
            )
            return cursor.execute(query).fetchall()

    @property
    def select(self) -> str:
        """A parenthesised SELECT of the listed games, for a FROM clause."""
        return select_games(self.directory)

    def join_texts(self, target: Path) -> None:
        """Join the texts of all batches into one Zstandard file."""
        batches = sorted(self.directory.glob("*.zst"))
        with target.open("wb") as file:
            if not batches:
                file.write(zstd.compress(b""))
            for number, path in enumerate(batches):
                if number:
                    file.write(_SEPARATOR)
                with path.open("rb") as batch:
                    shutil.copyfileobj(batch, file)

    def _write_batch(self, name: str, pks: Sequence[int]) -> int:
        """Write the public games of ``pks`` as a batch; return the number of games."""
        texts = self.directory / f"{name}.zst"
        table = self.directory / f"{name}.parquet"
        rows: list[tuple[Any, ...]] = []
        with zstd.open(texts, "wt", encoding="utf-8") as file:
            for record, text in read_texts(find_games(self.month), pks):
                file.write(f"\n{text}" if rows else text)
                rows.append(list_game(record, text, record.revision))
        if rows:
            write_rows(rows, table)
        else:
            texts.unlink()
            table.unlink(missing_ok=True)
        return len(rows)


def _find_unnamed() -> set[int]:
    """Return the primary keys of players who opted out of statistics."""
    return set(Player.objects.filter(statistics=False).values_list("pk", flat=True))


def read_texts(games: QuerySet[Record], pks: Sequence[int]) -> Iterator[tuple[Record, str]]:
    """Yield the records of games, each with its published text."""
    for batch in slices(pks, _TEXTS):
        rows = games.filter(pk__in=batch).prefetch_related("seats__player")
        records = list(rows.defer("verdict"))
        masks = Masks(records)
        for record in records:
            yield record, masks.text(record)


def select_games(directory: Path) -> str:
    """Return a parenthesised SELECT of the games in the files of a directory (`write_rows`)."""
    if not any(directory.glob("*.parquet")):
        columns = (*_COLUMNS, FactColumn("filename", "VARCHAR", LISTED[0].meaning))
        return f"({select_empty(columns)})"
    return f"(FROM read_parquet('{quote(str(directory))}/*.parquet', filename = true))"


def list_game(record: Record, text: str, revision: int) -> tuple[Any, ...]:
    """Return the values of `_COLUMNS` for a game with the given published text.

    ``revision`` is that of the rows in the facts.
    """
    tags, players = record.tags, [seat.name for seat in record.seats.all()]
    own_identity = record.identity
    if text != record.text:
        game = read(text).game
        assert game is not None, "canonical text reads"
        tags, players, own_identity = game.tags, list(game.players), identity(game)
    event, site, round_, source, date = (
        tags.get(name, "") for name in ("Event", "Site", "Round", "Source", "Date")
    )
    return (
        *(record.pk, revision, record.change_id or 0, record.key),
        record.status in COUNTED and record.deals_played > 0 and record.copy_of_id is None,
        *(record.ruleset, record.profile, record.options, record.sheet),
        json.dumps(players),
        month_of(record.date_from, record.date_to),
        *(record.date_from, record.date_to, second_of_day(record.tags) or None, event),
        *(own_identity, record.termination, site, round_, source, date),
        record.created.astimezone(UTC).replace(tzinfo=None),
        record.status,
    )


def write_rows(rows: Sequence[tuple[Any, ...]], path: Path) -> None:
    """Write listed games as a Parquet file."""
    values = zip(*rows, strict=True)
    arrays = {
        column.name: make_array(column, column_values)
        for column, column_values in zip(_COLUMNS, values, strict=True)
    }
    columns = ", ".join(
        f"CAST({'CAST(players AS JSON)' if column.name == 'players' else column.name}"
        f' AS {column.type}) AS "{column.name}"'
        for column in _COLUMNS
    )
    with open_cursor(_SECONDS) as cursor:
        cursor.register("rows", arrays)
        cursor.execute(
            f"COPY (SELECT {columns} FROM rows) TO '{quote(str(path))}' "
            "(FORMAT parquet, COMPRESSION zstd)"
        )
