"""Terminal output: colour, progress, and output that may be closed early."""

from __future__ import annotations

import importlib
import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

_COLOURS: Final = {"green": "32", "yellow": "33", "red": "31", "bold": "1"}
#: Seconds between two updates of the plain progress line.
_PAUSE: Final = 0.2


def utf8(stream: Any) -> None:
    """Make a text stream of the process UTF-8, in any locale."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@contextmanager
def piped() -> Iterator[None]:
    """Exit quietly when the reader of standard output closes it (`| head`)."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """Return a line without terminal control characters, which a path or a game may contain."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class Ink:
    """A painter of words for a stream: ``when`` is auto, always or never.

    ``auto`` colours on terminals, and respects NO_COLOR and TERM=dumb.

    >>> Ink(sys.stdout, "never").on("bad", "red")
    'bad'
    """

    def __init__(self, stream: TextIO, when: str) -> None:
        is_allowed = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.coloured = when == "always" or (when == "auto" and is_allowed and stream.isatty())

    def on(self, word: str, colour: str) -> str:
        """Return the word in green, yellow, red or bold, or unchanged."""
        return f"\x1b[{_COLOURS[colour]}m{word}\x1b[0m" if self.coloured else word


class Progress:
    """A counter of games on standard error, shown on a terminal with ``shown``.

    tqdm draws the counter if installed (``kafu[progress]``); otherwise a plain line is written.
    """

    def __init__(self, *, shown: bool, total: int | None = None) -> None:
        self.count = 0
        self._next = 0.0
        self._bar: Any = None
        self._plain = shown and sys.stderr.isatty()
        if self._plain:
            try:
                tqdm = importlib.import_module("tqdm").tqdm
            except ImportError:
                return
            self._bar, self._plain = tqdm(total=total, unit=" games", file=sys.stderr), False

    def step(self) -> None:
        """Count one more game."""
        self.count += 1
        if self._bar is not None:
            self._bar.update()
        elif self._plain and time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            sys.stderr.write(f"\r{self.count:,} games")
            sys.stderr.flush()

    def report(self, line: str) -> None:
        """Write a line to standard error, without disturbing the progress."""
        if self._bar is not None:
            self._bar.write(line, file=sys.stderr)
            return
        if self._plain and self.count:
            sys.stderr.write("\r\x1b[K")
        sys.stderr.write(f"{line}\n")

    def close(self) -> None:
        """Remove the progress."""
        if self._bar is not None:
            self._bar.leave = False
            self._bar.close()
        elif self._plain and self.count:
            sys.stderr.write("\r\x1b[K")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
