"""八八 (hachihachi-bga) ruling by ruling: decisions, 下げ, 法度, 飛込み, the end (B7–B14)."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.state import HachihachiBgaClaim, HachihachiBgaState
from kafu.rules.play.actions import Illegal, Play, Say
from kafu.rules.play.ledger import Entry
from kafu.rules.play.machine import Phase
from rules.bga_tables import MACHINE, after, ledger, outcome, position


def code(state: HachihachiBgaState, text: str) -> str:
    with pytest.raises(Illegal) as caught:
        after(state, text)
    return caught.value.code.id


def red(**fields: object) -> HachihachiBgaState:
    """Return a state in which seat 1 can make 赤短 with its first card; nothing is out of reach."""
    return position(
        {1: "BXe", 2: "NRm", 3: "OSn"},
        {1: "FJ", 2: "C"},
        "Ap",
        "uTiDj",
        **fields,  # type: ignore[arg-type]
    )


# B7, B8: the decision --------------------


def test_yaku_of_the_hand_card_is_decided_before_the_stock_card() -> None:
    """B7."""
    state = after(red(), "BxA")
    assert state.phase is Phase.DECIDE
    assert set(MACHINE.legal_actions(state)) == {Say("agari"), Say("sage")}
    ended = after(red(), "BxA=agari")
    assert ledger(ended) == {"akatan": (168, -84, -84)}
    assert (outcome(ended).end, outcome(ended).next_dealer) == ("agari", 1)


def test_yaku_without_a_decision_is_sage() -> None:
    """B7: 暗黙のうちに下げを宣言したものとみなされます."""
    state = after(red(), "BxA")
    decision = MACHINE.unsaid(state)
    assert decision is not None and decision.word == "sage"
    assert after(red(), "BxA=sage/u").sager == 1


def test_agari_by_the_last_stock_card_needs_no_decision() -> None:
    """B8: 下げ is not possible on the last hand card."""
    state = position({1: "X", 2: "N", 3: "O"}, {1: "FJ", 2: "C"}, "A", "B")
    ended = after(state, "X/BxA")
    assert (outcome(ended).end, ended.phase) == ("agari", Phase.DEAL)
    assert after(state, "X/BxA=agari").result == ended.result
    assert code(state, "X/BxA=sage") == "sage-on-last-card"
    assert code(state, "X/BxA=agari=agari") == "decision-not-due"


def test_agari_by_the_last_hand_card_needs_its_decision() -> None:
    """B8: =agari is always written there."""
    state = position({1: "B", 2: "N", 3: "O"}, {1: "FJ", 2: "C"}, "A", "uT")
    decided = after(state, "BxA")
    assert MACHINE.legal_actions(decided) == [Say("agari")]
    assert MACHINE.unsaid(decided) is None
    assert code(state, "BxA/u") == "decision-due"


def test_goko_is_out_of_reach_once_shiko_was_lowered() -> None:
    """下げのルール: 四光を下げて柳の光札を取って五光にすることはできない."""
    state = position(
        {1: "Ape", 2: "mnX", 3: "OSj"}, {1: "Ics", 2: "C"}, "Bo", "uTWDi", grade="large"
    )
    lowered = after(state, "AxB=sage/u m/T O/W pxo/D")
    assert [yaku.id for yaku in MACHINE.yaku(lowered, 1)] == ["shiko"]
    assert lowered.phase is Phase.HAND


def test_goko_without_shiko_before_is_paid_in_full() -> None:
    state = position({1: "AX", 2: "mn", 3: "OS"}, {1: "Icos", 2: "C"}, "B", "uT", grade="absolute")
    assert ledger(after(state, "AxB=agari")) == {"goko": (2 * 576, -576, -576)}


def test_nanatan_needs_seven_of_nine_ribbons_without_willow_and_does_not_grow() -> None:
    state = position({1: "AX", 2: "mn", 3: "OS"}, {1: "FNRZVq"}, "B", "uT")
    assert after(state, "AxB").phase is Phase.STOCK
    state = position({1: "AX", 2: "mn", 3: "OS"}, {1: "FNRZVh"}, "B", "uT")
    assert ledger(after(state, "AxB=agari")) == {"nanatan": (240, -120, -120)}


# B9, B12: 下げ --------------------


def test_another_yaku_after_sage_adds_up_in_full() -> None:
    """B9: 赤短を下げて青短."""
    state = position({1: "Bg", 2: "mn", 3: "OS"}, {1: "FJVl", 2: "C"}, "Ah", "uTWD")
    ended = after(state, "BxA=sage/u m/T O/W gxh=agari")
    assert ledger(ended) == {"akatan": (168, -84, -84), "aotan": (168, -84, -84)}


def test_yaku_of_another_is_paid_by_the_player_in_sage_whose_yaku_is_lost() -> None:
    """B9."""
    state = position({1: "BXe", 2: "gR", 3: "OS"}, {1: "FJ", 2: "Vl"}, "Ah", "uTWD")
    ended = after(state, "BxA=sage/u gxh=agari")
    assert ledger(ended) == {"aotan": (-168, 168, 0)}
    assert outcome(ended).next_dealer == 2


def test_sage_of_another_loses_the_first_ones_yaku() -> None:
    """B12: the first player's yaku is lost, and the player owes both shares of the second yaku."""
    state = position({1: "BsX", 2: "gmR", 3: "OSK"}, {1: "FJ", 2: "Vl"}, "Cht", "WaeM")
    state = after(state, "BxC=sage/W gxh=sage/a O/e")
    assert state.sager == 2
    assert MACHINE.yaku(state, 1) == ()
    assert [yaku.id for yaku in MACHINE.yaku(state, 2)] == ["aotan"]
    assert {by: payer.seat for by, _, payer in state.payers} == {1: 0, 2: 1}
    # The first player now makes 四光: only 四光 counts, and the second player pays it.
    first, *later = state.table.captured
    table = state.table.replace(captured=(first | cards.mask("AIc"), *later))
    ended = after(state.replace(table=table), "sxt=agari")
    assert ledger(ended) == {"shiko": (240, -240, 0)}


