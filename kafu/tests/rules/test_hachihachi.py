"""三人はちはち: grades, sage, incidents, special yaku, settlement (H1–H23)."""

from __future__ import annotations

import itertools

import pytest

from kafu import cards
from kafu.rules import codes
from kafu.rules.grades import SCALES, GradeScale, grade
from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.state import HachihachiState
from kafu.rules.hachihachi.year import settle, settlement, specials
from kafu.rules.play.actions import (
    Action,
    Begin,
    CallAction,
    Deal,
    Illegal,
    Redeal,
    ShowAction,
    Void,
)
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import order_by_draw
from rules.hachi_tables import MACHINE, after, ledger, position

KAN = 12


@pytest.mark.parametrize(
    ("field", "bound", "expected"),
    [
        ("BCEFGH", None, ("small", None)),
        ("ACEFGH", None, ("large", None)),
        ("AIEFGH", None, ("large", "large")),
        ("AIcFGH", None, ("large", "large")),
        ("oCEFGH", None, ("absolute", None)),
        ("oAIFGH", None, ("absolute", None)),
        ("osEFGH", None, ("absolute", "absolute")),
        ("BCEFGH", "large", ("large", None)),
        ("ACEFGH", "large", ("large", None)),
        ("AIEFGH", "large", ("large", "large")),
        ("sAIFGH", "large", ("absolute", None)),
        ("osAIGH", "large", ("absolute", "absolute")),
        ("BCEFGH", "absolute", ("absolute", None)),
        ("AIcFGH", "absolute", ("absolute", None)),
        ("osEFGH", "absolute", ("absolute", "absolute")),
    ],
)
def test_grade_equals_that_of_the_cases_of_the_supplement(
    field: str, bound: str | None, expected: tuple[str, str | None]
) -> None:
    """H1, section (3) 1.a–3.b."""
    assert grade(cards.mask(field), bound) == expected


