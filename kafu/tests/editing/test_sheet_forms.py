"""Score sheets written from the choices in a form: the documents' examples, and faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kafu.editing.sheet_forms import LineWanted as L
from kafu.editing.sheet_forms import MonthWanted as M
from kafu.editing.sheet_forms import WrittenSheet, write_sheet
from kafu.facade.errors import BadValue
from kafu.notation.reading.reader import read

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
THREE = ("A", "B", "C")
#: The year of hachihachi-sannin's 記入式について.
YEAR = (
    M(ba="large", lines=[L(3, "sanbon"), L(2, "akatan")]),
    M(lines=[L(2, "tanichi"), L(2, "nuke")], points=["-10", "1", ""]),
    M(
        ba="large2",
        lines=[L(1, "sanbon"), L(1, "tanichi"), L(1, "tobikomi"), L(1, "nuke")],
        points=["60", "−52", ""],
    ),
    M(lines=[L(1, "sujuroku", "56k"), L(1, "karasu")]),
    M(lines=[L(3, "nanatan"), L(3, "aotan")]),
    M(ba="absolute", lines=[L(1, "sanbon")], points=["132", "-196", ""]),
    M(
        lines=[L(2, "pikaichi"), L(1, "sanbon"), L(1, "tobikomi", payer=2)],
        points=["+1k1", "-12", ""],
    ),
    M(lines=[L(2, "tatesanbon"), L(2, "tobikomi", payer=3), L(3, "aotan", half=True)]),
    M(points=["0", "15", ""]),
    M(ba="absolute", lines=[L(2, "aka"), L(2, "shiko")]),
    M(
        ba="large",
        lines=[L(2, "tanichi"), L(2, "akatan", half=True), L(1, "inoshikacho", payer=2)],
        stone=1,
    ),
    M(ba="large", lines=[L(1, "aka"), L(3, "inoshikacho")]),
)


def document(rules: str) -> str:
    return (CONFORMANCE / rules / "sheet-document.kafu").read_text()


def sums(rules: str) -> list[M]:
    """Return the months of a document's example as entered, without the last player's sum."""
    game = read(document(rules)).game
    assert game is not None
    sum_months = []
    for month in game.months:
        line = month.payments[0]
        words = [str(amount) for amount in line.amounts]
        if line.label == "fuke":
            assert month.stone
            sum_months.append(M(lines=[L(month.stone, "fuke")]))
        elif rules == "koikoi":
            sum_months.append(M(sums=[word if word != "0" else "" for word in words]))
        else:
            sum_months.append(M(sums=[*words[:-1], ""]))
    return sum_months


@pytest.mark.parametrize(
    ("rules", "players", "months"),
    [
        ("hachihachi", THREE, YEAR),
        ("koikoi", ("A", "B"), sums("koikoi")),
        ("hanaawase", THREE, sums("hanaawase")),
    ],
)
def test_examples_of_the_documents_are_written_as_printed(
    rules: str, players: Sequence[str], months: Sequence[M]
) -> None:
    """Every line, dealer, stone and prize follows from the choices, byte for byte."""
    sheet = write_sheet(rules, players, {}, months)
    assert sheet.text == document(rules)
    assert (sheet.faults, sheet.doubts, sheet.is_over) == ([], [], True)
    final = sheet.verification.verdict.final
    assert final is not None
    assert sheet.settlement[-1].sums == tuple(
        sum_ * (12 if rules == "hachihachi" else 1) for sum_ in final
    )


def fault(sheet: WrittenSheet) -> tuple[int, str, str]:
    (first,) = sheet.faults
    return first.number, first.field, first.fault.code.id


@pytest.mark.parametrize(
    ("months", "wanted"),
    [
        ([M(lines=[L(2, "akatan", "15k")])], (1, "line.0", "sheet-value")),
        ([M(lines=[L(2, "sanbon"), L(2, "akatan", "x")])], (1, "line.1", "bad-amount")),
        ([YEAR[0], M(dealer=1, points=["0", "0", ""])], (2, "dealer", "sheet-stone-wrong")),
        ([M(points=["1", "2", "3"])], (1, "points", "sheet-line-not-zero")),
        ([M(points=["200", "-100", ""])], (1, "points", "sheet-points")),
        ([M(lines=[L(2, "goko"), L(2, "shiko")])], (1, "line.0", "sheet-label-unknown")),
        ([M(sums=["5", "-5", "0"], lines=[L(2, "aotan")])], (1, "line.0", "sheet-month-alone")),
        ([*YEAR[:3], M(ba="small")], (4, "ba", "sheet-ba")),
        ([M(lines=[L(2, "sanbon")]), M()], (1, "month", "sheet-no-end")),
    ],
)
def test_fault_has_its_month_and_field(months: Sequence[M], wanted: tuple[int, str, str]) -> None:
    sheet = write_sheet("hachihachi", THREE, {}, months)
    assert fault(sheet) == wanted
    assert len(sheet.months) == len(months), "nothing is lost"


def test_doubtful_stone_is_reported_at_its_field() -> None:
    sheet = write_sheet("hachihachi", THREE, {}, [M(lines=[L(2, "akatan")], stone=1)])
    assert [(doubt.field, doubt.fault.code.id) for doubt in sheet.doubts] == [
        ("stone", "sheet-stone-doubtful")
    ]


def test_next_month_offers_what_the_month_before_allows() -> None:
    """No small field after a 二代しばり; a known dealer; an unfinished partial sheet."""
    sheet = write_sheet("hachihachi", THREE, {}, [*YEAR[:3], M()])
    offered = sheet.offered
    assert (offered.number, offered.month, offered.dealers) == (4, 4, (1,))
    assert offered.grades[0] == "large" and "small" not in offered.grades
    assert sheet.verification.verdict.status == "unfinished" and not sheet.may_end
    assert sheet.text.count("month ") == 3, "a month in which nothing stands is no month"
    assert sheet.settlement[0].sums == (122, 165, -287)


def test_offers_bar_what_cannot_stand_together() -> None:
    months = [M(lines=[L(1, "goko"), L(2, "sanbon")])]
    offered = write_sheet("hachihachi", THREE, {}, months).offered
    assert offered.bars["shiko", 1].label == "goko", "it replaces it"
    assert offered.bars["shiko", 3].label == "goko", "the same cards"
    assert offered.bars["tatesanbon", 2].label == "sanbon"
    assert ("tanichi", 2) not in offered.bars and ("akatan", 3) not in offered.bars


@pytest.mark.parametrize(
    ("rules", "options", "taken", "barred"),
    [
        ("hachihachi", {}, "akatan", "sohachi"),
        ("hachihachi", {}, "shiso", "akatan"),
        ("hachihachi-bga", {"shiso": "ends"}, "shiso", "futahachi"),
        ("ten-five-one", {"shiso": "ends"}, "shiso", "bozuzoro"),
    ],
)
def test_payment_of_another_end_is_barred_and_refused(
    rules: str, options: Mapping[str, str], taken: str, barred: str
) -> None:
    offered = write_sheet(rules, THREE, options, [M(lines=[L(1, taken)])]).offered
    assert offered.bars[barred, 1].label == taken
    both = [M(lines=[L(1, taken), L(1, barred)], stone=1), M(dealer=1)]
    assert fault(write_sheet(rules, THREE, options, both)) == (1, "line.1", "sheet-not-together")


def test_koikoi_months_are_written_with_their_prizes() -> None:
    """Two shown hands, a season won by one player, a month without a winner."""
    players = ("A", "B")
    shown = write_sheet("koikoi", players, {}, [M(lines=[L(1, "teshi"), L(2, "haneken")])])
    assert "pay teshi 1 +6 2 0\npay haneken 1 -3 2 0\n" in shown.text and not shown.faults
    months = [M(lines=[L(2, "akatan")]), M(lines=[L(2, "tane", "2")]), M(sums=["", "3"])]
    season = write_sheet("koikoi", players, {}, months)
    assert "pay month 1 0 2 +3\npay kobiki 1 0 2 +5\n" in season.text and not season.faults
    again = write_sheet("koikoi", players, {}, [M(nothing=True), M(dealer=2)])
    assert (again.offered.month, again.faults) == (1, [])
    two_hands = write_sheet("koikoi", players, {}, [M(lines=[L(2, "akatan"), L(1, "aotan")])])
    assert fault(two_hands) == (1, "line.1", "sheet-two-winners")
    assert two_hands.offered.bars["kasu", 1].label == "akatan"


@pytest.mark.parametrize(
    ("profile", "line"),
    [("koikoi-nintendo", "pay bai 1 +10 2 0"), ("koikoi-ai", "pay goko 1 +10 2 -10")],
)
def test_house_of_koikoi_adds_its_lines(profile: str, line: str) -> None:
    sheet = write_sheet("koikoi", ("A", "B"), {"profile": profile}, [M(lines=[L(1, "goko")])])
    assert line in sheet.text and not sheet.faults


def test_koikoi_bonus_grows_with_its_total() -> None:
    options = {"profile": "koikoi-ai"}
    months = [M(lines=[L(1, "akatan"), L(1, "koikoi")])]
    offers = write_sheet("koikoi", ("A", "B"), options, months).offered.offers
    (bonus,) = (offer for offer in offers if offer.id == "koikoi")
    assert bonus.each[:4] == (1, 2, 3, 5)


def test_hanaawase_month_with_fuke_is_struck_out() -> None:
    months = [M(lines=[L(1, "akatan")], points=["-60", "30", ""])]
    sheet = write_sheet("hanaawase", THREE, {}, months)
    assert "void akatan" in sheet.text and "void points" in sheet.text and not sheet.faults
    assert sheet.months[0].score == (0, 0, 0)


def test_table_of_five_is_written_with_fees() -> None:
    """Who is out pays for going out, in order; yaku are paid by the two others in play."""
    players = ("A", "B", "C", "D", "E")
    lines = [L(1, "akatan"), L(1, "ori", payer=5), L(1, "ori", payer=4)]
    sheet = write_sheet("hachihachi-bga", players, {}, [M(out=[4, 5], lines=lines)])
    assert not sheet.faults, sheet.faults
    assert sheet.months[0].score == (198, -84, -84, -12, -18)
    assert sheet.offered.payers(next(o for o in sheet.offered.offers if o.id == "ori")) == (4, 5)
    five = write_sheet(
        "ten-five-one",
        players,
        {},
        [M(out=[2, 4], lines=[L(1, "sanbon")], points=["5", "", "", "", "-5"])],
    )
    assert not five.faults
    assert five.offered.playing.order == (1, 3, 5)


def test_fault_of_a_fee_is_at_its_line_of_the_form() -> None:
    """Player 4 goes out before player 5, whose fee was entered first."""
    lines = [L(1, "akatan"), L(2, "ori", payer=5), L(2, "ori", payer=4)]
    players = ("A", "B", "C", "D", "E")
    sheet = write_sheet("hachihachi-bga", players, {}, [M(out=[4, 5], lines=lines), M()])
    assert fault(sheet) == (1, "line.2", "sheet-fees-to")


def test_entry_that_no_sheet_has_is_refused() -> None:
    for rules, players, options, months in (
        ("koikoi", THREE, {}, []),
        ("koikoi", ("A", "B"), {"nothing": "1"}, []),
        ("koikoi", ("A", "B"), {"months": "x"}, []),
        ("hachihachi", THREE, {}, [M(lines=[L(1, "nosuch")])]),
        ("hachihachi", THREE, {}, [M(lines=[L(9, "aotan")])]),
        ("hachihachi", THREE, {}, [M(lines=[L(1, "aotan", payer=1)])]),
        ("hachihachi", THREE, {}, [M(dealer=4)]),
        ("hachihachi", THREE, {}, [M(stone=4)]),
        ("hachihachi", THREE, {}, [M(ba="huge")]),
        ("hachihachi", THREE, {}, [M()] * 65),
        ("ten-five-one", ("A", "B", "C", "D"), {}, [M(out=[1, 2])]),
    ):
        with pytest.raises(BadValue):
            write_sheet(rules, players, options, months)
    with pytest.raises(BadValue):
        write_sheet("koikoi", ("A", "B"), {}, [M()], at=2)


@pytest.mark.parametrize(
    ("rules", "players", "ba", "captured", "points"),
    [
        ("hachihachi", THREE, "large", ["118", "62", ""], (60, -52, -8)),
        ("hachihachi", THREE, "absolute", ["121", "", "104"], (132, -196, 64)),
        ("hachihachi-bga", ("A", "B", "C", "D"), "large", ["100", "", "80", ""], (24, -8, -16, 0)),
        ("hanaawase", THREE, None, ["101", "76", ""], (13, -12, -1)),
        ("ten-five-one", THREE, None, ["130", "100", ""], (30, -10, -20)),
    ],
)
def test_captured_points_are_paid_by_the_grade(
    rules: str, players: Sequence[str], ba: str | None, captured: list[str], points: Sequence[int]
) -> None:
    """88, or 100, 110 and 120, make nothing; the grade's factor; the last follows."""
    sheet = write_sheet(rules, players, {}, [M(ba=ba, captured=captured)])
    assert sheet.months[0].points == tuple(points)
    assert not sheet.faults
    assert sum(sheet.months[0].captured or ()) == sheet.offered.whole


