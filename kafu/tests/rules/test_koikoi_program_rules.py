"""Rules of koi-koi that programs add (K16–K19): examples by hand, and games scored once more."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kafu
from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import Reading, read
from kafu.notation.writer import write
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.machine import HAND, Koikoi
from kafu.rules.play.actions import Say
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from lengths import GAMES
from rare.simulation import simulate_rare
from rules.naive_koikoi import final, scored
from rules.tables import (
    after,
    exhausted,
    make_machine,
    make_profile,
    played,
    position,
    result,
    yaku,
)

#: Values of each option for games by chance.
CHOICES = {
    "tsukifuda": ("0", "1", "4", "12"),
    "calls": ("multiply", "multiply", "no"),
    "first-to": ("0", "10", "25", "60"),
    "exhausted": ("higher", "higher", "nagare"),
    "bai": ("0", "0", "5", "7"),
    "koikoigaeshi": ("no", "yes"),
    "koikoi-last": ("yes", "no"),
    "mist": ("no", "yes"),
    "months": ("1", "2", "4", "7"),
}
SEEDS = st.integers(0, 10**6)


def game_of(seed: int) -> Game:
    """Return a simulated game by the document's rules and some rules of programs."""
    random = Random(seed)
    options = {name: random.choice(values) for name, values in CHOICES.items()}
    return (simulate if seed % 3 else simulate_rare)("koikoi", seed=seed, options=options)


def judge(game: Game) -> Verdict:
    return verify(Reading(game)).verdict


def sheet_verdict(month: int, *payments: str, **options: str) -> Verdict:
    """Return the verdict on a sheet with the given payments in its last month.

    Seat 1 got 1 mon before.
    """
    written = " ".join(f"{name}={value}" for name, value in options.items())
    lines = ['[Kafu "1"]', '[Rules "koikoi"]']
    lines += [f'[Options "{written.replace("_", "-")}"]'] if written else []
    lines += ['[Player1 ""]', '[Player2 ""]', '[Sheet "1"]', '[Termination "unfinished"]', ""]
    for number in range(1, month):
        seat = 1 if number % 3 else 2
        amounts = "1 +1 2 0" if seat == 1 else "1 0 2 +1"
        dealer = 1 if number % 3 != 1 or number == 1 else 2
        lines += [f"month {number} dealer {dealer}", f"pay kasu {amounts}", ""]
    lines += [f"month {month} dealer {2 if month % 3 == 1 and month > 1 else 1}"]
    lines += [f"pay {payment}" for payment in payments]
    return verify(read("\n".join(lines) + "\n")).verdict


# K16 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("month", "captured", "expected"),
    [
        *((month, cards.LETTERS[4 * month - 4 : 4 * month], 4) for month in range(1, 13)),
        (13, "ABCD", 4),
        (48, "stuv", 4),
        (1, "EFGH", 0),
        (13, "stuv", 0),
        (1, "ABC", 0),
    ],
)
def test_four_cards_of_the_month_are_a_yaku(month: int, captured: str, expected: int) -> None:
    machine = make_machine(tsukifuda="4")
    state = position(captured, hand="b", stock="a", machine=machine).replace(month=month)
    assert yaku(state, machine).get("tsukifuda", 0) == expected


def test_cards_of_the_month_add_up_and_rain_leaves_them() -> None:
    machine = make_machine(tsukifuda="4")
    november = position("opqrIcg", hand="b", stock="a", machine=machine).replace(month=11)
    assert yaku(november, machine) == {"tsukifuda": 4}
    may = position("QRSTEUYg", hand="b", stock="a", machine=machine).replace(month=5)
    assert yaku(may, machine) == {"goun": 15, "tane": 1, "tsukifuda": 4}
    assert yaku(november) == {}


def test_last_card_of_the_month_gives_the_right_to_declare() -> None:
    machine = make_machine(tsukifuda="4")
    table = position("CD", hand="A", field="B", stock="W", machine=machine)
    assert after(table, "AxB/W", machine).phase is Phase.DECIDE
    assert after(table.replace(month=2), "AxB/W", machine).phase is Phase.HAND
    assert after(table, "AxB/W").phase is Phase.HAND
    # K9: the floor of a month played over holds for it as for any yaku.
    for value, phase in (("2", Phase.HAND), ("3", Phase.DECIDE)):
        machine = make_machine(tsukifuda=value)
        state = position("CD", hand="A", field="B", stock="W", replayed=True, machine=machine)
        assert after(state, "AxB/W", machine).phase is phase


def test_ended_month_keeps_its_own_cards() -> None:
    """The state after the end has the number of the next month."""
    machine = make_machine(tsukifuda="4")
    state = after(position("CD", hand="A", field="B", stock="W", machine=machine), "AxB/W", machine)
    ended, _ = machine.apply(state, Say("shobu"))
    assert (ended.month, yaku(ended, machine)) == (2, {"tsukifuda": 4})