def test_yaku_are_paid_by_the_scale_of_the_option() -> None:
    """競技前選択確認事項 (1), H18: 立三本 and 青短 in 絶場 by F are 5 and 9 kan."""
    each = {name: PAYMENTS.at(SCALES[name]["absolute"]).find_each for name in SCALES}
    assert [each[name]("nuke") // KAN for name in "ABDE"] == [4, 3, 2, 1]
    assert PAYMENTS.at(SCALES["C"]["large"]).find_each("aotan") == 126
    assert each["F"]("tatesanbon") == 5 * KAN
    assert each["F"]("aotan") == 9 * KAN
    assert each["F"]("nuke") == KAN


def test_amounts_of_card_points_are_read_as_all_deviations_that_they_can_be() -> None:
    """H18: only rounding leaves several."""
    paid = GradeScale(3).card_points((5, -3, -2))
    assert (5, -3, -2) in GradeScale(3).list_deviations(paid)
    for deviations in GradeScale(3).list_deviations(paid):
        assert GradeScale(3).card_points(deviations) == paid
    assert GradeScale(4).list_deviations((10, -6, -4)) == [(5, -3, -2)]
    assert list(GradeScale(3).list_amounts(range(-3, 5))) == [-3, 0, 3, 6]


def test_odd_deviations_at_half_times_are_rounded_and_add_up() -> None:
    """H18: an odd deviation moves one toward zero, the third takes the difference, then × 1.5."""
    assert GradeScale(3).card_points((5, -3, -2)) == (6, -3, -3)
    assert GradeScale(3).card_points((3, 5, -8)) == (3, 6, -9)
    for first, second in itertools.product(range(-20, 21), repeat=2):
        assert sum(GradeScale(3).card_points((first, second, -first - second))) == 0


def test_sage_then_a_new_yaku_is_paid_in_full() -> None:
    """H9."""
    start = position({1: "iKb", 2: "OGe", 3: "TXf"}, {1: "VlBF"}, "hJ", "WamSnd", seat=1)
    ended = after(start, "ixh/W=sage O/a T/m KxJ/S=agari")
    assert ledger(ended) == {
        "aotan": (14 * KAN, -7 * KAN, -7 * KAN),
        "akatan": (14 * KAN, -7 * KAN, -7 * KAN),
    }


def test_torikeshi_pays_half() -> None:
    """H9, H10: half a kan is six points; not before a later turn has ended."""
    start = position({1: "iKb", 2: "OGe", 3: "TXf"}, {1: "Vl"}, "h", "WamSnd", seat=1)
    sage = after(start, "ixh/W=sage")
    with pytest.raises(Illegal) as early:
        MACHINE.apply(sage, CallAction("torikeshi", 1))
    assert early.value.code is codes.TORIKESHI_EARLY
    with pytest.raises(Illegal) as second:
        MACHINE.apply(after(sage, "O/a"), CallAction("torikeshi", 2))
    assert second.value.code is codes.TORIKESHI_NOTHING
    ended = after(sage, "O/a =torikeshi 1")
    assert ledger(ended) == {"aotan": (84, -42, -42)}
    assert ended.result is not None
    assert (ended.result.end, ended.result.next_dealer) == ("torikeshi", 1)


def test_last_hand_card_after_sage_forces_torikeshi() -> None:
    """H9: written or not."""
    start = position({1: "iK", 2: "OGe", 3: "TXf"}, {1: "Vl"}, "h", "WamSnd", seat=1)
    ended = after(start, "ixh/W=sage O/a T/m K/S")
    assert ledger(ended) == {"aotan": (84, -42, -42)}
    assert after(ended, "=torikeshi 1").result == ended.result


class TestTwoTurned:
    """二枚めくり (H22, H25)."""

    START = position({1: "iKb", 2: "OGe", 3: "TXf"}, {1: "VlBF"}, "hJ", "WamSnd", seat=1)

    @pytest.mark.parametrize("words", ["=nimai=sage", "=nimai"])
    def test_forced_decision_is_sage(self, words: str) -> None:
        state = after(self.START, f"ixh/W{words} O/a")
        assert (state.sager, state.locked) == (1, True)

    def test_agari_by_force_is_refused(self) -> None:
        with pytest.raises(Illegal):
            after(self.START, "ixh/W=nimai=agari")

    def test_forced_sage_is_not_cancelled_before_a_new_yaku(self) -> None:
        state = after(self.START, "ixh/W=nimai O/a")
        with pytest.raises(Illegal) as caught:
            MACHINE.apply(state, CallAction("torikeshi", 1))
        assert caught.value.code is codes.TORIKESHI_EARLY
        later = after(state, "T/m KxJ/S=sage G/n =torikeshi 1")
        assert later.result is not None

    def test_forced_sage_without_a_yaku_changes_nothing(self) -> None:
        state = after(self.START, "b/W=nimai O/a")
        assert not state.sager

    @pytest.mark.parametrize("words", ["=sage=nimai", "=agari=nimai", "=nimai=nimai"])
    def test_forced_sage_after_another_decision_is_refused(self, words: str) -> None:
        """The turn of the player is over, or the player has declared already."""
        with pytest.raises(Illegal) as caught:
            after(self.START, f"ixh/W{words}")
        assert (caught.value.code, caught.value.values) == (
            codes.DECISION_NOT_DUE,
            {"word": "nimai"},
        )

    def test_agari_is_valid_where_there_is_no_choice(self) -> None:
        """While another is in 下げ; and on the last hand card, if stock cards are left."""
        start = position({1: "iKb", 2: "OLe", 3: "TXf"}, {1: "Vl", 2: "BF"}, "hJ", "WamSnd", seat=1)
        ended = after(start, "ixh/W=sage LxJ/a=nimai=agari")
        assert ended.result is not None
        last = position({1: "i", 2: "OG", 3: "TX"}, {1: "Vl"}, "h", "Wam", seat=1, turn=18)
        assert after(last, "ixh/W=nimai=agari").result is not None

    @pytest.mark.parametrize("words", ["=nimai", "=nimai=agari"])
    def test_forced_sage_with_the_last_stock_card_is_refused(self, words: str) -> None:
        """H25: no second card is there to be turned, whether or not a yaku is made."""
        for captured in ("Vl", "VN"):
            last = position({1: "i"}, {1: captured}, "h", "W", seat=1, turn=20)
            with pytest.raises(Illegal) as caught:
                after(last, f"ixh/W{words}")
            assert caught.value.code is codes.NIMAI_LAST


HANDS = {1: "BCDEGHT", 2: "FJKQUYd", 3: "NRVZgkp"}
FIELD = "MLShmt"


def dealt(hands: dict[int, str] = HANDS, field: str = FIELD) -> Deal:
    return Deal(1, 1, hands, field, None)


def declare(*actions: Action) -> HachihachiState:
    state, _ = MACHINE.apply(MACHINE.start(), dealt())
    for action in actions:
        state, _ = MACHINE.apply(state, action)
    return state


def test_four_of_a_month_on_the_field_are_captured_by_the_dealer() -> None:
    """場札にシマがある場合は胴の取り札になる; H1: the grade is settled before."""
    state, _ = MACHINE.apply(
        MACHINE.start(), dealt(field="opqrMt", hands={1: HANDS[1], 2: HANDS[2], 3: "NRVZgkL"})
    )
    assert (state.grade, cards.letters(state.table.captured[0])) == ("absolute", "opqr")
    assert cards.letters(state.table.field) == "Mt"


def test_false_show_is_illegal_unless_it_is_voided() -> None:
    """H22: =void-show needs a really false declaration, and cancels all of it."""
    six = cards.mask("BCDEGH")
    with pytest.raises(Illegal) as false:
        declare(ShowAction(2, ("sanbon",), cards.mask("JKQ")))
    assert false.value.code is codes.SHOW_FALSE
    state, _ = MACHINE.apply(MACHINE.start(), dealt())
    with pytest.raises(Illegal) as right:
        MACHINE.apply(state, ShowAction(1, ("futasanbon",), six, disputed=True))
    assert right.value.code is codes.SHOW_RIGHT
    voided, _ = MACHINE.apply(state, ShowAction(2, ("aka",), cards.mask("K"), disputed=True))
    assert [entry.line.void for entry in voided.entries] == [True]
    struck, _ = MACHINE.apply(voided, CallAction("void-show", 2))
    with pytest.raises(Illegal) as twice:
        MACHINE.apply(struck, CallAction("void-show", 2))
    assert twice.value.code is codes.VOID_SHOW_TWICE
    with pytest.raises(Illegal) as nothing:
        MACHINE.apply(voided, CallAction("void-show", 3))
    assert nothing.value.code is codes.VOID_SHOW_NOTHING


@pytest.mark.parametrize("action", [Redeal("misdeal"), Void("mismatch"), Void("other")])
def test_month_dealt_again_has_the_same_dealer_and_returns_payments(action: Action) -> None:
    """C6, H22: same dealer, returned payments, no bound."""
    state, _ = MACHINE.apply(MACHINE.start(), dealt(field="AIShmt", hands=HANDS))
    assert state.carries == "large"
    state, _ = MACHINE.apply(state, action)
    assert (state.month, state.dealer, state.bound, state.totals) == (1, 1, None, (0, 0, 0))


def test_shiso_ends_the_year() -> None:
    """H6: the player takes 吟味 and the board; two of them make the year void."""
    hands = {1: "ABCDEFG", 2: "JKQUYdN", 3: "RVZgkpo"}
    state, _ = MACHINE.apply(MACHINE.start(), Deal(1, 1, hands, "MLShmt", None))
    for action in (ShowAction(1, ("shiso",), cards.mask(hands[1])), Begin()):
        state, _ = MACHINE.apply(state, action)
    assert state.result is not None
    assert (state.result.end, state.result.score) == ("shiso", (960, -480, -480))
    assert (state.phase, state.final) == (Phase.OVER, (100 * KAN, -50 * KAN, -50 * KAN))
    assert settle((0, 0, 0), (0, 0, 0), 1, (1, 2)) == (0, 0, 0)


def test_special_yaku_are_found_with_willow_as_chaff() -> None:
    """H16: 総八, 二八, 素十六 with willow all dregs."""
    brights = cards.BRIGHTS | cards.ANIMALS
    assert cards.points(brights) == 190
    assert list(specials((brights, 0, cards.ALL & ~brights), 1)) == [
        ("futahachi", 1, 32),
        ("sujuroku", 3, 12 + 2 * (25 - 16)),
    ]
    chaff = cards.CHAFF | cards.mask("opq")
    assert {label: kan for label, _, kan in specials((chaff, 0, 0), 1)}["sujuroku"] == 34


def test_sohachi_pays_the_dealer() -> None:
    """All even: 10 kan from each to the dealer."""
    assert list(specials((0, 0, 0), 2)) == [("sohachi", 2, 10)]


def test_settlement_of_the_documents_year_equals_its_figures() -> None:
    """記入式について: +13, +71, −84 kan (H20)."""
    totals = (8 * KAN + 189, 72 * KAN - 250, -80 * KAN + 61)
    assert settle(totals, (5, 3, 4), 1) == (13 * KAN, 71 * KAN, -84 * KAN)


def test_settlement_of_ties_follows_the_last_dealer() -> None:
    """H20: top by the last month's dealer; lowest: half the board each, an odd stone to the top."""
    assert settle((100, 100, -200), (4, 4, 4), 2)[1] > settle((100, 100, -200), (4, 4, 4), 1)[1]
    # -100 - 4 - 120 + 6 is -18 kan; the whole board of 13 would give -17.
    assert settle((200, -100, -100), (5, 4, 4), 1) == (36 * KAN, -18 * KAN, -18 * KAN)
    assert settle((7, 7, 7), (4, 4, 4), 1) == (0, 0, 0)
    for totals in ((1, -1, 0), (130, -100, -30), (0, 500, -500)):
        assert sum(settle(totals, (3, 5, 4), 3)) == 0


def test_odd_stone_of_a_divided_month_board_goes_to_the_top() -> None:
    """H20: of 13 stones the two lowest seats take 6 each, less their own 4."""
    result = settlement((200, -100, -100), (5, 4, 4), 1)
    assert result is not None and result.board == (1 - 5, 6 - 4, 6 - 4)


def test_youngest_month_deals_first_and_equal_months_draw_again() -> None:
    """C7, H25: the youngest month deals; equal months draw again; the others' seats follow."""
    assert order_by_draw([{3: "o", 2: "V", 1: "B"}], (1, 2, 3)) == 1
    assert order_by_draw([{1: "A", 2: "B", 3: "Y"}, {1: "E", 2: "I"}], (1, 2, 3)) == 1
    for rows in (
        [{1: "A", 2: "Y", 3: "E"}],
        [{1: "A", 2: "B", 3: "Y"}],
        [{1: "A", 2: "E", 3: "Y"}, {1: "I", 2: "M"}],
    ):
        with pytest.raises(Illegal):
            order_by_draw(rows, (1, 2, 3))


def test_etsunen_goes_on_while_a_bound_holds() -> None:
    """H21."""
    for etsunen, over in (("yes", False), ("no", True)):
        machine = Hachihachi({"etsunen": etsunen})
        last = position({1: "i", 2: "OG", 3: "TX"}, {1: "Vl"}, "h", "Wam", seat=1)
        ended = after(last.replace(month=12, carries="large"), "ixh/W=agari", machine)
        assert (ended.phase is Phase.OVER) is over
