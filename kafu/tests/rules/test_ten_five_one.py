"""The 10/5/1 game, ruling by ruling (T1–T7)."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Redeal,
    ShowAction,
    Swap,
)
from kafu.rules.play.at_end import AtEndState, Claim
from kafu.rules.play.machine import Phase
from kafu.rules.ten_five_one.machine import TenFiveOne, TenFiveOneHouse, points
from rules.end_tables import counted, ledger, remaining_cards

HANDS = ("ABEFIJM", "NQRUVYZ", "CGKOSWa", "DHLPTXb", "cdghklo", "efijmnp")
FIVE = TenFiveOne({}, 5)


def dealt(rules: TenFiveOne, field: str = "", hands: tuple[str, ...] = HANDS) -> AtEndState:
    """Return a deal by seat 1 with hands, and a field of other cards."""
    held = dict(enumerate(hands[: rules.players], 1))
    remaining = remaining_cards(*held.values(), field)
    field, remaining = (field, remaining) if field else (remaining[:6], remaining[6:])
    stock = remaining if rules.players == 3 else None
    state, _ = rules.apply(rules.start(), Deal(1, 1, held, field, stock))
    return state


def after(rules: TenFiveOne, state: AtEndState, *actions: Action) -> AtEndState:
    for action in actions:
        state, _ = rules.apply(state, action)
    return state


def refused(rules: TenFiveOne, state: AtEndState, action: Action) -> Illegal:
    with pytest.raises(Illegal) as caught:
        rules.apply(state, action)
    return caught.value


def bids(text: str) -> list[Bid]:
    """Return bids from Kafu."""
    return [Bid(int(word[0]), word[1:] == "in") for word in text.split()]


def pile(state: AtEndState) -> Pile:
    """Return a stock of all cards that no player holds, in pack order."""
    return Pile(cards.letters(cards.ALL & ~state.table.seen))


# T1 -----------------------------------------------------------------------------------------------


def test_card_points_are_330_in_all() -> None:
    """T1: 330 in all; 桐に鳳凰 and 桜に幕 are worth as much as dregs."""
    assert points(cards.ALL) == 330
    assert [points(cards.mask(card)) for card in "IsCrAcoEgBq"] == [10] * 4 + [5] * 5 + [1] * 2


# T2 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 5])
def test_four_on_the_field_is_dealt_again_by_the_same_dealer(players: int) -> None:
    """T2: 場四, by the same dealer."""
    rules = TenFiveOne({}, players)
    hands = ("ABEFIJM", "NQRUVYZ", "CGKOSWa", "DHLPTXb", "cdghklo")
    state = dealt(rules, "stuvef", hands)
    action: Action = Begin() if players == 3 else Bid(1, True)
    caught = refused(rules, state, action)
    assert (caught.code, caught.expected) == (codes.REDEAL_DUE, ("redeal ba4",))
    assert rules.legal_actions(state)[0] == Redeal("ba4")
    again = after(rules, state, Redeal("ba4"))
    assert again.result is not None
    assert (again.result.end, again.dealer, again.month) == ("redeal", 1, 1)


def test_three_of_a_month_on_the_field_are_captured_together() -> None:
    """T2: the fourth card takes all three."""
    rules = TenFiveOne({}, 3)
    state = after(rules, dealt(rules, "tuvijm", ("sBEFIJM", *HANDS[1:3])), Begin())
    caught = refused(rules, state, Play(cards.BIT["s"], cards.BIT["t"]))
    assert (caught.code, caught.expected) == (codes.CAPTURE_WRONG, ("tuv",))
    captured = after(rules, state, Play(cards.BIT["s"], cards.mask("tuv")))
    assert cards.letters(captured.table.captured[0]) == "stuv"


# T3 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid_words", "order"),
    [
        ("1in 2in 3in", (1, 2, 3)),
        ("1in 2out 3in 4in", (1, 3, 4)),
        ("1out 2out", (3, 4, 5)),
        ("1out 2in 3out", (2, 4, 5)),
        ("1in 2in 3out 4in", (1, 2, 4)),
        ("1in 2in 3out 4out", (1, 2, 5)),
    ],
)
def test_bids_choose_three_players(bid_words: str, order: tuple[int, ...]) -> None:
    """T3: three play; the rest are shut out, or the last in by force."""
    state = after(FIVE, dealt(FIVE), *bids(bid_words))
    assert (state.phase, state.order, state.seat) == (Phase.PILE, order, order[0])
    out = {1, 2, 3, 4, 5} - set(order)
    assert all(not state.table.hands[seat - 1] for seat in out)
    assert FIVE.in_play(state) == order
    state = after(FIVE, state, pile(state), Begin())
    assert state.table.left == len(state.table.stock) == 21


def test_bid_among_three_players_has_no_place() -> None:
    """T3."""
    rules = TenFiveOne({}, 3)
    assert refused(rules, dealt(rules), Bid(1, True)).code is codes.NO_PLACE


def test_stock_without_the_hands_of_players_who_are_out_is_refused() -> None:
    """T3: the stock has no card of the players, no card twice, and lacks none."""
    state = after(FIVE, dealt(FIVE), *bids("1in 2out 3in 4in"))
    whole = pile(state).stock or ""
    assert set("NQRUVYZcdghklo") <= set(whole)
    assert refused(FIVE, state, Pile(whole[1:])).code is codes.STOCK_SIZE
    assert refused(FIVE, state, Pile("A" + whole[1:])).code is codes.CARD_TWICE
    assert refused(FIVE, state, Pile(whole[1] + whole[1:])).code is codes.CARD_TWICE
    partial = after(FIVE, state, Pile(None), Begin())
    turned = {cards.letters(turn.card) for turn in partial.table.turns()}
    assert turned == set(whole)


SEVEN = TenFiveOne({}, 7)
SEVEN_HANDS = (*HANDS[:4], "cdghkls", "efijmnp", "_oqrtuv")


def seven(
    hands: tuple[str, ...] = SEVEN_HANDS, dealer: int = 1, field: str | None = None
) -> AtEndState:
    deal = Deal(1, dealer, dict(enumerate(hands, 1)), field, None)
    return SEVEN.apply(SEVEN.start(), deal)[0]


def test_holder_of_the_blank_card_among_seven_does_not_bid() -> None:
    """T3: the holder lays the field and does not bid."""
    state = seven(dealer=7)
    assert cards.letters(state.table.field) == "oqrtuv"
    assert (state.blank, state.table.left) == (7, 0)
    state = after(SEVEN, state, *bids("1in 2out 3in 4in"))
    assert state.order == (1, 3, 4)
    state = after(SEVEN, state, pile(state))
    assert state.table.left == len(state.table.stock) == 21


def test_blank_card_is_swapped_with_its_hand() -> None:
    """T3, T4: a player who takes the dealer's hand with the blank card is out."""
    state = after(SEVEN, seven(dealer=7), Swap(2))
    assert state.blank == 2
    assert cards.letters(state.table.hands[6]) == HANDS[1]
    assert refused(SEVEN, state, Bid(2, True)).code is codes.BID_TURN
    state = after(SEVEN, state, *bids("7in 1in 3in"))
    assert state.order == (7, 1, 3)


