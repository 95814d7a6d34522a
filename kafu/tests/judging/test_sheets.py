"""Score sheets: faults, warnings, and open values (H24)."""

from __future__ import annotations

import pytest

from kafu.rules.hachihachi.sheet_cards import HachihachiMonth
from kafu.rules.sheets.witness import Undecided
from kafu.rules.verdict import Verdict
from sheets import judge_sheet


def judge(months: str, options: str = "", termination: str = "unfinished") -> Verdict:
    """Return the verdict on a sheet with the given months; ``|`` ends a line."""
    months = months.replace("|", "\n")
    return judge_sheet("hachihachi", months, options, termination=termination)


#: A hand that gives two 飛込み, and the beginning of their line.
TWO_THREES = "pay futasanbon 1 +16k 2 -8k 3 -8k|pay tobikomi"
#: A payment that ends a month of any grade of the house A, with seat 1 ahead.
POINTS = "pay points 1 +16 2 -8 3 -8"


def month(pay: str, ba: str = "small", dealer: int = 1, options: str = "") -> Verdict:
    """Return the verdict on one month with the given payments and seat 1's stone."""
    return judge(f"month 1 dealer {dealer}|ba {ba}|{pay}|stone 1", options)


def test_payment_that_cannot_be_is_illegal() -> None:
    for pay, code in [
        ("pay sanbon 1 +4k 2 -2k 3 -1k", "sheet-line-not-zero"),
        ("pay sanko 1 +4k 2 -2k 3 -2k", "sheet-label-unknown"),
        ("pay sanbon+teshi 1 +16k 2 -8k 3 -8k", "sheet-label-unknown"),
        ("pay goko+shiko 1 +64k 2 -32k 3 -32k", "sheet-label-unknown"),
        ("pay akatan+akatan 1 +28k 2 -14k 3 -14k", "sheet-label-unknown"),
        ("pay sanbon+akatan 1 +18k 2 -9k 3 -9k", "sheet-label-unknown"),
        ("pay aka+shiso 1 +84k 2 -42k 3 -42k", "sheet-label-unknown"),
        ("pay tobikomi+nuke 1 +4k 2 -2k 3 -2k", "sheet-label-unknown"),
        ("pay sanbon 1 +6k 2 -3k 3 -3k", "sheet-value"),
        ("void sanbon 1 +6k 2 -3k 3 -3k", "sheet-value"),
        ("pay sanbon 1 +2k 2 -1k 3 -1k", "sheet-value"),
        ("pay akatan 1 +16k 2 -8k 3 -8k", "sheet-value"),
        ("pay nanatan 1 +28k 2 -14k 3 -14k", "sheet-value"),
        ("pay futahachi 1 +18k 2 -9k 3 -9k", "sheet-value"),
        ("pay sujuroku 1 +26k 2 -13k 3 -13k", "sheet-value"),
        ("pay tobikomi 1 +6k 2 -3k 3 -3k", "sheet-value"),
        ("pay akatan 1 +14k 2 -8k 3 -6k", "sheet-shares"),
        ("pay akatan+aotan 1 +28k 2 -18k 3 -10k", "sheet-shares"),
        ("pay sanbon 1 +4k 2 -4k 3 0", "sheet-not-shared"),
        ("pay nuke 1 +2k 2 -2k 3 0", "sheet-not-shared"),
        ("pay sujuroku 1 +24k 2 -24k 3 0", "sheet-not-shared"),
        ("pay sohachi 1 -10k 2 +20k 3 -10k", "sheet-sohachi"),
        ("pay sanbon 1 +1k 2 +3k 3 -4k", "sheet-maker-unclear"),
        ("pay sanbon 1 0 2 0 3 0", "sheet-maker-unclear"),
        ("pay points 1 +177 2 -88 3 -89", "sheet-points"),
        ("pay points 1 +2 2 -1 3 -1|pay points 1 +2 2 -1 3 -1", "sheet-points-twice"),
        ("pay shiso 1 +80k 2 -40k 3 -40k", "sheet-stone-of-shiso"),
    ]:
        verdict = month(pay)
        assert verdict.error is not None and verdict.status == "illegal", pay
        assert (verdict.error.code.id, verdict.error.deal) == (code, 1), pay
        assert verdict.error.line == 11 + pay.count("|") + (code == "sheet-stone-of-shiso"), pay
        assert all("(" in verdict.error.message(lang) for lang in ("en", "ja")), "names its ruling"


