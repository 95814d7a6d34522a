"""A record written down step by step, and changed in the middle."""

from __future__ import annotations

from random import Random

import pytest

from conformance.run import HERE
from kafu.editing import changes
from kafu.editing.changes import is_open
from kafu.editing.table_at import PlayedStep, TableAt, Walked, table_at, walk
from kafu.facade.errors import BadValue, UnknownRuleset
from kafu.judging.actions import from_engine
from kafu.judging.verify import verify, verify_played
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules import codes
from kafu.rules.play.actions import ShowAction
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from rare.simulation import simulate_rare

#: The first deals of a game are enough.
DEALS = 2
#: Ends of a deal that are no player's listed action.
THROWN_IN = ("redeal", "void")


def is_false(step: PlayedStep) -> bool:
    """Return whether a step is a declaration that later proves wrong."""
    return isinstance(step.action, ShowAction) and step.action.disputed


def some_deals(rules: str, seed: int, *, rare: bool) -> Walked:
    """Return the first deals of a simulated game, without a false declaration.

    A record must void a false declaration immediately, so a cut record would have a fault.
    """
    for another in range(seed, seed + 20):
        game = (simulate_rare if rare else simulate)(rules, seed=another)
        del game.months[DEALS:]
        walked = changes.with_claims(walk(game), game, 1)
        if not any(
            is_false(step) for deal in range(walked.deals) for step in walked.steps(deal + 1)
        ):
            return walked
    raise AssertionError("all games have one")


def stands(walked: Walked) -> TableAt:
    """Return the table at the end of a record."""
    table = table_at(walked, *walked.last)
    assert table is not None
    return table


def choices(here: TableAt) -> list[str]:
    """Return the actions that may be written next."""
    return [choice.written for choice in here.moves]


def written(walked: Walked, deal: int, step: int) -> str:
    """Return the action of a step, "" for an unwritten step."""
    played = walked.at(deal, step)
    if played is None or played.action is None or played.place is None:
        return ""
    return str(from_engine(played.action, played.seat))


def is_listed(walked: Walked, deal: int, step: int) -> bool:
    """Return whether the action of a step is legal and made by a player."""
    return bool(action := written(walked, deal, step)) and action.split()[0] not in THROWN_IN


@pytest.mark.long
@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize("rare", part([True, False]))
def test_game_typed_in_again_is_the_same(rules: str, rare: bool) -> None:
    """Every action is among the choices, and the scores are filled in."""
    walked = some_deals(rules, 1, rare=rare)
    game = walked.game
    typed = changes.begun(rules, game.players, game.options, {})
    for number, month in enumerate(game.months, start=1):
        assert stands(typed).table.month == month.month
        hands = [month.hands.get(seat, "") for seat in range(1, len(game.players) + 1)]
        stock = month.stock and month.stock + "..." * month.stock_cut
        typed = changes.deal_cards(typed, number, hands, month.field, stock, dealer=month.dealer)
        typed.game.months[-1].draws, typed.game.months[-1].split = month.draws, month.split
        typed.game.months[-1].ba = month.ba
        for step in range(1, len(walked.steps(number))):
            if is_listed(walked, number, step):
                assert written(walked, number, step) in choices(stands(typed)), (number, step)
            if action := written(walked, number, step):
                typed = changes.put(typed, *typed.last, action)
    assert write(typed.game) == write(game)