@pytest.mark.parametrize(
    ("hands", "code"),
    [
        ((*HANDS[:5], "efijmnp", "qrstuv?"), codes.BLANK_MISSING),
        ((*HANDS[:5], "efijmnp", "_?????v"), codes.BLANK_MISSING),
        ((*HANDS[:5], "efijmn_", "_qrstuv"), codes.CARD_TWICE),
        ((*HANDS[:5], "efijmnp", "_qrstu"), codes.HAND_SIZE),
        ((*HANDS[:5], "efijmnq", "_qrstuv"), codes.CARD_TWICE),
    ],
)
def test_deal_of_seven_without_one_blank_card_is_refused(
    hands: tuple[str, ...], code: object
) -> None:
    """T3."""
    with pytest.raises(Illegal) as caught:
        seven(hands)
    assert caught.value.code is code


def test_field_written_for_seven_has_no_place() -> None:
    """T3."""
    with pytest.raises(Illegal) as caught:
        seven(field="qrstuv")
    assert (caught.value.code, caught.value.where) == (codes.NO_PLACE, "field")


# T4 -----------------------------------------------------------------------------------------------


def test_second_swap_takes_the_hand_from_the_first() -> None:
    """T4: the second takes the dealer's dealt hand from the first."""
    state = after(FIVE, dealt(FIVE), Swap(2), Swap(4))
    held = [cards.letters(hand) for hand in state.table.hands]
    assert held == [HANDS[1], HANDS[3], HANDS[2], HANDS[0], HANDS[4]]
    assert refused(FIVE, state, Swap(2)).code is codes.SWAP_TWICE
    assert refused(FIVE, state, Swap(1)).code is codes.SWAP_DEALER
    assert refused(FIVE, after(FIVE, state, Bid(1, True)), Swap(3)).code is codes.SWAP_LATE


