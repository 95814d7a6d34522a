"""The question of a sheet's month: deals and captures of 48 cards (`kafu.rules.sheets`)."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.sheet_cards import HachihachiMonth, find_declared_kind
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.sheets import month as sheets_month
from kafu.rules.sheets import question
from kafu.rules.sheets.capture_rules import Counter, weigh
from kafu.rules.sheets.capture_ways import FIELD, NOBODY, PILE, list_captures, list_outcomes
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import ANY, HandKind
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import find_witness
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.verdict import Verdict
from lengths import part
from sheets import judge_sheet

#: The numbers of absolute and large brights on a small field.
SMALL = frozenset({(0, 0)})
LABELS = [
    frozenset(id for id in (chaff, count) if id)
    for chaff in (None, *hands.CHAFF)
    for count in (None, *hands.COUNT)
]


@given(seed=st.integers(0, 10**6), is_chaff=st.booleans())
def test_hands_of_a_kind_are_those_that_can_be_declared_so(seed: int, is_chaff: bool) -> None:
    random = Random(seed)
    months = random.sample(range(12), 4 if seed % 2 else 12)
    pack = [card for card in cards.bits(cards.ALL) if (card.bit_length() - 1) // 4 in months]
    if is_chaff:
        plain = cards.CHAFF | cards.WILLOW | cards.RIBBONS
        pack = list(cards.bits(plain))
    hand = sum(random.sample(pack, 7))
    declared = {frozenset[str](), *(frozenset(item.yaku) for item in hands.declarations(hand))}
    for label in part(LABELS, one_of=4):
        assert find_declared_kind(label).accepts(hand) == (label in declared), sorted(label)


def test_kind_without_hands_is_empty() -> None:
    assert not find_declared_kind(frozenset({"karasu", "futasanbon"})).layers


@pytest.mark.parametrize(
    ("places", "owners", "is_possible"),
    [
        ((0, 0, 0, PILE), (0, 1, 0, 1), True),  # a holder of three keeps a pair of them
        ((0, 0, 0, PILE), (1, 1, 0, 0), False),
        ((0, 0, 0, FIELD), (0, 0, 0, 0), True),
        ((0, 0, 0, FIELD), (0, 0, 1, 1), False),
        ((0, 0, 0, 0), (0, 0, NOBODY, NOBODY), True),
        ((0, 0, 0, 0), (1, 1, NOBODY, NOBODY), False),
        ((FIELD, FIELD, 0, 1), (0, 1, 0, 1), True),
        ((FIELD, FIELD, 0, 1), (0, 0, 1, 1), False),  # no hand card captures two of two
        ((FIELD, FIELD, FIELD, 2), (2, 2, 2, 2), True),
        ((FIELD, FIELD, FIELD, 2), (1, 1, 1, 1), False),
        ((FIELD, PILE, PILE, PILE), (NOBODY, 1, 1, NOBODY), False),  # the first pair has it
        ((FIELD, FIELD, FIELD, FIELD), (0, 0, 0, 0), True),
        ((FIELD, FIELD, FIELD, FIELD), (1, 1, 1, 1), False),
    ],
)
def test_captures_of_a_month_follow_from_its_deal(
    places: tuple[int, ...], owners: tuple[int, ...], is_possible: bool
) -> None:
    assert (owners in list_outcomes(places)) is is_possible


def test_month_has_twenty_one_ways_to_be_captured_whole() -> None:
    assert len(list_captures(is_played_out=True)) == 21
    assert len(list_captures(is_played_out=False)) == 40


def demand(*points: int, hand: HandKind = ANY) -> Demand:
    """Return the demand of a month with these points, and a kind of the first player's hand."""
    players = [DemandedPlayer(ANY, points=(number, number)) for number in points]
    players[0] = players[0]._replace(hand=hand)
    return Demand(
        tuple(players),
        YAKU,
        cards.CHAFF | cards.WILLOW,
        SMALL,
        is_played_out=True,
        most_points=167,
        most_chaff=15,
    )


@given(st.integers(60, 110), st.integers(60, 110))
def test_witness_has_the_points_and_no_yaku(first: int, second: int) -> None:
    points = (first, second, 264 - first - second)
    witness = find_witness(demand(*points))
    assert witness is not None
    assert tuple(map(cards.points, witness.captured)) == points
    for captured in witness.captured:
        assert not any((captured & row.cards).bit_count() >= row.need for row in YAKU)
        assert (captured & (cards.CHAFF | cards.WILLOW)).bit_count() <= 15


@pytest.mark.parametrize("points", [1, 3, 5, 7, 9])
def test_odd_points_below_eleven_have_no_cards(points: int) -> None:
    assert find_witness(demand(points, 130, 134 - points)) is None
    assert find_witness(demand(11, 130, 123)) is not None


def test_search_without_an_answer_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "find_deal", lambda *_: None)
    find_witness.cache_clear()
    with pytest.raises(Undecided):
        find_witness(demand(90, 90, 84))
    find_witness.cache_clear()


