"""Reading games from texts, streams and score notebooks, and writing them."""

from __future__ import annotations

import io
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, cast

from kafu import archives
from kafu.facade.errors import BadValue, Error, NotKafu, not_kafu, wrong_type
from kafu.facade.rulesets import check_ruleset, resolve
from kafu.importers import read_piece
from kafu.importers.notebook import sheet as notebooks
from kafu.notation import codes, writer
from kafu.notation.faults import Fault
from kafu.notation.game import Game
from kafu.notation.json import form
from kafu.notation.reading import reader
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: Sources of games: a path, or a stream of bytes or of text.
Source = str | Path | BinaryIO | TextIO


@dataclass(frozen=True, slots=True)
class Record:
    """One game of a file, or an unreadable piece of it.

    Exactly one of ``game`` and ``error`` is None. ``number`` is the position in the file and
    ``line`` the first line, both from 1; ``text`` is the text, ``warnings`` are the repairs made in
    reading. ``source`` names the file, in an archive with the archive's name (``games.zip ›
    a.kafu``).

    >>> import io, kafu
    >>> for record in kafu.records(io.StringIO('[Kafu "1"]\\n[Kafu "2"]')):
    ...     print(record.number, record.error)
    1 line 1, column 1: the tag Rules is missing (expected: ...)
    2 line 2, column 1: unknown Kafu version 2 (expected: 1)
    """

    number: int
    line: int
    text: str
    game: Game | None
    error: NotKafu | None
    warnings: tuple[Fault, ...]
    source: str = ""

    def __repr__(self) -> str:
        place = f"{self.source}: {self.number}" if self.source else str(self.number)
        return f"<Record {place}, line {self.line}: {self.error or self.game!r}>"

    def reading(self) -> Reading:
        """Return the record in the form of `kafu.judging.verify.verify`."""
        fault = None if self.error is None else self.error.fault
        return Reading(self.game, fault, list(self.warnings))


def read(text: str) -> Game:
    """Return the game of a text: Kafu, its JSON form, or a known log of another program.

    Raises WrongType for a value that is no str. Raises NotKafu, with line and column, for a text
    that is no game, and for several games (see `games`).

    >>> import kafu
    >>> game = kafu.read(kafu.write(kafu.simulate("koikoi", seed=1)))
    >>> game.rules, game.players, len(game.months)
    ('koikoi', ('Aya', 'Ben'), 12)
    """
    if not isinstance(text, str):
        raise wrong_type("text", text, "str")
    data = text.encode("utf-8", "surrogatepass")
    first, *later = islice(cut(io.BytesIO(data), is_text=True), 2)
    reading = read_piece(first)
    if reading.fault is not None:
        raise not_kafu(reading.fault)
    if later:
        raise not_kafu(Fault(codes.SECOND_GAME, later[0].line, 1))
    assert reading.game is not None, "a text without a fault has a game"
    return reading.game


def records(source: Source, *, numbers: Container[int] | None = None) -> Iterator[Record]:
    """Yield every game of a file or stream, readable or not, one at a time.

    A file may have any size. ``source`` is a path, or a stream of bytes or text. Archives (ZIP,
    tar, gzip, Zstandard) are opened, except within a stream of text. Encodings, Kafu, JSON (objects
    in sequence, one per line, or in an array) and known logs are recognised by their content. With
    ``numbers`` only the games at these positions of their file are read, for example the rows of a
    query on the table of games of an open-data dump. Raises WrongType for another source, and
    OSError for a file that cannot be opened.

    >>> import kafu
    >>> kafu.records(b"[Kafu]")
    Traceback (most recent call last):
    ...
    kafu.WrongType: source is bytes (expected: a path, a stream)
    """
    if isinstance(source, str | Path):
        if "\n" in str(source):
            message = "a path was expected, not a text: `read` takes one"
            raise BadValue(message, code="no-path")
    elif not callable(getattr(source, "read", None)):
        raise wrong_type("source", source, "a path", "a stream")
    return _read_records(source, numbers)


def _read_records(source: Source, numbers: Container[int] | None) -> Iterator[Record]:
    with ExitStack() as stack:
        stream: Any = source
        if isinstance(source, str | Path):
            stream = stack.enter_context(Path(source).open("rb"))
        name, data = str(getattr(stream, "name", "")), cast(BinaryIO, _Bytes(stream))
        pieces = archives.pieces(data, name)
        if isinstance(stream.read(0), str):
            pieces = ((name, piece) for piece in cut(data, is_text=True))
        for file, piece in pieces:
            if numbers is None or piece.number in numbers:
                reading = read_piece(piece)
                error = None if reading.fault is None else not_kafu(reading.fault)
                place, warnings = (piece.number, piece.line, piece.text()), tuple(reading.warnings)
                yield Record(*place, reading.game, error, warnings, file)


