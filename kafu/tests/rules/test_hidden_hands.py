"""Hidden hands (C9): what is known of them, what follows, and what can't be checked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given

from judging.test_partial_records import SEEDS, simulated
from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.game import Game, Month, Show, Turn
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.play.actions import Deal, Illegal, Redeal
from kafu.rules.rulesets import machine_of
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate


def judged(game: Game) -> Verdict:
    """The verdict on a game, by way of its text."""
    return verify(read(write(game))).verdict


def hidden(game: Game, *seats: int) -> Game:
    """The game with the dealt hands of some seats (of all, if none is named) not written down."""
    return replace(
        game,
        months=[
            replace(
                month,
                hands={
                    seat: hand if seats and seat not in seats else "?" * len(hand)
                    for seat, hand in month.hands.items()
                },
            )
            for month in game.months
        ],
    )


# What is known ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [10, 36, 54, 55])
def test_who_let_a_three_go_is_known_by_what_they_play_later(seed: int) -> None:
    """H15 (b): the fourth card was in the thrower's hand, as his later play shows (C9)."""
    game = simulate("hachihachi", seed=seed)
    whole, found = judged(game), judged(hidden(game))
    assert any(0 in line.amounts for deal in whole.deals for line in deal.ledger)
    assert found.status == "consistent"
    assert [deal.ledger for deal in found.deals] == [deal.ledger for deal in whole.deals]


def declared(rules: str, options: dict[str, str] | None = None, seeds: int = 12) -> list[Game]:
    """Simulated games in which hands are declared."""
    games = (simulate(rules, seed=seed, options=options) for seed in range(seeds))
    return [game for game in games if any(month.shows for month in game.months)]


def test_a_yaku_of_a_hand_played_out_is_paid_though_the_hand_is_hidden() -> None:
    """B6: a hand that is played out is known, so the payment is due without a word."""
    paid = 0
    for seed in range(8):
        game = simulate("hachihachi-bga", seed=seed)
        for ours, theirs in zip(judged(hidden(game)).deals, judged(game).deals, strict=True):
            if ours.end == "played-out":
                assert ours == theirs
                paid += len(ours.ledger) > 1
    assert paid


def test_a_declaration_that_later_plays_disprove_is_false() -> None:
    """C9: before any play 赤 may be right; the hand played out holds what is no slip."""
    game = simulate("hachihachi", seed=2)
    deals = judged(game).deals
    i, seat, open_ = next(
        (i, seat, cards.letters(open_))
        for i, month in enumerate(game.months)
        if deals[i].end == "played-out"
        for seat, hand in month.hands.items()
        for open_ in [cards.mask(hand) & cards.DREGS & ~cards.MONTHS[11]]
        if 3 <= open_.bit_count() <= 5 and cards.mask(hand) & (cards.BRIGHTS | cards.ANIMALS)
        if all(show.seat != seat for show in month.shows)
    )
    game.months[i].shows.append(Show(seat, ("aka",), open_))
    found = judged(hidden(game))
    assert (found.status, found.error and found.error.code.id) == ("illegal", "show-false")
    stopped = replace(game, months=game.months[: i + 1], result=None, final=None)
    stopped.tags["Termination"] = "unfinished"
    stopped.months[i] = replace(stopped.months[i], turns=[], score=None)
    found = judged(hidden(stopped))
    assert (found.status, found.error) == ("unfinished", None)
    warned = [warning.values for warning in found.warnings if warning.deal == i + 1]
    assert {"seat": seat, "what": "aka"} in warned


def is_known(game: Game, month: Month, show: Show) -> bool:
    """Whether all cards of the hand that declares were played or lie open (three at play)."""
    players = len(game.players)
    turns = [turn for turn in month.turns if isinstance(turn, Turn)]
    place = (show.seat - month.dealer) % players
    assert players == 3
    played = {turn.play for turn in turns[place::3]}
    return len(played | set(show.cards)) == 7


# What can't be checked ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one"])
def test_a_declaration_that_nothing_proves_is_named(rules: str) -> None:
    """C9: consistent, with a warning at the declaration; one of a hand that is known gets none."""
    named = 0
    for game in declared(rules):
        found = judged(hidden(game))
        assert found.status in ("consistent", "mismatch"), found.error
        due = {
            (i, show.seat, "+".join(show.yaku))
            for i, month in enumerate(game.months, 1)
            for show in month.shows
            if not is_known(game, month, show)
        }
        named += len(due)
        warned = {
            (warning.deal, warning.values["seat"], warning.values["what"])
            for warning in found.warnings
        }
        assert warned == due
        for warning in found.warnings:
            assert (warning.code.id, warning.turn) == ("not-checkable", None)
        assert judged(game).warnings == []
    assert named or rules in ("hanaawase", "ten-five-one")  # there every hand is played out