def test_misspelt_yaku_of_a_payment_names_the_nearest_ones() -> None:
    error = month("pay sambon 1 +4k 2 -2k 3 -2k").error
    assert error is not None and error.code.id == "sheet-label-unknown"
    assert error.expected[0] == "sanbon"


def test_payment_that_can_be_is_accepted() -> None:
    for pay, ba, options in [
        ("pay akatan 1 +14k 2 -7k 3 -7k", "small", ""),
        ("pay akatan 1 +7k 2 -3k6 3 -3k6", "small", ""),
        ("pay akatan 1 +7k 2 0 3 -7k", "small", ""),
        # 赤短 is paid by both players, 青短 by one for hatto.
        ("pay akatan+aotan 1 +28k 2 -21k 3 -7k", "small", ""),
        ("pay nanatan 1 +22k 2 -11k 3 -11k", "small", ""),
        ("pay futahachi 1 +22k 2 -11k 3 -11k", "small", ""),
        ("pay sujuroku+futahachi 1 +48k 2 -24k 3 -24k", "small", ""),
        ("pay akatan 1 +42k 2 -21k 3 -21k", "absolute", "ba=B"),
        ("pay akatan 1 +21k 2 -10k6 3 -10k6", "large", "ba=C"),
        ("pay akatan 1 +10k6 2 -5k3 3 -5k3", "large", "ba=C"),
        ("pay points 1 +6 2 -3 3 -3", "large", "ba=C"),
        ("pay akatan 1 +18k 2 -9k 3 -9k", "absolute", "ba=F"),
        ("pay tanichi+sanbon 1 +14k 2 -7k 3 -7k|pay points 1 0 2 -1 3 +1", "large", "ba=F"),
        ("pay points 1 +5 2 -2 3 -3", "absolute", "ba=F"),
        ("pay akatan 1 +14k 2 -7k 3 -7k", "absolute", "ba=E"),
        (f"{TWO_THREES} 1 +4k 2 -2k 3 -2k|{POINTS}", "small", ""),
        (f"{TWO_THREES} 1 +4k 2 -3k 3 -1k|{POINTS}", "small", ""),
        (f"{TWO_THREES} 1 +4k 2 0 3 -4k|{POINTS}", "small", ""),
    ]:
        stone = 3 if "3 +1" in pay else 1
        verdict = judge(f"month 1 dealer 1|ba {ba}|{pay}|stone {stone}", options)
        assert (verdict.status, verdict.error, verdict.warnings) == ("unfinished", None, []), pay
        assert verdict.deals[0].end == "sheet" and verdict.deals[0].winner == stone, pay


@pytest.mark.parametrize("pay", ["tobikomi 1 +4k 2 -2k 3 -2k", "nuke 1 +4k 2 -2k 3 -2k"])
def test_payment_for_two_of_which_one_is_possible_is_illegal(pay: str) -> None:
    verdict = month(f"pay karasu+sanbon 1 +12k 2 -6k 3 -6k|pay {pay}|{POINTS}")
    assert verdict.error is not None and verdict.error.line == 12
    assert verdict.error.code.id in ("sheet-groundless", "sheet-value")