def test_sage_is_paid_by_half_when_nobody_makes_another_yaku() -> None:
    """B9, B12: 流れ; the hatto payer owes both halves."""
    state = red(turn=18)
    ended = after(state, "BxA=sage/u N/T O/i")
    assert outcome(ended).end == "nagare"
    assert ledger(ended) == {"akatan": (84, -42, -42)}
    assert outcome(ended).next_dealer == 1
    state = position({1: "Xe", 2: "Bm", 3: "DS"}, {1: "C", 3: "FJ"}, "p", "uTiAj", turn=19, seat=2)
    ended = after(state, "B/u DxB=sage/T")
    assert ledger(ended) == {"akatan": (0, -84, 84)}


# B10: 法度 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("thrown", "taker"), [("J", "K"), ("K", "J")])
def test_thrown_card_that_completes_a_yaku_is_paid_by_the_thrower(thrown: str, taker: str) -> None:
    state = position({1: thrown + "X", 2: taker + "m", 3: "OS"}, {2: "BF", 3: "C"}, "p", "uT")
    assert ledger(after(state, f"{thrown}/u {taker}x{thrown}=agari")) == {"akatan": (-168, 168, 0)}


def test_last_card_or_card_without_a_part_in_the_yaku_is_no_hatto() -> None:
    """B10, B14: counted before the card is played."""
    state = position({1: "K", 2: "Jm", 3: "OS"}, {2: "BF", 3: "C"}, "p", "uT")
    assert ledger(after(state, "K/u JxK=agari")) == {"akatan": (-84, 168, -84)}
    state = position({1: "mX", 2: "Jn", 3: "OS"}, {2: "BF", 3: "C"}, "K", "uT")
    assert ledger(after(state, "m/u JxK=agari")) == {"akatan": (-84, 168, -84)}


def test_thrown_card_that_completes_nanatan_is_no_hatto() -> None:
    state = position({1: "DX", 2: "Bm", 3: "OS"}, {2: "FNRZVh", 3: "C"}, "p", "uT")
    assert ledger(after(state, "D/u BxD=agari")) == {"nanatan": (-120, 240, -120)}


def test_hatto_on_shiko_carries_over_to_goko() -> None:
    """B14: the card was thrown while 四光 lacked one card and 五光 two."""
    state = position({1: "uX", 2: "qs", 3: "OS"}, {2: "AIc", 3: "C"}, "o", "VTWD")
    state = after(state, "u/V qxo/T O/W")
    ended = after(state, "X/D sxu=agari")
    assert ledger(ended) == {"goko": (-288, 288, 0)}


def test_player_in_sage_pays_instead_of_the_thrower() -> None:
    """B9 before B10."""
    state = position({1: "BXe", 2: "hR", 3: "iS"}, {1: "FJ", 2: "Vl"}, "A", "uaDM")
    ended = after(state, "BxA=sage/u R/a i/D X/M hxi=agari")
    assert ledger(ended) == {"aotan": (-168, 168, 0)}


