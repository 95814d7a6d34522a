"""How a game was won: the deciding month, its best payment, lead changes, luck or choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import sqrt
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from kafu.analysis.report import CLEAR
from kafu.analysis.search import margin
from records.base import labels
from records.facts.analysed import THOUSANDTHS, SeatSums
from records.wording.steps import amount


class Cause(NamedTuple):
    """The deal that decided a game, by its number from 1, and the sentence that says how."""

    deal: int
    words: str


def cause_of(verdict: Mapping[str, Any], seats: Sequence[Sequence[int]] = ()) -> Cause | None:
    """Return how a game was won, by its verdict (verdict.md); None without a winner.

    The deal is the first from which on the winner was ahead. Without such a deal the settlement
    decided the game. ``seats`` are the sums of the game's analysis (`SeatSums`), if it has one.
    """
    final = verdict["final"]
    leader = find_leader(final) if final else None
    if leader is None:
        return None
    cause = _describe_cause(verdict, leader)
    if cause is None or not seats:
        return cause
    return cause._replace(words=_add_luck(cause.words, verdict, SeatSums(*seats[leader]), leader))


def _describe_cause(verdict: Mapping[str, Any], leader: int) -> Cause | None:
    """Return how the leader won, without luck and choices."""
    final = verdict["final"]
    deals = verdict["deals"]
    totals = list(accumulate((deal["score"] for deal in deals), _add))
    if len(deals) == 1:
        deed = _describe_deed(verdict["rules"], deals[0], leader)
        return Cause(1, _("won with %(deed)s") % {"deed": deed}) if deed else None
    number = find_decisive(totals, leader)
    if number is None:
        return Cause(len(deals), _("won by the settlement"))
    month = labels.month(deals[number]["month"])
    deed = _describe_deed(verdict["rules"], deals[number], leader)
    before = totals[number - 1] if number else [0] * len(final)
    if not deed:
        words = _("ahead since %(month)s")
    elif number == 0:
        words = _("ahead since %(month)s with %(deed)s")
    elif max(before) > before[leader]:
        words = _("came from behind in %(month)s with %(deed)s")
    else:
        words = _("took the lead in %(month)s with %(deed)s")
    return Cause(number + 1, words % {"month": _lower(month), "deed": deed})


def find_leader(sums: Sequence[int]) -> int | None:
    """Return the place of the highest sum, None if several players have it.

    >>> find_leader([3, 5, 1]), find_leader([5, 5, 1])
    (1, None)
    """
    highest = max(sums)
    return sums.index(highest) if sums.count(highest) == 1 else None


def find_decisive(totals: Sequence[Sequence[int]], winner: int) -> int | None:
    """Return the place of the deal from which on the winner was ahead, after every deal.

    Return None if the winner was not ahead after the last deal, or if there is only one deal.

    >>> find_decisive([[5, 0], [5, 7], [9, 7], [9, 8]], winner=0)
    2
    """
    behind = [place for place, sums in enumerate(totals) if find_leader(sums) != winner]
    first = behind[-1] + 1 if behind else 0
    return first if len(totals) > 1 and first < len(totals) else None


def _add(before: Sequence[int], score: Sequence[int]) -> list[int]:
    return [total + gain for total, gain in zip(before, score, strict=True)]


def _describe_deed(ruleset: str, deal: Mapping[str, Any], leader: int) -> str:
    """Return the best payment of a deal and the gain of the deal; "" for a deal without a gain."""
    gain = deal["score"][leader]
    if gain <= 0:
        return ""
    lines = [line for line in deal["ledger"] if not line["void"] and line["label"] != "month"]
    best = max(lines, key=lambda line: line["amounts"][leader], default=None)
    figure = amount(gain, units=labels.units(ruleset))
    return f"{labels.yaku(best['label'])} {figure}" if best else figure


def _add_luck(words: str, verdict: Mapping[str, Any], sums: SeatSums, leader: int) -> str:
    """Add to a sentence whether more of the leader's result was luck, or choices of all players.

    One of them outweighs the other if they differ by more than two standard errors. Return the
    sentence alone if a deal was not measured, or if the leader's result is no gain.
    """
    deals = verdict["deals"]
    result = sum(margin(deal["score"], leader + 1) for deal in deals)
    if sums.deals < len(deals) or result <= 0:
        return words
    # What is not luck is the choices of all players, and noise: docs/analysis.md.
    difference = 2 * sums.luck / THOUSANDTHS - result
    if abs(difference) <= CLEAR * 2 * sqrt(sums.variance) / THOUSANDTHS:
        weighed = _("%(cause)s, by luck and choices")
    elif difference > 0:
        weighed = _("%(cause)s, mostly by luck")
    else:
        weighed = _("%(cause)s, mostly by choices")
    return weighed % {"cause": words}


def _lower(month: str) -> str:
    return f"{month[:1].lower()}{month[1:]}"