def test_struck_out_declaration_has_a_message_that_tells_to_leave_it_out() -> None:
    error = month(f"void sanbon 1 +4k 2 -2k 3 -2k|{POINTS}").error
    assert error is not None and error.code.id == "sheet-void"
    assert "leave out a payment that was returned" in error.message("en")
    assert "返した役代の行は書かないでください" in error.message("ja")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("large2", "small", ("large", "large2", "absolute", "absolute2")),
        ("absolute2", "large", ("absolute", "absolute2")),
        ("absolute2", "small", ("absolute", "absolute2")),
    ],
)
def test_grade_that_cannot_follow_is_illegal(
    first: str, second: str, expected: tuple[str, ...]
) -> None:
    verdict = judge(
        f"month 1 dealer 1|ba {first}|{POINTS}|stone 1"
        f"|month 2 dealer 1|ba {second}|{POINTS}|stone 1"
    )
    assert verdict.error is not None and verdict.error.code.id == "sheet-ba"
    assert (verdict.error.line, verdict.error.expected) == (14, expected)
    assert [deal.grade for deal in verdict.deals] == [first]


@pytest.mark.parametrize("second", ["large", "large2", "absolute", "absolute2"])
def test_carried_grade_binds_the_next_month(second: str) -> None:
    verdict = judge(
        f"month 1 dealer 1|ba large2|{POINTS}|stone 1|month 2 dealer 1|ba {second}|{POINTS}|stone 1"
    )
    assert [deal.bound for deal in verdict.deals] == [None, "large"]


def test_omitted_grade_is_any_that_the_payments_fit() -> None:
    """14 kan each are 赤短 in 大; a 二代しばり is possible, so the bound is unknown."""
    assert judge("month 1 dealer 1|pay akatan 1 +28k 2 -14k 3 -14k|stone 1").error is None
    verdict = judge("month 1 dealer 1|pay akatan 1 +30k 2 -15k 3 -15k|stone 1")
    assert verdict.error is not None and verdict.error.code.id == "sheet-value"
    bound = f"month 1 dealer 1|ba absolute2|{POINTS}|stone 1|month 2 dealer 1|{{}}|stone 1"
    verdict = judge(bound.format("pay akatan 1 +14k 2 -7k 3 -7k"))
    assert verdict.error is not None and verdict.error.code.id == "sheet-value"
    verdict = judge(bound.format("pay akatan 1 +56k 2 -28k 3 -28k"))
    assert [(deal.grade, deal.bound) for deal in verdict.deals] == [
        ("absolute2", None),
        (None, "absolute"),
    ]


def test_stone_of_another_than_the_next_dealer_is_reported_at_the_next_month() -> None:
    verdict = judge(
        f"month 1 dealer 1|ba small|{POINTS}|stone 2|month 2 dealer 3|ba small|{POINTS}|stone 3"
    )
    assert verdict.error is not None and verdict.error.code.id == "sheet-stone-wrong"
    assert (verdict.error.line, verdict.error.deal) == (13, 2)
    assert verdict.error.expected == ("2",)
    assert len(verdict.deals) == 1


def test_missing_stone_is_illegal_except_in_the_last_month_of_an_unfinished_sheet() -> None:
    verdict = judge(
        f"month 1 dealer 1|ba small|{POINTS}|month 2 dealer 1|ba small|{POINTS}|stone 1"
    )
    assert verdict.error is not None and verdict.error.code.id == "sheet-stone-missing"
    assert verdict.error.line == 9
    verdict = judge(f"month 1 dealer 1|ba small|{POINTS}|stone 1|month 2 dealer 1|ba small")
    assert (verdict.status, len(verdict.deals)) == ("unfinished", 1), "the last is not over yet"


def test_months_out_of_order_or_missing_are_illegal() -> None:
    verdict = judge(f"month 2 dealer 1|ba small|{POINTS}|stone 1")
    assert verdict.error is not None and verdict.error.code.id == "month-not-due"
    verdict = judge(f"month 1 dealer 1|ba small|{POINTS}|stone 1", termination="")
    assert verdict.error is not None and verdict.error.code.id == "game-too-short"
    shiso = "month 1 dealer 1|ba small|pay shiso 1 +80k 2 -40k 3 -40k"
    assert judge(shiso, termination="").final == (100, -50, -50)
    verdict = judge(f"{shiso}|month 2 dealer 1|stone 1")
    assert verdict.error is not None and verdict.error.code.id == "game-over"


