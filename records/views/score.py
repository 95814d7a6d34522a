"""The score of a game by months, from its verdict: what each deal gave, and the running sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from records.kafu.vocabulary import GRADES, KAN, RULES
from records.views import names
from records.views.paying import amount


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of a deal's ledger: the yaku, and who got or paid what."""

    label: str
    amounts: list[tuple[str, int]]
    void: bool


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal of the table; ``totals`` are the sums up to and with it."""

    number: int
    month: str
    plant: str
    dealer: str
    end: str
    ledger: list[LineView]
    score: list[int]
    totals: list[int]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """All deals, and the settlement: ``prizes`` is what it adds to the last totals (吟味).

    Sums are in the small unit; ``kan`` says that they are read in kan of 12.
    """

    players: list[str]
    deals: list[DealRow]
    totals: list[int]
    prizes: list[int] | None
    final: list[int] | None
    kan: bool


def score_table(verdict: Mapping[str, Any], players: Sequence[str]) -> ScoreTable:
    """The table of a verdict (the object of verdict.md)."""
    totals = [0] * len(players)
    rows = []
    for number, deal in enumerate(verdict["deals"], start=1):
        totals = [total + score for total, score in zip(totals, deal["score"], strict=True)]
        rows.append(
            DealRow(
                number=number,
                month=names.month(deal["month"]),
                plant=names.plant(deal["month"]),
                dealer=players[deal["dealer"] - 1],
                end=names.end(deal["end"]),
                ledger=[_line(line, players) for line in deal["ledger"]],
                score=list(deal["score"]),
                totals=totals,
            )
        )
    final = verdict["final"]
    # A settlement in the unit of the totals adds a prize; in another unit it says so by itself.
    prizes = None
    if final is not None and verdict["rules"] != "hachihachi":
        found = [end - total for end, total in zip(final, totals, strict=True)]
        prizes = found if any(found) else None
    if final is not None and verdict["rules"] == "hachihachi":
        final = [KAN * sum_ for sum_ in final]
    kan = RULES[verdict["rules"]].kan
    return ScoreTable(list(players), rows, totals, prizes, final, kan)


def _line(line: Mapping[str, Any], players: Sequence[str]) -> LineView:
    amounts = [
        (name, amount) for name, amount in zip(players, line["amounts"], strict=True) if amount
    ]
    return LineView(names.yaku(line["label"]), amounts, line["void"])


def claim(mismatch: Mapping[str, Any], players: Sequence[str], rules: str) -> str:
    """A mismatch in words: where, whose, what was claimed and what the replay gives."""
    where = {
        "score": _("Score"),
        "final": _("Final"),
        "result": _("Result"),
        "ba": _("Field grade"),
    }.get(mismatch["where"], mismatch["where"])
    place = []
    if mismatch["deal"]:
        place.append(_("deal %(number)d") % {"number": mismatch["deal"]})
    if mismatch["seat"]:
        place.append(players[mismatch["seat"] - 1])
    values = {
        "where": f"{where} ({', '.join(place)})" if place else where,
        "claimed": _claimed(mismatch["claimed"], rules),
        "computed": _claimed(mismatch["computed"], rules),
    }
    return _("%(where)s: the record claims %(claimed)s, the replay gives %(computed)s.") % values


def _claimed(value: int | str | None, rules: str) -> str:
    """A claimed sum in the unit of the ruleset, or a field grade."""
    if isinstance(value, int):
        return amount(value, kan=True) if rules and RULES[rules].kan else str(value)
    return names.grade(value) if value in GRADES else str(value)
