"""Months of hana-awase sheets that cards make, and months that no cards make (S6)."""

from __future__ import annotations

import pytest

from kafu.rules.verdict import Verdict
from sheets import judge_sheet


def judge(*lines: str, next_dealer: int = 1) -> Verdict:
    """Return the verdict on a month with these lines, after which another begins."""
    months = ("month 1 dealer 1", *lines, "", f"month 2 dealer {next_dealer}")
    return judge_sheet("hanaawase", "\n".join(months))


@pytest.mark.parametrize(
    ("lines", "code", "where"),
    [
        # 88 points leave 3 when divided by five, as 3, 8, 13 or 18 chaff cards do.
        (["pay kasu 1 +20 2 -10 3 -10"], "sheet-no-cards", "month"),
        # Seven ribbons are of seven months: 14 cards, and with 56 points at least twelve are chaff.
        (
            ["pay nanatan 1 +80 2 -40 3 -40", "pay points 1 -32 2 +22 3 +10"],
            "sheet-many-points",
            "pay.1",
        ),
        # 24 points have four, nine, fourteen or nineteen chaff cards.
        (
            ["void kasu 1 +80 2 -40 3 -40", "void points 1 -64 2 +34 3 +30"],
            "sheet-no-cards",
            "pay.1",
        ),
        # Rain is needed for 雨四光, and 雨シマ of another player has it.
        (
            ["pay ameshiko 1 +60 2 -30 3 -30", "pay ameshima 1 -10 2 +20 3 -10"],
            "sheet-cards-shared",
            "pay.1",
        ),
        # Six ribbons are 六短.
        (
            [
                "pay akatan 1 +80 2 -40 3 -40",
                "pay aotan 1 +80 2 -40 3 -40",
                "pay points 1 +2 2 -1 3 -1",
            ],
            "sheet-yaku-together",
            "pay.0",
        ),
        (["pay points 1 -39 2 +20 3 +19", "pay fuke 1 0 2 0 3 0"], "sheet-not-together", "pay.0"),
    ],
)
def test_month_that_no_cards_make_is_illegal(lines: list[str], code: str, where: str) -> None:
    error = judge(*lines).error
    assert error is not None and (error.code.id, error.where) == (code, (where,))


@pytest.mark.parametrize(
    "lines",
    [
        ["pay kasu 1 +40 2 -20 3 -20", "pay points 1 +10 2 -5 3 -5"],
        ["void kotori 1 +60 2 -30 3 -30", "void points 1 +60 2 +8 3 -68"],
        [
            *("pay ameshiko 1 +60 2 -30 3 -30", "pay omotesugawara 1 +40 2 -20 3 -20"),
            "pay points 1 +28 2 -22 3 -6",
        ],
    ],
)
def test_month_that_cards_make_is_accepted(lines: list[str]) -> None:
    error = judge(*lines).error
    assert error is None or error.deal == 2


def test_maker_of_marked_fuke_who_has_too_many_points_does_not_deal_next() -> None:
    lines = ("void goko 1 +320 2 -160 3 -160", "pay fuke 1 0 2 0 3 0")
    assert judge(*lines, next_dealer=3).error is None
    error = judge(*lines, next_dealer=1).error
    assert error is not None and (error.code.id, error.deal) == ("dealer-not-due", 2)


@pytest.mark.parametrize(
    ("sums", "is_possible"),
    [
        ("1 +6 2 +38 3 -44", True),
        ("1 -157 2 -260 3 +417", True),
        ("1 +800 2 -400 3 -400", True),
        ("1 -337 2 -101 3 +438", True),  # player 3 captures up to 30 cards
        pytest.param("1 -450 2 +225 3 +225", True, marks=pytest.mark.long_only),  # two seconds
        ("1 -800 2 +400 3 +400", False),
        ("1 +1300 2 -650 3 -650", False),
    ],
)
def test_sum_is_possible_if_cards_make_payments_with_it(sums: str, is_possible: bool) -> None:
    error = judge(f"pay month {sums}").error
    if is_possible:
        assert error is None or error.deal == 2
    else:
        assert error is not None and error.code.id == "sheet-month-sum"
