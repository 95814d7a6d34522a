"""The turns of a winner of koi-koi: which yaku of one month can be captured, with which calls."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Final

import pytest

from kafu import cards
from kafu.rules.koikoi import sheet_cards
from kafu.rules.koikoi.machine import gives_right
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.sheet_cards import find_cards
from kafu.rules.koikoi.sheet_check import MonthSituation, list_demands
from kafu.rules.koikoi.sheet_turns import Demand, can_arrange
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import grown, made, total
from rules.tables import make_profile
from sheets import judge_sheet

FREE: Final = frozenset(range(8))


def make_rules(options: str) -> Profile:
    """Return the house with these options."""
    return make_profile(**dict(option.split("=") for option in options.split()))


def can_win(
    values: dict[str, int], calls: frozenset[int] = FREE, options: str = "", **more: object
) -> bool:
    """Return whether a winner of the house with these options can have exactly these yaku."""
    rules = make_rules(options)
    demand = Demand(rules, rules.table(1), frozenset(values.items()), calls)
    return find_cards(demand._replace(**more)) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "values",
    [
        {"kasu": 1},
        {"kasu": 16},  # all 24 and the cup
        {"teppo": 6},
        {"goko": 24},
        {"akatan": 7, "aotan": 7, "tan": 2},
        {"goun": 15, "inoshikacho": 6, "tane": 2},
        {"otori": 18},
        {"sanko": 6, "omotesugawara": 4},
        {"sanko": 6, "tane": 1, "otori": 18},
        {"ameshiko": 9, "goun": 15, "tane": 1},  # rain voids 鉄砲
    ],
)
def test_yaku_that_cards_make_are_possible(values: dict[str, int]) -> None:
    assert can_win(values)


@pytest.mark.parametrize(
    "values",
    [
        {"kasu": 17},
        {"goko": 24, "shiko": 16},
        {"tsukimi": 2, "hanami": 2},  # the two are 鉄砲
        {"goun": 15},  # five animals
        {"akatan": 7, "aotan": 7},  # six ribbons
        {"akatan": 7, "aotan": 7, "kusa": 5, "tan": 4},
        {"goko": 24, "omotesugawara": 4, "goun": 15, "tane": 1},  # the cup, I and c: 鉄砲, if dry
    ],
)
def test_yaku_that_no_cards_make_are_impossible(values: dict[str, int]) -> None:
    assert not can_win(values)


def test_captured_cards_are_an_even_number() -> None:
    """Three brights, six animals, six ribbons and twelve chaff cards are 27."""
    values = {"sanko": 5, "tane": 2, "tan": 2, "kasu": 3}
    assert not can_win(values, options="profile=koikoi-ai")
    assert can_win({**values, "kasu": 2}, options="profile=koikoi-ai")


@pytest.mark.parametrize(
    ("calls", "expected"), [({0}, True), ({1}, True), ({2}, True), ({3}, False)]
)
def test_calls_are_as_many_as_the_yaku_give_rights(calls: set[int], expected: bool) -> None:
    """五光 is made at once, or after 三光 and 四光."""
    assert can_win({"goko": 10}, frozenset(calls), "profile=koikoi-ai") is expected


@pytest.mark.parametrize(
    ("values", "calls", "expected"),
    [
        ({"shiko": 8}, {1}, True),
        ({"shiko": 8}, {2}, False),  # the rain man would make 五光
        ({"akatan-aotan": 10, "akatan": 5, "aotan": 5, "tan": 2}, {2}, True),
        ({"akatan-aotan": 10, "akatan": 5, "aotan": 5, "tan": 2}, {3}, False),
    ],
)
def test_replaced_yaku_give_no_more_rights_than_their_cards(
    values: dict[str, int], calls: set[int], expected: bool
) -> None:
    assert can_win(values, frozenset(calls), "profile=koikoi-ai") is expected


@pytest.mark.parametrize("options", ["", "hinode=no", "profile=koikoi-nintendo rain=yes"])
@pytest.mark.parametrize("floor", [0, 3])
def test_orders_give_the_rights_that_turns_one_by_one_give(options: str, floor: int) -> None:
    """All orders of few captures of the cards that yaku share, against a plain enumeration."""
    random, rules = Random(0), make_rules(options)
    table = rules.table(1)
    for _ in range(40):
        months = random.sample([1, 3, 3, 8, 9, 9, 11, 12], 4)
        captures = []
        for month in sorted(set(months)):
            pack = [*cards.bits(cards.MONTHS[month])]
            random.shuffle(pack)
            captures += [sum(pack[:2]), sum(pack[2:])][: months.count(month)]
        for is_stopped in (False, True):
            demand = Demand(rules, table, frozenset(), FREE, floor=floor, is_stopped=is_stopped)
            expected = set(count_calls(demand, captures, 0, 0))
            for calls in range(5):
                given = can_arrange(demand._replace(calls=frozenset({calls})), captures)
                assert given is (calls in expected), (captures, calls)


def count_calls(demand: Demand, left: list[int], held: int, calls: int) -> Iterator[int]:
    """Yield the possible numbers of calls in turns of one capture or two."""
    if not left and not demand.is_stopped:
        yield calls
    for played, turned in [*((capture, 0) for capture in left), *permutations(left, 2)]:
        after = held | played | turned
        old, new = (
            made(demand.table, held_, rained=demand.house.rains(held_), called=calls > 0)
            for held_ in (held, after)
        )
        has_right = total(new) >= demand.floor and any(
            grown(yaku, old)
            and gives_right(demand.house, demand.table.find(yaku.id), yaku, after, played, turned)
            for yaku in new
        )
        others = [capture for capture in left if capture not in (played, turned)]
        if demand.is_stopped and not others and has_right:
            yield calls
        yield from count_calls(demand, others, after, calls + has_right)


def test_yaku_of_many_cards_need_a_call() -> None:
    """Both poem ribbons and 五光 need more than the two captures of one turn."""
    values = {"goko": 10, "akatan-aotan": 10, "akatan": 5, "aotan": 5, "tan": 2}
    assert not can_win(values, frozenset({0}), "profile=koikoi-ai")
    assert can_win(values, frozenset({1}), "profile=koikoi-ai")


def test_yaku_voided_by_rain_may_have_given_the_right_before() -> None:
    assert can_win({"sanko": 6}, frozenset({2}))
    assert not can_win({"sanko": 6}, frozenset({3}))
    assert not can_win({"sanko": 6}, frozenset({1}), "rain=no")


def test_ten_chaff_cards_win_only_without_the_cup_or_when_hands_run_out() -> None:
    cards = can_win({"kasu": 1}, floor=3), can_win({"kasu": 1}, floor=3, is_stopped=False)
    assert cards == (False, True)


def test_opponent_who_called_needs_cards_for_a_yaku() -> None:
    """In a house of brights alone the winner's 五光 leaves none."""
    ids = (row.id for row in make_profile().yaku if row.id not in ("goko", "shiko", "sanko"))
    brights = " ".join(f"{id}=0" for id in ids)
    assert can_win({"goko": 24}, options=brights)
    assert not can_win({"goko": 24}, options=brights, opponent_calls=1)


