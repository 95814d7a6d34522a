"""Figures of single cards: the value of capturing a card, and opening plays."""

from __future__ import annotations

from collections import defaultdict

from kafu import cards
from tests.records.statistics.naive.estimates import Row, difference, mean, rate
from tests.records.statistics.naive.games import Deal
from tests.records.statistics.naive.selected import Selected, scores_of, won


def captured(selected: Selected) -> list[Row]:
    """Return deals with and without each captured card, if captured cards are known."""
    places = [(seat, deal) for seat, deal in selected.playing if deal.captured]
    rows = []
    for card in cards.PACK:
        having = [(seat, deal) for seat, deal in places if card.letter in deal.captured[seat - 1]]
        lacking = [(s, deal) for s, deal in places if card.letter not in deal.captured[s - 1]]
        with_, without = scores_of(having), scores_of(lacking)
        by_deal: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for seat, deal in places:
            has_card = card.letter in deal.captured[seat - 1]
            by_deal[id(deal)][0 if has_card else 1].append(deal.score[seat - 1])
        rows.append(
            {
                **{"card": card.letter, "month": card.month, "count": len(having)},
                **{"n": len(places), **rate("won", won(having), len(having))},
                **mean("score", with_),
                **difference("gain", with_, without, [*by_deal.values()]),
                "without": mean("x", without)["x"],
            }
        )
    return rows


def openings(selected: Selected) -> list[Row]:
    """Return the opening plays, or (of=card) the cards on the field."""
    parameters = selected.parameters
    field_, least = parameters.get("field", ""), parameters.get("n_min", 1)
    if parameters.get("of") == "card":
        lay: dict[str, list[bool]] = defaultdict(list)
        for _, deal in selected.tables:
            if deal.counts and deal.opening:
                _seat, _card, take, field = deal.opening
                for card in field:
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
    for plain_game, seats in selected.games:
        for deal in plain_game.deals:
            if deal.counts and deal.opening and deal.opening[0] in seats:
                seat, card, take, _ = deal.opening
                if not field_ or _fits(card, take, field_):
                    plays[card, take].append((seat, deal))
    return [
        {
            **{"play": card, "take": take or "none", "n": len(places)},
            **{**rate("rate", won(places), len(places)), **mean("score", scores_of(places))},
        }
        for (card, take), places in plays.items()
        if len(places) >= least
    ]


def _fits(card: str, take: str, field_: str) -> bool:
    """Return whether a card can make a capture on a field."""
    month = cards.CARD[card].month
    match = [letter for letter in field_ if cards.CARD[letter].month == month]
    ways = [""] if not match else ["".join(match)] if len(match) == 3 else match
    return card not in field_ and sorted(take) in map(sorted, ways)
