"""Values of cards: captured cards, opening cards, and cards thrown as hatto (法度)."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.cards import CARD, PACK, PLANTS, Kind
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import shown
from records.statistics import charts
from records.statistics.answer import Case, Column
from records.statistics.columns import average, counted, ratio, share, unit
from records.statistics.definition import Figure, Result
from records.statistics.gather import Gathered
from records.statistics.intervals import Estimate, difference
from records.statistics.questions import LEAST, Parameter, Question, choice
from records.statistics.sums import ALL

#: Maximum rows of a chart.
_DRAWN: Final = 30


def _card_name(case: Case) -> str:
    return labels.apart(case["card"], labels.card(case["card"]))


# Captured cards -----------------------------------------------------------------------------------


def _cards_columns(question: Question) -> list[Column]:
    small, index = unit(question.ruleset), RULESETS[question.ruleset].card_index

    method = _("With it minus without it; interval with deals as cases.")
    columns = [
        Column("card", _("Card letter"), "id"),
        Column("name", _("Card"), "text", value=_card_name),
        Column("month", _("Month"), "count", value=lambda case: CARD[case["card"]].month),
        Column(
            "count", _("Captured"), "count", "", _("Months at whose end the seat had captured it.")
        ),
        counted(_("Months of a seat"), _("Months of which the captured cards are known.")),
        share("won", _("Months won with it"), _("Wilson interval."), of="won", n="count"),
        average("score", _("Mean score with it"), small, n="count"),
        Column(
            *("without", _("Mean score without it"), "number", small),
            value=ratio("others_score", "others"),
        ),
        Column(
            *("gain", _("Gain"), "number", small, method),
            estimate=_estimate_gain,
        ),
    ]
    if index:
        note = _("The document's index of values, where it survives.")
        columns.append(
            Column(
                *("index", _("Document's index"), "number", "", note),
                value=lambda case: index.chaff if CARD[case["card"]].kind is Kind.CHAFF else None,
            )
        )
    return columns


def _estimate_gain(case: Case) -> Estimate:
    """Return the gain with an interval that takes deals as independent, not their seats.

    A deal changes the gain by its scores with and without the card, each less their mean and
    divided by their number. With the card's holder that is ``holder * score - base`` less the
    remainder of the deal, ``(deal_score - deal_seats * mean) / without``; else only the latter.
    The variance is the sum of the squares.
    """
    with_card = case["count"], case["score"], case["score_sq"]
    without = case["others"], case["others_score"], case["others_score_sq"]
    deals = case["deals"]
    if not case["count"] or not case["others"] or deals["deals"] < 2:
        return difference(with_card, without)
    count, others = case["count"], case["others"]
    mean = case["others_score"] / others
    holder, base = 1 / count + 1 / others, case["score"] / count**2 + mean / others
    remainders = deals["score_sq"] - mean * (2 * deals["score_seats"] - mean * deals["seats_sq"])
    holders = holder * (holder * case["score_sq"] - 2 * base * case["score"]) + base**2 * count
    products = holder * (case["score_deal"] - mean * case["score_seats"])
    products -= base * (case["deal_score"] - mean * case["deal_seats"])
    squares = remainders / others**2 + holders - 2 * products / others
    return difference(with_card, without, squares * deals["deals"] / (deals["deals"] - 1))


def _compute_cards(question: Question, gathered: Gathered) -> Result:
    sums = gathered.sums["cards"]
    whole, deals = sums[ALL], gathered.sums["captures"][ALL]
    cases: list[dict[str, Any]] = []
    for card in PACK:
        captured = sums[card.letter]
        other_sums = {name: whole[name] - captured[name] for name in sums.names}
        cases.append(
            {
                "card": card.letter,
                **captured,
                "count": captured["n"],
                "n": whole["n"],
                "others": other_sums["n"],
                "others_score": other_sums["score"],
                "others_score_sq": other_sums["score_sq"],
                "deals": deals,
            }
        )
    # Equal rows, as all of an empty archive, stay in the order of the pack.
    cases.sort(key=lambda case: -_gain(case))
    notes = [
        _(
            "A gain does not show a cause: a player who captures a card may simply play well, or "
            "have captured much else. It says how much better those months went in which a seat "
            "had the card at the end."
        )
    ]
    if index := RULESETS[question.ruleset].card_index:
        dearest = ", ".join(f"{value:.2f}" for value in index.dearest)
        words = {"values": dearest, "dregs": f"{index.chaff}"}
        notes.append(
            _(
                "The koi-koi document prints an index of the values of cards. The pictures of its "
                "first fifteen, with %(values)s, are lost; all chaff cards not among "
                "them have %(dregs)s, which is shown for all chaff cards here. The index has no "
                "stated unit: compare the order, not the sizes."
            )
            % words
        )
    return Result(cases, whole["n"], notes)


def _gain(case: Case) -> float:
    if not case["count"] or not case["others"]:
        return 0
    return float(case["score"] / case["count"] - case["others_score"] / case["others"])


CARDS: Final = Figure(
    id="cards",
    title=gettext_lazy("What capturing a card is worth"),
    definition=gettext_lazy(
        "How much better a month went on average for a seat that had captured the card by its end "
        "than for one that had not."
    ),
    formula=gettext_lazy("gain = mean score of months with the card − mean score without it"),
    columns=_cards_columns,
    compute=_compute_cards,
    chart=charts.Estimates(label="name", value="gain"),
)

# Opening plays: the first card from a hand, its capture, and the result of the deal ---------------

NOTHING: Final = "-"
#: More cards than ever lie on a field.
_MOST_FIELD: Final = 48


def _read_field(value: str, question: Question) -> str:
    cards = "".join(value.split())
    wrong = sorted({letter for letter in cards if letter not in CARD})
    if wrong or len(set(cards)) < len(cards):
        words = {"value": shown(value)}
        message = _("“%(value)s”: expected letters of cards (A–Z, a–v), each at most once.")
        raise ValueError(message % words)
    return "".join(sorted(cards))


def possible(card: str, take: str, field: str) -> bool:
    """Return whether a play is possible on a field of these cards.

    A card captures one card of its month if one or two are on the field, and all if three are (C2).

    >>> possible("A", "B", "BCE"), possible("A", "-", "E"), possible("A", "B", "BCD")
    (True, True, False)
    """
    lying = {letter for letter in field if CARD[letter].month == CARD[card].month}
    if card in lying:
        return False
    if take == NOTHING:
        return not lying
    captured = set(take)
    return captured <= lying and len(captured) == (3 if len(lying) == 3 else 1)


def _openings_columns(question: Question) -> list[Column]:
    card = Column("play", _("Card letter"), "id", value=lambda case: case["card"])
    if question.own["of"] == "card":
        return [
            card,
            Column("name", _("Card"), "text", value=_card_name),
            counted(_("Months"), _("Months with it on the field when the first card was played.")),
            Column(
                *("taken", _("Times captured"), "count", ""),
                _("Of these, captured by the first hand card."),
            ),
            share("rate", _("Captured immediately"), _("Wilson interval."), of="taken"),
        ]
    return [
        card,
        Column(
            *("take", _("Captured letters"), "id", "", _("`none` where it captured nothing.")),
            value=lambda case: "none" if case["take"] == NOTHING else case["take"],
        ),
        Column("name", _("Opening play"), "text", value=_play),
        counted(_("Months"), _("Months that a seat opened so.")),
        share("rate", _("Months won"), _("Wilson interval."), of="won"),
        average("score", _("Mean score"), unit(question.ruleset)),
    ]


def _play(case: Case) -> str:
    card, take = case["card"], case["take"]
    if take == NOTHING:
        return _("%(card)s, nothing captured") % {"card": _brief_name(card)}
    taken = labels.listed(_taken_name(card, letter) for letter in take)
    return _("%(card)s captures %(taken)s") % {"card": _brief_name(card), "taken": taken}


def _brief_name(letter: str) -> str:
    return labels.apart(letter, labels.brief(letter))


def _taken_name(by: str, letter: str) -> str:
    """Return the name of a captured card; long English names give the plant of both once."""
    is_same = CARD[by].month == CARD[letter].month and labels.lang() == "en"
    plant = f"{PLANTS[CARD[letter].month - 1].en} " if is_same else ""
    return _brief_name(letter).removeprefix(plant).removeprefix("with ")


def _compute_openings(question: Question, gathered: Gathered) -> Result:
    field, least = question.own["field"], question.own["n_min"]
    cases: list[Case] = []
    if question.own["of"] == "card":
        lay = gathered.sums["lay"]
        cases = [
            {"card": card.letter, **lay[card.letter]}
            for card in PACK
            if not field or card.letter in field
        ]
    else:
        for key, sums in gathered.sums["openings"].most_frequent():
            card, take = key.split(" ")
            if not field or possible(card, take, field):
                cases.append({"card": card, "take": take, **sums})
    listed = [case for case in cases if case["n"] >= least or least == 1]
    n = sum(case["n"] for case in cases)
    if question.own["of"] == "card":
        return Result(listed, n, chart=charts.Estimates(label="name", value="rate"))
    notes = []
    if field:
        words = {"cards": labels.brief(field)}
        notes.append(
            _(
                "Plays that are possible with %(cards)s on the field; each counts wherever it was "
                "made, whatever else was on the field."
            )
            % words
        )
    return Result(listed, n, notes, most_drawn=_DRAWN)


OPENINGS: Final = Figure(
    id="openings",
    title=gettext_lazy("Opening plays"),
    definition=gettext_lazy(
        "The first card that is played from a hand in a month, with what it captures: how often, "
        "and how the month then went for that seat. For cards on the field: how often the first "
        "play captures them."
    ),
    formula=gettext_lazy("rate = won / n; score = sum of the scores / n; with of=card, taken / n"),
    columns=_openings_columns,
    compute=_compute_openings,
    chart=charts.Estimates(label="name", value="score"),
    forms=({"of": "play"}, {"of": "card"}),
    own=(
        choice(
            "of",
            gettext_lazy("Plays from the hand, or cards on the field."),
            ("play", "card"),
            "play",
        ),
        Parameter(
            "field",
            gettext_lazy("Only plays that are possible with these cards (letters) on the field."),
            {"type": "string", "pattern": "^[A-Za-v]+$", "maxLength": _MOST_FIELD},
            _read_field,
        ),
        LEAST,
    ),
)

# Cards thrown against the rule, and their cost ----------------------------------------------------


def _hatto_columns(question: Question) -> list[Column]:
    small = unit(question.ruleset)
    per_throw, when_paid = _("Cost divided by times thrown."), _("Cost divided by times paid.")
    return [
        Column("card", _("Card letter"), "id", "", _("`all` for all cards together.")),
        Column(
            *("name", _("Card"), "text"),
            value=lambda case: _("all cards") if case["card"] == ALL else _card_name(case),
        ),
        Column("thrown", _("Thrown"), "count", "", _("Times that a seat threw it as hatto.")),
        counted(_("Months of a seat"), _("Months that a seat was in play.")),
        share("rate", _("Thrown per month"), _("Wilson interval."), of="thrown"),
        Column("paid", _("Paid"), "count", "", _("Times that the thrower had to pay for others.")),
        share("paid_rate", _("Paid per throw"), _("Wilson interval."), of="paid", n="thrown"),
        Column("cost", _("Cost"), "count", small, _("Paid for others, in total.")),
        Column(
            *("cost_thrown", _("Cost per throw"), "number", small, per_throw),
            value=ratio("cost", "thrown"),
        ),
        Column(
            *("cost_paid", _("Cost when paid"), "number", small, when_paid),
            value=ratio("cost", "paid"),
        ),
    ]


def _compute_hatto(question: Question, gathered: Gathered) -> Result:
    sums = gathered.sums["hatto"]
    n = gathered.sums["deals"].total()["n"]
    rows = [(ALL, sums.total()), *sums.most_frequent()]
    return Result([{"card": card, "n": n, **row} for card, row in rows], n)


HATTO: Final = Figure(
    id="hatto",
    title=gettext_lazy("Hatto and its cost"),
    definition=gettext_lazy(
        "How often a seat threw a hatto card, how often it then had to pay for the others, and "
        "how much."
    ),
    formula=gettext_lazy("rate = thrown / n; paid rate = paid / thrown; costs by throws"),
    columns=_hatto_columns,
    compute=_compute_hatto,
    chart=charts.Estimates(label="name", value="paid_rate"),
    has=lambda description: description.hatto,
)
