"""A figure of the statistics: its parameters, columns and chart, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import BadParameter
from records.statistics import questions
from records.statistics.answer import Answer, Case, Column, Row
from records.statistics.columns import make_rows, with_bounds
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Parameter, Question

#: Filters that figures of games accept by default.
FILTERS: Final = (
    *("ruleset", "profile", "option", "event", "player", "opponent", "seat", "from", "to", "last"),
)
Chart = Callable[[Sequence[Column]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a query: the cases of the rows in their order, and their number ``n``.

    ``chart`` and ``drawn`` replace the figure's chart and the rows that it shows, of which it shows
    at most ``most_drawn``. ``next`` is the cursor of the rows that follow, ``total`` the number of
    rows of all pages, None if these are all.
    """

    cases: Sequence[Case]
    n: int
    notes: Sequence[str] = ()
    chart: Chart | None = None
    drawn: Sequence[Row] | None = None
    most_drawn: int | None = None
    next: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure; its id is the name of its resource.

    - ``columns`` are those of a query, ``compute`` returns the cases of its rows from what ``read``
      reads, and ``chart`` draws the rows, or only those for which ``is_drawn``; a chart that
      depends on the query is the result's.
    - ``filters`` are those of `questions.FILTERS` that it accepts, ``own`` its own parameters, of
      which ``faults`` finds those that do not go together. ``any_ruleset``: the query need not name
      a ruleset.
    - ``about`` are the filters that name the players whom the figure is about. Without them pages
      do not show it, and ``read_nobody`` reads what it has all the same.
    - ``has`` says whether a ruleset has the figure. ``forms`` are values of ``own`` of which each
      has columns of its own.
    - ``page`` is the name of a page of its own, empty for those on the page of a ruleset.
    - ``basis`` adds to the definition how it is computed.
    """

    id: str
    title: Promise
    definition: Promise
    formula: Promise
    columns: Callable[[Question], Sequence[Column]]
    compute: Callable[[Question, Gathered], Result]
    chart: Chart | None = None
    read: Callable[[Question], Gathered] = gather
    is_drawn: Callable[[Row], object] = lambda row: True
    filters: Sequence[str] = FILTERS
    own: Sequence[Parameter] = ()
    faults: Callable[[Question], Iterable[BadParameter]] = lambda question: ()
    about: Sequence[str] = ()
    read_nobody: Callable[[Question], Gathered] = lambda question: Gathered()
    any_ruleset: bool = False
    has: Callable[[Ruleset], bool] = lambda rules: True
    forms: Sequence[Mapping[str, str]] = ({},)
    page: str = ""
    basis: Promise | str = ""

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The registered rulesets that have it."""
        return tuple(id for id, rules in RULESETS.items() if self.has(rules))

    def possible_columns(self) -> list[Sequence[Column]]:
        """Return the columns of each ruleset and each form of rows."""
        return [
            with_bounds(self.columns(self.question(form, ruleset=ruleset)))
            for ruleset in self.rulesets
            for form in self.forms
        ]

    def question(self, own: Mapping[str, Any] = {}, **filters: Any) -> Question:
        """Return a question with these filters; its own parameters have defaults."""
        defaults = {parameter.name: parameter.default for parameter in self.own}
        return Question(**filters, own={**defaults, **own})

    def parse(self, query: QueryDict) -> tuple[Question, list[BadParameter]]:
        """Return the question of a query string, and the faults in it."""
        question, faults = questions.read(
            query, self.filters, self.own, self.rulesets, any_ruleset=self.any_ruleset
        )
        return question, faults or [*self.faults(question)]

    def gather(self, question: Question) -> Gathered:
        """Read what a question is about."""
        if all(getattr(question, name) for name in self.about):
            return self.read(question)
        is_pair = len(self.about) > 1
        note = _("Give both a player and an opponent.") if is_pair else _("No player is given.")
        return replace(self.read_nobody(question), notes=[note])

    def answer(self, question: Question, gathered: Gathered | None = None) -> Answer:
        """Return the answer in the language of the request, from what `gather` has read."""
        gathered = gathered or self.gather(question)
        columns = self.columns(question)
        result = self.compute(question, gathered)
        rows = make_rows(columns, result.cases)
        drawn = result.drawn
        if drawn is None:
            drawn = [row for row in rows if self.is_drawn(row)][: result.most_drawn]
        draw = result.chart or self.chart
        shown = with_bounds(columns)
        text = _("n = %(n)s") % {"n": f"{result.n:,}"}
        subtitle = f"{labels.ruleset(question.ruleset)} · {text}" if question.ruleset else text
        return Answer(
            id=self.id,
            title=str(self.title),
            definition=str(self.definition),
            formula=str(self.formula),
            basis=str(self.basis),
            filters=questions.filters(question),
            games=gathered.games,
            deals_played=gathered.deals,
            n=result.n,
            as_of=gathered.as_of,
            columns=shown,
            rows=rows,
            notes=[*gathered.notes, *result.notes],
            chart=draw(shown) if draw else {},
            drawn=drawn,
            subtitle=subtitle,
            next=result.next,
            total=len(rows) if result.total is None else result.total,
        )
