"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page

from records import queries
from records.models import Status
from records.views.replay import replay_of

NEWEST = 8


@gzip_page  # the sample game, see `records.views.games.game`
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the archive's oldest verified game as a replay, the newest games, figures."""
    sample = queries.records(ruleset="koikoi", status=Status.VERIFIED).last()
    return render(
        request,
        "records/home.html",
        {
            "sample": sample,
            "replay": replay_of(sample) if sample else None,
            "newest": queries.records()[:NEWEST],
            "counts": queries.counts(),
        },
    )
