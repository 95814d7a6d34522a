"""The best of all games, ruleset by ruleset: the largest deals, longest streaks, rarest hands."""

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
from records.pages.statistics.answers import shown
from records.search.selection import ALL, FORMS
from records.serving.cached_responses import cached_page
from records.states import of_archive
from records.statistics.answer import Answer
from records.statistics.figures.bests import BESTS

#: Rows of each kind where all rulesets are shown.
_FEW: Final = 3
#: The column of the value of each kind, in its order.
_VALUES: Final = {"top": "score", "streak": "streak", "rare": "one_in"}
#: The other columns of a list.
_COLUMNS: Final = ("place", "player", "yaku", "day", "game")


@cached_page(of_archive, group="statistics")
def bests_page(request: HttpRequest) -> HttpResponse:
    """The best of the ruleset that the address names; of every ruleset the very best, if it names
    none. With ``form``, score sheets too or alone. Raises Http404 for an unknown ruleset or form.
    """
    ruleset, form = request.GET.get("ruleset", ""), request.GET.get("form", FORMS[0])
    if ruleset not in ("", *RULESETS) or form not in FORMS:
        raise Http404
    boards = [
        _board(one, form, whole=bool(ruleset)) for one in ([ruleset] if ruleset else RULESETS)
    ]
    rulesets = [("", _("all")), *((one, labels.ruleset_brief(one)) for one in RULESETS)]
    forms = {
        "moves": _("games with moves"),
        "sheet": _("score sheets"),
        ALL: _("games with moves and score sheets"),
    }
    return render(
        request,
        "records/bests.html",
        {
            "title": BESTS.title,
            "definition": _(
                "The largest scores of a deal, the longest streaks of games won alone, and the "
                "rarest dealt hands that were declared, by their exact odds. Each leads to its "
                "step in the replay."
            ),
            "basis": BESTS.basis,
            "rulesets": [(_address(one, form), words, one == ruleset) for one, words in rulesets],
            "forms": [(_address(ruleset, one), words, one == form) for one, words in forms.items()],
            "whole": bool(ruleset),
            "boards": [one for one in boards if one["kinds"] or ruleset],
        },
    )


def _address(ruleset: str, form: str) -> str:
    """The query of a board; without values that are the default."""
    query = {"ruleset": ruleset, "form": form if form != FORMS[0] else ""}
    return f"?{urlencode({name: value for name, value in query.items() if value})}"


def _board(ruleset: str, form: str, *, whole: bool) -> dict[str, Any]:
    """The lists of a ruleset; of few rows each unless it is the ``whole`` board."""
    answer = BESTS.answer(BESTS.question({"form": form}, ruleset=ruleset))
    return {
        "ruleset": ruleset,
        "address": _address(ruleset, form),
        "name": labels.ruleset(ruleset),
        "kinds": list(kinds(answer, None if whole else _FEW)),
        "notes": answer.notes,
        "forms": shown(answer)["forms"],
    }


def kinds(answer: Answer, most: int | None = None) -> Iterator[dict[str, Any]]:
    """The lists of each kind that has any, of ``most`` rows: the head of the value, and each row's
    cells by column.
    """
    for kind, value in _VALUES.items():
        rows = [row for row in answer.rows if row["kind"] == kind][:most]
        if rows:
            known = {column.id: column for column in answer.columns}
            columns = [known[name] for name in (value, *_COLUMNS)]
            found = shown(replace(answer, columns=columns, rows=rows))
            names = ("value", *_COLUMNS)
            yield {
                "kind": kind,
                "title": rows[0]["name"],
                "head": found["heads"][0],
                "rows": [dict(zip(names, cells, strict=True)) for cells in found["rows"]],
            }
