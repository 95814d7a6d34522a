"""What may be asked of facts: each metric as data.

A metric is a share or a mean of a column of facts, over those of them that another column chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from records.facts.rows import THOUSANDTHS


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: ``kind`` is ``rate``, with Wilson's interval, or ``number``, a mean with that of
    Student's t (`records.totals.intervals`).

    ``table`` is that of the cases, ``value`` the column that is added up, ``of`` the column that is
    not 0 for those that count, "" for all. ``small``: it is a sum in the small unit of the ruleset,
    or in so many parts of it as ``parts``; else ``unit`` says what it counts. ``once``: of a deal
    one seat counts, the dealer's, unless seats are distinguished. ``without`` are dimensions by
    which it makes no sense.
    """

    id: str
    title: Promise
    gloss: Promise
    cases: Promise
    value: str
    kind: str = "number"
    of: str = ""
    table: str = ""
    small: bool = False
    parts: int = 1
    unit: Promise | str = ""
    once: bool = False
    without: tuple[str, ...] = ()


_DEALS: Final = _("Deals of a seat that was in play.")
_ALL: Final = (
    Metric(
        "score",
        _("Mean score of a deal"),
        _("What a deal gave the seat."),
        cases=_DEALS,
        value="score",
        small=True,
    ),
    Metric(
        "win_rate",
        _("Deals won"),
        _("The share of deals that the seat won."),
        cases=_DEALS,
        kind="rate",
        value="won",
    ),
    Metric(
        "yaku_rate",
        _("Deals with a yaku"),
        _(
            "The share of deals in which the seat made a yaku, or the one that is chosen; struck "
            "out ones do not count."
        ),
        cases=_DEALS,
        kind="rate",
        value="made",
        without=("yaku",),
    ),
    Metric(
        "play_on_rate",
        _("Koi-koi or sage said"),
        _("How often a seat that could stop played on."),
        cases=_("Times that a seat could stop or play on."),
        kind="rate",
        value="on",
        table="choices",
    ),
    Metric(
        "gain",
        _("Gain of playing on"),
        _("The score of the deal minus what stopping would have given, of those who played on."),
        cases=_("Times that a seat played on."),
        value="gain",
        of="on",
        table="choices",
        small=True,
    ),
    Metric(
        "loss",
        _("Loss of a choice"),
        _("How much better the best other action was, where by more than two standard errors."),
        cases=_("Choices that were analysed; forced ones are none."),
        value="loss",
        table="losses",
        small=True,
        parts=THOUSANDTHS,
    ),
    Metric(
        "first_take",
        _("First card captures"),
        _("How often the first card of a deal, from the dealer's hand, captures."),
        cases=_("Deals whose first card is known."),
        kind="rate",
        value="took",
        of="first",
    ),
    Metric(
        "length",
        _("Length of a deal"),
        _("Turns of a deal; each deal counts once."),
        cases=_("Deals; where seats are distinguished, deals of a seat."),
        value="turns",
        of="turns",
        unit=_("turns"),
        once=True,
    ),
    Metric(
        "received",
        _("Payments received"),
        _("What all payments of a deal that gave the seat something came to."),
        cases=_DEALS,
        value="got",
        small=True,
    ),
    Metric(
        "paid",
        _("Payments made"),
        _("What all payments of a deal that took something from the seat came to."),
        cases=_DEALS,
        value="gave",
        small=True,
    ),
)
#: In the order in which they are offered.
METRICS: Final[Mapping[str, Metric]] = {one.id: one for one in _ALL}
