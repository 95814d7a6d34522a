"""The records of each ruleset: the largest deals, longest streaks, rarest hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.statistics.answers import answer_context
from records.search.selection import ALL, FORMS
from records.serving.cached_responses import cached_page
from records.serving.parameters import last_of
from records.states import of_ruleset
from records.statistics.answer import Answer
from records.statistics.figures.bests import BESTS

_PARAMETERS: Final = dict.fromkeys(("ruleset", "form"), last_of(str))
#: Rows of each kind on the page of all rulesets.
_FEW: Final = 3
#: The column of the value of each kind, in its order.
_VALUES: Final = {"top": "score", "streak": "streak", "rare": "one_in"}
#: The remaining columns of a list.
_COLUMNS: Final = ("place", "player", "yaku", "day", "game")


@cached_page(of_ruleset, parameters=_PARAMETERS, group="figures")
def bests_page(request: HttpRequest) -> HttpResponse:
    """Show the records of the ruleset in the query, or the very best of every ruleset.

    With ``form``, score sheets count too or alone. Raise Http404 for an unknown ruleset or form.
    """
    ruleset, form = request.GET.get("ruleset", ""), request.GET.get("form", FORMS[0])
    if ruleset not in ("", *RULESETS) or form not in FORMS:
        raise Http404
    boards = [
        _board(listed, form, whole=bool(ruleset)) for listed in ([ruleset] if ruleset else RULESETS)
    ]
    rulesets = [("", _("all")), *((id, labels.ruleset_brief(id)) for id in RULESETS)]
    forms = {
        "moves": _("games with moves"),
        "sheet": _("score sheets"),
        ALL: _("games with moves and score sheets"),
    }
    return render(
        request,
        "records/bests.html",
        {
            "title": _("Best scores, streaks and hands"),
            "definition": _(
                "The largest scores of a month, the longest streaks of games won alone, and the "
                "rarest dealt hands that were declared, by their exact odds. Each leads to its "
                "step in the replay."
            ),
            "basis": BESTS.basis,
            "rulesets": [(_address(id, form), words, id == ruleset) for id, words in rulesets],
            "forms": [(_address(ruleset, id), words, id == form) for id, words in forms.items()],
            "whole": bool(ruleset),
            "boards": [board for board in boards if board["kinds"] or ruleset],
        },
    )


def _address(ruleset: str, form: str) -> str:
    """Return the query of a board, without default values."""
    query = {"ruleset": ruleset, "form": form if form != FORMS[0] else ""}
    return f"?{urlencode({name: value for name, value in query.items() if value})}"


def _board(ruleset: str, form: str, *, whole: bool) -> dict[str, Any]:
    """Return the lists of a ruleset, with few rows each unless it is the ``whole`` board."""
    answer = BESTS.answer(BESTS.question({"form": form}, ruleset=ruleset))
    return {
        "ruleset": ruleset,
        "address": _address(ruleset, form),
        "name": labels.ruleset(ruleset),
        "kinds": list(kinds(answer, None if whole else _FEW)),
        "notes": answer.notes,
        "forms": answer_context(replace(answer, chart=None))["forms"],
    }


def kinds(answer: Answer, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the non-empty lists of an answer, one for each kind, with at most ``most`` rows.

    A list has the head of its value, and the cells of each row by column.
    """
    for kind, value in _VALUES.items():
        rows = [row for row in answer.rows if row["kind"] == kind][:most]
        if rows:
            columns_by_id = {column.id: column for column in answer.columns}
            columns = [columns_by_id[name] for name in (value, *_COLUMNS)]
            table = answer_context(replace(answer, columns=columns, rows=rows, chart=None))
            names = ("value", *_COLUMNS)
            yield {
                "kind": kind,
                "title": rows[0]["name"],
                "head": table["heads"][0],
                "rows": [dict(zip(names, cells, strict=True)) for cells in table["rows"]],
            }
