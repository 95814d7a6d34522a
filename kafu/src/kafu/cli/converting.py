"""`kafu convert`: score notebooks written as score sheets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kafu.cli.sources import find_files, open_path
from kafu.cli.terminal import printable
from kafu.cli.words import format_expected, format_place
from kafu.importers.notebook.sheet import Notebook, read_notebook
from kafu.notation.faults import Fault
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: Suffixes of the files that are read in folders.
SUFFIXES: Final = (".csv", ".tsv", ".xlsx", ".ods")


class Converter:
    """A writer of the sheets of notebooks to standard output.

    Faults and warnings are reported at their cells, as ``file:row:column``.
    """

    def __init__(
        self,
        ruleset: str,
        options: Mapping[str, str],
        report: Callable[[str], object],
        *,
        dealer: int,
        lang: str,
    ) -> None:
        self.ruleset, self.options, self.dealer = ruleset, options, dealer
        self.report, self.lang = report, lang
        self.count = 0

    def run(self, paths: Iterable[str]) -> bool:
        """Convert all files, and return whether each became a legal score sheet.

        Raises Unreadable.
        """
        good = True
        for path in find_files(paths, SUFFIXES):
            with open_path(path) as stream:
                data = stream.read(MAX_GAME_BYTES + 1)
            notebook = read_notebook(data, self.ruleset, self.options, dealer=self.dealer)
            good = self._write(path, notebook) and good
        return good

    def _write(self, path: str, notebook: Notebook) -> bool:
        """Write a sheet or report its faults; return whether it was written."""
        for fault in notebook.warnings:
            self._tell(path, notebook, fault, "warning")
        for fault in notebook.faults:
            self._tell(path, notebook, fault, "error")
        if notebook.verification is None:
            return False
        if error := notebook.verification.verdict.error:
            self._tell(path, notebook, notebook.placed(error), "error")
            return False
        sys.stdout.write(("\n" if self.count else "") + notebook.verification.text)
        self.count += 1
        return True

    def _tell(self, path: str, notebook: Notebook, fault: Fault, kind: str) -> None:
        place = format_place(path, fault.line, fault.column)
        message = fault.code.text(self.lang, fault.values, notebook.players)
        due = format_expected(fault.expected, self.lang)
        self.report(printable(f"{place}: {kind}: {message}{due}"))
