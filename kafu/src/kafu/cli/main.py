"""The commands `kafu verify|fmt|hash|json|check|filter|dedupe|convert|simulate|odds|analyse`.

Exit status: 0 success, 1 a fault in a game, 2 wrong usage or an unreadable path.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kafu.cli import analysing, simulating
from kafu.cli.arguments import make_parser
from kafu.cli.converting import Converter
from kafu.cli.notation import Notation
from kafu.cli.odds import format_table
from kafu.cli.plugins import load_plugins
from kafu.cli.selecting import Deduplication, make_filter
from kafu.cli.sources import Sourced, Unreadable, read_games
from kafu.cli.terminal import Ink, Progress, piped, utf8
from kafu.cli.verifying import verify
from kafu.cli.words import format_row, ndjson
from kafu.facade.errors import Error
from kafu.facade.playing import odds_of
from kafu.notation.codes import ARCHIVE_NO_ZSTD
from kafu.odds.form import to_json

FINE: Final = 0
WRONG: Final = 1
UNREADABLE: Final = 2
#: The shell's status for a process ended by SIGINT.
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, without the program's name, and return its exit status.

    Raises SystemExit for ``--help`` and for invalid arguments.

    >>> main(["simulate", "koikoi", "--option", "months=1"])
    [Kafu "1"]
    [Rules "koikoi"]
    ...
    0
    """
    faults = load_plugins()
    arguments_ = make_parser().parse_args(arguments)
    if sys.stdout is None or sys.stderr is None:
        return UNREADABLE  # closed by the reader
    utf8(sys.stdout)
    utf8(sys.stderr)
    for fault in faults:
        sys.stderr.write(f"kafu: {fault}\n")
    status = FINE
    try:
        with piped():
            status = _COMMANDS[arguments_.command](arguments_)
    except Error as error:
        sys.stderr.write(f"kafu {arguments_.command}: {error}\n")
        return UNREADABLE
    except OSError as error:  # a full disk
        sys.stderr.write(f"kafu {arguments_.command}: {error}\n")
        return UNREADABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


class _Reads:
    """The games of a command; it also notes whether all paths could be read."""

    def __init__(self, arguments_: Namespace, progress: Progress) -> None:
        self.paths, self.lang, self.progress = arguments_.paths, arguments_.lang, progress
        self.failed = False

    def games(self) -> Iterator[Sourced]:
        """Yield the games; a file that needs a missing extra is reported as unreadable."""
        for game in read_games(self.paths, self._tell):
            fault = game.piece.fault
            if fault is not None and fault.code is ARCHIVE_NO_ZSTD:
                self._tell(f"{game.source}: {fault.code.text(self.lang, {})}")
            else:
                yield game

    def _tell(self, unreadable: str) -> None:
        self.failed = True
        self.progress.report(f"kafu: {unreadable}")

    def status(self, *, good: bool) -> int:
        return UNREADABLE if self.failed else FINE if good else WRONG


def _verify(arguments_: Namespace) -> int:
    ink = Ink(sys.stdout, arguments_.color)
    show = ndjson if arguments_.json else partial(format_row, lang=arguments_.lang, ink=ink)
    with Progress(shown=not sys.stdout.isatty()) as progress:
        reads = _Reads(arguments_, progress)
        good = verify(reads.games(), show, progress, lang=arguments_.lang, jobs=arguments_.jobs)
        return reads.status(good=good)


def _notation(arguments_: Namespace) -> int:
    shown = arguments_.command == "check" or not sys.stdout.isatty()
    ink = Ink(sys.stderr, arguments_.color)
    with Progress(shown=shown) as progress:
        reads = _Reads(arguments_, progress)
        notation = Notation(
            arguments_.command,
            progress,
            lang=arguments_.lang,
            ink=ink,
            objects=arguments_.json,
            names=getattr(arguments_, "names", None),
        )
        return reads.status(good=notation.run(reads.games()))


def _select(arguments_: Namespace) -> int:
    with Progress(shown=not sys.stdout.isatty()) as progress:
        reads = _Reads(arguments_, progress)
        is_filter = arguments_.command == "filter"
        notation = Notation(
            "json" if arguments_.json else "fmt",
            progress,
            lang=arguments_.lang,
            ink=Ink(sys.stderr, arguments_.color),
            keep=make_filter(arguments_) if is_filter else Deduplication(progress.report).keep,
        )
        return reads.status(good=notation.run(reads.games()))


def _convert(arguments_: Namespace) -> int:
    options = simulating.collect_options(arguments_.rules, arguments_.house, arguments_.option)
    with Progress(shown=False) as progress:
        converter = Converter(
            arguments_.rules,
            options,
            progress.report,
            dealer=arguments_.dealer,
            lang=arguments_.lang,
        )
        try:
            return FINE if converter.run(arguments_.paths) else WRONG
        except Unreadable as error:
            progress.report(f"kafu: {error}")
            return UNREADABLE


def _simulate(arguments_: Namespace) -> int:
    options = simulating.collect_options(arguments_.rules, arguments_.house, arguments_.option)
    texts = simulating.simulate_games(
        arguments_.rules,
        seeds=range(arguments_.seed, arguments_.seed + arguments_.count),
        seats=arguments_.seats,
        options=options,
        players=arguments_.players,
        objects=arguments_.json,
        jobs=arguments_.jobs,
    )
    with Progress(shown=not sys.stdout.isatty(), total=arguments_.count) as progress:
        for number, text in enumerate(texts):
            sys.stdout.write(f"\n{text}" if number and not arguments_.json else text)
            progress.step()
    return FINE


def _odds(arguments_: Namespace) -> int:
    data = to_json(odds_of(arguments_.rules))
    if arguments_.json:
        sys.stdout.write(f"{ndjson(data)}\n")
    else:
        for line in format_table(data, arguments_.lang):
            sys.stdout.write(f"{line}\n")
    return FINE


def _analyse(arguments_: Namespace) -> int:
    with Progress(shown=not sys.stdout.isatty()) as progress:
        reads = _Reads(arguments_, progress)
        good = analysing.analyse(
            reads.games(),
            progress,
            lang=arguments_.lang,
            objects=arguments_.json,
            seed=arguments_.seed,
            most=arguments_.deals,
        )
        return reads.status(good=good)


_COMMANDS: Final[Mapping[str, Callable[[Namespace], int]]] = {
    "verify": _verify,
    "fmt": _notation,
    "hash": _notation,
    "json": _notation,
    "check": _notation,
    "filter": _select,
    "dedupe": _select,
    "convert": _convert,
    "simulate": _simulate,
    "odds": _odds,
    "analyse": _analyse,
}
