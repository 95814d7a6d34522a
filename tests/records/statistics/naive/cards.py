"""Figures of single cards: what capturing one is worth, and what is played first."""

from __future__ import annotations

from collections import defaultdict

from kafu import cards
from tests.records.statistics.naive.asked import Asked, scores_of, won
from tests.records.statistics.naive.estimates import Row, difference, mean, rate
from tests.records.statistics.naive.games import Deal


def captured(asked: Asked) -> list[Row]:
    """Deals of which the captured cards are known: with a card, and without it."""
    known = [(seat, deal) for seat, deal in asked.playing if deal.captured]
    rows = []
    for card in cards.PACK:
        having = [(seat, deal) for seat, deal in known if card.letter in deal.captured[seat - 1]]
        lacking = [(s, deal) for s, deal in known if card.letter not in deal.captured[s - 1]]
        with_, without = scores_of(having), scores_of(lacking)
        rows.append(
            {
                **{"card": card.letter, "month": card.month, "count": len(having)},
                **{"n": len(known), **rate("won", won(having), len(having))},
                **{**mean("score", with_), **difference("gain", with_, without)},
                "without": mean("x", without)["x"],
            }
        )
    return rows


def openings(asked: Asked) -> list[Row]:
    """The first plays, or (of=card) what lay there."""
    own = asked.own
    field_, least = own.get("field", ""), own.get("n_min", 1)
    if own.get("of") == "card":
        lay: dict[str, list[bool]] = defaultdict(list)
        for _, deal in asked.tables:
            if deal.counts and deal.opening:
                _seat, _card, take, there = deal.opening
                for card in there:
                    lay[card].append(card in take)
        return [
            {
                **{"play": card.letter, "n": len(lay[card.letter]), "taken": sum(lay[card.letter])},
                **rate("rate", sum(lay[card.letter]), len(lay[card.letter])),
            }
            for card in cards.PACK
            if (not field_ or card.letter in field_)
            and (least == 1 or len(lay[card.letter]) >= least)
        ]
    plays: dict[tuple[str, str], list[tuple[int, Deal]]] = defaultdict(list)
    for seen, seats in asked.games:
        for deal in seen.deals:
            if deal.counts and deal.opening and deal.opening[0] in seats:
                seat, card, take, _ = deal.opening
                if not field_ or _fits(card, take, field_):
                    plays[card, take].append((seat, deal))
    return [
        {
            **{"play": card, "take": take or "none", "n": len(one)},
            **{**rate("rate", won(one), len(one)), **mean("score", scores_of(one))},
        }
        for (card, take), one in plays.items()
        if len(one) >= least
    ]


def _fits(card: str, take: str, field_: str) -> bool:
    """Whether a card can make this capture where such cards lie."""
    month = cards.CARD[card].month
    match = [one for one in field_ if cards.CARD[one].month == month]
    ways = [""] if not match else ["".join(match)] if len(match) == 3 else match
    return card not in field_ and sorted(take) in map(sorted, ways)
