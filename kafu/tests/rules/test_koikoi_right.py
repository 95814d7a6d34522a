"""The right to declare (K6, K8–K11): when a turn makes a yaku new or raises one."""

from kafu.cards import CHAFF, letters
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.play.actions import Say
from kafu.rules.play.machine import Phase
from rules.tables import MACHINE, after, make_machine, position, yaku

CHAFF_OF = letters(CHAFF)


def may_declare(state: KoikoiState) -> bool:
    return state.phase is Phase.DECIDE


def test_new_yaku_gives_the_right() -> None:
    state = after(position("BF", hand="K", field="J", stock="a"), "KxJ/a")
    assert yaku(state) == {"akatan": 7}
    assert may_declare(state)


def test_turn_without_a_new_yaku_gives_no_right() -> None:
    state = after(position("BFJ", hand="K", field="L", stock="a"), "KxL/a")
    assert not may_declare(state)


def test_counting_yaku_give_the_right_with_each_card() -> None:
    """K8: タン from five to six; another slip beside 赤短 alone raises nothing."""
    assert may_declare(after(position("BFJNR", hand="W", field="V", stock="a"), "WxV/a"))
    assert not may_declare(after(position("BFJ", hand="W", field="V", stock="a"), "WxV/a"))


def test_better_bright_yaku_gives_the_right() -> None:
    assert may_declare(after(position("AIc", hand="t", field="s", stock="a"), "txs/a"))


def test_ten_chaff_with_the_cup_give_no_right() -> None:
    """K6: ten chaff are worth 1 mon without the right; the eleventh card gives the right."""
    nine = CHAFF_OF[:9]
    assert "W" not in nine
    ten = after(position(nine, hand="h", field="g", stock="a"), "hxg/a")
    assert yaku(ten) == {"kasu": 1}
    assert not may_declare(ten)
    eleven = after(position(nine + "g", hand="W", field="V", stock="a"), "WxV/a")
    assert yaku(eleven) == {"kasu": 2}
    assert may_declare(eleven)


def test_ten_chaff_without_the_cup_give_the_right() -> None:
    assert may_declare(after(position(CHAFF_OF[:9], hand="W", field="V", stock="a"), "WxV/a"))


class TestSake:
    """K8 and section (2) of the document, sentence by sentence."""

    def test_sake_yaku_without_rain_gives_the_right(self) -> None:
        assert may_declare(after(position("I", hand="h", field="g", stock="a"), "hxg/a"))

    def test_rain_turned_in_the_same_turn_voids_it(self) -> None:
        """Rain from the stock voids the sake yaku of the hand card.

        ある巡に手札で取って盃役が完成して、めくりで雨札を取っても雨流れとなる。
        """
        state = after(position("I", hand="h", field="gr", stock="q"), "hxg/qxr")
        assert yaku(state) == {}
        assert not may_declare(state)

    def test_mist_turned_in_the_same_turn_voids_it(self) -> None:
        """K20: the rule of rain with paulownia in the place of willow."""
        table = position("I", hand="h", field="gt", stock="u")
        assert may_declare(after(table, "hxg/uxt"))
        state = after(table, "hxg/uxt", make_machine(mist="yes"))
        assert yaku(state, make_machine(mist="yes")) == {}
        assert not may_declare(state)

    def test_sake_yaku_with_the_crane_is_not_voided_by_rain(self) -> None:
        """A captured crane protects the sake yaku from rain.

        もともと、松に鶴が取り札にあれば雨流れは起きない。
        """
        state = after(position("IA", hand="h", field="gr", stock="q"), "hxg/qxr")
        assert may_declare(state)

    def test_sunrise_in_the_same_turn_scores_but_gives_no_right(self) -> None:
        """A crane from the stock after a sake yaku by hand gives no right.

        手札により盃役が完成しめくりで松に鶴を取っても勝負することはできない。
        """
        state = after(position("Ir", hand="h", field="gA", stock="B"), "hxg/BxA")
        assert yaku(state) == {"hanami": 2}
        assert not may_declare(state)

    def test_crane_by_hand_then_sake_by_stock_gives_the_right(self) -> None:
        """A sake yaku from the stock after a crane by hand gives the right.

        手札により松に鶴を取り、めくりで盃役ができれば勝負することができる。
        """
        state = after(position("Ir", hand="B", field="gA", stock="h"), "BxA/hxg")
        assert may_declare(state)

    def test_sunrise_of_an_earlier_sake_yaku_gives_no_right(self) -> None:
        """The sunrise of an earlier sake yaku alone gives no right.

        松に鶴を取っての日の出だけで勝負することはできない。
        """
        state = after(position("cgr", hand="B", field="A", stock="a"), "BxA/a")
        assert yaku(state) == {"tsukimi": 2}
        assert not may_declare(state)

    def test_sunrise_with_another_yaku_is_scored(self) -> None:
        """A crane from the stock scores the sake yaku next to another yaku.

        雨流れの状態、手札により出来役ができ、めくりにより松に鶴を得たときは盃役の役代は入る。
        """
        state = after(position("cgrBF", hand="K", field="JA", stock="C"), "KxJ/CxA")
        assert yaku(state) == {"akatan": 7, "tsukimi": 2}
        assert may_declare(state)


class TestFloor:
    """K9 (3文しぼり): in a month played over, a total under 3 mon gives no right."""

    def test_yaku_below_three_after_a_replay_gives_no_right(self) -> None:
        state = position("EMQU", hand="Z", field="Y", stock="a", replayed=True)
        assert not may_declare(after(state, "ZxY/a"))

    def test_valid_yaku_of_three_together_after_a_replay_give_the_right(self) -> None:
        """The ten of K6 counts toward the total: 2 of 花見酒 and 1 of カス."""
        nine = CHAFF_OF[:9]
        state = position(nine + "I", hand="h", field="g", stock="a", replayed=True)
        captured = after(state, "hxg/a")
        assert yaku(captured) == {"hanami": 2, "kasu": 1}
        assert may_declare(captured)


def test_koikoi_on_the_last_card_ends_in_nagare() -> None:
    """K10, K11: こいこい may be said on the last card; the month is then played over."""
    state = position("BF", hand="K", field="J", stock="a", turn=15)
    state = after(state, "KxJ/a")
    assert {action.word for action in MACHINE.legal_actions(state)} == {"shobu", "koikoi"}  # type: ignore[union-attr]
    state, _ = MACHINE.apply(state, Say("koikoi"))
    assert state.result is not None
    assert (state.result.end, state.result.score) == ("nagare", (0, 0))
    assert (state.month, state.dealer, state.replayed) == (1, 2, True)


def test_further_card_of_a_yaku_that_does_not_grow_gives_no_new_right() -> None:
    """K15: with tane-step=0 the sixth animal adds nothing to tane, so nothing is raised."""
    for step, expected in (("1", True), ("0", False)):
        machine = make_machine(**{"tane-step": step, "goun": "0"})
        state = after(
            position("EMQYd", hand="h", field="g", stock="a", machine=machine),
            "hxg/a",
            machine,
        )
        assert may_declare(state) is expected
