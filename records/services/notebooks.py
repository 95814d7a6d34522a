"""The reading of a score notebook that is not stored, for a computing process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafu.importers.notebook.sheet import read_notebook
from kafu.notation.faults import Fault
from records.base import labels
from records.shapes.sheets import NotebookJson


def read_notebook_json(
    data: bytes, ruleset: str, options: Mapping[str, str], dealer: int
) -> NotebookJson:
    """Return the score sheet of a notebook with its verdict, faults and warnings.

    Texts are in the active language.
    """
    notebook = read_notebook(data, ruleset, options, dealer=dealer)

    def localised(faults: list[Fault]) -> list[Any]:
        return [labels.fault(fault.to_stored(), notebook.players) for fault in faults]

    kafu = None
    verdict_json: Any = None
    faults = list(notebook.faults)
    if notebook.verification is not None:
        verdict = notebook.verification.verdict
        faults += [notebook.placed(verdict.error)] if verdict.error else []
        kafu = notebook.verification.text
        verdict_json = labels.verdict(verdict.to_stored(), notebook.players)
    return NotebookJson(kafu, verdict_json, localised(faults), localised(notebook.warnings))