def test_captured_points_that_are_not_all_cards_are_refused() -> None:
    sheet = write_sheet("hanaawase", THREE, {}, [M(captured=["100", "100", "100"])])
    assert fault(sheet) == (1, "points", "sheet-line-not-zero")


def test_sum_that_does_not_show_the_next_dealer_needs_a_stone() -> None:
    """Only the sums of `hachihachi-bga` need the stone (S3, S7)."""
    months = [M(sums=["1k", "-1k", ""], stone=2), M()]
    sheet = write_sheet("hachihachi-bga", THREE, {}, months, at=1)
    assert sheet.offered.stone and not sheet.offered.stones
    assert sheet.months[1].month.dealer == 2 and not sheet.faults
    assert not write_sheet("hachihachi-bga", THREE, {}, [M(points=["1", "2", ""])]).offered.stone


def test_zeros_are_a_month_without_payments_where_only_the_winner_gets() -> None:
    """A koi-koi month that nobody won is played again; elsewhere zeros are a sum (S2)."""
    sheet = write_sheet("koikoi", THREE[:2], {}, [M(sums=["0", ""])])
    assert not sheet.months[0].month.payments and not sheet.faults
    assert (sheet.months[0].result is not None, sheet.next_month) == (True, 1)
    zeros = write_sheet("hanaawase", THREE, {}, [M(sums=["0", "0", ""])])
    assert [line.label for line in zeros.months[0].month.payments] == ["month"]
