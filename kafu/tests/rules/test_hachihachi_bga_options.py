"""八八 (hachihachi-bga): options beyond Board Game Arena's (B15)."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES as KNOWN
from kafu.notation.writer import write
from kafu.rules.grades import Carried
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hachihachi_bga.state import HachihachiBgaState
from kafu.rules.play.actions import Action, Begin, Bid, CallAction, Deal, Illegal, Pile, Play
from kafu.rules.play.ledger import Payer
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import Line
from kafu.simulation.simulate import simulate
from rules.bga_tables import after, ledger, outcome, position
from rules.end_tables import remaining_cards


def make_machine(players: int = 3, **options: str) -> HachihachiBga:
    return HachihachiBga(
        {name.replace("_", "-"): value for name, value in options.items()}, players
    )


def refused(house: HachihachiBga, state: HachihachiBgaState, action: Action) -> str:
    with pytest.raises(Illegal) as caught:
        house.apply(state, action)
    return caught.value.code.id


# etsunen ------------------------------------------------------------------------------------------


def last_turn(machine: HachihachiBga, *, month: int, carries: Carried) -> HachihachiBgaState:
    """Return the last deal of a game, ended by 赤短 of seat 1."""
    state = position({1: "BX", 2: "mn", 3: "OS"}, {1: "FJ"}, "A", "uT")
    state = state.replace(month=month, carries=carries, totals=(0, -60, -120))
    return after(state, "BxA=agari", machine)


@pytest.mark.parametrize(
    ("options", "month", "carries", "over"),
    [
        ({}, 12, Carried(0, 1), True),
        ({"etsunen": "yes"}, 12, Carried(), True),
        ({"etsunen": "yes"}, 12, Carried(0, 1), False),
        ({"etsunen": "yes"}, 12, Carried(1, 0), False),
        ({"etsunen": "yes"}, 13, Carried(1, 0), False),
        ({"etsunen": "yes"}, 13, Carried(), True),
        ({"etsunen": "yes", "months": "6"}, 6, Carried(0, 2), False),
        ({"etsunen": "yes", "months": "6"}, 5, Carried(), False),
    ],
)
def test_etsunen_goes_on_while_a_grade_is_carried(
    options: dict[str, str], month: int, carries: Carried, over: bool
) -> None:
    """B15, B2: the month after the last uses the carried bright."""
    machine = HachihachiBga(options, 3)
    state = last_turn(machine, month=month, carries=carries)
    assert (state.phase is Phase.OVER) == over
    if not over:
        assert (state.month, state.bound, state.final) == (month + 1, carries, None)
        dealt = Deal(month + 1, 1, {1: "ABEFIJM", 2: "NQRUVYZ", 3: "CGKOSWa"}, "DHLPTX", None)
        grade = machine.apply(state, dealt)[0].grade
        assert grade == (carries.strongest or "small")


# torikeshi ----------------------------------------------------------------------------------------


def lowered(machine: HachihachiBga, hands: dict[int, str]) -> HachihachiBgaState:
    """Seat 1 is in 下げ with 赤短 and to play."""
    state = position(hands, {1: "FJ", 2: "C"}, "Ap", "uTiDj")
    return after(state, "BxA=sage/u m/T O/i", machine)


def test_yaku_in_sage_is_called_off_for_half() -> None:
    """B15: 下げの取り消し replaces a play; the month ends, and its player wins and deals."""
    machine = make_machine(torikeshi="yes")
    state = lowered(machine, {1: "BXe", 2: "NRm", 3: "OSn"})
    assert (state.seat, state.phase) == (1, Phase.HAND)
    assert CallAction("torikeshi", 1) in machine.legal_actions(state)
    ended, _ = machine.apply(state, CallAction("torikeshi", 1))
    assert ledger(ended) == {"akatan": (84, -42, -42)}
    result = outcome(ended)
    assert (result.end, result.next_dealer, result.winner) == ("torikeshi", 1, 1)
    assert (ended.month, ended.dealer) == (6, 1)


def test_thrower_of_a_hatto_card_pays_both_halves_of_a_called_off_yaku() -> None:
    """B12."""
    machine = make_machine(torikeshi="yes")
    state = lowered(machine, {1: "BXe", 2: "NRm", 3: "OSn"})
    owed = state.replace(payers=((1, "akatan", Payer(2, "hatto", cards.BIT["B"], 8)),))
    assert ledger(machine.apply(owed, CallAction("torikeshi", 1))[0]) == {"akatan": (84, -84, 0)}


def test_torikeshi_too_late_out_of_turn_or_without_the_option_is_refused() -> None:
    """B15: with two hand cards or more, in one's own turn, before the card; by option only."""
    machine = make_machine(torikeshi="yes")
    few = lowered(machine, {1: "BX", 2: "Nm", 3: "OS"})
    assert CallAction("torikeshi", 1) not in machine.legal_actions(few)
    assert refused(machine, few, CallAction("torikeshi", 1)) == "torikeshi-on-last-card"
    many = lowered(machine, {1: "BXe", 2: "NRm", 3: "OSn"})
    assert refused(machine, many, CallAction("torikeshi", 2)) == "torikeshi-without-sage"
    assert refused(machine, many, CallAction("void-show", 1)) == "no-place"
    next_turn = after(many, "X/D", machine)
    assert refused(machine, next_turn, CallAction("torikeshi", 1)) == "torikeshi-on-last-card"
    played, _ = machine.apply(many, Play(cards.BIT["X"]))
    assert refused(machine, played, CallAction("torikeshi", 1)) == "no-place"
    assert refused(make_machine(), many, CallAction("torikeshi", 1)) == "no-place"


