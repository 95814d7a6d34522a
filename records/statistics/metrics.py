"""The metrics of insights: each a share or a mean of a value over rows of a fact table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from records.facts.analysed import THOUSANDTHS
from records.statistics.selection import PAIRS


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: ``rate`` with Wilson's interval, or ``number``, a mean with Student's t interval.

    ``value`` and ``condition`` are SQL over ``table``: a whole number (0 or 1 for a rate), and the
    cases that count.

    - ``is_sum``: the value is a sum in the ruleset's small unit divided by ``parts``; otherwise
      ``unit`` names what the value counts.
    - ``sitting_out``: seats that sat a deal out count too.
    - ``of_game``: the value is the same in all deals of a game, so games are the independent cases.
    - ``once``: each deal counts once, by the dealer's seat, unless seats are distinguished.
    - ``without``: dimensions by which the metric makes no sense.
    - ``shared``: the seats of a deal always have the same sum in a zero-sum ruleset.
    """

    id: str
    title: Promise
    gloss: Promise
    cases: Promise
    value: str
    kind: str = "number"
    condition: str = ""
    table: str = "seats"
    is_sum: bool = False
    parts: int = 1
    unit: Promise | str = ""
    sitting_out: bool = False
    of_game: bool = False
    once: bool = False
    without: tuple[str, ...] = ()
    shared: bool = False


#: The fact table of luck.
LUCK: Final = "luck"
#: Tables with amounts of margins: in every house, those of a deal add up to 0.
ZERO_SUM: Final = (LUCK, PAIRS)
_DEALS: Final = _("Months of a seat that was in play.")
_PLAYED_ON: Final = _("Times that a seat played on.")
_COMPLETED: Final = _("Captured yaku that a seat completed, paid for or not.")
_MEASURED: Final = _("Measured months of a seat, also of a seat that sat out.")
_ALL: Final = (
    Metric(
        "score",
        _("Mean score of a month"),
        _("What a month gave the seat."),
        cases=_DEALS,
        value="score",
        is_sum=True,
        shared=True,
    ),
    Metric(
        "win_rate",
        _("Months won"),
        _("The share of months that the seat won."),
        cases=_DEALS,
        kind="rate",
        value="won::INTEGER",
        shared=True,
    ),
    Metric(
        "yaku_rate",
        _("Months with a yaku"),
        _(
            "The share of months in which the seat made a yaku, or the one that is chosen; struck "
            "out ones do not count."
        ),
        cases=_DEALS,
        kind="rate",
        value="if($yaku = '', yaku <> '', list_contains(string_split(yaku, ' '), $yaku))::INTEGER",
        without=("yaku",),
    ),
    Metric(
        "game_rate",
        _("Games won in the end"),
        _(
            "The share of seats before a month that won the game alone; by standing, the chance to "
            "win from it."
        ),
        cases=_("Months of a seat, also of a seat that sat out, of games that came to an end."),
        kind="rate",
        value="game_won::INTEGER",
        condition="game_won IS NOT NULL",
        sitting_out=True,
        of_game=True,
    ),
    Metric(
        "yaku_turn",
        _("Turn of a yaku"),
        _("The seat's own turn in which it completed a yaku."),
        cases=_COMPLETED,
        value="turn",
        table="completions",
        unit=_("turns"),
    ),
    Metric(
        "win_with_yaku",
        _("Months won with a yaku"),
        _("How often a seat that completed a yaku won the month."),
        cases=_COMPLETED,
        kind="rate",
        value="won::INTEGER",
        table="completions",
    ),
    Metric(
        "balance",
        _("Balance with another seat"),
        _(
            "What a seat received from another seat in a month, less what it paid to it; for two "
            "players the margin."
        ),
        cases=_("Months of a seat with each other seat, at least one of them in play."),
        value="amount",
        table=PAIRS,
        is_sum=True,
        sitting_out=True,
        shared=True,
    ),
    Metric(
        "play_on_rate",
        _("Koi-koi or sage said"),
        _("How often a seat that could stop played on."),
        cases=_("Times that a seat could stop or play on."),
        kind="rate",
        value='"on"::INTEGER',
        table="choices",
    ),
    Metric(
        "gain",
        _("Gain of playing on"),
        _(
            "The month's margin (own score minus the opponent's, where scores have no fixed sum) "
            "minus the margin by stopping, of those who played on."
        ),
        cases=_PLAYED_ON,
        value="margin - stop_margin",
        condition='"on"',
        table="choices",
        is_sum=True,
    ),
    Metric(
        "gain_points",
        _("Gain of playing on, own points"),
        _(
            "The score of the month minus the score by stopping, of those who played on. What "
            "opponents won is left out."
        ),
        cases=_PLAYED_ON,
        value="score - stop",
        condition='"on"',
        table="choices",
        is_sum=True,
    ),
    Metric(
        "loss",
        _("Loss of a choice"),
        _("How much better the best other action was, where by more than two standard errors."),
        cases=_("Choices that were analysed; forced ones are none."),
        value="loss",
        table="losses",
        is_sum=True,
        parts=THOUSANDTHS,
    ),
    Metric(
        "luck",
        _("Luck"),
        _("How much better the dealt cards and the draw pile were than random ones."),
        cases=_MEASURED,
        value="deal_luck + stock_luck",
        table=LUCK,
        sitting_out=True,
        is_sum=True,
        parts=THOUSANDTHS,
        shared=True,
    ),
    Metric(
        "deal_luck",
        _("Luck of the deal"),
        _("How much better the dealt cards were than a random deal."),
        cases=_MEASURED,
        value="deal_luck",
        table=LUCK,
        sitting_out=True,
        is_sum=True,
        parts=THOUSANDTHS,
        shared=True,
    ),
    Metric(
        "stock_luck",
        _("Luck of the draw pile"),
        _("How much better the cards of the draw pile were than in a random order."),
        cases=_MEASURED,
        value="stock_luck",
        table=LUCK,
        sitting_out=True,
        is_sum=True,
        parts=THOUSANDTHS,
        shared=True,
    ),
    Metric(
        "own_choices",
        _("Own choices"),
        _(
            "What the seat's choices brought compared with those of a simple player, with all "
            "hands known."
        ),
        cases=_MEASURED,
        value="own_choices",
        table=LUCK,
        sitting_out=True,
        is_sum=True,
        parts=THOUSANDTHS,
    ),
    Metric(
        "first_take",
        _("First card captures"),
        _("How often the first card of a month, from the dealer's hand, captures."),
        cases=_("Months whose first card is known."),
        kind="rate",
        value="(first_take <> '')::INTEGER",
        condition="first_card IS NOT NULL",
    ),
    Metric(
        "length",
        _("Length of a month"),
        _("Turns of a month; each month counts once."),
        cases=_("Months; where seats are distinguished, months of a seat."),
        value="turns",
        condition="turns > 0",
        unit=_("turns"),
        once=True,
    ),
    Metric(
        "received",
        _("Payments received"),
        _("What all payments of a month that gave the seat something came to."),
        cases=_DEALS,
        value="received",
        is_sum=True,
    ),
    Metric(
        "paid",
        _("Payments made"),
        _("What all payments of a month that took something from the seat came to."),
        cases=_DEALS,
        value="paid",
        is_sum=True,
    ),
)
#: In display order.
METRICS: Final[Mapping[str, Metric]] = {metric.id: metric for metric in _ALL}