@pytest.mark.parametrize(
    ("month", "payments", "code"),
    [
        (2, ("tsukifuda 1 +4 2 0",), None),
        (2, ("tsukifuda 1 +5 2 0",), "sheet-value"),
        (2, ("tsukifuda 1 +4 2 0", "akatan 1 +7 2 0"), None),
        # Pine, plum and cherry are three brights with moon and phoenix; 五光 has them all.
        (1, ("tsukifuda 1 +4 2 0", "omotesugawara 1 +4 2 0"), None),
        (2, ("month 1 +4 2 0",), None),
    ],
)
def test_sheet_with_the_cards_of_the_month_is_judged(
    month: int, payments: tuple[str, ...], code: str | None
) -> None:
    error = sheet_verdict(month, *payments, tsukifuda="4").error
    assert (error and error.code.id) == code


def test_cards_of_the_month_are_no_payment_of_other_houses() -> None:
    error = sheet_verdict(2, "tsukifuda 1 +4 2 0").error
    assert error is not None and error.code.id == "sheet-label-unknown"


# K17 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "calls", "lines"),
    [
        ({}, (0, 0), {"sanko": 6}),
        ({}, (1, 0), {"sanko": 6, "koikoi": 6}),
        ({}, (0, 1), {"sanko": 6, "koikoi": 6}),
        ({}, (2, 1), {"sanko": 6, "koikoi": 18}),
        ({"bai": "7"}, (2, 1), {"sanko": 6, "koikoi": 18}),
        ({"bai": "6"}, (2, 1), {"sanko": 6, "koikoi": 18, "bai": 24}),
        ({"koikoigaeshi": "yes"}, (2, 0), {"sanko": 6, "koikoi": 12}),
        ({"koikoigaeshi": "yes"}, (0, 1), {"sanko": 6, "koikoi": 6, "koikoigaeshi": 12}),
        ({"koikoi_bonus": "2"}, (1, 1), {"sanko": 6, "koikoi": 2 + 8 * 2}),
        ({"koikoi_times": "1"}, (2, 0), {"sanko": 6, "koikoi": 6 + 12 * 2}),
    ],
)
def test_total_is_multiplied_by_the_calls_of_both(
    options: dict[str, str], calls: tuple[int, int], lines: dict[str, int]
) -> None:
    machine = make_machine(calls="multiply", **options)
    right = after(position("AI", hand="c", field="e", stock="R", machine=machine), "cxe/R", machine)
    ended, events = machine.apply(right.replace(calls=calls), Say("shobu"))
    assert {line.label: line.amounts[0] for line in result(ended).ledger} == lines
    call_events = [(event.amount, event.amounts) for event in events if event.why == "calls"]
    assert call_events == ([(sum(calls), (lines["koikoi"], 0))] if sum(calls) else [])


def test_shown_hand_and_prizes_are_not_multiplied() -> None:
    machine = make_machine(calls="multiply", obiki="9", months="3")
    plain = make_machine(obiki="9", months="3")
    assert played(machine, "111").final == played(plain, "111").final == (18 + 5 + 9 + 5 + 3, 0)


@pytest.mark.parametrize(
    ("payments", "code"),
    [
        (("sanko 1 +6 2 0",), None),
        (("sanko 1 +6 2 0", "koikoi 1 +12 2 0"), None),
        # Three calls of the winner before 三光: rain voids only 花見 or 月見, and 鉄砲.
        (("sanko 1 +6 2 0", "koikoi 1 +18 2 0"), "sheet-no-cards"),
        (("sanko 1 +6 2 0", "koikoi 1 +19 2 0"), "sheet-value"),
        (("sanko 1 +6 2 0", "akatan 1 +7 2 0", "koikoi 1 +13 2 0", "bai 1 +26 2 0"), None),
        (("sanko 1 +6 2 0", "akatan 1 +7 2 0", "koikoi 1 +13 2 0"), "sheet-doubled"),
        (("sanko 1 +6 2 0", "koikoi 1 +6 2 0", "bai 1 +12 2 0"), "sheet-doubled"),
        (("sanko 1 +6 2 0", "koikoigaeshi 1 +6 2 0"), "sheet-doubled"),
        (("sanko 1 +6 2 0", "koikoi 1 +6 2 0", "koikoigaeshi 1 +12 2 0"), None),
        (("month 1 +18 2 0",), None),
        (("month 1 +96 2 0",), None),  # 三光 with sixteen times its value
        (("month 1 +127 2 0",), "sheet-month-sum"),
    ],
)
def test_sheet_with_a_multiplied_total_is_judged(
    payments: tuple[str, ...], code: str | None
) -> None:
    """The calls may be of either player, at most eight of each."""
    error = sheet_verdict(1, *payments, calls="multiply", bai="7", koikoigaeshi="yes").error
    assert (error and error.code.id) == code


