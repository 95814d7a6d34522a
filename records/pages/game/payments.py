"""Sums and payments in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.base import labels


def amount(points: int, *, units: labels.Units | None) -> str:
    """Return a sum with its sign: ``+5``; with kan ``+7k``, ``−3k6``; ``+7貫``, ``−3貫6文``."""
    sign = "+" if points > 0 else "−" if points < 0 else ""
    kan, small = units or ("", "")
    whole, remainder = divmod(abs(points), KAN) if units else (0, abs(points))
    if not whole:
        return f"{sign}{remainder}{small if remainder else ''}"
    return f"{sign}{whole}{kan}{f'{remainder}{small}' if remainder else ''}"


def final_sum(sum_: int, rules: str) -> str:
    """Return a sum of the settlement in words: ``45``, ``−9``; with kan ``+13k``.

    ``sum_`` is in the unit of the settlement, such as whole kan in hachihachi (H20).
    """
    sum_ *= RULESETS[rules].final_unit
    units = labels.units(rules)
    return amount(sum_, units=units) if units else str(sum_).replace("-", "−")


def score_list(
    amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None
) -> list[str]:
    """Return the players with amounts other than 0: ``["Chie +14k", "Ben −14k"]``."""
    return [
        f"{name} {amount(sum_, units=units)}"
        for name, sum_ in zip(players, amounts, strict=bool(amounts))
        if sum_
    ]


def scores(amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return the players with amounts other than 0: ``Chie +14k, Ben −14k``."""
    return labels.listed(score_list(amounts, players, units=units))


def pay(event: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return a payment (an event of the replay JSON) as one or two sentences."""
    text = _("%(yaku)s: %(scores)s.") % {
        "yaku": labels.yaku(event["yaku"]),
        "scores": scores(event["amounts"], players, units=units),
    }
    reason = pay_reason(event, players)
    return f"{text} {reason}" if reason else text


def pay_reason(event: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return a sentence about the reason of a payment; "" if each seat pays a share.

    The reasons are: one seat pays for the others, or calls multiply a total (K17).
    """
    if event["why"] == "share":
        return ""
    if event["why"] == "calls":
        values = {"calls": event["amount"], "times": event["amount"] + 1}
        return _("Calls of koi-koi: %(calls)d. The total counts %(times)d times.") % values
    values = {"name": players[event["payer"] - 1], "turn": event["turn"]}
    if event["why"] == "sage":
        return _("%(name)s pays for both: in sage (playing on) since turn %(turn)d.") % values
    values["card"] = labels.brief(event["card"])
    return _("%(name)s pays for both: hatto with %(card)s in turn %(turn)d.") % values
