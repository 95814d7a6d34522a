"""Payments in words: who gets what for which yaku, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.base import labels


def amount(points: int, *, units: labels.Units | None) -> str:
    """A sum with its sign: ``+5``; with kan ``+7k``, ``−3k6``; ``+7貫``, ``−3貫6文``."""
    sign = "+" if points > 0 else "−" if points < 0 else ""
    kan, small = units or ("", "")
    whole, rest = divmod(abs(points), KAN) if units else (0, abs(points))
    if not whole:
        return f"{sign}{rest}{small if rest else ''}"
    return f"{sign}{whole}{kan}{f'{rest}{small}' if rest else ''}"


def final_sum(sum_: int, rules: str) -> str:
    """A sum of the settlement: ``45``, ``−9``; with kan ``+13k``.

    It may be in another unit, as that of hachihachi in whole kan (H20).
    """
    sum_ *= RULESETS[rules].final_unit
    units = labels.units(rules)
    return amount(sum_, units=units) if units else str(sum_).replace("-", "−")


def score_list(
    amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None
) -> list[str]:
    """Who got and paid what: ``["Chie +14k", "Ben −14k"]``; empty if ``amounts`` is."""
    return [
        f"{name} {amount(sum_, units=units)}"
        for name, sum_ in zip(players, amounts, strict=bool(amounts))
        if sum_
    ]


def scores(amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Who got and paid what: ``Chie +14k, Ben −14k``; empty if ``amounts`` is."""
    return labels.listed(score_list(amounts, players, units=units))


def pay(event: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None) -> str:
    """A payment (an event of the replay JSON) as a sentence or two."""
    text = _("%(yaku)s: %(scores)s.") % {
        "yaku": labels.yaku(event["yaku"]),
        "scores": scores(event["amounts"], players, units=units),
    }
    reason = pay_reason(event, players)
    return f"{text} {reason}" if reason else text


def pay_reason(event: Mapping[str, Any], players: Sequence[str]) -> str:
    """Why a payment is as it is, as a sentence: one seat pays for the others, or calls multiply a
    total (K17). Empty where each pays a share.
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
