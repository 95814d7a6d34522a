"""法度 and the responsibility of 下げ, one case each (H11–H15; supplement, section 1).

Seat 1 throws, seat 2 completes, seat 3 looks on, unless a test states otherwise. Sums in points.
"""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.rules.hachihachi.hatto import cost
from kafu.rules.hachihachi.state import HachihachiState
from kafu.rules.play.actions import Illegal, PlayEvent
from rules.hachi_tables import MACHINE, actions, after, ledger, position

KAN = 12


def red_short_of_cherry(hands: dict[int, str], field: str = "", *, stock: str) -> HachihachiState:
    """Seat 2 has B and F of 赤短 and lacks J; seat 1 is to play."""
    return position(hands, {2: "BFCG"}, field, stock, seat=1)


def test_thrown_card_that_completes_a_yaku_is_paid_by_the_thrower() -> None:
    """Seat 1 throws J and seat 2 takes it: seat 1 pays both shares of 7 kan."""
    ended = after(red_short_of_cherry({1: "JS", 2: "KO", 3: "Tb"}, stock="Waei"), "J/W KxJ/a=agari")
    assert ledger(ended) == {"akatan": (-14 * KAN, 14 * KAN, 0)}


def test_last_card_of_the_month_of_a_missing_card_is_hatto() -> None:
    """決まり札の影札: of March I and L are captured, J is out; K thrown is taken with J."""
    start = position({1: "KS", 2: "JO", 3: "Tb"}, {2: "BFCG", 3: "IL"}, "", "Waei", seat=1)
    ended = after(start, "K/W JxK/a=agari")
    assert ledger(ended) == {"akatan": (-14 * KAN, 14 * KAN, 0)}


def test_card_of_the_month_while_another_is_unseen_is_no_hatto() -> None:
    """With L still out, J could be taken otherwise: shared."""
    start = position({1: "KS", 2: "JO", 3: "Tb"}, {2: "BFCG", 3: "I"}, "", "Waei", seat=1)
    ended = after(start, "K/W JxK/a=agari")
    assert ledger(ended) == {"akatan": (-7 * KAN, 14 * KAN, -7 * KAN)}


def test_card_from_the_stock_is_no_hatto() -> None:
    """A card turned from the stock is never hatto."""
    start = red_short_of_cherry({1: "WS", 2: "KO", 3: "Tb"}, stock="Jaei")
    ended = after(start, "W/J KxJ/a=agari")
    assert ledger(ended) == {"akatan": (-7 * KAN, 14 * KAN, -7 * KAN)}


def test_card_left_on_the_field_is_no_hatto() -> None:
    """J lies on the field; seat 1 has L and leaves J.

    不作為による法度は適用しない。
    """
    start = red_short_of_cherry({1: "LS", 2: "KO", 3: "Tb"}, field="J", stock="Waei")
    ended = after(start, "S/W KxJ/a=agari")
    assert ledger(ended) == {"akatan": (-7 * KAN, 14 * KAN, -7 * KAN)}


def test_capture_of_another_card_than_the_thrown_one_is_no_hatto() -> None:
    """Seat 3 takes the thrown J, so no yaku is completed; a later J does not count."""
    start = red_short_of_cherry({1: "JS", 2: "KO", 3: "Lb"}, stock="Waei")
    state = after(start, "J/W O/a LxJ/e")
    assert state.result is None
    assert state.throws
    assert not state.made[1]


def test_thrown_card_that_completes_two_yaku_pays_both() -> None:
    """松の短 thrown to a double reach and taken with 松に鶴: both 赤短 and 四光 are hatto."""
    start = position({1: "BS", 2: "AO", 3: "Tb"}, {2: "FJGIcs", 3: "CD"}, "", "Waei", seat=1)
    ended = after(start, "B/W AxB/a=agari")
    assert ledger(ended) == {
        "akatan": (-14 * KAN, 14 * KAN, 0),
        "shiko": (-24 * KAN, 24 * KAN, 0),
    }


def test_yaku_outside_the_list_completed_by_the_same_capture_is_shared() -> None:
    """A yaku outside the list, completed by the same capture, is shared (H13)."""
    start = position({1: "JS", 2: "KO", 3: "Tb"}, {2: "BFNRVZ"}, "", "Waei", seat=1)
    ended = after(start, "J/W KxJ/a=agari")
    assert ledger(ended) == {
        "akatan": (-14 * KAN, 14 * KAN, 0),
        "nanatan": (-10 * KAN, 20 * KAN, -10 * KAN),
    }


def hatto_then_sage() -> HachihachiState:
    """Seat 2 completes 赤短 by the card of seat 1 and says 下げ; he lacks k of 猪鹿蝶."""
    start = position({1: "JSX", 2: "KmP", 3: "Tbe"}, {2: "BFCGYU"}, "k", "WaiDfr", seat=1)
    return after(start, "J/W KxJ/a=sage T/i")