def test_swap_of_three_players_is_refused_after_the_begin() -> None:
    """T4."""
    rules = TenFiveOne({}, 3)
    state = after(rules, dealt(rules), Swap(3))
    assert cards.letters(state.table.hands[0]) == HANDS[2]
    assert refused(rules, after(rules, state, Begin()), Swap(2)).code is codes.SWAP_LATE


# T5 -----------------------------------------------------------------------------------------------

ALL = dict.fromkeys(("kuttsuki", "futasanbon", "haneken", "ichinishi", "shiso"), "yes")


def names(
    hand: str, options: dict[str, str] | None = None, *, doni: bool = True, chosen: bool = True
) -> set[str]:
    """Return possible declarations of a hand with their open cards, by default without なさけ."""
    house = TenFiveOneHouse({"nasake": "no", **(options or {})})
    return {
        f"{'+'.join(declaration.yaku)} {cards.letters(declaration.cards)}"
        for declaration in house.declarations(cards.mask(hand), doni=doni, chosen=chosen)
    }


@pytest.mark.parametrize(
    ("hand", "plain", "full"),
    [
        ("ABCEIMQ", {"sanbon ABC"}, {"sanbon ABC"}),
        ("ABCEFGI", {"sanbon ABC", "sanbon EFG"}, {"futasanbon ABCEFG"}),
        ("ABCEFIJ", {"sanbon ABC"}, {"haneken ABCEFIJ"}),
        ("ABEFIJM", set(), {"kuttsuki ABEFIJ"}),
        ("ABCDEFI", set(), {"ichinishi ABCDEF"}),
        ("ABCDEFG", {"sanbon EFG"}, {"shiso ABCDEFG"}),
        ("ABCDEIM", set(), {"teshi ABCD"}),
        ("ABEIMQU", set(), set()),
    ],
)
def test_best_count_yaku_of_the_house_is_found(hand: str, plain: set[str], full: set[str]) -> None:
    """T5; a four is no three (C6)."""
    assert names(hand) == plain
    assert names(hand, {"teshi": "all", **ALL}) == full


def test_four_in_a_hand_is_teshi_by_the_option() -> None:
    """T5: 4-3 is 四三, 手四, 三本; 4-2-1 is 一二四, 手四."""
    assert names("ABCDEFG", {"teshi": "all"}) == {"teshi ABCD"}
    assert names("ABCDEFG", {"teshi": "doni"}) == {"teshi ABCD"}
    assert names("ABCDEFG", {"teshi": "doni"}, doni=False) == {"sanbon EFG"}
    assert names("ABCDEFI", {"teshi": "all"}) == {"teshi ABCD"}


@pytest.mark.parametrize(
    ("nasake", "doni", "chosen", "willow", "plain"),
    [
        ("doni", True, False, True, True),
        ("doni", False, False, False, False),
        ("chosen-doni", True, True, True, True),
        ("chosen-doni", True, False, False, False),
        ("all", False, False, False, True),
        ("all", True, False, True, True),
        ("all-rain", False, False, True, True),
        ("no", True, True, False, False),
    ],
)
def test_nasake_counts_willow_by_the_option(
    nasake: str, doni: bool, chosen: bool, willow: bool, plain: bool
) -> None:
    """T5 and the options: willow o p r may stand for slips, q is one for everybody."""
    stand = names("ABFogPS", {"nasake": nasake}, doni=doni, chosen=chosen)
    ribbons = names("ABFqgPS", {"nasake": nasake}, doni=doni, chosen=chosen)
    assert ("nasake BFo" in stand, "nasake BFq" in ribbons) == (willow, plain)


