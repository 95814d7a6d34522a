"""The games that share a situation with a step of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.kept import kept
from api.paging import PARAMETERS, link, page_size, paging_parameters, read_place
from api.problems import invalid
from api.serializers.replay import SituationsSerializer
from api.views.base import LANG, Resource, problems
from api.views.records import found
from kafu import cards
from kafu.comparing.situations import Compared
from records.explorer.asking import Explored, ask, compared_of, keys_of, window
from records.explorer.following import is_complete
from records.explorer.parts import Found
from records.pages.caching import of_record_and_archive
from records.pages.game.frame import position
from records.search.selection import AFTER, BEFORE


class RecordSituations(Resource):
    """The games that share a situation."""

    parameters = ("at", *PARAMETERS)

    @extend_schema(
        operation_id="records_situations",
        summary="Games with the situation at a step: what was chosen, what came of it",
        description=(
            "Compared are, within one house: the dealt field before the first card of a deal "
            "(`field`), what all have captured before the second and third (`captured`), and "
            "decisions to stop or go on (`decision`), by the yaku made, the cards left and how "
            "many cards the opponent with most has captured. Suits and cards that the rules do "
            "not tell apart count as the same. Only public games are counted. Without `at`, the "
            "steps of the game that are compared."
        ),
        parameters=[
            LANG,
            OpenApiParameter(
                "at",
                str,
                OpenApiParameter.QUERY,
                description="Deal and step, as in the replay: `3.14`.",
            ),
            *paging_parameters(),
        ],
        responses={200: SituationsSerializer, **problems(400, 404, 410, 412)},
    )
    @kept(of_record_and_archive, group="situations")
    def get(self, request: Request, key: str) -> Response:
        """One page of them."""
        record = found(request, key)
        rows = compared_of(record.text)
        here = _requested(request, rows)
        answer = ask(here) if here else None
        written = request.query_params.get("cursor")
        way, mark = read_place(written, 3) if written else (AFTER, [])
        size = page_size(request)
        places, before, behind = window(answer.places if answer else (), size, way, mark)
        return Response(
            {
                "key": record.key,
                "complete": is_complete(),
                "steps": [_step(one) for one in rows],
                "situation": _situation(answer) if answer else None,
                "next": link(request, AFTER, places[-1].order) if behind else None,
                "previous": link(request, BEFORE, places[0].order) if before else None,
                "results": _results(answer, places) if answer else [],
            }
        )


def _requested(request: Request, rows: Sequence[Compared]) -> Compared | None:
    """The situation at the step that is asked about. Raises the problem 400."""
    written = request.query_params.get("at", "")
    at = position(written) if written else None
    if written and at is None:
        raise invalid("at", _("at: expected deal and step, as 3.14."))
    if at is None:
        return None
    steps = (one for one in rows if (one.situation.deal, one.situation.step) == (at.deal, at.step))
    return next(steps, None)


def _step(one: Compared) -> dict[str, Any]:
    at = one.situation
    return {"at": f"{at.deal}.{at.step}", "aspect": at.kind.name.lower(), "seat": at.seat}


def _situation(answer: Explored) -> dict[str, Any]:
    one = answer.compared
    return {
        **_step(one),
        "field": cards.letters(one.field),
        "captured": [cards.letters(taken) for taken in one.captured],
        "yaku": list(one.yaku),
        "left": one.left,
        "opponent": one.opponent,
        "n": len(answer.places),
        "games": answer.games,
        "is_all": answer.is_all,
        "choices": [
            {
                "card": cards.letters(choice.means.card),
                "take": cards.letters(choice.means.take),
                "word": choice.means.word,
                "is_own": choice.number == answer.chosen,
                "n": choice.cases,
                "share": choice.share.value,
                "share_low": choice.share.low,
                "share_high": choice.share.high,
                "score": choice.score.value,
                "score_low": choice.score.low,
                "score_high": choice.score.high,
            }
            for choice in answer.choices
        ],
    }


def _results(answer: Explored, places: Sequence[Found]) -> list[dict[str, Any]]:
    rows = {choice.number: row for row, choice in enumerate(answer.choices)}
    keys = keys_of(places)
    return [
        {
            "key": keys[one.game],
            "at": f"{one.deal}.{one.step}",
            "choice": rows[one.choice],
            "score": one.score,
        }
        for one in places
        if one.game in keys
    ]
