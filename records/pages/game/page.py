"""The page of a game, moves in words, the text for download, and the data of the what-if table.

`preview_of` and `game_preview` return what other sites show of a link to a game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from kafu.notation.reading.reader import read
from kafu.rules.rulesets import RULESETS
from records.base import dates, labels
from records.base.release import absolute
from records.ingest.copies import find_copies
from records.models import Record, Status, Visibility
from records.pages.game.frame import FrameView, frame_of
from records.pages.game.outcome import chart_of, outcome_of
from records.pages.game.player_data import ScoreTable, moves_of, replay_of, score_table
from records.pages.link_previews import default_preview
from records.pages.parameters import AT, RESULTS
from records.pages.rulebook.book import address_of
from records.privacy.access import mark, ownership_of, viewer_of
from records.privacy.circles import link_of_game
from records.search import games
from records.search.corrections import corrections
from records.services import comments
from records.services.replays import position_of_text
from records.serving.cached_responses import cached_page
from records.serving.parameters import read_flag
from records.states import of_record, of_record_and_history
from records.wording.faults import FaultView, fault_view
from records.wording.previews import LinkPreview, picture_path
from records.wording.steps import final_sum

#: Maximum length of an event's name in a description.
EVENT_LENGTH = 80
#: Number of comments below the replay. The page of comments has all.
COMMENTS: Final = 20


@cached_page(of_record_and_history, parameters=AT | {"saved": read_flag})
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game: verdict, replay from the first or a faulty step, score, tags and text."""
    record = record_of(request, key)
    players = labels.people(record.players)
    verdict = record.verdict
    replay = replay_of(record)
    fault = _fault(record, verdict)
    at = fault.position.at if fault and fault.position else ""
    frame = frame_of(replay, request.GET.get("at", at)) if replay else None
    score = score_of(record, players) if verdict["deals"] else None
    outcome = outcome_of(record, score)
    return render(
        request,
        "records/game.html",
        {
            "record": record,
            "players": players,
            "title": " – ".join(players),
            "ruleset": labels.ruleset(record.ruleset),
            "house": labels.house(record.profile),
            "rules": address_of(record.ruleset, record.profile),
            "options": options_of(record),
            "warnings": [labels.worded_fault(each, players) for each in verdict["warnings"]],
            "fault": fault,
            "score": score,
            "outcome": outcome,
            "chart": chart_of(record, score)
            if score and record.sheet and score.deals[1:]
            else None,
            "frame": frame,
            "is_reviewed": bool(games.sums_of(record)),
            "what_if": what_if_data(record.ruleset) if frame else None,
            "preview": preview_of(request, record, frame),
            "ownership": ownership_of(record.pk, viewer_of(request)),
            "saved": "saved" in request.GET,
            "circle": link_of_game(record.key, request.user.pk),
            "copies": find_copies([record.pk], viewer_of(request)).get(record.pk, ()),
            "corrections": corrections(record, viewer_of(request)),
            "comments": comments.show(
                comments.comments_by_step(record)[:COMMENTS], viewer_of(request)
            ),
        },
    )


@cached_page(of_record, parameters=RESULTS)
def moves(request: HttpRequest, key: str) -> HttpResponse:
    """Show all deals and moves of a game in words. Raise Http404 without a replay."""
    record = record_of(request, key)
    replay = replay_of(record)
    if replay is None:
        raise Http404
    players = " – ".join(replay.players)
    context = {
        "record": record,
        "title": players,
        "deals": moves_of(replay),
        "preview": game_preview(record, url=request.path),
    }
    return render(request, "records/moves.html", context)


def notation_text(request: HttpRequest, key: str) -> HttpResponse:
    """Return the canonical text as a file."""
    record = record_of(request, key)
    return HttpResponse(
        record.text,
        content_type="text/x-kafu; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{record.key}.kafu"'},
    )


def record_of(request: HttpRequest, key: str) -> Record:
    """Return the game with a key in the version for the viewer.

    Raise Http404, or :class:`records.search.games.GameGone` for a removed game
    (`records.pages.game.corrected`).
    """
    record = games.get(key, viewer_of(request))
    mark(request, record.visibility)
    return record


def score_of(record: Record, players: list[str]) -> ScoreTable:
    """Return the score table of a game with the displayed names of its players."""
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return score_table(game, record.verdict, players)


