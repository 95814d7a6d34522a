"""Steps, sums and payments of a replay in words, for lists of moves and for screen readers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu.judging.position import Option
from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.base import figures, labels

Step = Mapping[str, Any]
_POSITION: Final = re.compile(r"(\d{1,4})(?:\.(\d{1,5}))?", re.ASCII)


def amount(points: int, *, units: labels.Units | None) -> str:
    """Return a sum with its sign: ``+5``; with kan ``+7 kan``, ``−3 kan 6 mon``; ``−3貫6文``."""
    sign = "+" if points > 0 else "−" if points < 0 else ""
    kan, small = units or ("", "")
    whole, remainder = divmod(abs(points), KAN) if units else (0, abs(points))
    if not whole:
        return f"{sign}{remainder}{small if remainder else ''}"
    return f"{sign}{whole}{kan}{f'{remainder}{small}' if remainder else ''}".rstrip()


def plain_amount(points: int, *, units: labels.Units | None) -> str:
    """Return a sum for a table: as `amount`, without units with a sign only below 0."""
    return amount(points, units=units) if units else str(points).replace("-", "−")


def amount_in_sentence(points: int, ruleset: str, *, signed: bool = True) -> str:
    """Return a sum with the unit of its ruleset: ``+99 mon``, ``+99文``; with kan as `amount`."""
    text = amount(points, units=labels.units(ruleset))
    unit = labels.single_unit(ruleset, points)
    text = figures.with_unit(text, unit) if unit else text
    return text if signed else text.removeprefix("+")


def final_sum(sum_: int, ruleset: str) -> str:
    """Return a sum of the settlement in words: ``45``, ``−9``; with kan ``+13 kan``.

    ``sum_`` is in the unit of the settlement, such as whole kan in hachihachi (H20).
    """
    sum_ *= RULESETS[ruleset].final_unit
    return plain_amount(sum_, units=labels.units(ruleset))


def score_list(
    amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None
) -> list[str]:
    """Return the players with amounts other than 0: ``["Chie +14 kan", "Ben −14 kan"]``."""
    return [
        f"{name} {amount(sum_, units=units)}"
        for name, sum_ in zip(players, amounts, strict=bool(amounts))
        if sum_
    ]


def scores(amounts: Sequence[int], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return the players with amounts other than 0: ``Chie +14 kan, Ben −14 kan``."""
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


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A place in a replay: ``deal`` from 1, ``step`` from 0. Written ``3.14``."""

    deal: int = 1
    step: int = 0

    def __str__(self) -> str:
        return f"{self.deal}.{self.step}"

    def within(self, counts: Sequence[int]) -> ReplayPosition:
        """Return the nearest position in deals of ``counts`` steps, as in position.js."""
        if self.deal > len(counts):
            return ReplayPosition(len(counts), counts[-1] - 1)
        deal = max(self.deal, 1)
        return ReplayPosition(deal, min(self.step, counts[deal - 1] - 1))


def parse_position(text: str) -> ReplayPosition | None:
    """Return ``3.14`` as a position, ``3`` as the start of deal 3; None for any other text."""
    match = _POSITION.fullmatch(text)
    return ReplayPosition(int(match[1]), int(match[2] or 0)) if match else None


def place_words(at: str, months: Sequence[int]) -> str:
    """Return a place such as ``3.14`` in words: ``Month 3, step 14``; any other text unchanged.

    ``months`` are the months of the game's deals: a month may be dealt again, so that the third
    deal need not be the third month.
    """
    position = parse_position(at)
    if position is None or not 1 <= position.deal <= len(months):
        return at
    month = labels.month(months[position.deal - 1])
    if not position.step:
        return month
    return _("%(month)s, step %(step)d") % {"month": month, "step": position.step}


def notation(step: Step) -> str:
    """Return a step's part of the Kafu turn: ``BxA``, ``/m``, ``=koikoi``."""
    capture = f"x{step['take']}" if step["take"] else ""
    match step["kind"]:
        case "hand":
            return f"{step['card']}{capture}"
        case "stock":
            return f"/{step['card']}{capture}"
        case "say":
            return f"={step['say']}"
    return ""


