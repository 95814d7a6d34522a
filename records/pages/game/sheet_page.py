"""The score sheet of a game (記入式), as a page to print and as CSV."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from kafu.notation.reading.reader import read
from records.base import labels
from records.models import Record
from records.pages.game.outcome import outcome_of
from records.pages.game.page import game_preview, record_of, score_of
from records.pages.parameters import RESULTS
from records.serving.cached_responses import cached_page
from records.states import of_record
from records.wording.faults import claim_views
from records.wording.sheets import SheetTable, table_of, to_csv


@cached_page(of_record, parameters=RESULTS)
def sheet_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the sheet as a page for A4. Raise Http404 for a game without a sheet."""
    record, table = _find_table(request, key)
    players = [labels.person(name) for name in record.players]
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return render(
        request,
        "records/sheet.html",
        {
            "record": record,
            "title": " – ".join(players),
            "ruleset": labels.ruleset(record.ruleset),
            "house": labels.house(record.profile),
            "outcome": outcome_of(record, score_of(record, players)),
            "base": reverse("game", args=[record.key]),
            "table": table,
            "preview": game_preview(record, "sheet-preview", request.path),
            "claims": claim_views(record.verdict["mismatches"], game),
            "error": labels.worded_fault(record.verdict["error"], record.players),
        },
    )


def sheet_csv(request: HttpRequest, key: str) -> HttpResponse:
    """Return the sheet as a file for spreadsheets."""
    record, table = _find_table(request, key)
    return HttpResponse(
        to_csv(table),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{record.key}.csv"'},
    )


def _find_table(request: HttpRequest, key: str) -> tuple[Record, SheetTable]:
    record = record_of(request, key)
    table = table_of(record.text, record.verdict)
    if table is None:
        raise Http404
    return record, table


# Months below each other -------------------------------------------------------------------------