def _fault(record: Record, verdict: dict[str, Any]) -> FaultView | None:
    """Return the faults of a game, None for rules that this version cannot play."""
    if record.status == Status.UNSUPPORTED or not (verdict["error"] or verdict["mismatches"]):
        return None
    game = read(record.text).game
    return fault_view(
        error=labels.worded_fault(verdict["error"], record.players),
        mismatches=verdict["mismatches"],
        text=record.text,
        first=1,
        game=game,
        place=position_of_text(record.text, game) if game and verdict["error"] else None,
        address=reverse("game", args=[record.key]),
    )


def options_of(record: Record) -> list[tuple[str, str]]:
    """Return the house rules in a game's text in words: each rule with its value.

    ``months=8`` is ``("Length", "8 months")``. An unknown rule stays as written.
    """
    return [labels.option(record.ruleset, text) for text in record.options.split()]


def table_texts() -> dict[str, str]:
    """Return the texts of a table for playing, in the language of the request."""
    return {
        "hand": _("Hand of %(name)s"),
        "captured": _("Captured by %(name)s"),
        "turn": _("%(name)s plays a card"),
        "drawn": _("Which card is turned from the draw pile?"),
        "decide": _("%(name)s decides"),
        "bid": _("%(name)s goes in or out"),
        "deal": _("%(month)s is to be dealt"),
        "monthOver": _("The month is over."),
        "takes": _("Which card is captured?"),
        **result_texts(),
    }


def result_texts() -> dict[str, str]:
    """Return the texts of a finished game's result, for `editor/result.js`."""
    return {
        "over": _("The game is over."),
        "won": _("Game over: %(name)s wins with %(sum)s"),
        "wonTo": _("Game over: %(name)s wins, %(sum)s to %(other)s"),
        "draw": _("Game over: a draw"),
    }


def what_if_data(ruleset: str) -> dict[str, Any]:
    """Return the data that the what-if modules need in addition to the replay."""
    texts = table_texts() | {
        "deal": _("The month is over."),
        "offline": _("The server does not answer. Try again."),
        "late": _("Too many requests: try again in a moment."),
        "strange": _(
            "This branch does not fit the game. It is shown up to the last step that fits."
        ),
        "copied": _("Copied"),
    }
    return {
        "words": texts,
        "monthNames": [labels.month(number) for number in range(1, 13)],
        "dealer": labels.dealer_mark(ruleset),
        "finalUnit": RULESETS[ruleset].final_unit,
    }


def preview_of(request: HttpRequest, record: Record, frame: FrameView | None) -> LinkPreview:
    """Return the preview of a link to a game: its result, or the step that the address names."""
    canonical = absolute(reverse("game", args=[record.key]))
    facts = facts_of(record)
    if frame is None:
        return replace(game_preview(record), url=canonical, canonical=canonical)
    preview, url = game_preview(record), canonical
    if "at" in request.GET:
        url = f"{canonical}?{urlencode({'at': frame.at})}"
        preview = replace(preview, description=f"{frame.title} · {frame.description} · {facts}")
        if record.visibility >= Visibility.UNLISTED:
            image = picture_path("picture", record.key, frame.at)
            preview = replace(preview, image=image, alt=frame.description)
    oembed = absolute(f"{reverse('oembed')}?{urlencode({'url': url, 'lang': labels.lang()})}")
    return replace(preview, url=url, canonical=canonical, oembed=oembed)


def game_preview(record: Record, picture: str = "game-preview", url: str = "") -> LinkPreview:
    """Return the preview of a page about a game. A private game has the picture of the archive.

    ``picture`` is the name of the address of the picture, ``url`` the path of the page.
    """
    result = result_of(record)
    description = " · ".join(part for part in (result, facts_of(record)) if part)
    is_drawn = record.visibility >= Visibility.UNLISTED and record.verdict["deals"]
    default = default_preview(None)
    image = picture_path(picture, record.key) if is_drawn else default.image
    alt = description if is_drawn else default.alt
    return LinkPreview(description, image, alt, absolute(url) if url else "")


def result_of(record: Record) -> str:
    """Return the final sums: ``Aya 45, Ken −45``; empty for a game without an end."""
    final = record.verdict["final"] or ()
    sums = (final_sum(sum_, record.ruleset) for sum_ in final)
    names = (labels.person(name) for name in record.players)
    return labels.listed(f"{name} {sum_}" for name, sum_ in zip(names, sums, strict=False))


def facts_of(record: Record) -> str:
    """Return ruleset, event and date of a game."""
    event = Truncator(record.event).chars(EVENT_LENGTH)
    parts = (labels.ruleset(record.ruleset), event, dates.played(record.date))
    return " · ".join(part for part in parts if part)