def test_nasake_with_a_count_yaku_lays_open_the_cards_of_both() -> None:
    """T5."""
    assert names("JKLFopc", {"nasake": "doni"}) == {
        "sanbon JKL",
        "nasake FJop",
        "nasake FJo",
        "nasake FJp",
        "nasake Fop",
        "nasake Jop",
        "sanbon+nasake FJKLop",
        "sanbon+nasake FJKLo",
        "sanbon+nasake FJKLp",
        "sanbon+nasake JKLop",
    }


def test_nasake_lays_open_three_of_the_ribbons_or_all() -> None:
    """T5: three or four of four ribbons, three or five of five."""
    assert names("BFJNIsc", {"nasake": "doni"}) == {
        *("nasake BFJN", "nasake BFJ", "nasake BFN", "nasake BJN", "nasake FJN")
    }
    five = names("BFJNRIs", {"nasake": "all"}, doni=False)
    assert {len(name) - len("nasake ") for name in five} == {3, 5}
    assert len(five) == 11


@pytest.mark.parametrize(
    ("option", "captured", "each"),
    [
        ("no", "YZab", 10),
        ("yes", "YZab", 20),
        ("yes", "YZ", 10),
    ],
)
def test_tobikomi_doubles_sanbon_by_the_option(option: str, captured: str, each: int) -> None:
    """T5: 三本 counts double with all four captured cards of the month, by option."""
    rules = TenFiveOne({"tobikomi": option, "kaburi": "no"}, 3)
    claim = Claim(2, ("sanbon",), cards.mask("YZa"))
    cards_of_winner = captured + "ABEF"
    state = counted(
        rules,
        {1: "CDGHIJKL", 2: cards_of_winner, 3: remaining_cards("CDGHIJKL", cards_of_winner)},
        claims=(claim,),
    )
    assert ledger(state)["sanbon"] == (-each, 2 * each, -each)


@pytest.mark.parametrize(("captured", "each"), [("opqrCDEF", 10), ("ABCDEFst", 20)])
def test_tobikomi_is_for_the_three_of_a_hand_with_four_willow_cards(
    captured: str, each: int
) -> None:
    """T5: なさけ lays open three of the four willow cards, which are no 三本."""
    rules = TenFiveOne({"tobikomi": "yes", "kaburi": "no", "nasake": "doni"}, 3)
    hands = {1: "EGIKMNO", 2: "ABCopqr", 3: "QRSTUVW"}
    dealt = rules.apply(rules.start(), Deal(1, 1, hands, "FHJLPX", None, True))[0]
    shown = rules.apply(dealt, ShowAction(2, ("sanbon", "nasake"), cards.mask("ABCopq")))[0]
    others = "GHIJ"
    rest = remaining_cards(captured, others)
    state = counted(rules, {1: others, 2: captured, 3: rest}, claims=shown.claims)
    assert ledger(state)["sanbon"] == (-each, 2 * each, -each)


# T6 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("captured", "kaburi", "seat", "due"),
    [
        ("cdef", "yes", 1, {"bozuzoro"}),
        ("cde", "yes", 1, {"bozukaburi"}),
        ("cde", "no", 1, set()),
        ("opqr", "yes", 3, {"amezoro"}),
        ("opr", "yes", 3, {"amekaburi"}),
        ("opr", "no", 3, set()),
        ("opqr", "no", 3, {"amezoro"}),
        ("opqr", "yes", 1, set()),
        ("opqr", "yes", 2, set()),
    ],
)
def test_captured_yaku_follow_seat_and_option(
    captured: str, kaburi: str, seat: int, due: set[str]
) -> None:
    """T6: yaku of willow belong to ビキ only, かぶり by option."""
    rules = TenFiveOne({"kaburi": kaburi}, 3)
    held = ["", "", ""]
    held[seat - 1] = captured
    state = dealt(rules)
    laid = state.table.replace(captured=tuple(map(cards.mask, held)))
    made_yaku = rules.yaku(state.replace(table=laid), seat)
    assert {yaku.id for yaku in made_yaku} == due


