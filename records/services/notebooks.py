"""The reading of a score notebook that is not stored, for a computing process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafu.importers.notebook.sheet import read_notebook
from kafu.notation.faults import Fault
from records.base import labels


def read_notebook_json(
    data: bytes, ruleset: str, options: Mapping[str, str], dealer: int
) -> dict[str, Any]:
    """Return the score sheet of a notebook with its verdict, faults and warnings.

    The form is `api.views.writing.NotebookJson`, in the active language.
    """
    notebook = read_notebook(data, ruleset, options, dealer=dealer)

    def localised(faults: list[Fault]) -> list[dict[str, Any] | None]:
        return [labels.fault(fault.to_stored(), notebook.players) for fault in faults]

    response: dict[str, Any] = {"kafu": None, "verdict": None}
    faults = list(notebook.faults)
    if notebook.verification is not None:
        verdict = notebook.verification.verdict
        faults += [notebook.placed(verdict.error)] if verdict.error else []
        response["kafu"] = notebook.verification.text
        response["verdict"] = labels.verdict(verdict.to_stored(), notebook.players)
    return response | {"faults": localised(faults), "warnings": localised(notebook.warnings)}
