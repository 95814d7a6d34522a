"""The list of games, the page of one, and its text for download."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page

from records import queries
from records.engine.names import RULESETS
from records.engine.verdict import localise
from records.models import Record, Status
from records.views import names
from records.views.excerpt import excerpt
from records.views.paging import page_of
from records.views.replay import replay_of
from records.views.rules import address_of
from records.views.score import claim, score_table

PAGE = 50
FILTERS = ("ruleset", "status", "player")


def games(request: HttpRequest) -> HttpResponse:
    """Games by ruleset, status and player, newest first."""
    # PostgreSQL takes no NUL in a text, and no game has one.
    given = {name: value.replace("\0", "") for name, value in request.GET.dict().items()}
    asked = {name: given.get(name, "").strip() for name in FILTERS}
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in asked.items() if value})
    page = page_of(queries.records(**asked), given, PAGE)
    return render(
        request,
        "records/games.html",
        {
            "page": page,
            "asked": asked,
            "query": query,
            "rulesets": [(rules, names.ruleset(rules)) for rules in RULESETS],
            "statuses": [one for one in Status.choices if one[0] != Status.MALFORMED],
        },
    )


@gzip_page  # some hundred tables that differ by a card or two
def game(request: HttpRequest, key: str) -> HttpResponse:
    """One game: what it is worth as a record, its replay, score, tags and text."""
    record = record_of(key)
    verdict = localise(record.verdict, names.lang())
    players = [names.person(name) for name in record.players]
    return render(
        request,
        "records/game.html",
        {
            "record": record,
            "players": players,
            "title": " – ".join(players),
            "ruleset": names.ruleset(record.ruleset),
            "rules": address_of(record.ruleset, record.profile),
            "verdict": verdict,
            "error_lines": _error_lines(record, verdict),
            "mismatches": [claim(one, players, record.ruleset) for one in verdict["mismatches"]],
            "score": score_table(verdict, players) if verdict["deals"] else None,
            "replay": replay_of(record),
        },
    )


def kafu(request: HttpRequest, key: str) -> HttpResponse:
    """The canonical text as a file."""
    record = record_of(key)
    return HttpResponse(
        record.text,
        content_type="text/x-kafu; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{record.key}.kafu"'},
    )


def record_of(key: str) -> Record:
    """The game with this key. Raises Http404."""
    found = queries.record(key)
    if found is None:
        raise Http404
    return found


def _error_lines(record: Record, verdict: dict[str, Any]) -> Any:
    error = verdict["error"]
    if error is None:
        return []
    return excerpt(record.text, first=1, line=error["line"], column=error["column"])