def test_opponent_of_a_dealer_who_stops_has_one_turn_less() -> None:
    house = make_rules("calls=multiply exhausted=higher")
    demands = [
        demand
        for is_dealer in (True, False)
        for demand in list_demands(
            frozenset({("kasu", 1)}),
            [(0, 8)],
            MonthSituation(house, house.table(1), False, is_dealer),
        )
    ]
    turns = [(demand.is_stopped, demand.opponent_turns) for demand in demands]
    assert turns == [(False, 8), (True, 7), (False, 8), (True, 8)]
    assert not can_win({"kasu": 1}, options="calls=multiply", opponent_calls=8, opponent_turns=7)


@pytest.mark.parametrize(
    ("options", "lines", "code", "values"),
    [
        (
            "profile=koikoi-ai",
            ["goko 1 +10 2 -10", "tane 1 +1 2 -1", "koikoi 1 +3 2 -3"],
            None,
            {},
        ),
        (
            "profile=koikoi-ai",
            ["tane 1 +1 2 -1", "koikoi 1 +1 2 -1"],
            "sheet-no-cards",
            {"lines": "tane, koikoi"},
        ),
        (
            "profile=koikoi-ai",
            ["goko 1 +10 2 -10", "kasu 1 +6 2 -6"],
            "sheet-due",
            {"label": "koikoi", "seat": 1},
        ),
        # The yaku give the right in three turns at the most.
        (
            "profile=koikoi-ai",
            [
                *("akatan-aotan 1 +10 2 -10", "akatan 1 +5 2 -5", "aotan 1 +5 2 -5"),
                *("tan 1 +2 2 -2", "koikoi 1 +22 2 -22"),
            ],
            "sheet-no-cards",
            {"lines": "akatan-aotan, akatan, aotan, tan, koikoi"},
        ),
        pytest.param(  # eight turns in a row give the right; the sum ends the game
            *("profile=koikoi-ai", ["month 1 +65 2 -65"], "game-over", {}),
            marks=pytest.mark.long_only,  # two seconds
        ),
        # An opponent who called and has less in the end lost a sake yaku to rain.
        (
            "calls=multiply exhausted=higher first-to=50 tsukifuda=4",
            ["kasu 1 +1 2 0", "koikoi 1 +3 2 0"],
            None,
            {},
        ),
        # The opponent called four times.
        (
            "bai=7 calls=multiply koikoigaeshi=yes tsukifuda=4",
            ["tane 1 +1 2 0", "koikoi 1 +6 2 0", "koikoigaeshi 1 +7 2 0"],
            None,
            {},
        ),
        # 青短 gives the right; then further ribbons raise neither it nor タン, which it replaces.
        (
            "profile=koikoi-nintendo aotan-step=0 bai=0 koikoigaeshi=no",
            ["akatan-aotan 1 +13 2 0"],
            None,
            {},
        ),
        # The cup comes after ten chaff cards, and moon, curtain and rain after it, without chaff.
        (
            "exhausted=higher koikoi-bonus=1 koikoi-last=no mist=yes",
            ["kasu 1 0 2 +2", "koikoi 1 0 2 +4"],
            None,
            {},
        ),
        # The curtain makes 三光 after 小鳥 and 大鳥; the moon, captured with a bird, would not.
        (
            "exhausted=higher koikoi-bonus=1 koikoi-last=no mist=yes",
            ["otori 1 +18 2 0", "sanko 1 +6 2 0", "koikoi 1 +3 2 0"],
            None,
            {},
        ),
        # Early captures that give no right come first in the winner's turns.
        (
            "bai=7 calls=multiply koikoigaeshi=yes tsukifuda=4",
            ["kasu 1 +3 2 0", "koikoi 1 +12 2 0"],
            None,
            {},
        ),
        pytest.param(  # four turns give the right, if the chaff cards come before the cup
            "bai=7 calls=multiply koikoigaeshi=yes tsukifuda=4",
            [
                *("sanko 1 0 2 +6", "kasu 1 0 2 +2", "tsukimi 1 0 2 +2"),
                *("koikoi 1 0 2 +30", "bai 1 0 2 +40"),
            ],
            None,
            {},
            marks=pytest.mark.long_only,  # two seconds
        ),
        pytest.param(
            "bai=7 calls=multiply koikoigaeshi=yes tsukifuda=4",
            ["month 1 +21 2 0"],
            "sheet-month-sum",
            {"found": "+21"},
            marks=pytest.mark.long_only,  # a second
        ),
        pytest.param(
            *("profile=koikoi-nintendo", ["month 1 +86 2 0"], "sheet-month-sum", {"found": "+86"}),
            marks=pytest.mark.long_only,  # a second
        ),
        ("profile=koikoi-ai", [], "sheet-due", {"label": "oyaken", "seat": 1}),
        ("profile=koikoi-ai", ["month 1 +198 2 -198"], "sheet-month-sum", {"found": "+198"}),
        # Many sets of yaku have this total, or one below it with calls; no cards make any of them.
        pytest.param(
            *("profile=koikoi-ai", ["month 1 +61 2 -61"], "sheet-month-sum", {"found": "+61"}),
            marks=pytest.mark.long_only,  # three seconds; the sum above is refused by its size
        ),
        # Nobody says こいこい twice.
        (
            "profile=koikoi-nintendo",
            ["goko 1 +10 2 0", "akatan-aotan 1 +10 2 0", "kasu 1 +5 2 0", "bai 1 +25 2 0"],
            "sheet-no-cards",
            {"lines": "goko, akatan-aotan, kasu"},
        ),
    ],
)
def test_month_is_refused_with_the_lines_to_blame(
    options: str, lines: list[str], code: str | None, values: dict[str, object]
) -> None:
    pay = "".join(f"pay {line}\n" for line in lines)
    months = f"month 1 dealer 1\n{pay}\nmonth 2 dealer 1"
    error = judge_sheet("koikoi", months, options, players=2).error
    assert (error and error.code.id) == code
    assert error is None or values.items() <= error.values.items()


def test_month_is_undecided_when_no_plan_of_the_opponent_is_left_to_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many calls have thousands of plans: all of them would take minutes."""
    monkeypatch.setattr(sheet_cards, "_MOST_PLANS", 0)
    find_cards.cache_clear()
    with pytest.raises(Undecided):
        can_win({"kasu": 1}, options="calls=multiply", opponent_calls=3)
    find_cards.cache_clear()
