"""Who pays alone in the two games of hachi-hachi: 法度, and 飛込み."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from kafu.notation.game import Payment
from sheet_model.deal import Bool, Deal, Pair, other_pair
from sheet_model.hands import COUNT_YAKU, DealtHand
from sheet_model.lines import Impossible
from sheet_model.pack import MONTHS, cards_of


class Dive(NamedTuple):
    """One 飛込み: who gets, and who pays for both, None if they share."""

    receiver: int
    payer: int | None


def read_dives(payment: Payment, order: Sequence[int], kan: Fraction) -> list[list[Dive]]:
    """Return every way to read a line of one or two 飛込み."""
    amounts = [payment.amounts[seat - 1] for seat in order]
    receivers = [player for player, amount in enumerate(amounts) if amount > 0]
    total = sum(map(abs, payment.amounts))
    if len(receivers) != 1 or sum(amounts) != 0 or sum(map(abs, amounts)) != total:
        raise Impossible("tobikomi: not just one player gets")
    (receiver,) = receivers
    single = [Dive(receiver, payer) for payer in (None, *range(3)) if payer != receiver]
    readings = []
    for count in (1, 2):
        for dives in product(single, repeat=count):
            paid = [Fraction(0)] * 3
            for dive in dives:
                for player in range(3):
                    shares = 2 if dive.payer == player else int(dive.payer is None)
                    paid[player] -= 0 if player == receiver else shares * kan
            if all(paid[player] == amounts[player] for player in range(3) if player != receiver):
                readings.append(list(dives))
    if not readings:
        raise Impossible("tobikomi: not its value")
    return readings


def assists(
    deal: Deal, payer: int, player: int, cards: Sequence[int], *, is_any: bool = False
) -> list[Bool]:
    """Return whether a capture with a card that the payer laid completed a yaku, for each pair.

    The payer played the missing card, which the player captured; or the last other card of its
    month (with ``is_any`` any other card, B10), which the player captured with it.
    """
    ways = []
    for card in cards:
        for other in cards_of(card // 4):
            if other == card:
                continue
            pair: Pair = (min(card, other), max(card, other))
            for laid, coming in ((card, other), (other, card)):
                way = deal.new_bool_var("")
                deal.add_implication(way, deal.pairs[pair, player])
                deal.add_implication(way, deal.hands[payer][laid])
                deal.add_implication(way, ~deal.field[coming])
                if laid == other and not is_any:  # 影札: the remaining two are captured already
                    rest = deal.captures(other_pair(pair))
                    deal.add(rest == 1).only_enforce_if(way)
                ways.append(way)
    return ways


def require_dives(
    deal: Deal, dives: Sequence[Dive], dived: Sequence[Bool], liable: int | None
) -> None:
    """Give each 飛込み a month of its own; who pays alone held the fourth card, or is in sage."""
    months: list[list[Bool]] = []
    for dive in dives:
        chosen = [deal.new_bool_var("") for _ in MONTHS]
        deal.add_exactly_one(chosen)
        for month, choice in enumerate(chosen):
            deal.add_implication(choice, dived[month])
            if dive.payer is not None and dive.payer != liable:
                held = [deal.hands[dive.payer][card] for card in cards_of(month)]
                deal.add_bool_or(held).only_enforce_if(choice)
        for others in months:
            for choice, other in zip(chosen, others, strict=True):
                deal.add_bool_or(~choice, ~other)
        months.append(chosen)


def require_due_dives(
    deal: Deal,
    hands: Sequence[DealtHand],
    names: Mapping[int, Sequence[str]],
    diving: Sequence[str],
    dives: Sequence[Dive],
    *,
    struck: bool,
    liable: int | None,
) -> None:
    """Require just these 飛込み of hands with threes; of struck out ones some may be missing."""
    for player, hand in enumerate(hands):
        count_yaku = set(names.get(player, [])) & COUNT_YAKU.keys()
        due = [dive for dive in dives if dive.receiver == player]
        if not (count_yaku & set(diving) or (struck and not count_yaku)):
            if due:
                raise Impossible("飛込み without a three")
            continue
        if struck and not due:
            continue
        if not count_yaku:
            deal.add_exactly_one(hand.count_yaku[name] for name in diving)
        dived = [
            deal.all_of([three, *(deal.has_captured(card, player) for card in cards_of(month))])
            for month, three in enumerate(hand.threes)
        ]
        if not struck:
            deal.add(sum(dived) == len(due))
        require_dives(deal, due, dived, liable)
