"""Frequency and value of yaku, captured and dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import NONE, house_hands, seat_odds
from records.base import labels
from records.models.facts import Family, family_of
from records.search.filters import yaku_of
from records.statistics import charts
from records.statistics.answer import Case, Column, Row
from records.statistics.columns import average, counted, flagged, share, unit
from records.statistics.definition import Figure, Result
from records.statistics.gather import Gathered
from records.statistics.intervals import Estimate, chance, exact, wilson
from records.statistics.questions import Question, house_options


def _one_in(case: Case) -> float | None:
    return 1 / case["exact"] if case["exact"] else None


# Completed yaku -----------------------------------------------------------------------------------


def _yaku_columns(question: Question) -> list[Column]:
    def estimate(case: Case) -> Estimate:
        return (exact if case["exact"] else wilson)(case["received"], case["n"])

    return [
        Column("yaku", _("Yaku id"), "id"),
        Column("name", _("Yaku"), "text", value=lambda case: labels.yaku(case["yaku"])),
        Column(
            *("family", _("Family"), "text", "", _("Dealt-hand, captured, special, or other.")),
            value=lambda case: str(family_of(case["yaku"]).label),
        ),
        Column(
            *("times", _("Times"), "count", ""),
            _(
                "Payments, each counted once, except those struck out. For one player or seat, "
                "payments that are no yaku are those that it received or made."
            ),
        ),
        counted(_("Months of a seat"), _("Months that a seat was in play.")),
        Column(
            *("rate", _("Rate"), "rate", ""),
            _(
                "Times divided by months of a seat, for payments that are no yaku times received; "
                "exact interval (Clopper–Pearson) where there are exact odds, else Wilson interval."
            ),
            estimate=estimate,
        ),
        Column(
            *("exact", _("Exact odds"), "rate", ""),
            _("That a seat in play can show this dealt-hand yaku in the house; not tested."),
        ),
        Column("one_in", _("Odds"), "one-in", "", _("The n of 1/n of the exact odds."), _one_in),
        Column("alone", _("Alone"), "count", "", _("Times that it was received alone.")),
        average(
            *("value", _("Mean value"), unit(question.ruleset), _("When received alone.")),
            n="alone",
            total="amount",
        ),
        Column("paid", _("Paid"), "count", "", _("Times that a seat paid it; not for yaku.")),
        Column("zero", _("For nothing"), "count", "", _("Payments that gave nothing.")),
        Column("void", _("Struck out"), "count", "", _("Times that it was struck out.")),
    ]


def _compute_yaku(question: Question, gathered: Gathered) -> Result:
    sums = gathered.sums["yaku"]
    n = gathered.sums["deals"].total()["n"]
    dealt = seat_odds(question.ruleset, house_options(question))
    families = (Family.DEALT, Family.CAPTURED, Family.SPECIAL, Family.OTHER)
    ids = sorted(
        dict.fromkeys((*yaku_of(question.ruleset), *dealt, *sums)),
        key=lambda id: (families.index(family_of(id)), -sums[id]["times"]),
    )
    cases: list[Case] = [
        {
            **sums[id],
            "yaku": id,
            "n": n,
            "received": sums[id]["times"],
            "paid": None,
            "exact": float(dealt.get(id, 0)) or None,
        }
        for id in ids
    ]
    cases += _list_payments(question, gathered, n)
    note = _(
        "A dealt-hand yaku counts when it is declared and paid. The exact odds are those of having "
        "it in the house of the question, by default the document's; who has it need not declare "
        "it, so a difference is no sign of unfair cards. “Dealt hands compared with exact odds” "
        "tests the hands themselves."
    )
    return Result(cases, n, [note])


def _list_payments(question: Question, gathered: Gathered, n: int) -> Iterator[Case]:
    """Yield the payments that are no yaku, each counted once.

    With a player or a seat in the query, only payments received or made by this seat count.
    """
    lines, seats = gathered.sums["payments"], gathered.sums["paid"]
    is_whole = not (question.player or question.seat)
    for id in sorted(lines if is_whole else seats):
        received, paid = seats[id]["received"], seats[id]["paid"]
        whole = lines[id] if is_whole else {"times": received + paid, "zero": None, "void": None}
        yield {**seats[id], **whole, "yaku": id, "n": n, "exact": None, "alone": received}


def _is_yaku_drawn(row: Row) -> object:
    """Return whether a row was paid; `HANDS` draws dealt-hand yaku."""
    return row["times"] and family_of(str(row["yaku"])) in (Family.CAPTURED, Family.SPECIAL)


YAKU: Final = Figure(
    id="yaku",
    title=gettext_lazy("How often yaku are made, and their value"),
    definition=gettext_lazy(
        "For each yaku, how often it was paid in the months that a seat was in play, and what it "
        "brought on average when it was paid alone; then the other payments, each counted once. "
        "Exact odds are next to the rates of dealt-hand yaku, without a test."
    ),
    formula=gettext_lazy(
        "rate = times / n, for payments that are no yaku times received / n; value = sum of what "
        "was received alone / times alone"
    ),
    columns=_yaku_columns,
    compute=_compute_yaku,
    chart=charts.Estimates(label="name", value="rate", measure=gettext_lazy("Share of months")),
    is_drawn=_is_yaku_drawn,
)

# Dealt hands --------------------------------------------------------------------------------------


def _hands_columns(question: Question) -> list[Column]:
    return [
        Column("family", _("Family id"), "id", "", _("`row`: by count; `col`: by chaff.")),
        Column("yaku", _("Yaku id"), "id"),
        Column("name", _("Yaku"), "text"),
        Column("count", _("Hands"), "count", "", _("Hands that had it, declared or not.")),
        counted(_("All hands"), _("Dealt hands of which every card is known.")),
        share(
            *("rate", _("Rate"), _("Clopper and Pearson's exact interval.")),
            of="count",
            method=exact,
        ),
        Column("exact", _("Exact odds"), "rate", "", _("The probability by the rules.")),
        Column("one_in", _("Odds"), "one-in", "", _("The n of 1/n of the exact odds."), _one_in),
        Column(
            *("expected", _("Expected"), "number", "", _("Hands by the exact odds.")),
            value=lambda case: case["exact"] * case["n"],
        ),
        Column(
            *("chance", _("p-value"), "number", "", _("Of the exact binomial test.")),
            value=_chance_of_hands,
        ),
        flagged(_("the hands differ from the exact odds"), _chance_of_hands),
    ]


def _chance_of_hands(case: Case) -> float | None:
    return chance(case["count"], case["n"], case["exact"]) if case["n"] else None


def _compute_hands(question: Question, gathered: Gathered) -> Result:
    of_place, *other_places = house_hands(question.ruleset, house_options(question))
    hands, sums = of_place.hands, gathered.sums["hands"]
    times = Counter[tuple[str, str]]()
    for key, counts in sums.items():
        family, _space, yaku = key.partition(" ")
        times[family, of_place.names.get(yaku, yaku)] += counts["count"]
    n = sums["hands"]["count"]
    none = {"row": _("no yaku by count"), "col": _("no yaku by chaff")}
    cases = [
        {
            "family": family,
            "yaku": yaku,
            "name": none[family] if yaku == NONE else labels.yaku(yaku),
            "count": times[family, yaku],
            "n": n,
            "exact": ways / hands.total,
        }
        for family, ways_by_yaku in (("row", hands.rows), ("col", hands.columns))
        if len(ways_by_yaku) > 1
        for yaku, ways in ways_by_yaku.items()
    ]
    notes = [
        _(
            "Hands of one month come from one pack and are not quite independent; the interval "
            "treats them as independent."
        ),
        _(
            "Yaku are those of the house of the question, by default the document's; hands of "
            "other houses are counted by them too."
        ),
        _(
            "Some houses deal again for hands that others play, such as a four of a month. Those "
            "hands are missing from their records, which changes the rates."
        ),
    ]
    if other_places:
        notes.append(
            _(
                "A yaku that only dōni (胴二) may show counts in the hand of every seat: cards are "
                "dealt without regard to the place."
            )
        )
    return Result(cases, n, notes)


HANDS: Final = Figure(
    id="hands",
    title=gettext_lazy("Dealt hands compared with exact odds"),
    definition=gettext_lazy(
        "How often a dealt hand had each dealt-hand yaku of the house, declared or not, compared "
        "with the probability that the rules give it. A hand counts for its most valuable "
        "declaration."
    ),
    formula=gettext_lazy("rate = hands with the yaku / n; exact = such hands / all possible hands"),
    columns=_hands_columns,
    compute=_compute_hands,
    chart=charts.Estimates(
        label="name",
        value="rate",
        measure=gettext_lazy("Share of dealt hands"),
        baseline="exact",
        flag="differs",
    ),
    is_drawn=lambda row: row["yaku"] != NONE,
    has=lambda description: description.dealt is not None,
)
