"""A figure that can be asked for: what it is called, what it knows, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.statistics.answer import Answer, Column, Row
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Parameter, Question, filters

#: Filters that figures of games know unless they say otherwise.
FILTERS: Final = (
    *("ruleset", "profile", "option", "event", "player", "opponent", "seat", "from", "to", "last"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What a figure computes: the part of an `Answer` that differs from question to question."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    n: int
    chart: Mapping[str, Any]
    notes: Sequence[str] = ()
    drawn: Sequence[Row] | None = None
    next: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure; its id is the name of its resource.

    ``filters`` are those of `asking.NAMES` that it knows, ``own`` its own parameters, and ``has``
    says which rulesets have it. ``any_ruleset``: it can be asked without naming one. ``basis`` is
    what the definition leaves unsaid of how it is computed. ``compute`` makes the result of what
    ``gather`` has read from the database.
    """

    id: str
    title: Promise
    definition: Promise
    formula: Promise
    compute: Callable[[Question, Gathered], Result]
    has: Callable[[Ruleset], bool] = lambda rules: True
    filters: Sequence[str] = FILTERS
    own: Sequence[Parameter] = ()
    any_ruleset: bool = False
    basis: Promise | str = ""
    gather: Callable[[Question], Gathered] = field(default=gather)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The rulesets that have it, of those that are registered now."""
        return tuple(id for id, rules in RULESETS.items() if self.has(rules))

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
            deals=gathered.deals,
            n=found.n,
            as_of=gathered.as_of,
            columns=found.columns,
            rows=found.rows,
            notes=[*gathered.notes, *found.notes],
            chart=found.chart,
            drawn=found.drawn,
            subtitle=subtitle,
            next=found.next,
        )
