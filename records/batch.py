"""Verification of files outside of the archive: streaming, in order, on one core or several.

No Django and no database here: `manage.py verify` and `manage.py kafu` work anywhere.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.notation.faults import Fault
from kafu.notation.stream.cut import Piece, cut
from kafu.notation.stream.encoding import BINARY
from records.unpack import Broken, leaves

#: Names that a folder is searched for.
SUFFIXES: Final = (".kafu", ".json", ".ndjson", ".log", ".zip", ".gz", ".zst")
STDIN: Final = "-"
GOOD: Final = ("verified", "consistent")
#: What is handed to another process at once: some games, but not much text.
PARCEL_GAMES: Final = 32
PARCEL_BYTES: Final = 1 << 18
#: Parcels on their way for each process: enough to keep it busy, few enough to bound memory.
WINDOW: Final = 3

T = TypeVar("T")


class Unreadable(Exception):
    """A path that cannot be read; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A piece of a file, with the path by which the file was named."""

    source: str
    piece: Piece


def find(paths: Iterable[str]) -> Iterator[str]:
    """Files and ``-`` as they are, folders as the files in them, in the order of their names.

    Raises :class:`Unreadable` for a path that is not there and for a folder without any game file.
    """
    for path in paths:
        place = Path(path)
        try:
            if path == STDIN or (place.exists() and not place.is_dir()):
                yield path
                continue
            if not place.is_dir():
                raise Unreadable(f"{path}: no such file or folder")
            found = sorted(p for p in place.rglob("*") if _is_wanted(p.relative_to(place), p))
        except OSError as error:
            raise Unreadable(f"{path[:200]}: {error.strerror or error}") from error
        if not found:
            raise Unreadable(f"{path}: no {', '.join('*' + s for s in SUFFIXES)} in it")
        yield from map(str, found)


def _is_wanted(inside: Path, path: Path) -> bool:
    """Whether a file of a folder is taken: named as games are, and nothing on its way hidden."""
    hidden = any(part.startswith(".") for part in inside.parts)
    return path.suffix in SUFFIXES and not hidden and path.is_file()


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file as a stream of bytes; ``-`` is standard input. Raises :class:`Unreadable`."""
    try:
        if path != STDIN:
            with Path(path).open("rb") as stream:
                yield stream
        elif sys.stdin is None:
            raise Unreadable("-: standard input is closed")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}") from error


def pieces(path: str) -> Iterator[Sourced]:
    """The games of one file, of an archive those of the files in it. Raises :class:`Unreadable`.

    What cannot be unpacked is one piece with a fault.
    """
    with opened(path) as stream:
        for leaf in leaves(stream, path):
            try:
                if leaf.fault is None:
                    for piece in cut(leaf.stream):
                        yield Sourced(leaf.name, piece)
                else:
                    yield _unpackable(leaf.name, leaf.fault)
            except Broken as broken:
                yield _unpackable(leaf.name, broken.fault)


def _unpackable(source: str, fault: Fault) -> Sourced:
    return Sourced(source, Piece(1, 0, 0, 1, "kafu", BINARY, b"", fault))


def games(paths: Iterable[str], tell: Callable[[str], object]) -> Iterator[Sourced]:
    """The games of all paths. What cannot be read is told, and does not stop the others."""
    for path in paths:
        try:
            for file in find([path]):
                try:
                    yield from pieces(file)
                except Unreadable as error:
                    tell(str(error))
        except Unreadable as error:
            tell(str(error))


def judge(game: Sourced, lang: str) -> dict[str, Any]:
    """The verdict on one piece as verdict.md has it."""
    piece = game.piece
    verification = verify(
        read_piece(piece), source=game.source, number=piece.number, line=piece.line
    )
    return verification.verdict.to_json(lang)


def parcels(games: Iterable[Sourced]) -> Iterator[list[Sourced]]:
    """Games in small lists, in order."""
    parcel: list[Sourced] = []
    size = 0
    for game in games:
        parcel.append(game)
        size += len(game.piece.data)
        if len(parcel) >= PARCEL_GAMES or size >= PARCEL_BYTES:
            yield parcel
            parcel, size = [], 0
    if parcel:
        yield parcel


def verdicts(games: Iterable[Sourced], *, lang: str, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Verdicts in the order of the games, on ``jobs`` processes, in constant memory."""
    if jobs == 1:
        yield from (judge(game, lang) for game in games)
        return
    work = partial(_judge_all, lang=lang)
    with ProcessPoolExecutor(jobs, initializer=_end_with, initargs=(os.getpid(),)) as pool:
        for parcel in in_order(pool, work, parcels(games), window=WINDOW * jobs):
            yield from parcel


def _end_with(parent: int) -> None:
    """End this process soon after ``parent`` does: one that was killed cannot tell its workers."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _judge_all(parcel: list[Sourced], lang: str) -> list[dict[str, Any]]:
    return [judge(game, lang) for game in parcel]


def in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[list[Sourced]], T],
    parcels: Iterable[list[Sourced]],
    *,
    window: int,
) -> Iterator[T]:
    """Results in the order of the parcels, never more than ``window`` of them on their way."""
    waiting: deque[Future[T]] = deque()
    for parcel in parcels:
        waiting.append(pool.submit(work, parcel))
        if len(waiting) >= window:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def ndjson(verdict: dict[str, Any]) -> str:
    """A verdict as one line of JSON."""
    return json.dumps(verdict, ensure_ascii=False, separators=(",", ":"))


#: How a place is named in a table, and a claim that differs.
_PLACES: Final = {
    "en": {"line": "line {}", "column": "column {}", "deal": "deal {}", "turn": "turn {}"},
    "ja": {"line": "{}行", "column": "{}文字目", "deal": "{}局目", "turn": "{}手目"},
}
_CLAIM: Final = {
    "en": "{where}: {claimed} claimed, {computed} computed",
    "ja": "{where}: 記録は {claimed}、計算では {computed}",
}


def row(verdict: dict[str, Any], lang: str = "en") -> str:
    """A verdict as one line for people: status, place, ruleset, final totals or what is wrong."""
    place = f"{verdict['source']}:{verdict['line'] or 1}"
    error = verdict["error"]
    if error is not None:
        where = _where(error, lang)
        said = f"{where}: {error['message']}" if where else error["message"]
    elif verdict["mismatches"]:
        said = "; ".join(_claim(mismatch, lang) for mismatch in verdict["mismatches"])
    else:
        said = " ".join(f"{total:+}" for total in verdict["final"] or ())
    line = f"{verdict['status']:<12}{place}  {verdict['rules'] or '-':<14}{said}".rstrip()
    # A path may hold a line end, and a word of the text what a terminal would obey.
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def _where(place: dict[str, Any], lang: str) -> str:
    """Line, column, deal and turn, as far as they are known."""
    known = [form.format(place[n]) for n, form in _PLACES[lang].items() if place.get(n) is not None]
    return ", ".join(known)


def _claim(mismatch: dict[str, Any], lang: str) -> str:
    """One claim that differs from what was computed."""
    deal, seat = _where({"deal": mismatch["deal"]}, lang), mismatch["seat"]
    player = () if seat is None else (f"seat {seat}" if lang == "en" else f"{seat}番",)
    where = ", ".join([mismatch["where"], *((deal,) if deal else ()), *player])
    return _CLAIM[lang].format(**{**mismatch, "where": where})


def utf8(stream: Any) -> None:
    """Make a text stream of this process UTF-8, whatever the locale says."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
