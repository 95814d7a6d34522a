"""Daily problems: choices of analysed public games with one clearly best action.

A problem of a day and a ruleset is the same for all visitors. It is chosen at the first request of
the day and stays, unless its game is hidden: then another problem takes its place. A day begins at
midnight in Japan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta, timezone
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from kafu import cards
from kafu.analysis.choices import SAY, STOCK
from kafu.analysis.problems import KINDS, find_problems
from kafu.judging.position import Table
from kafu.rules.rulesets import RULESETS, Unsupported
from records.base.keys import hash_number
from records.base.transient import lock_names
from records.models import Analysis, Problem, ProblemAnswer, Record, Visibility
from records.privacy.access import Viewer, ownerships_of
from records.search.games import records, show_own_texts
from records.services.replays import replay_of_text
from records.shapes.problems import DailyProblem as DailyProblemJson

_JAPAN: Final = timezone(timedelta(hours=9))
#: No problem occurs twice within this time.
_YEAR: Final = timedelta(days=365)
#: Maximum number of days in a list of earlier problems, and of answers stored by one request.
EARLIER: Final = 14
MOST_ANSWERS: Final = 400
#: The columns that identify a problem of a game.
_PLACE: Final = ("deal", "step", "seat", "kind")
#: The number of newest games with problems for their owner.
_OWN_GAMES: Final = 50


class NoProblem(Exception):
    """The error for a day without a problem; ``is_future`` if the day has not begun."""

    def __init__(self, *, is_future: bool = False) -> None:
        super().__init__("no problem")
        self.is_future = is_future

    def words(self) -> str:
        """Return a sentence that tells the user."""
        if self.is_future:
            return _("This day has not begun yet.")
        return _("There is no problem for this day.")


def today() -> date:
    """Return the present day in Japan."""
    return clock.now().astimezone(_JAPAN).date()


class SeatTable(NamedTuple):
    """The knowledge of a seat at its choice.

    ``table`` has ``?`` for hidden cards, and ``turned`` the open card of the draw pile, or "".
    ``deal`` is the whole deal of the replay JSON.
    """

    table: Table
    turned: str
    deal: dict[str, Any]


class DailyProblem(NamedTuple):
    """A problem with the row of its game, and the table as its seat knows it."""

    problem: Problem
    seen: SeatTable


# Choosing -----------------------------------------------------------------------------------------


def store_problems(record: Record, choices: Sequence[dict[str, Any]]) -> None:
    """Store the problems among the choices of an analysis, in place of earlier ones.

    A choice that is still a problem keeps its day. Call inside a transaction.
    """
    earlier = {_place(vars(row)): row for row in Problem.objects.filter(record=record.pk)}
    for choice, best, advantage, error in find_problems(choices):
        place = _place(choice)
        problem = earlier.pop(place, None) or Problem(
            record=record,
            ruleset=record.ruleset,
            rank=hash_number(record.key, *place),
            **dict(zip(_PLACE, place, strict=True)),
        )
        problem.best, problem.advantage, problem.error = best, advantage, error
        problem.choice = choice
        problem.save()
    Problem.objects.filter(pk__in=[row.pk for row in earlier.values()]).delete()


def _place(values: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(values[name] for name in _PLACE)


def public_problems(ruleset: str) -> QuerySet[Problem]:
    """Return the problems of public games of a ruleset, each game counted once."""
    return Problem.objects.filter(
        ruleset=ruleset, record__visibility=Visibility.PUBLIC, record__copy_of=None
    )


def problem_of(ruleset: str, day: date) -> DailyProblem:
    """Return the problem of a day, choosing it if needed. Raise NoProblem.

    Days before the first problem of the ruleset have none.
    """
    if day > today():
        raise NoProblem(is_future=True)
    while True:
        problem = _find(ruleset, day) or _choose(ruleset, day)
        table = table_of(problem.record.text, problem.choice)
        if table is not None:
            return DailyProblem(problem, table)
        problem.delete()  # This version plays the game differently.


def _find(ruleset: str, day: date) -> Problem | None:
    return public_problems(ruleset).filter(day=day).select_related("record").first()


@transaction.atomic
def _choose(ruleset: str, day: date) -> Problem:
    lock_names(f"problems of {ruleset}")
    if problem := _find(ruleset, day):
        return problem  # chosen by another process meanwhile
    shown = Problem.objects.filter(ruleset=ruleset)
    if day < today() and not shown.filter(day__lte=day).exists():
        raise NoProblem
    unused = public_problems(ruleset).filter(day=None).order_by("rank")
    problem = (
        unused.filter(rank__gte=hash_number(ruleset, day)).first()
        or unused.first()
        or public_problems(ruleset).filter(day__lt=day - _YEAR).order_by("day").first()
    )
    if problem is None:
        raise NoProblem
    # The game of an earlier problem of the day is hidden. If the game is shown again, the problem
    # must not occur a second time within the year.
    shown.filter(day=day).delete()
    problem.day = day
    problem.save(update_fields=["day"])
    return problem


def days_before(ruleset: str, day: date) -> list[date]:
    """Return the last days with a problem before a day, the newest first."""
    days = public_problems(ruleset).filter(day__lt=day).order_by("-day")
    return [earlier for earlier in days.values_list("day", flat=True)[:EARLIER] if earlier]


def rulesets() -> list[str]:
    """Return the rulesets with problems of public games."""
    names = Problem.objects.order_by().filter(record__visibility=Visibility.PUBLIC)
    stored = set(names.values_list("ruleset", flat=True).distinct())
    return [ruleset for ruleset in RULESETS if ruleset in stored]


# The table ----------------------------------------------------------------------------------------


def table_of(text: str, choice: Mapping[str, Any]) -> SeatTable | None:
    """Return the table before a choice of a game's text, None if the game has no such choice."""
    number, at, kind = choice["deal"] - 1, choice["step"], choice["kind"]
    try:
        deal = replay_of_text(text)["deals"][number]
        before, step = deal["steps"][at - 1], deal["steps"][at]
    except (Unsupported, IndexError):
        return None
    if kind != SAY and step["kind"] != kind:
        return None
    hands = [
        hand if seat == choice["seat"] else shown + cards.UNKNOWN * (len(hand) - len(shown))
        for seat, (hand, shown) in enumerate(zip(before["hands"], before["known"], strict=True), 1)
    ]
    turned = step["card"] if kind == STOCK else ""
    left = before["stock"] - len(turned)
    table = Table(tuple(hands), before["field"], tuple(before["captured"]), left)
    return SeatTable(table, turned, deal)


