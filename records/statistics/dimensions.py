"""The dimensions of insights: each an SQL expression, and the texts of its codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from kafu.analysis.choices import KINDS
from kafu.cards import LETTERS
from kafu.notation.vocabulary import GRADES, KAN
from kafu.odds.exact import NONE
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.figures import with_unit
from records.models import EventName, Player
from records.privacy.redaction import archive_redaction
from records.statistics.columns import unit
from records.statistics.figures.choices import kinds
from records.statistics.figures.deals import place
from records.statistics.metrics import Metric
from records.statistics.questions import Question, month_text
from records.statistics.selection import PAIRS

#: The id of a code for a row without yaku.
NO_YAKU: Final = "none"
#: The code of a player without a rating; other codes are lower bounds of bands.
UNRATED: Final = -1
#: The width of a band of ratings.
BAND: Final = 100

#: A row's id for programs and its label for people.
Texts = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension of insights: SQL for the code of a row, null for an unknown code.

    - ``columns`` are the names of the columns of facts that ``sql`` and ``spread`` read.
    - ``texts`` returns the ids and labels of codes of a query.
    - ``ordered``: rows follow their codes; otherwise codes with the most cases come first.
    - ``of_deal``: the code is equal for all seats of a deal.
    - ``of_one_seat``: no two seats of a deal have the same code.
    - ``spread``: list-valued SQL expressions by name; a case counts once for each element, and
      ``sql`` refers to the element by the name. Dimensions may share a name.
    - ``table``: the only fact table with the dimension.
    """

    id: str
    title: Promise
    gloss: Promise
    columns: str
    sql: str
    texts: Callable[[Sequence[Any], Question], Sequence[Texts]]
    ordered: bool = True
    of_deal: bool = False
    of_one_seat: bool = False
    spread: Mapping[str, str] | None = None
    table: str = ""


def _each(text: Callable[[Any], Texts]) -> Callable[[Sequence[Any], Question], Sequence[Texts]]:
    """Return a function for many codes from a function for a single code."""
    return lambda codes, question: [text(code) for code in codes]


def _places(codes: Sequence[int], question: Question) -> Sequence[Texts]:
    ruleset = question.ruleset
    return [(str(code), place(str(code), ruleset) if ruleset else str(code)) for code in codes]


def _standings(codes: Sequence[int], question: Question) -> Sequence[Texts]:
    return [(str(code), _standing(code, question.ruleset)) for code in codes]


