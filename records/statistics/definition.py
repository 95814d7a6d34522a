"""A figure of the statistics: its name, the filters that it accepts, and its computation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import BadParameter
from records.statistics.answer import Answer, Column, Row
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Parameter, Question, filters

#: Filters that figures of games accept by default.
FILTERS: Final = (
    *("ruleset", "profile", "option", "event", "player", "opponent", "seat", "from", "to", "last"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a figure: the part of an `Answer` that depends on the query.

    ``total`` is the number of rows of all pages, None if ``rows`` are all.
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    n: int
    chart: Mapping[str, Any]
    notes: Sequence[str] = ()
    drawn: Sequence[Row] | None = None
    next: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure; its id is the name of its resource.

    ``filters`` are those of `questions.NAMES` that it accepts, ``own`` its own parameters, and
    ``has`` says whether a ruleset has it. ``any_ruleset``: the question need not name a ruleset.
    ``forms`` are values of ``own`` of which each has columns of its own.
    ``faults`` are those of parameters that do not go together.
    ``page`` is the name of a page of its own, empty for those on the page of a ruleset.
    ``basis`` adds to the definition how it is computed. ``compute`` makes the result from what
    ``gather`` has read from the database; ``columns`` are those of a question.
    """

    id: str
    title: Promise
    definition: Promise
    formula: Promise
    compute: Callable[[Question, Gathered], Result]
    columns: Callable[[Question], Sequence[Column]]
    has: Callable[[Ruleset], bool] = lambda rules: True
    filters: Sequence[str] = FILTERS
    own: Sequence[Parameter] = ()
    any_ruleset: bool = False
    faults: Callable[[Question], Iterable[BadParameter]] = lambda question: ()
    page: str = ""
    basis: Promise | str = ""
    forms: Sequence[Mapping[str, str]] = ()
    gather: Callable[[Question], Gathered] = field(default=gather)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The registered rulesets that have it."""
        return tuple(id for id, rules in RULESETS.items() if self.has(rules))

    def possible_columns(self) -> list[Sequence[Column]]:
        """The columns of each ruleset and each form of rows."""
        defaults = {own.name: own.default for own in self.own}
        return [
            self.columns(Question(ruleset=ruleset, own={**defaults, **form}))
            for ruleset in self.rulesets
            for form in self.forms or ({},)
        ]

    def answer(self, question: Question, gathered: Gathered) -> Answer:
        """The answer in the language of the request."""
        found = self.compute(question, gathered)
        text = _("n = %(n)s") % {"n": f"{found.n:,}"}
        subtitle = f"{labels.ruleset(question.ruleset)} · {text}" if question.ruleset else text
        return Answer(
            id=self.id,
            title=str(self.title),
            definition=str(self.definition),
            formula=str(self.formula),
            basis=str(self.basis),
            filters=filters(question),
            games=gathered.games,
            deals_played=gathered.deals,
            n=found.n,
            as_of=gathered.as_of,
            columns=found.columns,
            rows=found.rows,
            notes=[*gathered.notes, *found.notes],
            chart=found.chart,
            drawn=found.drawn,
            subtitle=subtitle,
            next=found.next,
            total=len(found.rows) if found.total is None else found.total,
        )