# K18 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "winners", "final"),
    [
        ({"first_to": "6"}, "1", (6 + 5 + 1, 0)),
        ({"first_to": "7"}, "1", None),
        ({"first_to": "7"}, "12", None),
        ({"first_to": "7"}, "121", (12 + 5 + 2, 6)),
        # 小引 reaches the sum, the prize of the year does not.
        ({"first_to": "23"}, "111", (18 + 5 + 5 + 3, 0)),
        ({"first_to": "24"}, "111", None),
        ({"first_to": "12", "start": "6"}, "1", (12 + 5 + 1, 6)),
        ({"first_to": "5", "start": "5"}, "2", (5, 11 + 5 + 1)),
        # The number of months remains a limit, and after a tie the additional season ends by points
        # too.
        ({"first_to": "99", "months": "1"}, "1", (6 + 5 + 1, 0)),
        ({"first_to": "18", "months": "2"}, "12", None),
        ({"first_to": "18", "months": "2"}, "1211", (18 + 5 + 3, 6)),
        ({"first_to": "8", "bust": "yes", "start": "6", "pays": "yes"}, "1", (12 + 5 + 1, 0)),
    ],
)
def test_game_ends_with_the_sum_that_is_played_for(
    options: dict[str, str], winners: str, final: tuple[int, int] | None
) -> None:
    state = played(make_machine(**options), winners)
    assert state.final == final
    assert (state.phase is Phase.OVER) == (final is not None)


def test_both_with_the_sum_and_the_same_are_a_tie() -> None:
    """大引 can bring the other's sum up in the last month: no season is added, nobody gets 吟味."""
    totals, winners = (12, 12), (1, 1, 2)
    assert not ending.is_over(make_profile(months="3"), totals, winners)
    tied = make_profile(months="3", first_to="12")
    assert ending.is_over(tied, totals, winners)
    assert ending.settle(tied, totals, winners) == (12, 12)


def test_month_after_the_sum_is_illegal_and_a_record_before_it_unfinished() -> None:
    game = simulate("koikoi", seed=5, options={"first-to": "15"})
    assert judge(game).status == "verified" and len(game.months) < 12
    longer = deepcopy(game)
    longer.final = longer.result = None
    last = judge(game).deals[-1]
    longer.months.append(Month(last.month + 1, last.next_dealer or 1, hands={}, field=None))
    error = judge(longer).error
    assert error is not None and error.code.id == "game-over"
    shorter = deepcopy(game)
    shorter.months.pop()
    shorter.final = shorter.result = None
    shorter.tags["Termination"] = "unfinished"
    assert judge(shorter).status == "unfinished"


def test_sheet_ends_with_the_sum_that_is_played_for() -> None:
    assert sheet_verdict(2, "akatan 1 +7 2 0", first_to="8").error is None
    error = sheet_verdict(3, "akatan 1 +7 2 0", first_to="2").error
    assert error is not None and error.code.id == "game-over"


# K19 ----------------------------------------------------------------------------------------------


def run_out(machine: Koikoi, first: str, second: str, *, replayed: bool = False) -> KoikoiState:
    """Return a month whose last hand card is played by seat 1 and makes nothing."""
    state = position(
        first, second, hand="b", stock="G", turn=2 * HAND - 1, replayed=replayed, machine=machine
    )
    table = state.table.replace(hidden=(0, 0))
    return after(state.replace(table=table), "b/G", machine)


@pytest.mark.parametrize(
    ("first", "second", "options", "score", "end"),
    [
        ("BFJ", "Ig", {}, (7, 0), "played-out"),
        ("Ig", "BFJ", {}, (0, 7), "played-out"),
        ("BFJ", "Vhl", {}, (0, 0), "nagare"),
        ("", "", {}, (0, 0), "nagare"),
        ("BFJ", "Vhl", {"oyaken": "3"}, (3, 0), "nagare"),
        ("BFJ", "Ig", {"oyaken": "3"}, (7, 0), "played-out"),
        ("BFJ", "Ig", {"pays": "yes", "start": "30"}, (7, -7), "played-out"),
        # Rain voids the sake yaku; the crane restores it, without a right to declare.
        ("Igr", "", {}, (0, 0), "nagare"),
        ("IgrA", "", {}, (2, 0), "played-out"),
        ("BFJ", "Ig", {"bai": "7"}, (14, 0), "played-out"),
        ("ABCD", "BFJ"[1:], {"tsukifuda": "4"}, (4, 0), "played-out"),
    ],
)
def test_higher_total_wins_when_the_hands_run_out(
    first: str, second: str, options: dict[str, str], score: tuple[int, int], end: str
) -> None:
    state = run_out(make_machine(exhausted="higher", **options), first, second)
    assert (result(state).score, result(state).end) == (score, end)
    wins = end == "played-out"
    assert result(state).winner == (None if not any(score) else 1 if score[0] > 0 else 2)
    assert state.month == (2 if any(score) else 1)
    if wins:
        assert state.dealer == result(state).winner


