"""A progress bar and colours for terminals, unless NO_COLOR is set."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Final

_CODES: Final = {
    "verified": "32",
    "consistent": "32",
    "unfinished": "36",
    "mismatch": "33",
    "unsupported": "33",
    "illegal": "31",
    "malformed": "31",
}
WIDTH: Final = 24
TICK: Final = 0.1


def status(word: str) -> str:
    """Return a status in its colour."""
    if word not in _CODES or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return word
    return f"\x1b[{_CODES[word]}m{word}\x1b[0m"


class Bar:
    """``with Bar("games.kafu", length) as bar: bar.at(offset)``, on standard error."""

    def __init__(self, title: str, total: int, unit: str = "MB") -> None:
        """Create a bar for ``total`` bytes (shown in MB) or other units; 0 if unknown."""
        self.title = "".join(c if c.isprintable() else "?" for c in title[-32:])
        self.total = total
        self.unit = unit
        self.shown = sys.stderr.isatty()
        self.began = self.last = time.monotonic()
        self.first: int | None = None
        self.text = ""

    def __enter__(self) -> Bar:
        """Return the bar, which shows nothing yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the line."""
        if self.text:
            sys.stderr.write("\n")

    def at(self, done: int) -> None:
        """Show the progress, at most every `TICK` seconds."""
        now = time.monotonic()
        if self.first is None:
            self.first, self.began = done, now  # Resumed bytes took no time.
        if not self.shown or (now - self.last < TICK and 0 < done < (self.total or done + 1)):
            return
        self.last = now
        line = self._line(done)
        rate = (done - self.first) / max(now - self.began, 0.001)
        if self.unit == "MB" and rate:
            line += f"  {rate / 1e6:.1f} MB/s"
        sys.stderr.write("\r" + line.ljust(len(self.text)))
        sys.stderr.flush()
        self.text = line

    def _line(self, done: int) -> str:
        if not self.total:
            return f"{self.title}  {done} {self.unit}"
        share = done / self.total
        full = round(share * WIDTH)
        return (
            f"{self.title} [{'#' * full}{' ' * (WIDTH - full)}] {share:4.0%}  {self._figures(done)}"
        )

    def _figures(self, done: int) -> str:
        if self.unit == "MB":
            return f"{done / 1e6:.1f} of {self.total / 1e6:.1f} MB"
        return f"{done} of {self.total} {self.unit}"