def year(last: str, options: str, more: str = "") -> Verdict:
    """Twelve small months, the last of grade ``last``, and perhaps ``more``."""
    grades = ["small"] * 11 + [last]
    pay = "pay points 1 +2 2 -1 3 -1"
    if last != "small":
        grades, pay = [last] * 12, "pay points 1 +8 2 -4 3 -4"
    months = "|".join(
        f"month {number} dealer 1|ba {ba}|{pay}|stone 1" for number, ba in enumerate(grades, 1)
    )
    return judge(months + more, options, termination="")


def test_etsunen_goes_on_while_a_grade_is_carried() -> None:
    more = "|month 13 dealer 1|ba absolute|pay points 1 +8 2 -4 3 -4|stone 1"
    assert year("absolute2", "").status == "verified"
    short = year("absolute2", "etsunen=yes").error
    assert short is not None and short.code.id == "game-too-short"
    assert year("absolute2", "etsunen=yes", more).status == "verified"
    assert year("small", "etsunen=yes").status == "verified"
    for last, options in (("absolute2", ""), ("small", "etsunen=yes")):
        error = year(last, options, more).error
        assert error is not None and error.code.id == "game-over"


@pytest.mark.parametrize(
    ("pay", "codes"),
    [
        ("pay points 1 -2 2 +3 3 -1", "sheet-stone-doubtful"),
        ("pay akatan 1 -7k 2 +14k 3 -7k", "sheet-stone-doubtful"),
        ("pay sujuroku 1 -12k 2 +24k 3 -12k", "sheet-stone-doubtful"),
        ("pay akatan 1 +7k 2 -3k6 3 -3k6|pay aotan 1 -14k 2 +14k 3 0", "sheet-stone-doubtful"),
        ("pay points 1 -2 2 +1 3 +1", "sheet-stone-doubtful"),
        ("pay points 1 +1 2 +1 3 -2", ""),
        ("pay sujuroku 1 +24k 2 -12k 3 -12k|void sanbon 1 +4k 2 -2k 3 -2k", ""),
    ],
)
def test_stone_of_another_than_the_payments_show_is_a_warning(pay: str, codes: str) -> None:
    """The payments show the next dealer (H19), of equal players the nearer to the dealer."""
    verdict = month(pay)
    assert verdict.error is None
    assert " ".join(warning.code.id for warning in verdict.warnings) == codes


@pytest.mark.parametrize("pay", ["pay akatan 1 +3 2 +2", "pay akatan 1 -7 2 0"])
def test_koikoi_line_that_pays_both_or_takes_from_one_is_illegal(pay: str) -> None:
    verdict = judge_sheet("koikoi", f"month 1 dealer 1\n{pay}", players=2)
    assert verdict.error is not None and verdict.error.code.id == "sheet-winner-gets"


def test_wrong_claims_are_mismatches() -> None:
    verdict = judge(
        "month 1 dealer 1|ba small|pay points 1 +2 2 -1 3 -1|stone 1|score 1 +3 2 -2 3 -1"
    )
    assert [(mismatch.where, mismatch.seat) for mismatch in verdict.mismatches] == [
        ("score", 1),
        ("score", 2),
    ]
    assert verdict.status == "mismatch"


def test_month_that_is_not_decided_is_neither_possible_nor_illegal(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error of the engine is logged, and the sheet is readable all the same."""

    def give_up(*_month: object) -> None:
        raise Undecided

    monkeypatch.setattr(HachihachiMonth, "find_cards", give_up)
    verdict = month("pay points 1 +2 2 -1 3 -1")
    assert verdict.error is not None and verdict.identity
    assert (verdict.status, verdict.error.code.id) == ("unsupported", "sheet-undecided")
    assert (verdict.error.deal, verdict.error.line) == (1, 9)
    assert "month 1 of a sheet was not decided" in caplog.text
