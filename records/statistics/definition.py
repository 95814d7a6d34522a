"""The definition of a figure: parameters, columns, chart and computation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.rulesets import RULESETS
from records.search.filters import BadParameter
from records.statistics import questions
from records.statistics.answer import Answer, Case, Column, Extremes, Row
from records.statistics.charts import Chart
from records.statistics.columns import make_rows, with_bounds
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Parameter, Question

#: Filters that figures of games accept by default.
FILTERS: Final = (
    *("ruleset", "profile", "option", "event", "player", "opponent", "seat", "from", "to", "last"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a query: the cases of the rows in their order, and their number ``n``.

    ``chart`` replaces the chart of the figure; ``drawn`` replaces the rows in the chart, at most
    ``most_drawn``. ``next`` is the cursor of the following rows, ``total`` the number of rows of
    all pages, None if there is one page. ``extremes`` are those of the answer.
    """

    cases: Sequence[Case]
    n: int
    notes: Sequence[str] = ()
    chart: Chart | None = None
    drawn: Sequence[Row] | None = None
    most_drawn: int | None = None
    next: str = ""
    total: int | None = None
    extremes: Extremes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of the statistics; its id is the name of its resource.

    - ``columns`` returns the columns for a query, ``read`` reads the input, ``compute`` returns the
      cases of the rows, and ``chart`` shows the rows for which ``is_drawn`` is true. A chart that
      depends on the query is in the result.
    - ``filters`` are the names of the accepted `questions.FILTERS`, ``own`` the parameters of this
      figure alone, ``faults`` finds contradictory values. ``any_ruleset``: the ruleset may be
      omitted.
    - ``about`` are the filters that name the players whom the figure is about. Without them pages
      hide the figure, and ``read_nobody`` reads the data of the empty answer.
    - ``has`` returns whether a ruleset has the figure. ``forms`` are values of ``own`` with
      different columns.
    - ``page`` is the name of a separate page, empty for figures on the page of a ruleset.
    - ``basis`` extends the definition by the method of computation.
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
    has: Callable[[Ruleset], bool] = lambda description: True
    forms: Sequence[Mapping[str, str]] = ({},)
    page: str = ""
    basis: Promise | str = ""

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The registered rulesets that have the figure."""
        return tuple(id for id, description in RULESETS.items() if self.has(description))

    def possible_columns(self) -> list[Sequence[Column]]:
        """Return the columns of each ruleset and each form of rows."""
        return [
            with_bounds(self.columns(self.question(form, ruleset=ruleset)))
            for ruleset in self.rulesets
            for form in self.forms
        ]

    def question(self, own: Mapping[str, Any] = {}, **filters: Any) -> Question:
        """Return a question with these filters and the defaults of the figure's parameters."""
        defaults = {parameter.name: parameter.default for parameter in self.own}
        return Question(**filters, own={**defaults, **own})

    def parse(self, query: QueryDict) -> tuple[Question, list[BadParameter]]:
        """Return the question of a query string, and its faults."""
        question, faults = questions.read(
            query, self.filters, self.own, self.rulesets, any_ruleset=self.any_ruleset
        )
        return question, faults or [*self.faults(question)]

    def gather(self, question: Question) -> Gathered:
        """Read the input of the figure for a question."""
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
            columns=with_bounds(columns),
            rows=rows,
            notes=[*gathered.notes, *result.notes],
            chart=result.chart or self.chart,
            drawn=drawn,
            next=result.next,
            total=len(rows) if result.total is None else result.total,
            extremes=result.extremes,
        )