# T7 -----------------------------------------------------------------------------------------------


def test_par_follows_the_play_order_of_those_who_are_in() -> None:
    """T7: the dealer is out, so the first player owes 100; a player who is out scores 0."""
    captured = {3: "ABCDEFGHIJKLMNOP", 4: "QRSTUVWXYZabstuv", 5: "cdefghijklmnopqr"}
    state = counted(FIVE, captured, order=(3, 4, 5), dealer=1)
    points_by_seat = [points(cards.mask(captured[seat])) for seat in (3, 4, 5)]
    assert ledger(state)["points"] == (
        0,
        0,
        points_by_seat[0] - 100,
        points_by_seat[1] - 110,
        points_by_seat[2] - 120,
    )
    assert sum(points_by_seat) == 330


def test_highest_score_deals_next_even_if_it_is_out() -> None:
    """T7: the highest score of all at the table, ties to the nearer to the dealer."""
    captured = {1: "ACDEGISXZefgjklm", 2: "FHJKNOPQRWachnqt", 3: "BLMTUVYbdioprsuv"}
    state = counted(TenFiveOne({}, 3), captured, order=(2, 3, 1), dealer=2)
    assert state.result is not None
    assert (state.result.score, state.dealer) == ((2, -4, 2), 3)
    state = counted(TenFiveOne({}, 4), captured, order=(2, 3, 1), dealer=4)
    assert state.result is not None
    assert state.result.score == (2, -4, 2, 0)
    assert state.dealer == 1


def test_game_of_one_month_ends_without_a_settlement() -> None:
    """Options; the totals are the settlement."""
    captured = {1: "ACDEGISXZefgjklm", 2: "FHJKNOPQRWachnqt", 3: "BLMTUVYbdioprsuv"}
    state = counted(TenFiveOne({"months": "1"}, 3), captured)
    assert state.phase is Phase.OVER
    assert state.result is not None
    assert state.final == state.result.score
    assert sum(state.final) == 0


# As records ---------------------------------------------------------------------------------------


def test_show_of_a_hidden_hand_is_legal_if_it_is_possible() -> None:
    """C9."""
    rules = TenFiveOne({}, 3)
    hands = {1: "ABEFIJM", 2: "???????", 3: "CGKOSWa"}
    state = rules.apply(rules.start(), Deal(1, 1, hands, "efijmp", None, True))[0]
    after(rules, state, ShowAction(2, ("sanbon",), cards.mask("tuv")))
    after(rules, state, ShowAction(2, ("nasake",), cards.mask("RVZ")))
    assert (
        refused(rules, state, ShowAction(2, ("sanbon",), cards.mask("tuU"))).code
        is codes.SHOW_FALSE
    )
    assert (
        refused(rules, state, ShowAction(2, ("sanbon",), cards.mask("CDb"))).code
        is codes.SHOW_CARDS
    )


def test_cards_of_players_who_are_out_are_not_played_from_a_hidden_hand() -> None:
    """C9: the cards lie in the stock at an unknown place."""
    hands = dict(enumerate((*HANDS[:2], "???????", *HANDS[3:5]), 1))
    state = FIVE.apply(FIVE.start(), Deal(1, 3, hands, "efijmp", None))[0]
    state = after(FIVE, state, *bids("3in 4in 5out 1in"), Pile("n", True), Begin())
    playable = {cards.letters(play.card) for play in state.table.plays(3)}
    assert playable == set(remaining_cards(HANDS[0], HANDS[1], HANDS[3], HANDS[4], "efijmpn"))
    assert refused(FIVE, state, Play(cards.BIT["N"])).code is codes.NOT_IN_HAND
    state = after(FIVE, state, Play(cards.BIT["C"]), Draw(cards.BIT["n"], cards.BIT["m"]))
    assert state.seat == 4