def test_later_yaku_after_sage_are_paid_by_the_thrower_too() -> None:
    """H13: the thrower also pays later yaku.

    追加の出来役ができた場合は，その役代も罰則支払いとなる。
    """
    ended = after(hatto_then_sage(), "S/D mxk/f=agari")
    assert ledger(ended) == {
        "akatan": (-14 * KAN, 14 * KAN, 0),
        "inoshikacho": (-12 * KAN, 12 * KAN, 0),
    }


def test_thrower_pays_both_halves_of_a_yaku_called_off_after_sage() -> None:
    ended = after(hatto_then_sage(), "=torikeshi 2")
    assert ledger(ended) == {"akatan": (-7 * KAN, 7 * KAN, 0)}


def test_last_hand_card_is_exempt_without_a_claim() -> None:
    """手札の残りが1枚のとき: no claim is needed."""
    start = red_short_of_cherry({1: "J", 2: "KO", 3: "Tb"}, stock="Waei")
    ended = after(start, "J/W KxJ/a=agari")
    assert ledger(ended) == {"akatan": (-7 * KAN, 14 * KAN, -7 * KAN)}


def reach_for_two() -> HachihachiState:
    """Return a state in which seat 1 holds the missing cards of seats 2 and 3.

    Seat 2 lacks J of 赤短 (7 kan), seat 3 lacks k of 猪鹿蝶 (6 kan).
    """
    return position({1: "Jk", 2: "KO", 3: "mT"}, {2: "BFCG", 3: "YU"}, "", "Waei", seat=1)


def test_true_claim_of_exemption_shares_the_payment() -> None:
    """All cards in hand are hatto, the cheapest is thrown."""
    ended = after(reach_for_two(), "k=menjo/W O/a mxk/e=agari")
    assert ledger(ended) == {"inoshikacho": (-6 * KAN, -6 * KAN, 12 * KAN)}


def test_exemption_without_a_claim_does_not_apply() -> None:
    ended = after(reach_for_two(), "k/W O/a mxk/e=agari")
    assert ledger(ended) == {"inoshikacho": (-12 * KAN, 0, 12 * KAN)}


def test_claim_among_equal_cards_throws_the_one_of_the_nearest_player_before() -> None:
    """役代が同じなら自分の前の番の競技者の法度札から: seat 3 sits next before seat 1."""
    start = position({1: "Jh", 2: "KO", 3: "iT"}, {2: "BFCG", 3: "Vl"}, "", "Waek", seat=1)
    assert after(start, "h=menjo/W").seat == 2
    with pytest.raises(Illegal, match="exemption"):
        after(start, "J=menjo/W")


def hidden_reach(visible: str, hidden: int, *, unseen: str) -> HachihachiState:
    """Return `reach_for_two` with an incompletely known hand of seat 1.

    ``visible`` are its visible cards, ``hidden`` counts the unknown; ``unseen`` are cards seen by
    nobody.
    """
    state = reach_for_two()
    table = state.table.replace(
        hands=(cards.mask(visible), *state.table.hands[1:]),
        hidden=(hidden, 0, 0),
        stock=(),
        seen=cards.ALL & ~cards.mask(unseen),
    )
    return state.replace(table=table)


@pytest.mark.parametrize(
    ("visible", "hidden", "unseen"),
    [
        ("k", 1, "JW"),  # the second card can be J
        ("", 2, "JkW"),
        ("Jk", 0, "W"),
    ],
)
def test_claim_that_an_unseen_hand_can_bear_out_is_legal(
    visible: str, hidden: int, unseen: str
) -> None:
    """C9, H14: the whole hand can be hatto, with the thrown card as the cheapest."""
    assert after(hidden_reach(visible, hidden, unseen=unseen), "k=menjo/W").seat == 2


@pytest.mark.parametrize(
    ("visible", "hidden", "unseen", "thrown"),
    [
        ("kS", 1, "JW", "k"),  # S is no hatto card
        ("S", 1, "kW", "k"),
        ("k", 1, "SW", "k"),  # no unseen card is
        ("k", 2, "JSW", "k"),  # only J is, but two cards are held
        ("Jk", 1, "SW", "J"),  # k is cheaper
        ("J", 1, "kW", "J"),  # the second card can only be k
    ],
)
def test_claim_that_no_unseen_hand_can_bear_out_is_illegal(
    visible: str, hidden: int, unseen: str, thrown: str
) -> None:
    """C9, H14."""
    with pytest.raises(Illegal, match="exemption"):
        after(hidden_reach(visible, hidden, unseen=unseen), f"{thrown}=menjo/W")


