"""The pages of daily problems, the answers of accounts, and the own costly choices of a user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.keys import player_key
from records.pages.problems.view import ProblemView, problem_view
from records.privacy.access import ANONYMOUS, Viewer
from records.search import games
from records.services import problems as stored_problems
from records.services.problems import MOST_ANSWERS, NoProblem, parse_answer
from records.serving.cached_responses import cached_page
from records.serving.limits import count_change
from records.serving.parameters import Parameters, last_of
from records.states import of_day

#: The ruleset of the home page, and of addresses without a ruleset.
USUAL: Final = "koikoi"
#: Values are checked by the views, which tell what is wrong.
_PARAMETERS: Final[Parameters] = {
    "ruleset": last_of(lambda text: text[:32]),
    "move": last_of(lambda text: text[:20]),
}


def daily_problem(ruleset: str, day: date, move: str = "") -> dict[str, Any]:
    """Return the context of a day's problem, for `records/_problem.html`. Raise NoProblem."""
    daily = stored_problems.problem_of(ruleset, day)
    record = games.find(daily.problem.record.key, ANONYMOUS)
    if record is None:
        raise NoProblem
    return {
        "problem": problem_view(record, daily.problem.choice, daily.seen, move),
        "ruleset": ruleset,
        "day": str(day),
    }


@cached_page(of_day, parameters=_PARAMETERS)
def problem(request: HttpRequest, day: str = "") -> HttpResponse:
    """Show the problem of a day, by default of today, with its answer once there is a ``move``."""
    ruleset = request.GET.get("ruleset", USUAL)
    if ruleset not in RULESETS:
        return _refuse(request, USUAL, _("There is no ruleset of this name."))
    today = stored_problems.today()
    try:
        shown = date.fromisoformat(day) if day else today
    except ValueError:
        return _refuse(request, ruleset, _("Expected a day such as 2026-11-30."))
    user: Any = request.user
    answers = stored_problems.answers_of(user.pk, ruleset) if user.is_authenticated else {}
    move = request.GET.get("move", "") or answers.get(str(shown), [""])[0]
    try:
        context = daily_problem(ruleset, shown, move)
    except NoProblem as error:
        return _refuse(request, ruleset, error.words(), 404 if day else 200)
    context |= _frame(ruleset, shown, answers)
    if not _has_move(context["problem"], move):
        words = _("“%(move)s” is not an action of this problem.") % {"move": move}
        context |= daily_problem(ruleset, shown) | {"error": words}
    return render(
        request, "records/problems.html", context, status=400 if "error" in context else 200
    )


def _has_move(shown: ProblemView, move: str) -> bool:
    return not move or any(option.move == move for option in shown.options)


def _refuse(request: HttpRequest, ruleset: str, error: str, status: int = 404) -> HttpResponse:
    """Return the page with a sentence in place of the problem."""
    context = {"error": error, **_frame(ruleset, stored_problems.today(), {})}
    return render(request, "records/problems.html", context, status=status)


def _frame(ruleset: str, day: date, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context around a problem: the rulesets, earlier days, the user's answers."""
    today = stored_problems.today()
    return {
        "ruleset": ruleset,
        "rulesets": [(name, labels.ruleset_brief(name)) for name in stored_problems.rulesets()],
        "earlier": [
            (str(earlier), answers.get(str(earlier)))
            for earlier in stored_problems.days_before(ruleset, today)
        ],
        "answers": answers,
        "streak": stored_problems.count_streak(answers, today),
        "today": str(today),
        "is_today": day == today,
    }


@require_POST
@login_required
def answer(request: HttpRequest) -> HttpResponse:
    """Store answers of the user (``koikoi 2026-11-30 AxB``), and redirect to the last one's day."""
    count_change(request)
    user: Any = request.user
    written = request.POST.getlist("answer")[:MOST_ANSWERS]
    answers = [parsed for text in written if (parsed := parse_answer(text)) is not None]
    if not stored_problems.store_answers(user.pk, answers):
        return _refuse(request, USUAL, _("This answer does not belong to a problem."))
    last = answers[-1]
    query = urlencode({"ruleset": last.ruleset, "move": last.move})
    return redirect(f"{reverse('problem', args=[last.day])}?{query}#answer")


@login_required
def my_problems(request: HttpRequest) -> HttpResponse:
    """Show one of the costly choices in the user's games: ``?n=``, of ``?player=`` if given."""
    user: Any = request.user
    choices = stored_problems.own_choices(user.pk)
    names = Counter(choice.player for choice in choices)
    players = request.GET.getlist("player")
    if keys := {player_key(player) for player in players}:
        choices = [choice for choice in choices if player_key(choice.player) in keys]
    number = request.GET.get("n", "1")
    place = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 0
    context: dict[str, Any] = {
        "players": players,
        "names": names.most_common(),
        "number": place,
        "count": len(choices),
    }
    if choices:
        if not 1 <= place <= len(choices):
            raise Http404
        key, _player, choice = choices[place - 1]
        record = games.get(key, Viewer(user.pk))
        seen = stored_problems.table_of(record.text, choice)
        move = request.GET.get("move", "")
        if seen is not None:
            shown = problem_view(record, choice, seen, move)
            if not _has_move(shown, move):
                raise Http404
            context["problem"] = shown
    return render(request, "records/my_problems.html", context)