@pytest.mark.long
@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize("rare", part([True, False]))
def test_changed_step_has_its_new_action(rules: str, rare: bool) -> None:
    """The same action changes nothing; another action replaces it.

    The steps taken over from the record before are those of a new play.
    """
    walked, chance = some_deals(rules, 2, rare=rare), Random(rules)
    text = write(walked.game)
    for _ in range(25 if LONG else 8):
        deal = chance.randrange(walked.deals) + 1
        step = chance.randrange(len(walked.steps(deal)) - 1)
        action = written(walked, deal, step + 1)
        here = table_at(walked, deal, step)
        assert here is not None
        if not is_listed(walked, deal, step + 1):
            continue
        assert action in choices(here)
        assert write(changes.put(walked, deal, step, action).game) == text
        new_action = chance.choice(choices(here))
        changed = changes.put(walked, deal, step, new_action)
        assert changed.steps(deal) == walk(changed.game, deal).steps(deal)
        behind = range(step + 1, len(changed.steps(deal)))
        assert (
            next(filter(None, (written(changed, deal, number) for number in behind))) == new_action
        )
        record, half = changes.whole(changed)
        text_now = write(record.game)
        assert write(game_of(text_now)) == text_now and bool(half) == is_open(changed)


@pytest.mark.long
@pytest.mark.parametrize("rules", sorted(RULES))
def test_step_taken_back_can_be_written_again(rules: str) -> None:
    walked, chance = some_deals(rules, 3, rare=False), Random(rules)
    for _ in range(10 if LONG else 4):
        deal = chance.randrange(walked.deals) + 1
        step = chance.randrange(len(walked.steps(deal)) - 1)
        before = changes.take_back(walked, deal, step)
        assert len(before.game.months) == before.deals == deal
        behind = range(step + 1, len(before.steps(before.deals)))
        assert not any(written(before, deal, number) for number in behind)
        if is_listed(walked, deal, step + 1):
            action = written(walked, deal, step + 1)
            assert written(changes.put(before, deal, step, action), deal, step + 1) == action
    nothing = changes.take_back(walked, 1, -1)
    assert nothing.last == (0, 0) and not nothing.game.months


def game_of(text: str) -> Game:
    """Return the game of a valid text."""
    game = read(text).game
    assert game is not None
    return game


def koikoi(months: int = 2) -> Walked:
    """Return a short game of koi-koi without deals."""
    return changes.begun("koikoi", ("Aya", "Ben"), {"months": str(months)}, {})


HANDS = ("AEIMQUYc", "BFJNRVZd")
FIELD = "CGKOSWej"


def test_turn_is_open_until_its_stock_card_is_written() -> None:
    dealt = changes.deal_cards(koikoi(), 1, HANDS, FIELD, dealer=1)
    half = changes.put(dealt, *dealt.last, "AxC")
    assert is_open(half) and not is_open(dealt)
    record, turn = changes.whole(half)
    assert (write(record.game), turn) == (write(dealt.game), "AxC")
    assert verify_played(record.outcome) == verify(read(write(dealt.game)))
    here = stands(half)
    assert here.table.phase == "stock" and here.table.seat == 1
    assert all(choice.startswith("/") for choice in choices(here))
    whole = changes.put(half, *half.last, "/gxj")
    assert not is_open(whole)
    assert verify(read(write(whole.game))).verdict.status == "unfinished"


def test_deal_with_unknown_hands_is_written() -> None:
    dealt = changes.deal_cards(koikoi(), 1, (HANDS[0], "?" * 8), FIELD, dealer=2)
    assert stands(dealt).table.hands[1] == "?" * 8
    assert "BxC" in choices(stands(dealt)), "whatever the hand can hold"


def test_wrong_cards_are_written_with_a_fault() -> None:
    """All typed cards stay, and the verdict has the fault."""
    wrong = changes.deal_cards(koikoi(), 1, ("AEIMQUYc", "AFJNRVZd"), FIELD, dealer=1)
    assert wrong.outcome.fault is not None and wrong.outcome.fault.code.id == "card-twice"
    mended = changes.deal_cards(wrong, 1, HANDS, FIELD, dealer=1)
    assert mended.outcome.fault is None


def test_other_cards_of_a_deal_keep_its_turns() -> None:
    walked = some_deals("koikoi", 1, rare=False)
    month = walked.game.months[0]
    hands = [month.hands[1], month.hands[2]]
    again = changes.deal_cards(walked, 1, hands, month.field, month.stock, dealer=month.dealer)
    assert write(again.game) == write(walked.game)


