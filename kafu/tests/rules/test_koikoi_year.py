"""A year of koi-koi: dealers, months played over, seasons, extension and 吟味 (K2, K3, K11–K15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.koikoi.profiles import PROFILES, find_profile
from kafu.rules.koikoi.yaku import TEYAKU
from kafu.rules.play.actions import Action, Begin, Deal, Illegal, Redeal, Say, ShowAction, Void
from kafu.rules.play.machine import Phase
from kafu.rules.teyaku import HandYaku
from rules.tables import after, position

#: A house with the dealt-hand values of the document's worked example (K15: a table).
SHAPES = {
    1: (2, 1, 1, 1, 1, 1, 1),
    2: (2, 2, 1, 1, 1, 1),
    3: (2, 2, 2, 1, 1),
    4: (3, 1, 1, 1, 1, 1),
    6: (3, 2, 1, 1, 1),
    9: (3, 3, 1, 1),
    12: (3, 3, 2),
}
HOUSE = replace(
    PROFILES["koikoi"],
    id="worked-example",
    teyaku=tuple(HandYaku(f"worth-{value}", value, (shape,)) for value, shape in SHAPES.items()),
)


def hand(shape: tuple[int, ...], free: list[str]) -> str:
    """Return cards of ``free`` months (four letters each) in a shape.

    The used months are removed from the list.
    """
    groups = [free.pop(0)[:count] for count in shape]
    return "".join(groups)


def deal(
    state: KoikoiState, value: int, winner: int, machine: Koikoi, *, dealer: int | None = None
) -> KoikoiState:
    """Play a month that ``winner`` wins with a dealt hand of ``value``.

    The other player has no yaku.
    """
    months = [cards.letters(month) for month in cards.MONTHS[1:]]
    shown = hand(SHAPES[value], list(months))
    remaining = [card for card in cards.LETTERS if card not in shown]
    # One card of each of eight months makes no yaku; the field takes no four of a month.
    loser_hand = "".join(next(card for card in remaining if card in month) for month in months[4:])
    remaining = [card for card in remaining if card not in loser_hand]
    field = "".join(remaining[i] for i in range(0, 24, 3))
    stock = "".join(card for card in remaining if card not in field)
    hands = {winner: shown, 3 - winner: loser_hand}
    state, _ = machine.apply(
        state, Deal(state.month, dealer or state.dealer or 1, hands, field, stock)
    )
    shows: list[Action] = [ShowAction(winner, (f"worth-{value}",), cards.mask(shown)), Begin()]
    for action in shows:
        state, _ = machine.apply(state, action)
    return state


def test_worked_example_of_the_document_has_its_totals() -> None:
    """K14 and 試合結果例: the sums of both players.

    A 1 2 | 1 3 6 +5 | 6 | 2 6 = 32, 吟味 13, 45; B 4 | - | 1 12 | 9 = 26.
    """
    machine = Koikoi(HOUSE)
    state = machine.start()
    months = [
        (1, 1),
        (2, 1),
        (4, 2),
        (1, 1),
        (3, 1),
        (6, 1),
        (6, 1),
        (1, 2),
        (12, 2),
        (9, 2),
        (2, 1),
        (6, 1),
    ]
    for value, winner in months:
        state = deal(state, value, winner, machine)
        assert state.result is not None
        assert state.result.next_dealer == winner
    assert state.totals == (32, 26)
    assert state.phase is Phase.OVER
    assert state.final == (45, 26)


def test_won_season_is_paid_in_its_third_month() -> None:
    """K12."""
    machine = Koikoi(HOUSE)
    state = machine.start()
    for _ in range(3):
        state = deal(state, 1, 2, machine)
    assert state.result is not None
    assert [(line.label, line.amounts) for line in state.result.ledger] == [
        ("worth-1", (0, 1)),
        ("kobiki", (0, 5)),
    ]


def test_tie_adds_a_whole_season() -> None:
    """K13: months 13 to 15 are all played, even if the first breaks the tie."""
    machine = Koikoi(HOUSE)
    state = machine.start()
    for month in range(12):
        state = deal(state, 1, month % 2 + 1, machine)
    assert state.totals == (6, 6)
    assert (state.phase, state.month) == (Phase.DEAL, 13)
    for winner in (1, 2, 1):
        assert state.phase is Phase.DEAL
        state = deal(state, 2, winner, machine)
    assert (state.phase, state.totals) == (Phase.OVER, (10, 8))
    assert state.final == (10 + 5 + 8, 8)


def test_tie_after_a_further_season_goes_on() -> None:
    machine = Koikoi(HOUSE)
    state = machine.start()
    for month in range(12):
        state = deal(state, 1, month % 2 + 1, machine)
    for value, winner in ((2, 1), (1, 2), (1, 2)):
        state = deal(state, value, winner, machine)
    assert (state.phase, state.month, state.totals) == (Phase.DEAL, 16, (8, 8))


FOUR_ON_FIELD = Deal(1, 1, {1: "AEIMQUYc", 2: "FJNRVZdh"}, "opqrBCGH", None)


def test_four_on_the_field_is_nagare() -> None:
    """K3, and K2: in January without a card played a new split may settle the dealer."""
    machine = Koikoi(PROFILES["koikoi"])
    state, _ = machine.apply(machine.start(), FOUR_ON_FIELD)
    assert machine.legal_actions(state) == [Redeal("shima")]
    with pytest.raises(Illegal, match="dealt again"):
        machine.apply(state, Begin())
    state, _ = machine.apply(state, Redeal("shima"))
    assert state.result is not None
    assert state.result.end == "nagare"
    assert (state.month, state.dealer, state.replayed, state.settling) == (1, 2, True, True)


def test_split_after_a_nagare_in_january_chooses_the_dealer_again() -> None:
    """K2: else the dealer changes."""
    machine = Koikoi(PROFILES["koikoi"])
    state, _ = machine.apply(machine.start(), FOUR_ON_FIELD)
    state, _ = machine.apply(state, Redeal("shima"))
    field = "AEIMcdgh"
    fresh = Deal(1, 1, {1: "BFJNRVZo", 2: "CGKOSWap"}, field, None, split={1: "cdgh", 2: "AEIM"})
    settled, _ = machine.apply(state, fresh)
    assert settled.dealer == 1
    with pytest.raises(Illegal, match="player 1 deals where player 2 is due"):
        machine.apply(state, fresh._replace(split={}))


@pytest.mark.parametrize("action", [Redeal("misdeal"), Void("other")])
def test_misdeal_or_void_keeps_month_and_dealer(action: Action) -> None:
    """C6: the month again, same dealer, no 流れ."""
    machine = Koikoi(PROFILES["koikoi"])
    state, _ = machine.apply(machine.start(), FOUR_ON_FIELD._replace(field="opqsBCGH"))
    state, _ = machine.apply(state, action)
    assert (state.month, state.dealer, state.replayed) == (1, 1, False)
    assert state.totals == (0, 0)


def shows(first: str, second: str) -> tuple[KoikoiState, Koikoi]:
    """Return a month in which both players show their hands."""
    machine = Koikoi(PROFILES["koikoi"])
    field = "".join(card for card in cards.LETTERS if card not in first + second)[::4]
    state, _ = machine.apply(machine.start(), Deal(1, 1, {1: first, 2: second}, field, None))
    for action in machine.legal_actions(state)[1:]:
        state, _ = machine.apply(state, action)
    state, _ = machine.apply(state, Begin())
    return state, machine


def test_higher_of_two_shown_hands_wins_the_difference() -> None:
    """K3: 喰付 10 against はねけん 3."""
    state, _ = shows("ABEFIJMN", "QRSUVYZc")
    assert state.result is not None
    assert (state.result.end, state.result.score, state.result.winner) == ("teyaku", (7, 0), 1)


def test_two_shown_hands_of_equal_value_are_nagare() -> None:
    state, _ = shows("ABEFIJMN", "QRUVYZcd")
    assert state.result is not None
    assert (state.result.end, state.result.ledger, state.dealer) == ("nagare", (), 2)


def test_options_override_the_profile() -> None:
    """K15: single overrides beside, or without, a profile."""
    chosen = find_profile(
        {"months": "6", "hanami": "0", "goko": "30", "teyaku": "no", "shibori": "5"}
    )
    assert chosen is not None
    assert (chosen.months, chosen.teyaku, chosen.floor) == (6, (), 5)
    values = {row.id: row.value for row in chosen.yaku}
    assert values["goko"] == 30
    assert "hanami" not in values
    assert PROFILES["koikoi"].teyaku == TEYAKU
    assert find_profile({"profile": "nobody-knows"}) is None


def test_koikoi_ai_adds_a_bonus_for_calls() -> None:
    """K15: +1 for each call up to 3; from 4 on the total × (calls − 2)."""
    profile = PROFILES["koikoi-ai"]
    added = [dict(profile.added(10, own_calls=calls, opponent_calls=2)) for calls in range(6)]
    assert added == [{}, *({"koikoi": bonus} for bonus in (1, 2, 3, 10, 20))]


def test_koikoi_nintendo_doubles_from_seven_and_for_calls_of_the_other() -> None:
    """K15: twice from 7 on, and twice if the other has said こいこい."""
    profile = PROFILES["koikoi-nintendo"]

    def doubles(total: int, against: int) -> dict[str, int]:
        return dict(profile.added(total, own_calls=1, opponent_calls=against))

    assert doubles(6, 0) == {}
    assert doubles(7, 0) == {"bai": 7}
    assert doubles(6, 1) == {"koikoigaeshi": 6}
    assert doubles(8, 1) == {"bai": 8, "koikoigaeshi": 16}
    assert dict(PROFILES["koikoi"].added(24, own_calls=2, opponent_calls=3)) == {}


def test_koikoi_nintendo_doubles_the_payment_for_calls_of_the_other() -> None:
    """Of the other's calls, not of one's own."""
    machine = Koikoi(PROFILES["koikoi-nintendo"])
    right = after(
        position("AIco", hand="s", field="t", stock="R", machine=machine), "sxt/R", machine
    )
    for calls, due in (((0, 0), 20), ((1, 0), 20), ((0, 1), 40)):
        ended, _ = machine.apply(right.replace(calls=calls), Say("shobu"))
        assert ended.result is not None
        assert ended.result.score == (due, 0)
        assert sum(line.amounts[0] for line in ended.result.ledger) == due


def test_koikoi_nintendo_permits_one_call_a_player() -> None:
    """A player who said こいこい stops at the next yaku; the other player may still say it."""
    machine = Koikoi(PROFILES["koikoi-nintendo"])
    right = after(
        position("AIco", hand="s", field="t", stock="R", machine=machine), "sxt/R", machine
    )
    assert machine.legal_actions(right) == [Say("shobu"), Say("koikoi")]
    again = right.replace(calls=(1, 0))
    assert machine.legal_actions(again) == [Say("shobu")]
    with pytest.raises(Illegal) as barred:
        machine.apply(again, Say("koikoi"))
    assert (barred.value.code.id, barred.value.expected) == ("decision-barred", ("shobu",))
    assert len(machine.legal_actions(right.replace(calls=(0, 1)))) == 2
    assert machine.legal_actions(right.replace(turn=15)) == [Say("shobu")]


def test_koikoi_nintendo_redeals_three_of_a_month_on_the_field() -> None:
    """Dealt again, by the same dealer; a four in a hand is not."""
    machine = Koikoi(PROFILES["koikoi-nintendo"])

    def dealt(first: str, field: str) -> KoikoiState:
        remaining = [card for card in cards.LETTERS if card not in first + field]
        second, stock = "".join(remaining[:8]), "".join(remaining[8:])
        return machine.apply(machine.start(), Deal(1, 2, {1: first, 2: second}, field, stock))[0]

    state = dealt("EFIJMNQR", "ABCUVYZg")
    assert machine.legal_actions(state) == [Redeal("shima")]
    with pytest.raises(Illegal) as due:
        machine.apply(state, Begin())
    assert (due.value.code.id, due.value.values) == ("redeal-due", {"cards": "ABC"})
    again, _ = machine.apply(state, Redeal("shima"))
    assert (again.month, again.dealer, again.totals) == (1, 2, (0, 0))
    assert machine.legal_actions(dealt("EFGHMNQR", "ABUVYZgh")) == [Begin()]


SPLIT = """[Kafu "1"]
[Rules "koikoi"]
[Player1 "Aya"]
[Player2 "Ben"]
[Termination "unfinished"]