class _Bytes:
    """A stream of bytes over a stream of bytes or text, to be read once."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def seekable(self) -> bool:
        """Return False."""
        return False

    def read(self, size: int) -> bytes:
        """Return the next bytes, none at the end. Raises NotKafu, WrongType."""
        try:
            block = self._stream.read(size)
        except UnicodeDecodeError:
            message = "this is not text in the encoding of its stream; open it to read bytes"
            raise NotKafu(message, code=codes.BAD_ENCODING.id) from None
        if isinstance(block, str):
            return block.encode("utf-8", "surrogatepass")
        if not isinstance(block, bytes):
            raise wrong_type("what the stream reads", block, "bytes", "str")
        return block


def games(source: Source, *, on_error: Callable[[NotKafu], object] | None = None) -> Iterator[Game]:
    """Yield the games of a file or stream, one at a time; for ``source`` see `records`.

    An unreadable game raises NotKafu, or goes to ``on_error`` and is skipped.

    >>> import io, kafu
    >>> text = kafu.write(kafu.simulate("koikoi", seed=1)) + '[Kafu "1"]\\n[Rules "poker"]'
    >>> errors = []
    >>> [game.rules for game in kafu.games(io.StringIO(text), on_error=errors.append)]
    ['koikoi']
    >>> errors[0].code, errors[0].column
    ('unknown-rules', 1)
    """
    return _read_games(records(source), on_error)


def _read_games(
    entries: Iterator[Record], on_error: Callable[[NotKafu], object] | None
) -> Iterator[Game]:
    for entry in entries:
        if entry.game is not None:
            yield entry.game
        elif entry.error is not None:
            if on_error is None:
                raise entry.error
            on_error(entry.error)


def check_game(value: object) -> Game:
    """Return ``value`` if it is a game of a known ruleset. Raises WrongType, UnknownRuleset."""
    if not isinstance(value, Game):
        raise wrong_type("game", value, "Game")
    check_ruleset(value.rules)
    return value


@contextmanager
def report_unwritable(game: Game) -> Iterator[None]:
    """Run an operation on a game that may have been built by hand.

    If the operation fails because no text can have the game's values, NotKafu is raised, with the
    place in the text.
    """
    try:
        yield
    except Error:
        raise
    except _BAD_GAME as error:
        wrong = _find_fault(game)
        if wrong is None:
            raise
        raise wrong from error


_BAD_GAME: Final = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def _find_fault(game: Game) -> NotKafu | None:
    try:
        text = writer.write(game)
    except _BAD_GAME as error:
        return NotKafu(f"the game cannot be written down: {error}", code="no-game")
    fault = reader.read(text).fault
    return None if fault is None else not_kafu(fault)


def write(game: Game) -> str:
    """Return the canonical text of a game, ending in one line feed.

    Raises WrongType, UnknownRuleset, and NotKafu for a game that cannot be written.

    >>> import kafu
    >>> kafu.write(kafu.simulate("koikoi", seed=1)).splitlines()[:2]
    ['[Kafu "1"]', '[Rules "koikoi"]']
    """
    with report_unwritable(check_game(game)):
        return writer.write(game)


def to_json(game: Game) -> dict[str, Any]:
    """Return the JSON form of a game, ready for ``json.dumps``.

    `read` reads it again. Raises the errors of `write`.

    >>> import json, kafu
    >>> game = kafu.simulate("koikoi", seed=1)
    >>> kafu.read(json.dumps(kafu.to_json(game))) == game
    True
    """
    with report_unwritable(check_game(game)):
        return form.to_json(game)


def identity(game: Game) -> str:
    """Return the SHA-256, as 64 hex digits, of the events of a game.

    Comments, claims and most tags do not count, so two records of one game have the same identity.
    Raises the errors of `write`.

    >>> import kafu
    >>> game = kafu.simulate("koikoi", seed=1)
    >>> kafu.identity(game) == kafu.identity(kafu.simulate("koikoi", seed=1, claims=False))
    True
    """
    with report_unwritable(check_game(game)):
        return writer.identity(game)


def read_notebook(
    source: str | bytes | Path,
    rules: str,
    *,
    options: Mapping[str, str] | None = None,
    dealer: int = 1,
) -> Game:
    """Return the score sheet of a notebook, a table of months and players.

    The table is CSV, TSV or a workbook (.xlsx, .ods). ``source`` is its text, its bytes in any
    encoding that `records` reads, or a path. ``dealer`` dealt the first month, if the table names
    no dealers. Raises WrongType, UnknownRuleset, BadValue, OSError, and NotKafu for a table that
    cannot be read: its line and column are the row and column of the cell.

    >>> import kafu
    >>> game = kafu.read_notebook("月,Aya,Ben\\n1月,7,\\n2月,,5", "koikoi")
    >>> [month.payments[0].amounts for month in game.months]
    [(7, 0), (0, 5)]
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            source = stream.read(MAX_GAME_BYTES + 1)
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if not isinstance(data, bytes):
        raise wrong_type("source", source, "str", "bytes", "Path")
    _, resolved = resolve(rules, None, options)
    if not isinstance(dealer, int) or isinstance(dealer, bool):
        raise wrong_type("dealer", dealer, "int")
    notebook = notebooks.read_notebook(data, rules, resolved, dealer=dealer)
    if notebook.game is None:
        raise not_kafu(notebook.faults[0])
    return notebook.game
