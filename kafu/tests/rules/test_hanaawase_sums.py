"""The sums of a month of 三人花合わせ on score sheets (S2)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from random import Random
from typing import Final

import pytest

from kafu import cards
from kafu.rules.hanaawase.machine import EVEN, FUKE, SEATS
from kafu.rules.hanaawase.payments import YAKU
from kafu.rules.hanaawase.sheet_sums import check_sum
from kafu.rules.payments import PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.capture_ways import list_captures
from kafu.rules.sheets.lines import MONTH, PaymentLine
from kafu.rules.yaku import made, total
from lengths import LONG

#: The captures of a month of the pack that was played out.
OWNERS: Final = list_captures(is_played_out=True)
#: The changes tried on the way to a month with large amounts, and the most cards that a player
#: captures in any deal.
STEPS: Final = 600
MOST_CARDS: Final = 28


def check(amounts: Sequence[int]) -> None:
    """Raise Illegal unless a month has these amounts."""
    line = PaymentLine(PaymentKind.OTHER, (MONTH,), 0, tuple(amounts), False, "month")
    check_sum(line, SEATS)


def find_sum(captures: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """Return the amounts of a month for the owners of its cards, None without any."""
    captured = [
        sum(
            1 << 4 * month + card
            for month, owners in enumerate(captures)
            for card, owner in enumerate(owners)
            if owner == player
        )
        for player in range(3)
    ]
    points = [cards.points(held) for held in captured]
    if min(points) <= FUKE or max(held.bit_count() for held in captured) > MOST_CARDS:
        return None
    worths = [total(made(YAKU, held, rained=False, called=False)) for held in captured]
    return tuple(
        3 * worth - sum(worths) + count - EVEN for worth, count in zip(worths, points, strict=True)
    )


@pytest.mark.parametrize("seed", range(1000 if LONG else 5))
def test_large_sum_of_captured_cards_is_possible(seed: int) -> None:
    """Cards are captured in a way that increases the amounts of some players."""
    random = Random(seed)
    weights = [random.uniform(-1, 1) for _ in SEATS]
    best, captures, amounts = float("-inf"), [random.choice(OWNERS) for _ in range(12)], None
    for _ in range(STEPS):
        changed = list(captures)
        changed[random.randrange(12)] = random.choice(OWNERS)
        changed[random.randrange(12)] = random.choice(OWNERS)
        sums = find_sum(changed)
        height = sum(map(float.__mul__, weights, map(float, sums))) if sums else float("-inf")
        if height >= best:
            best, captures, amounts = height, changed, sums
    assert amounts is not None
    check(amounts)


@pytest.mark.parametrize(
    ("amounts", "is_possible"),
    [
        ((-513, 289, 224), True),
        ((-224, 513, -289), True),
        ((1000, -500, -500), True),
        ((-600, 300, 300), False),
        ((1100, -550, -550), False),
        ((744, 0, -744), False),
        ((1285, -643, -642), False),
    ],
)
def test_sum_close_to_the_limits_is_decided(amounts: Sequence[int], *, is_possible: bool) -> None:
    with nullcontext() if is_possible else pytest.raises(Illegal):
        check(amounts)