month 1 dealer 1
split 1MORU 2CGIP
hand 1 ABEFJKQS
hand 2 DHLNTVWX
field CGIMOPRU
stock ...
{played}void {reason}

month 1 dealer 1
split 1MORU 2CGIP
hand 1 ABEFJKQS
hand 2 DHLNTVWX
field CGIMOPRU
stock ...
"""


@pytest.mark.parametrize("reason", ["misdeal", "mismatch", "other"])
@pytest.mark.parametrize(("played", "error"), [("", None), ("1. AxC/Y\n", "no-place")])
def test_new_split_after_a_card_of_january_is_refused(
    reason: str, played: str, error: str | None
) -> None:
    """K2: only a deal abandoned before its first card may be split anew."""
    verdict = verify(read(SPLIT.format(played=played, reason=reason))).verdict
    assert (verdict.error.code.id if verdict.error else None) == error
    if error is not None:
        assert verdict.error is not None and verdict.error.deal == 2
        once = SPLIT.format(played=played, reason=reason).rpartition("split 1MORU 2CGIP\n")
        assert verify(read(once[0] + once[2])).verdict.error is None


def test_split_chooses_the_dealer_of_a_misdealt_deal_too() -> None:
    """K1, K2: January is dealt again after a misdeal, and a new split changes the dealer.

    The second deal is found to be misdealt too.
    """
    text = SPLIT.format(played="", reason="misdeal")
    text = text.rpartition("month 1 dealer 1\nsplit 1MORU 2CGIP")[0] + (
        "month 1 dealer 2\nsplit 1CGIP 2MORU\n"
        "hand 1 ABEFJKQS\nhand 2 DHLNTVWX\nfield CGIMOPRU\nstock ...\nvoid misdeal\n"
    )
    verdict = verify(read(text)).verdict
    assert (verdict.status, verdict.error) == ("unfinished", None)
    assert [deal.dealer for deal in verdict.deals] == [1, 2]