# tobikomi-hatto -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "paid"), [("no", (24, -12, -12)), ("yes", (24, 0, -24))])
def test_thrower_of_the_fourth_card_of_a_three_pays_for_both(
    option: str, paid: tuple[int, ...]
) -> None:
    """B15, H15 (a): the fourth card is thrown while the three are still in hand."""
    machine = make_machine(tobikomi_hatto=option)
    threes = {1: "MNO"}
    state = position(
        {1: "MNOX", 2: "Igb", 3: "PUoe"}, {}, "", "AEQYcks", seat=3, turn=8, threes=threes
    )
    state = after(state, "P/A MxP/E I/Q U/Y N/c g/k o/s", machine)
    assert state.entries == ()
    assert after(state, "OxN", machine).entries[-1].line == Line("tobikomi", paid)


@pytest.mark.parametrize(("option", "paid"), [("no", (24, -12, -12)), ("yes", (24, -24, 0))])
def test_player_who_leaves_the_first_card_of_a_three_pays_for_both(
    option: str, paid: tuple[int, ...]
) -> None:
    """B15, H15 (b): the card lay on the field in the turn of the player with the fourth."""
    machine = make_machine(tobikomi_hatto=option)
    state = position(
        {1: "NOX", 2: "PIb", 3: "Uoe"}, {}, "M", "AYEQk", seat=2, turn=7, threes={1: "MNO"}
    )
    state = after(state, "I/A U/Y NxM/E P/Q o/k", machine)
    assert after(state, "OxP", machine).entries[-1].line == Line("tobikomi", paid)


def test_last_card_of_a_hand_owes_no_tobikomi() -> None:
    """B15, H14."""
    machine = make_machine(tobikomi_hatto="yes")
    state = position({1: "MNO", 2: "be", 3: "P"}, {}, "u", "TfDi", seat=3, threes={1: "MNO"})
    assert after(state, "P/T", machine).debts == ()


# tsukifuda ----------------------------------------------------------------------------------------


def test_next_dealer_puts_a_mon_on_the_month_card() -> None:
    """B15: it is no part of the month's score; the lowest takes the card in the end."""
    machine = make_machine(tsukifuda="yes")
    state = last_turn(machine, month=3, carries=Carried())
    assert (state.stones, outcome(state).score) == ((1, 0, 0), (168, -84, -84))
    before = position({1: "BX", 2: "mn", 3: "OS"}, {1: "FJ"}, "A", "uT")
    before = before.replace(month=12, totals=(0, -60, -120), stones=(4, 5, 2))
    over = after(before, "BxA=agari", machine)
    # 168 + 180 - 5; -144 - 5; -204 - 2 + 12
    assert over.final == (343, -149, -194)
    assert after(before.replace(stones=(0, 0, 0)), "BxA=agari").final == (348, -144, -204)


@pytest.mark.parametrize(
    ("totals", "stones", "final"),
    [
        ((0, -90, -90), (0, 6, 6), (180, -90, -90)),
        ((0, -90, -90), (7, 0, 6), (173, -83, -90)),  # 13: the odd point goes to the lower seat
        ((-60, -60, -60), (12, 0, 0), (-8, 4, 4)),
    ],
)
def test_players_tied_for_the_lowest_share_the_month_card(
    totals: tuple[int, ...], stones: tuple[int, ...], final: tuple[int, ...]
) -> None:
    assert pay.settle(totals, 5, stones) == final
    assert sum(final) == sum(totals) + 180


# shiso=ends ---------------------------------------------------------------------------------------

SHISO = "ABCDEFG"
PLAIN = ("IJNQUYk", "KMRVZdh", "LOSWaeg", "HPTXbfi", "cjlmnop")