def to_json(daily: DailyProblem) -> DailyProblemJson:
    """Return the problem of a day for programs."""
    problem, (table, turned, deal) = daily
    choice = problem.choice
    return DailyProblemJson(
        day=str(problem.day),
        ruleset=problem.ruleset,
        key=problem.record.key,
        at=f"{problem.deal}.{problem.step - 1}",
        month=deal["month"],
        turn=choice["turn"],
        seat=problem.seat,
        kind=problem.kind,
        totals=deal["before"],
        hands=table.hands,
        field=table.field,
        captured=table.captured,
        turned=turned,
        stock=table.stock,
        options=choice["options"],
        played=choice["played"],
        best=problem.best,
        advantage=problem.advantage,
        error=problem.error,
    )


# Answers ------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """An answer to the problem of a day."""

    ruleset: str
    day: date
    move: str


def parse_answer(text: str) -> Answer | None:
    """Return an answer written as ``koikoi 2026-11-30 AxB``, or None for any other text."""
    ruleset, day, move = (*text.split(" ", 2), "", "")[:3]
    try:
        return Answer(ruleset, date.fromisoformat(day), move) if ruleset in RULESETS else None
    except ValueError:
        return None


def store_answers(account: int, answers: Iterable[Answer]) -> int:
    """Store the first answer of an account for each day. Return the number of valid answers.

    An answer is valid if the day has a problem that offers the action.
    """
    rows = []
    for ruleset, day, move in answers:
        problem = _find(ruleset, day)
        if problem and any(option["move"] == move for option in problem.choice["options"]):
            is_best = move == problem.best
            rows.append(
                ProblemAnswer(
                    account_id=account, ruleset=ruleset, day=day, move=move, is_best=is_best
                )
            )
    ProblemAnswer.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def answers_of(account: int, ruleset: str) -> dict[str, list[Any]]:
    """Return the newest answers of an account by ISO date: the action, and whether it was best."""
    answers = ProblemAnswer.objects.filter(account=account, ruleset=ruleset)
    return {
        str(answer.day): [answer.move, answer.is_best]
        for answer in answers.order_by("-day")[:MOST_ANSWERS]
    }


def count_streak(answers: Mapping[str, Sequence[Any]], day: date) -> int:
    """Return the number of consecutive days with the best action, up to a day or the day before."""
    count = 0
    if str(day) not in answers:
        day -= timedelta(days=1)
    while answers.get(str(day), ("", False))[1]:
        count += 1
        day -= timedelta(days=1)
    return count


# Own choices --------------------------------------------------------------------------------------


class OwnChoice(NamedTuple):
    """A costly choice of a player in a game of the viewer."""

    key: str
    player: str
    choice: dict[str, Any]


def own_choices(user: int) -> list[OwnChoice]:
    """Return the costly choices in the newest analysed games of a user, the costliest first."""
    owned = ownerships_of(user).values("record")
    analyses = Analysis.objects.filter(record__in=owned, made__isnull=False)
    reports = dict(analyses.order_by("-record").values_list("record", "found")[:_OWN_GAMES])
    games = records().in_bulk(list(reports))
    show_own_texts(games.values(), Viewer(user))
    choices = [
        OwnChoice(record.key, record.players[choice["seat"] - 1], choice)
        for record in games.values()
        for choice in reports[record.pk]["choices"]
        if choice["costly"] and choice["kind"] in KINDS
    ]
    return sorted(choices, key=lambda costly: -costly.choice["better"])