def test_player_in_sage_pays_instead_of_the_thrower() -> None:
    """H11: the player in 下げ pays, even for a yaku completed by a hatto card.

    法度札によって役が完成していた場合でも，下げの宣言者が払う。
    """
    start = position({1: "JS", 2: "KO", 3: "eTb"}, {2: "BFCG", 3: "Vl"}, "h", "gWadfn", seat=3)
    state = after(start, "T/gxh=sage J/W KxJ/a=agari")
    assert ledger(state) == {
        "aotan": (-42, -42, 84),
        "akatan": (0, 14 * KAN, -14 * KAN),
    }


class TestTobikomi:
    """飛込み and its two kinds of hatto (H15)."""

    def test_fourth_card_thrown_while_three_are_held_is_paid_by_the_thrower(self) -> None:
        """(a): seat 2 declared three of clover; seat 1 throws the fourth."""
        start = position(
            {1: "YSO", 2: "Zab", 3: "Tef"}, {}, "", "WimnDjpv", seat=1, threes={2: "Zab"}
        )
        state = after(start, "Y/W ZxY/i T/m S/n a/D e/j O/p bxa/v")
        paid = [entry.line for entry in state.entries if entry.line.label == "tobikomi"]
        assert [line.amounts for line in paid] == [(-2 * KAN, 2 * KAN, 0)]

    def test_first_card_not_taken_with_the_fourth_is_paid_by_its_holder(self) -> None:
        """(b): Z lies on the field, and seat 3 holds Y but leaves Z; later seat 2 gets Y."""
        start = position(
            {2: "Zab", 3: "TYe", 1: "SOH"}, {}, "", "WimnDjpvrt", seat=2, threes={2: "Zab"}
        )
        state = after(start, "Z/W T/i S/m axZ/n Y/D O/j bxY/p")
        paid = [entry.line for entry in state.entries if entry.line.label == "tobikomi"]
        assert [line.amounts for line in paid] == [(0, 2 * KAN, -2 * KAN)]

    def test_tobikomi_without_hatto_is_shared_immediately(self) -> None:
        """The fourth card lay on the field, so nobody let it go."""
        start = position(
            {2: "Zab", 3: "TeG", 1: "SO"}, {}, "Y", "WimnDjpv", seat=2, threes={2: "Zab"}
        )
        state = after(start, "ZxY/W T/i S/m a/n e/D O/j bxa/p")
        paid = [entry.line for entry in state.entries if entry.line.label == "tobikomi"]
        assert [line.amounts for line in paid] == [(-KAN, 2 * KAN, -KAN)]

    def test_tobikomi_is_paid_by_another_player_in_sage(self) -> None:
        start = position(
            {1: "SOH", 2: "abK", 3: "eTf"},
            {2: "YZ", 3: "Vl"},
            "h",
            "gWimdnj",
            seat=3,
            threes={2: "Zab"},
        )
        state = after(start, "T/gxh=sage S/W a/i e/m O/d bxa/n")
        paid = [entry.line for entry in state.entries if entry.line.label == "tobikomi"]
        assert [line.amounts for line in paid] == [(0, 2 * KAN, -2 * KAN)]


def test_event_of_a_payment_names_payer_reason_card_and_turn() -> None:
    """The event of a payment names the payer, the reason, the card and the turn."""
    state = red_short_of_cherry({1: "JS", 2: "KO", 3: "Tb"}, stock="Waei")
    paid: list[PlayEvent] = []
    for action in actions("J/W KxJ/a=agari"):
        state, events = MACHINE.apply(state, action)
        paid += [event for event in events if event.kind == "pay"]
    assert [(e.seat, e.label, e.payer, e.why, e.turn) for e in paid] == [
        (2, "akatan", 1, "hatto", 10)
    ]


@pytest.mark.parametrize(
    ("captured", "card", "expected"),
    [
        ({2: "AIco"}, "s", (20, 2)),
        ({3: "AIco"}, "s", (20, 1)),
        ({2: "AIc"}, "s", (12, 2)),
        ({2: "AIcoFJ"}, "s", (20, 2)),
    ],
)
def test_card_for_four_and_five_brights_costs_five_brights(
    captured: dict[int, str], card: str, expected: tuple[int, int]
) -> None:
    """H25: 四光 and 五光 by one card cost the 20 kan of 五光, not 12 and not both."""
    table = position({1: "S", 2: "K", 3: "T"}, captured, "", "W", seat=1).table
    assert cost(table, 1, cards.mask(card), ()) == expected


def test_card_for_two_players_at_equal_cost_counts_for_the_nearest() -> None:
    """H14: seat 3 is before seat 1 in play order. The table is impossible, to make equal costs."""
    table = position({1: "S", 2: "K", 3: "T"}, {2: "BF"}, "", "W", seat=1).table
    table.captured = [0, cards.mask("BF"), cards.mask("BF")]
    assert cost(table, 1, cards.mask("J"), ()) == (7, 1)
