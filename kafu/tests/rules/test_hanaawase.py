"""三人花合わせ, ruling by ruling (A1–A6)."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.rules import codes
from kafu.rules.hanaawase.machine import Hanaawase, declarations, settle
from kafu.rules.play.actions import Begin, Deal, Illegal, Redeal, ShowAction, Void
from kafu.rules.play.at_end import AtEndState, Claim
from kafu.rules.play.machine import Phase
from kafu.rules.yaku import made
from rules.end_tables import counted, ledger, remaining_cards

MACHINE = Hanaawase()


def dealt(hand: str, *other_hands: str, field: str = "", month: int = 1) -> AtEndState:
    """Return a deal with a hand for seat 1; other places get the remaining cards."""
    remaining = remaining_cards(hand, field, *other_hands)
    hands = [hand, *other_hands]
    while len(hands) < 3:
        hands.append(remaining[:7])
        remaining = remaining[7:]
    field, remaining = (field, remaining) if field else (remaining[:6], remaining[6:])
    deal = Deal(month, 1, dict(enumerate(hands, 1)), field, remaining)
    state, _ = MACHINE.apply(MACHINE.start(), deal)
    return state


def refused(state: AtEndState, action: object) -> Illegal:
    with pytest.raises(Illegal) as caught:
        MACHINE.apply(state, action)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize(
    ("hand", "due"),
    [
        ("CDGHLOA", {"rokkasu": "CDGHLO"}),
        ("CDGHKLA", {"rokkasu": "CDGHKL", "tsukisante": "ACDGHKL"}),
        ("CDGHKLr", {"shichikasu": "CDGHKLr"}),
        ("CDGHKLq", {"rokkasu": "CDGHKL"}),  # willow counts only as itself
        ("CDGHKop", {}),
        ("ABCDEFG", {"teshi": "ABCDEFG"}),
        ("ABCDEIM", {"teshi": "ABCDEIM"}),
        ("ABCDEFI", {"teshi": "ABCDEFI", "tsukisante": "ABCDEFI"}),
        ("ABCEFIJ", {"tsukisante": "ABCEFIJ"}),
        ("ABCEFGI", {"tsukisante": "ABCEFGI"}),
        ("ABEFIJM", {}),
        ("CDGstuv", {"rokkasu": "CDGtuv", "teshi": "CDGstuv", "tsukisante": "CDGstuv"}),
    ],
)
def test_dealt_yaku_of_a_hand_are_found_with_their_cards(hand: str, due: dict[str, str]) -> None:
    """A1."""
    declared = declarations(cards.mask(hand))
    assert {
        declaration.yaku[0]: cards.letters(declaration.cards) for declaration in declared
    } == due


def test_teshi_that_is_shown_has_the_month_dealt_again() -> None:
    """A1: 手四 shown ends the deal; the same dealer deals the same month."""
    state = dealt("ABCDEIM")
    state, _ = MACHINE.apply(state, ShowAction(1, ("teshi",), cards.mask("ABCDEIM")))
    caught = refused(state, Begin())
    assert (caught.code, caught.expected) == (codes.REDEAL_CALLED, ("redeal teshi",))
    assert refused(state, Redeal("tsukisante")).code is codes.REDEAL_GROUNDLESS
    again, _ = MACHINE.apply(state, Redeal("teshi"))
    assert again.result is not None
    assert (again.result.end, again.result.next_dealer, again.month) == ("redeal", 1, 1)
    assert again.result.ledger == ()


def test_teshi_that_is_not_shown_lets_the_month_begin() -> None:
    """A1."""
    state, _ = MACHINE.apply(dealt("ABCDEIM"), Begin())
    assert state.phase is Phase.HAND


@pytest.mark.parametrize("reason", ["teshi", "tsukisante", "ba4", "shima"])
def test_redeal_without_its_reason_on_the_table_is_refused(reason: str) -> None:
    state = dealt("ABCDEIM")
    caught = refused(state, Redeal(reason))
    assert (caught.code, caught.where) == (codes.REDEAL_GROUNDLESS, "redeal")


def test_four_on_the_field_is_captured_by_the_dealer() -> None:
    """シマ."""
    state = dealt("ABEFIJM", field="opqrsC")
    assert cards.letters(state.table.captured[0]) == "opqr"
    assert cards.letters(state.table.field) == "Cs"


def test_captured_yaku_equal_the_table_with_its_exclusions() -> None:
    """A2 and the table of the document."""
    for captured, due in [
        ("AIcos", {"goko": 160}),
        ("AIcs", {"shiko": 80}),
        ("AIos", {"ameshiko": 30}),
        ("Acos", {"ameshiko": 30}),
        ("Acs", {"matsukiribozu": 10}),
        ("AEMdps", {"otori": 80}),
        ("EMdp", {"kotori": 30}),
        ("BFJNRZ", {"rokutan": 20, "akatan": 40, "kusa": 20}),
        ("BFJNRZq", {"nanatan": 40, "akatan": 40, "kusa": 20}),
        ("BFNRVZhq", {"nanatan": 40, "kusa": 20}),
        ("BNRVhl", {"rokutan": 20, "aotan": 40}),
        ("Icg", {"nomi": 30}),
        ("Igo", {"hanami": 10}),
        ("cgr", {"tsukimi": 10}),  # no rain, no sun: willow has no effect
        ("AEI", {"omotesugawara": 20}),
        ("YkU", {"inoshikacho": 30}),
        ("EQUYg", {"goun": 60}),
        ("MNOPopqrstuv", {"fujishima": 10, "ameshima": 10, "kirishima": 10}),
        ("CDGHKLOPSTWX", {"kasu": 10}),
        ("CDGHKLOPSTWXrtuop", {"kasu": 40}),
    ]:
        made_yaku = made(MACHINE.captured_yaku, cards.mask(captured), rained=False, called=False)
        assert {yaku.id: yaku.value for yaku in made_yaku} == due, captured


def test_yaku_are_paid_at_the_end_and_the_highest_score_deals() -> None:
    """A4, A5: values from each of the other two, card points less 88."""
    first, second = "AIcsBCDKL", "oEFGHMQUY"
    claim = Claim(2, ("rokkasu",), cards.mask("CDGHKL"))
    state = counted(
        MACHINE, {1: first, 2: second, 3: remaining_cards(first, second)}, claims=(claim,)
    )
    payments = ledger(state)
    assert payments["shiko"] == (160, -80, -80)
    assert payments["rokkasu"] == (-20, 40, -20)
    assert payments["points"] == (89 - 88, 77 - 88, 98 - 88)
    assert state.result is not None
    assert state.result.score == tuple(map(sum, zip(*payments.values(), strict=True)))
    assert (state.result.end, state.month) == ("played-out", 2)
    score = state.result.score
    best = score.index(max(score)) + 1
    assert state.dealer == state.result.next_dealer == best


def test_fuke_voids_the_month_and_deals_next() -> None:
    """A3: thirty points, own dealt hand and all; he deals next, the month moves on."""
    poor = "BFCDGHKLOPSTWXabefijmn"
    assert cards.points(cards.mask(poor)) == 30
    second = "AEIQYM"
    claim = Claim(1, ("shichikasu",), cards.mask("CDGHKLO"))
    state = counted(
        MACHINE, {1: poor, 2: second, 3: remaining_cards(poor, second)}, claims=(claim,), month=11
    )
    assert state.result is not None
    assert state.result.end == "fuke"
    assert all(line.void for line in state.result.ledger)
    assert "shichikasu" in ledger(state)
    assert (state.result.score, state.dealer, state.month) == ((0, 0, 0), 1, 12)


@pytest.mark.parametrize(("order", "due"), [((1, 2, 3), 2), ((2, 3, 1), 1)])
def test_nearer_to_biki_of_two_fuke_deals_next(order: tuple[int, ...], due: int) -> None:
    """A3."""
    poor = {1: "BCDGHKLOP", 2: "FSTWXabef"}
    captured = poor | {3: remaining_cards(*poor.values())}
    state = counted(MACHINE, captured, order=order, dealer=order[0])
    assert state.result is not None
    assert (state.result.end, state.result.next_dealer) == ("fuke", due)


def test_nearer_to_the_dealer_of_equal_scores_deals_next() -> None:
    """A5."""
    captured = {1: "CFIJLPZacfijkoqt", 2: "BEGNOQSTUbhlmnpr", 3: "ADHKMRVWXYdegsuv"}
    state = counted(MACHINE, captured, order=(2, 3, 1), dealer=2)
    assert state.result is not None
    assert (state.result.score, state.dealer) == ((10, -20, 10), 3)


ROWS = {
    "A": (-18, -92, 28, -25, -93, -27, 138, -47, 43, 74, 0, 87),
    "B": (-56, 74, 2, -13, 21, 33, -98, 2, 0, -55, 0, -74),
    "C": (74, 18, -30, 38, 72, -6, -40, 45, -43, -19, 0, -13),
}


def test_totals_and_prize_of_the_documents_year_equal_its_figures() -> None:
    """得点記入例: +58 −234 +176."""
    totals = tuple(map(sum, ROWS.values()))
    assert all(sum(month) == 0 for month in zip(*ROWS.values(), strict=True))
    assert totals == (68, -164, 96)
    assert settle(totals) == (58, -234, 176)


@pytest.mark.parametrize(
    ("totals", "due"),
    [
        ((10, 10, -20), (45, 45, -90)),
        ((20, -10, -10), (100, -50, -50)),
        ((0, 0, 0), (0, 0, 0)),
        ((-5, 8, -3), (-75, 88, -13)),
    ],
)
def test_prize_of_the_year_follows_the_totals(
    totals: tuple[int, ...], due: tuple[int, ...]
) -> None:
    """A6."""
    assert settle(totals) == due


def test_void_deal_is_played_again() -> None:
    """C6."""
    state = dealt("CDGHKLA")
    state, _ = MACHINE.apply(state, ShowAction(1, ("rokkasu",), cards.mask("CDGHKL")))
    state, _ = MACHINE.apply(state, Begin())
    state, _ = MACHINE.apply(state, Void("other"))
    assert state.result is not None
    assert (state.result.end, state.dealer, state.month) == ("void", 1, 1)
    assert state.result.score == (0, 0, 0)


def test_seat_draw_after_the_first_deal_is_refused() -> None:
    """C7: the draw only decides the first dealer."""
    state, _ = MACHINE.apply(dealt("CDGHKLA"), Void("other"))
    hands = {1: "CDGHKLA", 2: "BEFIJMN", 3: "OPQRSTU"}
    deal = Deal(1, 1, hands, "VWXYZa", remaining_cards(*hands.values(), "VWXYZa"))
    MACHINE.apply(state, deal)
    caught = refused(state, deal._replace(draws=({1: "B", 2: "V", 3: "o"},)))
    assert (caught.code, caught.where) == (codes.NO_PLACE, "draw.0")