def _standing(code: int, ruleset: str) -> str:
    """Return a band of standings in words; its code without a ruleset, which has the unit."""
    if not code:
        return gettext("level")
    if not ruleset:
        return f"{code:+}"
    small, width = unit(ruleset), _width(ruleset)
    edges = [0, *(width * times for times in _BANDS)]
    place = edges.index(abs(code) - 1)
    low = str(edges[place] // small.size + (small.size == 1))
    amount = f">{edges[-1] // small.size}"
    if edges[place] < edges[-1]:
        amount = f"{low}–{edges[place + 1] // small.size}"
    amount = with_unit(amount, small.large)
    text = gettext("%(amount)s ahead") if code > 0 else gettext("%(amount)s behind")
    return text % {"amount": amount}


def _seats(codes: Sequence[int], question: Question) -> Sequence[Texts]:
    return [(str(code), gettext("seat %(number)d") % {"number": code}) for code in codes]


def name_rule(ruleset: str, rule: str) -> str:
    """Return the name of an option."""
    return RULESETS[ruleset].options[rule].label.label(labels.lang())


def _option_values(codes: Sequence[str], question: Question) -> Sequence[Texts]:
    rule = RULESETS[question.ruleset].options[question.own["rule"]]
    return [(code, rule.value(code, labels.lang())) for code in codes]


def _dealer(code: int) -> Texts:
    # The word of the dimension and of the forms, not the ruleset's badge.
    return ("dealer", gettext("dealer")) if code == 1 else ("other", gettext("not the dealer"))


def _grade(code: int) -> Texts:
    grade = GRADES[code - 1]
    return grade, labels.grade(grade)


def _hand(code: str) -> Texts:
    if code == NO_YAKU:
        return code, gettext("no yaku")
    return code, labels.listed(map(labels.dealt, code.split("+")))


def _yaku(code: str) -> Texts:
    return code, gettext("no yaku") if code == NO_YAKU else labels.yaku(code)


def _card(code: int) -> Texts:
    letter = LETTERS[code - 1]
    return letter, labels.apart(letter, labels.card(letter))


def _kind(code: int) -> Texts:
    kind = KINDS[code - 1]
    return kind, kinds()[kind]


def _direction(code: bool) -> Texts:
    return ("bold", gettext("too bold")) if code else ("careful", gettext("too careful"))


def _band(code: int) -> Texts:
    if code == UNRATED:
        return "unrated", gettext("unrated")
    return str(code), f"{code}–{code + BAND - 1}"


def _date(code: int) -> Texts:
    month = month_text(code)
    return month, month


def _players(codes: Sequence[int], question: Question) -> Sequence[Texts]:
    rows = Player.objects.order_by().filter(pk__in=set(codes))
    names = dict(rows.values_list("pk", "name"))
    return [(names[code], labels.person(names[code])) for code in codes]


def _events(codes: Sequence[int], question: Question) -> Sequence[Texts]:
    redaction = archive_redaction()
    rows = EventName.objects.order_by().filter(pk__in=set(codes))
    names = dict(rows.values_list("pk", "text"))
    return [
        (redaction.event_key(names[code]), labels.person(redaction.redact_column(names[code])))
        for code in codes
    ]


def _list(words: Iterable[str]) -> str:
    """Return an SQL list of words of our own."""
    return "[" + ", ".join(f"'{word}'" for word in words) + "]"


def _in_house(column: str) -> str:
    """Return SQL for a dealt-hand yaku under its name in the house, null for none.

    ``$house_yaku`` are the house's names of the yaku ``$other_yaku``, in the same order.
    """
    place = f"list_position($other_yaku::VARCHAR[], {column})"
    name = f"list_extract($house_yaku::VARCHAR[], {place})"
    return f"nullif(coalesce({name}, {column}), '{NONE}')"


#: Elements of `Dimension.spread`: the players of opposing seats in play, each once.
_OPPONENTS: Final = {
    "other": (
        "list_distinct(list_filter(string_split(players, ' ')::BIGINT[], lambda player, number:"
        " number <> seat AND (playing >> (number - 1)) & 1 = 1))"
    )
}
#: The bands of standings end at these multiples of the width of the first.
_BANDS: Final = (1, 2, 4, 8)


def _width(ruleset: str) -> int:
    """Return the width of the first band of standings, in the small unit: ten kan, or 5 mon."""
    description = RULESETS[ruleset]
    if description.kan:
        return 10 * KAN
    return 5 if description.mon else 30


def _write_standing() -> str:
    """Return SQL for the amount of a band that is nearest to 0, with the sign of the standing."""
    widths = f"{[_width(ruleset) for ruleset in RULESETS]}"
    width = f"list_extract({widths}, list_position({_list(RULESETS)}, ruleset))"
    edges = f"list_transform({[0, *_BANDS]}, lambda times: times * {width})"
    reached = f"list_filter({edges}, lambda edge: edge < abs(standing))"
    return f"sign(standing) * coalesce(list_max({reached}) + 1, 0)"


_OPPONENT_COLUMNS: Final = "players seat playing"
_BAND_SQL: Final = "CASE WHEN played % 100 > 0 THEN coalesce({band}, -1) END"
#: The ids of dimensions that a query needs for others, or that need a parameter.
RULESET: Final = "ruleset"
OPTION: Final = "option"
_MANY: Final = _("A month with several counts in the row of each.")
_ALL: Final = (
    Dimension(
        RULESET,
        _("Ruleset"),
        _("Sums are in the small unit of each."),
        "ruleset",
        f"list_position({_list(RULESETS)}, ruleset)",
        _each(lambda code: ([*RULESETS][code - 1], labels.ruleset_brief([*RULESETS][code - 1]))),
        of_deal=True,
    ),
    Dimension(
        "house",
        _("House rules"),
        _("The profile that the game names."),
        "profile",
        "profile",
        _each(lambda code: (code, labels.house(code))),
        ordered=False,
        of_deal=True,
    ),
    Dimension(
        OPTION,
        _("House option"),
        _("The value of the chosen option, written in the record or the default of its house."),
        "options profile",
        "coalesce(nullif(regexp_extract(' ' || options, $option, 1), ''),"
        " list_extract($defaults::VARCHAR[], list_position($houses::VARCHAR[], profile)))",
        _option_values,
        ordered=False,
        of_deal=True,
    ),
    Dimension(
        "seat",
        _("Seat"),
        _("The number of the seat."),
        "seat",
        "seat",
        _seats,
        of_one_seat=True,
    ),
    Dimension(
        "dealer",
        _("Dealer"),
        _("Whether the seat was the dealer."),
        "place",
        "if(place > 0, least(place, 2), NULL)",
        _each(_dealer),
    ),
    Dimension(
        "place",
        _("Place"),
        _("Counted from the dealer, who is 1."),
        "place",
        "nullif(place, 0)",
        _places,
        of_one_seat=True,
    ),
    Dimension(
        "payer",
        _("Seat of the payer"),
        _("The other seat, which pays a positive balance."),
        "payer",
        "payer",
        _seats,
        table=PAIRS,
    ),
    Dimension(
        "payer_place",
        _("Place of the payer"),
        _("Counted from the dealer, who is 1; seats that sat out are in no row."),
        "payer_place",
        "nullif(payer_place, 0)",
        _places,
        table=PAIRS,
    ),
    Dimension(
        "standing",
        _("Standing"),
        _("The seat's sum before the month, less the highest sum of another seat."),
        "ruleset standing",
        _write_standing(),
        _standings,
    ),
    Dimension(
        "month",
        _("Month of the year"),
        _("The month that was played."),
        "month",
        "nullif(month, 0)",
        _each(lambda code: (str(code), labels.month(code))),
        of_deal=True,
    ),
    Dimension(
        "grade",
        _("Field grade"),
        _("Of the dealt field."),
        "grade",
        f"list_position({_list(GRADES)}, grade)",
        _each(_grade),
        of_deal=True,
    ),
    Dimension(
        "hand",
        _("Dealt hand"),
        _("The yaku of the dealt hand, declared or not; only hands of which all cards are known."),
        "hand_row hand_column",
        f"if(hand_row IS NULL, NULL, coalesce(nullif(concat_ws('+', {_in_house('hand_row')},"
        f" {_in_house('hand_column')}), ''), '{NO_YAKU}'))",
        _each(_hand),
        ordered=False,
    ),
    Dimension(
        "first",
        _("First card"),
        _("The first card of the month, of the seat that played it."),
        "first_card",
        f"list_position({_list(LETTERS)}, first_card)",
        _each(_card),
        of_one_seat=True,
    ),
    Dimension(
        "yaku",
        _("Yaku made"),
        _MANY,
        "yaku",
        "made",
        _each(_yaku),
        ordered=False,
        spread={"made": f"string_split(if(yaku = '', '{NO_YAKU}', yaku), ' ')"},
    ),
    Dimension(
        "completed",
        _("Yaku completed"),
        _("The yaku whose turn counts, paid for or not."),
        "completed",
        "completed",
        _each(_yaku),
        ordered=False,
        table="completions",
    ),
    Dimension(
        "turn",
        _("Turn"),
        _("The seat's own turn in which it completed the yaku."),
        "turn",
        "turn",
        _each(lambda code: (str(code), gettext("turn %(number)d") % {"number": code})),
        table="completions",
    ),
    Dimension(
        "held",
        _("Yaku held"),
        _("At the choice; one with several yaku counts in the row of each."),
        "held",
        "held_yaku",
        _each(_yaku),
        ordered=False,
        spread={"held_yaku": f"string_split(if(held = '', '{NO_YAKU}', held), ' ')"},
        table="choices",
    ),
    Dimension(
        "left",
        _("Cards left"),
        _("In hand at the choice."),
        '"left"',
        '"left"',
        _each(lambda code: (str(code), gettext("%(count)d left") % {"count": code})),
        table="choices",
    ),
    Dimension(
        "kind",
        _("Kind of choice"),
        _("Of choices that were analysed."),
        "kind",
        f"list_position({_list(KINDS)}, kind)",
        _each(_kind),
        table="losses",
    ),
    Dimension(
        "direction",
        _("Too bold or too careful"),
        _("Of words and bids with a loss: whether the seat played on or went in, or did not."),
        "bold loss",
        "if(loss > 0, bold, NULL)",
        _each(_direction),
        table="losses",
    ),
    Dimension(
        "player",
        _("Player"),
        _("Players who may be named."),
        "player",
        "player",
        _players,
        ordered=False,
        of_one_seat=True,
    ),
    Dimension(
        "opponent",
        _("Opponent"),
        _MANY,
        _OPPONENT_COLUMNS,
        "other",
        _players,
        ordered=False,
        spread=_OPPONENTS,
    ),
    Dimension(
        "rating",
        _("Own rating"),
        _("Before the month of the game, in bands of 100; only games dated to the month."),
        "ruleset player played",
        _BAND_SQL.format(band="own_band"),
        _each(_band),
    ),
    Dimension(
        "opponent_rating",
        _("Opponent's rating"),
        _("Before the month of the game, in bands of 100; only games dated to the month."),
        f"ruleset played {_OPPONENT_COLUMNS}",
        _BAND_SQL.format(band="other_band"),
        _each(_band),
        spread=_OPPONENTS,
    ),
    Dimension(
        "year",
        _("Year"),
        _("Of the date of the game."),
        "played",
        "played // 100",
        _each(lambda code: (str(code), str(code))),
        of_deal=True,
    ),
    Dimension(
        "date",
        _("Year and month"),
        _("Of the date of the game."),
        "played",
        "if(played % 100 > 0, played, NULL)",
        _each(_date),
        of_deal=True,
    ),
    Dimension(
        "hour",
        _("Hour"),
        _("Of the tag Time, as it is written."),
        '"time"',
        '("time" - 1) // 3600',
        _each(lambda code: (str(code), f"{code}:00–{code}:59")),
        of_deal=True,
    ),
    Dimension(
        "event",
        _("Event"),
        _("Of the game."),
        "event",
        "event_group",
        _events,
        ordered=False,
        of_deal=True,
    ),
)
#: In display order.
DIMENSIONS: Final[Mapping[str, Dimension]] = {dimension.id: dimension for dimension in _ALL}


def possible_dimensions(metric: Metric) -> tuple[str, ...]:
    """Return the ids of the dimensions of a metric."""
    return tuple(
        dimension.id
        for dimension in _ALL
        if dimension.id not in metric.without and dimension.table in ("", metric.table)
    )