def with_shiso(
    machine: HachihachiBga, bids: str, *, hands: tuple[str, ...] = (SHISO, *PLAIN)
) -> HachihachiBgaState:
    """Seat 1 deals; the state when declarations can be made."""
    held = dict(enumerate(hands[: machine.players], 1))
    remaining = remaining_cards(*held.values())
    field, remaining = remaining[-6:], remaining[:-6]
    stock = remaining if machine.players == 3 else None
    state, _ = machine.apply(machine.start(), Deal(1, 1, held, field, stock))
    for word in bids.split():
        state, _ = machine.apply(state, Bid(int(word[0]), word[1:] == "in"))
    if state.phase is Phase.PILE:
        state, _ = machine.apply(state, Pile(cards.letters(cards.ALL & ~state.table.seen)))
    return state


def test_shiso_without_the_option_is_twenty_kan_and_ends_nothing() -> None:
    """B6."""
    state = with_shiso(make_machine(5), "1in 2out 3in 4in")
    begun, _ = make_machine(5).apply(state, Begin())
    assert (begun.phase, begun.result) == (Phase.HAND, None)


def test_shiso_with_the_option_ends_the_game_and_is_paid_by_all() -> None:
    """B15: seats that went out (2) or were shut out (5) pay too; the winner gets the fee."""
    machine = make_machine(5, shiso="ends", tsukifuda="yes")
    state = with_shiso(machine, "1in 2out 3in 4in")
    grade = {"small": 1, "large": 2, "absolute": 4}[state.grade or ""]
    over, _ = machine.apply(state, Begin())
    result = outcome(over)
    payments = {line.label: line.amounts for line in result.ledger}
    each = 240 * grade
    assert payments["shiso"] == (4 * each, -each, -each, -each, -each)
    assert payments["ori"] == (12 * grade, -12 * grade, 0, 0, 0)
    assert (result.end, result.winner, result.next_dealer) == ("shiso", 1, None)
    assert (over.phase, over.stones) == (Phase.OVER, (0,) * 5)
    assert over.final is not None
    assert over.final[0] == -60 + result.score[0] + 5 * 60


def test_earlier_of_two_shiso_in_play_order_ends_the_game() -> None:
    state = with_shiso(make_machine(shiso="ends"), "", hands=("IJZkUYl", "MNOPQRS", SHISO))
    over, _ = make_machine(shiso="ends").apply(state, Begin())
    result = outcome(over)
    assert [line.label for line in result.ledger].count("shiso") == 2
    assert (result.end, result.winner) == ("shiso", 2)


def test_shiso_with_a_chaff_yaku_costs_others_its_own_value_only() -> None:
    """B15: ``its 20 kan``; only the players of the month pay 空素."""
    machine = make_machine(4, shiso="ends")
    state = with_shiso(machine, "1in 2in 3in", hands=("opqrtuv", *PLAIN[:2], "cjlmngi"))
    scale = {"small": 1, "large": 2, "absolute": 4}[state.grade or ""]
    line = state.entries[-1].line
    assert line.label == "karasu+shiso"
    assert line.amounts == tuple(x * scale for x in (816, -288, -288, -240))


def test_shiso_of_a_player_who_is_out_ends_nothing() -> None:
    machine = make_machine(4, shiso="ends")
    state = with_shiso(machine, "1out")
    begun, _ = machine.apply(state, Begin())
    assert begun.phase is Phase.HAND


# Records ------------------------------------------------------------------------------------------

ALL = {
    **{"etsunen": "yes", "torikeshi": "yes", "tobikomi-hatto": "yes"},
    **{"tsukifuda": "yes", "shiso": "ends", "months": "6"},
}


@pytest.mark.parametrize("players", KNOWN["hachihachi-bga"].seats)
def test_simulated_game_with_every_option_is_verified(players: int) -> None:
    for seed in range(4):
        game = simulate("hachihachi-bga", seed=seed, players=players, options=ALL, player="random")
        verdict = verify(read(write(game))).verdict
        assert (verdict.status, verdict.warnings) == ("verified", [])
        assert verdict.final is not None and sum(verdict.final) == 0


def test_record_of_a_called_off_month_is_verified() -> None:
    """The word stands between turns, as in 三人はちはち."""
    games = (
        simulate("hachihachi-bga", seed=seed, players=3, options=ALL, player="random")
        for seed in range(99)
    )
    game = next(game for game in games if "=torikeshi" in write(game))
    assert verify(read(write(game))).verdict.status == "verified"
    off = write(game).replace("torikeshi=yes", "torikeshi=no")
    error = verify(read(off)).verdict.error
    assert error is not None and error.code.id == "no-place"