def in_part(game: Game, random: Random) -> Game:
    """The game with hands hidden by chance, whole or some cards, and stocks cut short."""

    def written(hand: str) -> str:
        share = random.choice([0, 0.5, 1, 1])
        if cards.BLANK in hand:  # the field lies in it (T3)
            return hand
        return "".join(cards.UNKNOWN if random.random() < share else card for card in hand)

    months = []
    for month in game.months:
        hands = {seat: written(hand) for seat, hand in month.hands.items()}
        stock, cut = month.stock, month.stock_cut
        if stock is not None and random.random() < 0.5:
            stock, cut = stock[: random.randint(0, len(stock))], True
        months.append(replace(month, hands=hands, stock=stock, stock_cut=cut))
    return replace(game, months=months)


@pytest.mark.parametrize("rules", sorted(RULES))
@given(SEEDS)
@example(1393953408)  # 飛込み of a hidden hand, paid by one alone (B15)
def test_a_true_record_is_consistent_whatever_is_hidden(rules: str, seed: int) -> None:
    """C9: never illegal, no mismatch; where what was paid is not proved, a warning names it."""
    game = simulated(rules, seed)
    whole, found = judged(game), judged(in_part(game, Random(seed)))
    assert (found.status in ("consistent", "verified"), found.error) == (True, None)
    named = {warning.deal for warning in found.warnings}
    for number, (ours, theirs) in enumerate(zip(found.deals, whole.deals, strict=True), 1):
        assert number in named or sorted(ours.ledger) == sorted(theirs.ledger)
        if rules != "hachihachi-bga":  # where hands are paid without a word
            assert ours == theirs


def without_claims(game: Game) -> Game:
    """The game without its scores and settlement."""
    months = [replace(month, score=None) for month in game.months]
    return replace(game, months=months, result=None, final=None)


@given(SEEDS)
def test_what_is_neither_proved_nor_claimed_is_not_paid(seed: int) -> None:
    """C9; what is claimed is counted as claimed."""
    game = in_part(simulated("hachihachi-bga", seed), Random(seed))
    claimed, silent = judged(game), judged(without_claims(game))
    shows = {
        (i, "+".join(show.yaku)) for i, month in enumerate(game.months, 1) for show in month.shows
    }
    assert {(warning.deal, warning.values["what"]) for warning in silent.warnings} <= shows
    for ours, theirs in zip(silent.deals, claimed.deals, strict=True):
        assert len(ours.ledger) <= len(theirs.ledger)
    if "score" not in {warning.values["what"] for warning in claimed.warnings}:
        assert [deal.score for deal in claimed.deals] == [month.score for month in game.months]
        assert claimed.final == game.final


@given(SEEDS)
def test_a_false_claim_of_hidden_hands_is_a_mismatch(seed: int) -> None:
    """C9: no completion pays a mon less or more, or a kan, or so much."""
    random = Random(seed)
    game = in_part(simulated("hachihachi-bga", seed), random)
    i = random.randrange(len(game.months))
    score = list(game.months[i].score or ())
    more, less = random.sample(range(len(score)), 2)
    changed = random.choice([1, 12, 1200])
    score[more] += changed
    score[less] -= changed
    game.months[i] = replace(game.months[i], score=tuple(score))
    found = judged(game)
    if "score" in {warning.values["what"] for warning in found.warnings}:
        return  # too much to go through
    assert found.status == "mismatch"
    assert {one.deal for one in found.mismatches if one.where == "score"} == {i + 1}


@pytest.mark.long
def test_what_is_claimed_of_a_hidden_hand_is_named() -> None:
    """B6, B4: what no statement says, but the score; the warning stands at the score."""
    named = set()
    for seed in range(6):
        game = simulate("hachihachi-bga", seed=seed, players=4 + seed % 3)
        for month in game.months:
            month.shows = []
        found, whole = judged(hidden(game)), judged(game)
        assert found.status == "consistent"
        text = write(hidden(game)).splitlines()
        for warning in found.warnings:
            assert (warning.code.id, warning.line is not None) == ("not-checkable", True)
            if warning.values["what"] == "final":  # where a month was too much to go through
                continue
            assert text[(warning.line or 0) - 1].startswith("score ")
            values = warning.values
            due = {line.label for line in whole.deals[(warning.deal or 0) - 1].ledger}
            named.add((values["what"], values["what"] in due))
    # A sum does not tell which of two yaku of the same value it is of.
    assert {("kuttsuki", True), ("oikomi", True)} <= named


def test_a_four_in_a_hidden_hand_for_which_a_month_is_dealt_again_is_named() -> None:
    """K15: a house that deals again for it; no card of the hand proves it (C9)."""
    machine = machine_of("koikoi", {"profile": "koikoi-ai"}, 2)
    for hand, kinds in (("???????d", ["deal-end", "unproved"]), ("CDGHKLab", [])):
        deal = Deal(1, 1, {1: "BFJNRVZE", 2: hand}, "AIMQUYct", None, True)
        state, _ = machine.apply(machine.start(), deal)
        try:
            _, events = machine.apply(state, Redeal("shima"))
        except Illegal as illegal:
            assert (illegal.code.id, kinds) == ("redeal-groundless", [])
        else:
            assert [event.kind for event in events] == kinds
            assert (events[-1].seat, events[-1].label) == (2, "shima")
