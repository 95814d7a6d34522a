"""Shared by the figures: columns of estimates, names, units, counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.statistics.answer import Column, Unit
from records.statistics.intervals import Estimate
from records.statistics.questions import MOST_LEAST, Parameter, count_to
from records.statistics.sums import Sums

Values = dict[str, str | int | float | bool | None]

#: The parameter of figures with many rows.
LEAST: Final = Parameter(
    "n_min",
    gettext_lazy("Only rows with at least this many cases."),
    {"type": "integer", "minimum": 1, "maximum": MOST_LEAST, "default": 1},
    count_to(MOST_LEAST, 1),
    1,
)


def add_rows(rows: Sums, *, but: str = "") -> dict[str, int]:
    """Return the sum of each number over all keys, ``but`` one."""
    return {name: sum(row[name] for key, row in rows.items() if key != but) for name in rows.names}


def in_play(sums: Mapping[str, Sums]) -> dict[str, int]:
    """Return the deals of the seats that were in play: deals, won, score, score_sq."""
    return add_rows(sums["deals"], but="out")


def estimated(id: str, title: str, kind: str, unit: str = "", definition: str = "") -> list[Column]:
    """The column of an estimate and those of its 95 % interval."""
    words = {"title": title}
    return [
        Column(id, title, kind, unit, definition),
        Column(f"{id}_low", _("%(title)s: 95 %% from") % words, kind, unit),
        Column(f"{id}_high", _("%(title)s: 95 %% to") % words, kind, unit),
    ]


def put(id: str, estimate: Estimate) -> Values:
    """The values of :func:`estimated`'s columns."""
    return {id: estimate.value, f"{id}_low": estimate.low, f"{id}_high": estimate.high}


def parts_of(estimate: Estimate, parts: float) -> Estimate:
    """An estimate in units, of numbers that count parts of one."""
    return Estimate(*(None if one is None else one / parts for one in estimate))


def unit(ruleset: str) -> Unit:
    """The unit of the sums of a ruleset: its small unit, which people may read as a part of kan."""
    rules = RULESETS[ruleset]
    small = _("mon") if rules.mon else _("points")
    return Unit(small, _("kan"), KAN) if rules.kan else Unit(small)


def counted(title: str, definition: str = "") -> Column:
    """The column ``n``."""
    return Column("n", title, "count", "", definition)


def flagged(definition: str) -> Column:
    """The column ``differs``."""
    return Column("differs", _("differs beyond chance"), "flag", "", definition)


def corrected(tests: str) -> str:
    """The meaning of a flag."""
    return _(
        "Whether %(tests)s, at the level of 5 %% for all rows of the table together (Holm's "
        "correction); null where nothing could be tested."
    ) % {"tests": tests}