def test_cards_are_dealt_by_chance() -> None:
    dealt = changes.deal_at_random(koikoi(), 1, Random(1))
    assert dealt.outcome.fault is None and dealt.last == (1, 0)
    assert write(dealt.game) == write(changes.deal_at_random(koikoi(), 1, Random(1)).game)


def test_comment_is_written_at_its_step() -> None:
    dealt = changes.deal_cards(koikoi(), 1, HANDS, FIELD, dealer=1)
    turn = changes.put(dealt, *dealt.last, "AxC")
    turn = changes.put(turn, *turn.last, "/gxj")
    noted = changes.comment(turn, *turn.last, "a {bold} move")
    assert "a {bold} move" in write(noted.game)
    assert "bold" not in write(changes.comment(noted, *noted.last, " ").game)
    assert "{cold hands}" in write(changes.comment(turn, 1, 0, "cold hands").game)


def test_ended_game_is_settled() -> None:
    """The Termination tag goes, and comes back when the end is taken back."""
    game = simulate("koikoi", seed=1)
    whole = changes.with_claims(walk(game), game, 1)
    assert whole.game.final == game.final and "Termination" not in whole.game.tags
    deal, step = whole.last
    before = changes.take_back(whole, deal, step - 2)
    assert before.game.final is None and before.game.termination == "unfinished"


def test_impossible_change_is_refused() -> None:
    dealt = changes.deal_cards(koikoi(), 1, HANDS, FIELD, dealer=1)
    with pytest.raises(BadValue, match="no action"):
        changes.put(dealt, 1, 0, "hello")
    with pytest.raises(BadValue, match="no action"):
        changes.put(dealt, 1, 0, "begin")
    for deal, step in ((1, 9), (2, 0), (0, 1)):
        with pytest.raises(BadValue, match="no step"):
            changes.put(dealt, deal, step, "AxC")
        with pytest.raises(BadValue, match="no step"):
            changes.take_back(dealt, deal, step)
        with pytest.raises(BadValue, match="nothing is written"):
            changes.comment(dealt, deal, step, "a")
    with pytest.raises(BadValue, match="not to be dealt"):
        changes.deal_cards(dealt, 2, HANDS, FIELD)
    for number in (0, 3, -1):
        with pytest.raises(BadValue, match="no deal"):
            changes.deal_cards(dealt, number, HANDS, FIELD)
    for hands, field, dealer in ((("!",), FIELD, 1), (HANDS, "_!", 1), (HANDS, FIELD, 3)):
        with pytest.raises(BadValue):
            changes.deal_cards(koikoi(), 1, hands, field, dealer=dealer)
    with pytest.raises(BadValue, match="2 seats"):
        changes.deal_cards(koikoi(), 1, (*HANDS, "C"), FIELD)
    with pytest.raises(UnknownRuleset):
        changes.begun("poker", ("a", "b"), {}, {})
    with pytest.raises(BadValue):
        changes.begun("koikoi", ("a", "b", "c"), {}, {})
    with pytest.raises(BadValue):
        changes.begun("koikoi", ("a", "b"), {"months": "many"}, {})
    assert table_at(dealt, 5, 5) is None