def tell(
    step: Step, deal: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None
) -> str:
    """Return a step as one or more sentences, in the language of the request.

    ``step`` and ``deal`` are parts of the replay JSON (`kafu.judging.replay`); ``units`` are the
    units of its sums (`records.base.labels.units`).
    """
    seat = step["seat"]
    values = {
        "name": players[seat - 1] if seat else "",
        "card": labels.brief(step["card"]),
        "cards": labels.brief(step["take"]),
    }
    match step["kind"]:
        case "deal":
            dealer = {"name": players[deal["dealer"] - 1]}
            sentence = _("The cards are dealt. %(name)s is dealer.") % dealer
            if deal["grade"]:
                field = _("Field: %(grade)s.") % {"grade": labels.grade(deal["grade"])}
                sentence = f"{sentence} {field}"
        case "hand" if step["take"]:
            sentence = _("%(name)s plays %(card)s and captures %(cards)s.") % values
        case "hand":
            sentence = _("%(name)s plays %(card)s.") % values
        case "stock" if step["take"]:
            sentence = _("%(name)s turns %(card)s and captures %(cards)s.") % values
        case "stock":
            sentence = _("%(name)s turns %(card)s.") % values
        case "show":
            values["yaku"] = labels.yaku(step["say"])
            sentence = _("%(name)s shows %(yaku)s.") % values
        case "blind":
            sentence = _("%(name)s goes in without looking (mizuten).") % values
        case "swap":
            sentence = _("%(name)s takes the dealer's hand.") % values
        case "bid" if step["say"] == "in":
            sentence = _("%(name)s goes in.") % values
        case "bid":
            sentence = _("%(name)s goes out.") % values
        case "end":
            return _end(deal, players, units=units)
        case "redeal" | "void":
            sentence = _("The month is played again: %(reason)s.") % {
                "reason": labels.thrown_in(step["say"])
            }
        case _:
            sentence = _say(step["say"], values)
    return " ".join([sentence, *_event_words(step, players, units=units)])


def move_words(option: Option, players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return a legal move as a sentence."""
    match option.kind:
        case "month":
            month = {"number": int(option.say), "name": players[option.seat - 1]}
            return _("%(name)s deals month %(number)d.") % month
        case "round":
            return _("Round %(number)s.") % {"number": option.say}
    return tell({**asdict(option), "events": []}, {}, players, units=units)


def _say(word: str, values: Mapping[str, str]) -> str:
    if word == "koikoi":
        return _("%(name)s says koi-koi and plays on.") % values
    if word == "shobu":
        return _("%(name)s says shōbu and stops.") % values
    if word == "sage":
        return _("%(name)s says sage and plays on.") % values
    if word == "agari":
        return _("%(name)s says agari and stops.") % values
    if word == "torikeshi":
        return _("%(name)s cancels sage.") % values
    if word == "menjo":
        return _("%(name)s claims exemption (menjo).") % values
    if word == "void-show":
        return _("%(name)s's declaration was wrong.") % values
    return _("%(name)s says %(word)s.") % {**values, "word": labels.decision(word)}


def _event_words(step: Step, players: Sequence[str], *, units: labels.Units | None) -> list[str]:
    parts = []
    for event in step["events"]:
        if event["kind"] == "yaku":
            unit = units[0].rstrip() if units else ""
            values = {"yaku": labels.yaku(event["yaku"]), "amount": f"{event['amount']}{unit}"}
            parts.append(_("%(yaku)s: %(amount)s.") % values)
        elif event["kind"] == "pay":
            parts.append(pay(event, players, units=units))
    return parts


def _end(deal: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return the end of a deal and its scores in words."""
    parts = scores(deal["score"], players, units=units) if deal["score"] else ""
    how = labels.end(deal["end"] or "")
    return _("%(how)s: %(scores)s.") % {"how": how, "scores": parts} if parts else f"{how}."