# B11: 飛込み, 抜け, みずてん --------------------


def test_tobikomi_is_paid_at_once_and_never_by_one_alone() -> None:
    state = position(
        {1: "MX", 2: "mn", 3: "US"}, {1: "NP"}, "O", "uT", threes={1: "MNP"}, grade="large"
    )
    paid = after(state, "MxO").entries
    assert [(entry.line.label, entry.line.amounts) for entry in paid] == [
        ("tobikomi", (48, -24, -24))
    ]


def last(captured: dict[int, str], **more: object) -> HachihachiBgaState:
    """Return a state in which seat 3 plays the last turn and captures nothing."""
    state = position({3: "X"}, captured, "", "u", seat=3, turn=20)
    return after(state.replace(**more), "X/u")


def test_nuke_and_mizuten_are_paid_from_eighty_nine_points() -> None:
    """B11: 抜け from the two others; the blind bonus from everybody at the table."""
    claims = (
        HachihachiBgaClaim(1, ("karasu",)),
        HachihachiBgaClaim(2, ("aka", "sanbon")),
        HachihachiBgaClaim(1, ("pikaichi",)),
    )
    ended = last({1: "AIcos", 2: "EMQUYdgk", 3: "BF"}, claims=claims, blind=True)
    payments = ledger(ended)
    assert payments["nuke"] == (24, -12, -12)
    assert payments["mizuten"] == (24, -12, -12)
    assert payments["points"] == (12, -8, -78)
    assert [line.label for line in outcome(ended).ledger].count("nuke") == 1
    fewer = last({1: "AIcoCDGHKLOP", 2: "EMQUYdgk", 3: "BF"}, claims=claims, blind=True)
    assert set(ledger(fewer)) == {"points"}


# B12–B14: special yaku, fees, the prize --------------------


def test_special_yaku_strike_out_dealt_hands_but_not_the_blind_bonus() -> None:
    """B12: 吹き消し."""
    captured = {1: "AIcsEMQUYdgk", 2: "CDGHKLOPSTWabefop", 3: "BF"}
    state = position({3: "X"}, captured, "", "u", seat=3, turn=20)
    entry = Entry(pay.line(state, "karasu", 3, 48), 3, dealt=True)
    ended = after(state.replace(entries=(entry,), blind=True), "X/u")
    lines = {line.label: line for line in outcome(ended).ledger}
    assert lines["karasu"].void and not lines["mizuten"].void
    # 素十六 with 17 chaff cards, willow among them: 14 kan.
    assert lines["sujuroku"].amounts == (-168, 336, -168)
    assert outcome(ended).score == (-168 + 24, 336 - 12, -168 - 12)
    assert (outcome(ended).end, outcome(ended).next_dealer) == ("special", 2)


def test_sohachi_is_paid_to_the_first_in_play_order() -> None:
    ended = last({1: "ABC", 2: "IJK", 3: "cRO"})
    assert ledger(ended) == {"sohachi": (240, -120, -120)}
    assert outcome(ended).next_dealer == 1


def test_earlier_of_those_with_most_card_points_deals_next() -> None:
    """B13."""
    assert outcome(last({1: "B", 2: "A", 3: "I"})).next_dealer == 2


@pytest.mark.parametrize(
    ("totals", "final"),
    [
        ((10, -60, -60, -70), (250, -60, -60, -70)),
        ((10, 10, -90, -170), (130, 130, -90, -170)),
        ((1, 1, 1, -243), (81, 81, 81, -243)),
        ((9, 9, 9, 9, 9, -345), (81, 81, 81, 81, 81, -345)),
        ((-60,) * 6, (0,) * 6),
    ],
)
def test_top_players_share_the_prize_of_five_kan_a_player(
    totals: tuple[int, ...], final: tuple[int, ...]
) -> None:
    """B1: the top player gets players × 5 kan, shared by a tie."""
    assert pay.settle(totals, 5) == final


def test_indivisible_rest_goes_to_the_lower_seats() -> None:
    """B12: 216 mon among five of six."""
    assert pay.settle((0, 0, 0, -36, 0, 0), 3) == (44, 43, 43, -36, 43, 43)


def test_card_of_a_player_out_of_turn_is_refused() -> None:
    with pytest.raises(Illegal) as caught:
        MACHINE.apply(red(), Play(cards.BIT["N"]))
    assert caught.value.code.id == "not-in-hand"