@pytest.mark.parametrize(
    ("id", "amounts", "is_paid"),
    [
        ("points", (0, 2, -2), True),
        ("points", (1, 1, -2), False),
        ("akatan", (168, -84, -84), False),
        ("sujuroku", (288, -144, -144), False),
    ],
)
def test_cards_that_are_paid_otherwise_are_no_witness(
    id: str, amounts: tuple[int, ...], is_paid: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = 0 if id == "points" else 1
    line = PaymentLine(PAYMENTS[id].kind, (id,), seat, amounts, False, "pay.0")
    month = HachihachiMonth([line], PAYMENTS, (1, 2, 3), True, SMALL)
    witness = find_witness(demand(88, 90, 86))
    monkeypatch.setattr(sheets_month, "find_witness", lambda *_: witness)
    with nullcontext() if is_paid else pytest.raises(Undecided):
        assert month.check() == witness


def test_witness_that_no_play_leads_to_is_refused() -> None:
    witness = find_witness(demand(88, 90, 86, hand=find_declared_kind(frozenset({"sanbon"}))))
    assert witness is not None
    witness.check(is_played_out=True)
    first, second, third = witness.captured
    for wrong in (
        witness._replace(captured=(second, first, third)),
        witness._replace(captured=(first, second, 0)),
        witness._replace(captured=(first, second | first, third)),
        witness._replace(field=witness.field & witness.field - 1),
    ):
        with pytest.raises(Undecided):
            Witness.check(wrong, is_played_out=True)


def judge_month(lines: str, ba: str = "small") -> Verdict:
    """Return the verdict on a month of hachihachi."""
    return judge_sheet("hachihachi", f"month 1 dealer 1\nba {ba}\n{lines}\nstone 1")


@pytest.mark.parametrize(
    ("lines", "ba", "code", "where"),
    [
        ("pay points 1 +70 2 +11 3 -81", "small", "sheet-points", "pay.0"),
        ("pay points 1 +70 2 +10 3 -80", "small", "", ""),
        # Who pays for the fourth card alone held it, and はねけん has no single card.
        (
            "pay aka+futatatesanbon 1 -12k 2 -12k 3 +24k\npay toichi+haneken 1 +20k 2 -10k 3 -10k\n"
            "pay tobikomi 1 -2k 2 0 3 +2k\npay points 1 -29 2 +47 3 -18",
            "small",
            "sheet-no-cards",
            "pay.3",
        ),
        # A player dealt three of a month captures two of them, but may have no points with others.
        (
            "pay sanbon 1 +4k 2 -2k 3 -2k\npay points 1 -88 2 +40 3 +48",
            "small",
            "sheet-no-cards",
            "pay.1",
        ),
        ("pay kuttsuki 1 +8k 2 -4k 3 -4k\npay points 1 -88 2 +40 3 +48", "small", "", ""),
        # 173 points leave 3 when divided by 5, as do thirteen chaff cards; three more are willow.
        (
            "pay futahachi 1 +30k 2 -15k 3 -15k\npay sujuroku 1 +28k 2 -14k 3 -14k",
            "small",
            "sheet-not-together",
            "pay.1",
        ),
        (
            "pay futahachi 1 +30k 2 -15k 3 -15k\npay sujuroku 1 +24k 2 -12k 3 -12k",
            "small",
            "",
            "",
        ),
        # Nobody captures more than thirty-two cards.
        ("pay futahachi 1 +80k 2 -40k 3 -40k", "small", "", ""),
        ("pay futahachi 1 +100k 2 -50k 3 -50k", "small", "sheet-no-cards", "pay.0"),
        # The rain man lies on the field.
        ("pay aka+teshi 1 +64k 2 -32k 3 -32k\npay points 1 -8 2 +12 3 -4", "absolute", "", ""),
        (
            "pay aka+teshi 1 +64k 2 -32k 3 -32k\npay points 1 -8 2 +12 3 -4",
            "absolute2",
            "sheet-no-cards",
            "pay.0",
        ),
        # The phoenix lies on the field, so who was dealt tuv captures all paulownia.
        (
            "pay karasu+tatesanbon 1 +56k 2 -28k 3 -28k\npay points 1 -8 2 +12 3 -4",
            "absolute2",
            "sheet-due",
            "pay.0",
        ),
        (
            "pay karasu+tatesanbon 1 +56k 2 -28k 3 -28k\npay tobikomi 1 +8k 2 -4k 3 -4k\n"
            "pay points 1 -8 2 +12 3 -4",
            "absolute2",
            "",
            "",
        ),
        # All ten ribbons are akatan and aotan too, and nine of them include one of these.
        ("pay nanatan 1 +26k 2 -13k 3 -13k", "small", "sheet-yaku-together", "pay.0"),
        ("pay nanatan 1 +22k 2 -11k 3 -11k", "small", "", ""),
        # Two hands of chaff with a standing three: there is only one.
        (
            "pay karasu+tatesanbon 1 +14k 2 -7k 3 -7k\npay karasu+tatesanbon 1 -7k 2 +14k 3 -7k\n"
            "pay points 1 0 2 -1 3 +1",
            "small",
            "sheet-too-many-cards",
            "pay.1",
        ),
        # Who pays a tobikomi alone held the fourth card, or was in sage in another month than this.
        pytest.param(
            "pay sanbon 1 +4k 2 -2k 3 -2k\npay haneken 1 -7k 2 +14k 3 -7k\n"
            "pay tobikomi 1 +2k 2 -2k 3 0\npay points 1 +6 2 -8 3 +2",
            "small",
            "sheet-no-cards",
            "pay.3",
            marks=pytest.mark.long_only,  # a second; the referee decides about such months too
        ),
        (
            "pay sanbon 1 +4k 2 -2k 3 -2k\npay haneken 1 -7k 2 +14k 3 -7k\n"
            "pay tobikomi 1 +2k 2 0 3 -2k\npay points 1 +6 2 -8 3 +2",
            "small",
            "",
            "",
        ),
    ],
)
def test_month_is_possible_if_cards_make_it(lines: str, ba: str, code: str, where: str) -> None:
    error = judge_month(lines, ba).error
    assert (error.code.id if error else "") == code
    if error:
        assert error.where == (where,)


@pytest.mark.parametrize(
    ("lines", "is_possible"),
    [
        # Fourteen captures and more of one player, with few cards of the hand to capture with.
        pytest.param(
            "pay sujuroku 1 -26k 2 -26k 3 +52k\nvoid haneken 1 +14k 2 -7k 3 -7k\n"
            "void tanichi+ichinishi 1 -12k 2 +24k 3 -12k\nvoid karasu+haneken 1 -11k 2 -11k 3 +22k",
            False,
            marks=pytest.mark.long_only,  # seconds; the referee decides about such months too
        ),
        (
            "void haneken 1 -7k 2 -7k 3 +14k\nvoid tobikomi 1 -2k 2 0 3 +2k\n"
            "pay sujuroku 1 -20k 2 -20k 3 +40k\npay futahachi 1 +26k 2 -13k 3 -13k",
            True,
        ),
        pytest.param(
            "pay sujuroku 1 +64k 2 -32k 3 -32k\nvoid aka+haneken 1 +18k 2 -9k 3 -9k",
            False,
            marks=pytest.mark.long_only,
        ),
        ("pay sujuroku 1 -32k 2 -32k 3 +64k\nvoid aka 1 -2k 2 -2k 3 +4k", True),
        ("pay sujuroku 1 +64k 2 -32k 3 -32k", True),
        # The struck-out hand of a struck-out tobikomi is missing, which has two threes at most.
        ("void tobikomi 1 +4k 2 -2k 3 -2k\npay futahachi 1 +20k 2 -10k 3 -10k", True),
        ("void tobikomi 1 +6k 2 -3k 3 -3k\npay futahachi 1 +20k 2 -10k 3 -10k", False),
        # Months with three cards on the field are needed.
        ("pay futahachi 1 -35k 2 +70k 3 -35k", True),
        ("pay sujuroku 1 +36k 2 -18k 3 -18k\npay futahachi 1 +88k 2 -44k 3 -44k", False),
    ],
)
def test_rare_month_is_decided(lines: str, is_possible: bool) -> None:
    assert (judge_month(lines).error is None) is is_possible


def test_fault_names_a_smallest_set_of_lines() -> None:
    error = judge_month(
        "pay aka 1 -2k 2 +4k 3 -2k\npay sanbon 1 +4k 2 -2k 3 -2k\npay points 1 -88 2 0 3 +88"
    ).error
    assert error is not None and error.code.id == "sheet-special-due"
    error = judge_month(
        "pay aka 1 -2k 2 +4k 3 -2k\npay sanbon 1 +4k 2 -2k 3 -2k\npay points 1 -88 2 +40 3 +48"
    ).error
    assert error is not None and error.values["lines"] == "sanbon, points"


def test_message_names_the_lines_in_words() -> None:
    lines = "pay sanbon 1 +4k 2 -2k 3 -2k\npay points 1 -88 2 +40 3 +48"
    error = judge_month(lines, "small").error
    assert error is not None
    assert error.code.text("ja", error.values).startswith("三本、点数は、")
    assert error.code.text("en", error.values).startswith("sanbon, card points: ")


def test_same_counters_are_left_out_in_any_order() -> None:
    """Otherwise the cards found for a month would differ between processes."""
    demand = Demand((DemandedPlayer(ANY),) * 3, YAKU, cards.CHAFF, is_played_out=True)
    counters = [Counter(player, weigh(cards.CHAFF), 8, 8) for player in range(3)]
    kept = question.drop_implied(counters, demand)
    assert len(kept) == 2
    assert question.drop_implied(reversed(counters), demand) == kept