def test_calls_multiply_the_higher_total_too() -> None:
    machine = make_machine(exhausted="higher", calls="multiply", koikoigaeshi="yes")
    state = position("BFJ", "Ig", hand="b", stock="G", turn=2 * HAND - 1, machine=machine)
    state = state.replace(table=state.table.replace(hidden=(0, 0)), calls=(2, 1))
    ledger = result(after(state, "b/G", machine)).ledger
    assert {line.label: line.amounts[0] for line in ledger} == {
        "akatan": 7,
        "koikoi": 21,
        "koikoigaeshi": 28,
    }


def test_yaku_after_a_call_has_its_later_value_when_the_hands_run_out() -> None:
    """The yaku was last computed before the call."""
    machine = make_machine(exhausted="higher", hanami_called="7")
    state = position("Ig", hand="b", stock="G", turn=2 * HAND - 1, machine=machine)
    state = state.replace(table=state.table.replace(hidden=(0, 0)), calls=(1, 0))
    assert result(after(state, "b/G", machine)).score == (7, 0)


def test_floor_of_a_month_played_over_is_none_for_hands_that_run_out() -> None:
    """K9 is a rule of the right to declare; a sheet does not tell how the month was won."""
    state = run_out(make_machine(exhausted="higher"), "Ig", "", replayed=True)
    assert result(state).score == (2, 0)
    sheet = "month 1 dealer 1\n\nmonth 1 dealer 2\npay hanami 1 +2 2 0\n"
    head = '[Kafu "1"]\n[Rules "koikoi"]\n{}[Player1 ""]\n[Player2 ""]\n[Sheet "1"]\n'
    head += '[Termination "unfinished"]\n\n'
    for options, is_legal in (("", False), ('[Options "exhausted=higher"]\n', True)):
        verdict = verify(read(head.format(options) + sheet)).verdict
        assert (verdict.error is None) == is_legal


def test_hands_run_out_as_before_without_the_option() -> None:
    assert result(exhausted(make_machine(exhausted="nagare"))).end == "nagare"
    assert result(run_out(make_machine(), "BFJ", "")).score == (0, 0)


# Games --------------------------------------------------------------------------------------------


@given(SEEDS)
def test_game_has_the_scores_of_another_count(seed: int) -> None:
    """Months, winners, the end of the game and the settlement are compared."""
    game = game_of(seed)
    verdict = judge(game)
    assert (verdict.status, verdict.warnings) == ("verified", [])
    months = list(scored(game))
    decided = [deal for deal in verdict.deals if deal.winner]
    assert [(deal.month, deal.winner, deal.score) for deal in decided] == months
    assert all(deal.score == (0, 0) for deal in verdict.deals if not deal.winner)
    assert verdict.final == final(game, months)


@given(SEEDS, st.integers(0, 99))
def test_game_with_one_other_claim_is_refused(seed: int, choice: int) -> None:
    game = game_of(seed)
    month = game.months[choice % len(game.months)]
    first, second = month.score or (0, 0)
    month.score = (first, second + 1) if choice % 2 else (first + 1, second)
    assert judge(game).status == "mismatch"
    game = game_of(seed)
    assert game.final is not None
    game.final = game.result = (game.final[0] + 1, game.final[1])
    assert judge(game).status == "mismatch"


@settings(max_examples=GAMES)
@given(SEEDS, st.integers(0, 99))
def test_sheet_of_a_game_is_verified_and_one_other_sum_is_illegal(seed: int, choice: int) -> None:
    sheet = kafu.sheet_of(game_of(seed))
    assert verify(read(write(sheet))).verdict.status == "verified"
    # A growing yaku may be worth one mon more, and a total of one mon permits any number of calls.
    grows = {"tane", "tan", "kasu"}
    payments = [
        (month, i)
        for month in sheet.months
        for i, payment in enumerate(month.payments)
        if not grows & {amount.label for amount in month.payments}
    ]
    if not payments:
        return
    month, i = payments[choice % len(payments)]
    lines = list(month.payments)
    before = lines[i]
    lines[i] = replace(before, amounts=tuple(amount + (amount > 0) for amount in before.amounts))
    month.payments = lines
    if lines[i] != before:
        assert judge(sheet).status == "illegal", (before, sheet)