#: An action of each kind; most fit nowhere.
ANY_ACTIONS = (
    *("AxC", "C", "?xD", "/B", "/BxA", "/?", "=koikoi", "=shobu", "=koi", "show 1 aka CGK"),
    *("show 3 sanbon", "bid 1in", "bid 2out", "blind 1", "swap 2", "void mismatch", "void"),
    *("redeal", "misdeal", "void-show 1", "uncapture 2", "!void-show 1", "/", "x", "AxC/BxD"),
)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_any_action_at_any_step_is_written_or_refused(rules: str) -> None:
    """The unchanged part equals a complete replay."""
    walked, chance = some_deals(rules, 7, rare=True), Random(rules)
    for _ in range(60):
        deal = chance.randrange(walked.deals) + 1
        step = chance.randrange(len(walked.steps(deal)))
        before = changes.take_back(walked, deal, step) if chance.random() < 0.5 else walked
        try:
            changed = changes.put(
                before, *min(before.last, (deal, step)), chance.choice(ANY_ACTIONS)
            )
        except BadValue:
            continue
        again = walk(changed.game)
        assert changed.outcome.steps == again.outcome.steps
        edited, replayed = changed.outcome, again.outcome
        assert (edited.deals, edited.fault, edited.stopped) == (
            replayed.deals,
            replayed.fault,
            replayed.stopped,
        )
        assert set(edited.hidden) == set(replayed.hidden)


def test_card_turned_before_a_play_or_twice_is_refused() -> None:
    dealt = changes.deal_cards(koikoi(), 1, HANDS, FIELD, dealer=1)
    for action in ("/gxj", "=koikoi"):
        with pytest.raises(BadValue, match="no card was played"):
            changes.put(dealt, *dealt.last, action)
    turn = changes.put(changes.put(dealt, *dealt.last, "AxC"), 1, 1, "/gxj")
    with pytest.raises(BadValue, match="turned already"):
        changes.put(turn, *turn.last, "/X")


def test_card_turned_after_the_words_of_its_turn_is_refused() -> None:
    walked = some_deals("koikoi", 1, rare=False)
    step_of_word = next(n for n in range(99) if written(walked, 1, n).startswith("="))
    with pytest.raises(BadValue, match="turned already"):
        changes.put(walked, 1, step_of_word, "/X")


def test_nothing_taken_back_after_a_void_keeps_the_turns() -> None:
    dealt = changes.deal_cards(koikoi(), 1, HANDS, FIELD, dealer=1)
    turn = changes.put(changes.put(dealt, *dealt.last, "AxC"), 1, 1, "/gxj")
    voided = changes.put(turn, *turn.last, "void other")
    assert "1. AxC/gxj\nvoid other" in write(voided.game)
    assert write(changes.take_back(voided, 1, 3).game) == write(voided.game)


def broken(name: str) -> Walked:
    """Return a case of `conformance`, played as far as possible."""
    game = read((HERE / f"{name}.kafu").read_text(encoding="utf-8")).game
    assert game is not None
    return walk(game)


def test_missing_bid_is_put_before_the_bid_that_is_too_early() -> None:
    walked = broken("ten-five-one/bid-out-of-turn")
    deal, step = walked.last
    assert "\nbid 3in 5out 4in 1in\n" in write(walked.game)
    fixed = changes.put(walked, deal, step, "bid 4in")
    assert "\nbid 3in 4in 5out 1in\n" in write(fixed.game)
    assert fixed.outcome.fault is None


def test_card_of_the_wrong_seat_is_written_for_the_right_one() -> None:
    walked = broken("koikoi/wrong-seat")
    assert walked.outcome.fault is not None
    assert walked.outcome.fault.code is codes.WRONG_SEAT and "1:gxj/XxW" in write(walked.game)
    fixed = changes.put(walked, *walked.last, "gxj")
    assert fixed.outcome.fault is None


def test_wrong_claims_are_replaced_by_computed_ones() -> None:
    """Scores and written field grades are recomputed."""
    walked = broken("hachihachi/ba-claimed-wrong")
    fixed = changes.with_claims(walked, walked.game, 1).game
    graded = [month.ba for month in fixed.months if month.ba is not None]
    assert graded and verify(read(write(fixed))).verdict.mismatches == []


def test_game_without_deals_remains_after_all_are_taken_back() -> None:
    before = changes.take_back(some_deals("koikoi", 1, rare=False), 0, 0)
    assert before.game.months == [] and before.last == (0, 0)
