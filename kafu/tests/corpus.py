"""The conformance corpus, loaded and judged once per process.

The corpus has the cases of ``kafu/conformance`` and of an independent implementation in
``../shared/conformance``. Tests loop over cases and collect faults by case, so that a failure names
every failing case.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from conformance import run
from kafu.judging.verify import Verification, verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.pieces import read_kafu
from kafu.notation.vocabulary import RULES
from lengths import LONG
from shared import shared

#: Folders of the corpus: a folder for each ruleset, and one for the notation.
FOLDERS: Final = (*sorted(RULES), "notation")


@dataclass(frozen=True)
class Case:
    """A record of the corpus, its expected verdict, and the library's verdict."""

    path: Path

    def __str__(self) -> str:
        return "/".join((*self.path.parts[-3:-1], self.path.stem))

    @property
    def folder(self) -> str:
        """The ruleset of the case, or ``notation``."""
        return self.path.parent.name

    @cached_property
    def content(self) -> bytes:
        return self.path.read_bytes()

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")

    @cached_property
    def expected(self) -> dict[str, Any]:
        """The verdict in the file next to the record."""
        verdict: dict[str, Any] = json.loads(self.path.with_suffix(".json").read_text("utf-8"))
        return verdict

    @property
    def kind(self) -> tuple[str, ...]:
        """The expected status, the kind of the fault and the places of wrong claims."""
        places = {claim["where"] for claim in self.expected.get("mismatches") or ()}
        return self.expected["status"], self.expected.get("kind") or "", *sorted(places)

    @cached_property
    def _piece(self) -> Piece:
        """The only game of the file."""
        (piece,) = cut(io.BytesIO(self.content))
        return piece

    @cached_property
    def reading(self) -> Reading:
        return read_kafu(self._piece)

    @cached_property
    def verification(self) -> Verification:
        return verify(self.reading, number=self._piece.number, line=self._piece.line)

    @property
    def game(self) -> Game:
        """The game of a readable case. Tests must not change it."""
        assert self.reading.game is not None, self
        return self.reading.game

    @property
    def is_sheet(self) -> bool:
        return b"[Sheet " in self.content


@cache
def library_cases() -> list[Case]:
    """Return the cases of the library."""
    return [Case(path) for path in run.cases()]


@cache
def shared_cases() -> list[Case]:
    """Return cases of the independent implementation, if available: all in `make test-long`.

    Otherwise one case of each ruleset for each kind of verdict of its games and score sheets.
    """
    cases = [Case(path) for path in sorted(shared("conformance").glob("*/*.kafu"))]
    kinds = {(case.folder, case.is_sheet, case.kind): case for case in cases}
    return cases if LONG else [*kinds.values()]


@cache
def all_cases() -> list[Case]:
    """Return the cases of both implementations whose folder is named after a ruleset."""
    return [case for case in (*shared_cases(), *library_cases()) if case.folder in RULES]


def cases_of(folder: str, cases: Iterable[Case]) -> list[Case]:
    """Return the cases of one folder."""
    return [case for case in cases if case.folder == folder]


@cache
def illegal_cases(folder: str) -> list[Case]:
    """Return the cases of a ruleset that break one of its rules.

    The library has a case for each kind of fault. Shared cases are added in `make test-long`.
    """
    cases = cases_of(folder, all_cases() if LONG else library_cases())
    return [case for case in cases if case.expected["status"] == "illegal"]


def check_cases(cases: Iterable[Case], check: Callable[[Case], object]) -> None:
    """Check every case, and fail with the names and faults of all failing cases."""
    failures = []
    for case in cases:
        try:
            check(case)
        except Exception as error:
            failures.append(f"{case}: {error!r:.2000}")
    assert not failures, "\n".join([f"{len(failures)} cases fail:", *failures])
