"""Hidden hands (C9): known cards, their effects, and claims that cannot be checked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given

from judging.test_partial_records import SEEDS, simulated
from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.play.actions import Deal, Illegal, Redeal
from kafu.rules.rulesets import machine_of
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from lengths import LONG, part

pytestmark = pytest.mark.long


def judged(game: Game) -> Verdict:
    """Return the verdict on the text of a game."""
    return verify(read(write(game))).verdict


def hidden(game: Game, *seats: int) -> Game:
    """Return the game with the dealt hands of some seats, by default of all, unwritten."""
    return replace(
        game,
        months=[
            month.replace(
                hands={
                    seat: hand if seats and seat not in seats else "?" * len(hand)
                    for seat, hand in month.hands.items()
                },
            )
            for month in game.months
        ],
    )


# Known cards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [10, 54])
def test_three_let_go_from_a_hidden_hand_is_paid_by_its_thrower(seed: int) -> None:
    """H15 (b): the fourth card was in the thrower's hand, as his later play shows (C9)."""
    game = simulate("hachihachi", seed=seed)
    whole, verdict = judged(game), judged(hidden(game))
    assert any(0 in line.amounts for deal in whole.deals for line in deal.ledger)
    assert verdict.status == "consistent"
    assert [deal.ledger for deal in verdict.deals] == [deal.ledger for deal in whole.deals]


def declared(
    rules: str, options: dict[str, str] | None = None, seeds: int = 12 if LONG else 6
) -> list[Game]:
    """Return simulated games with declared hands."""
    games = (simulate(rules, seed=seed, options=options) for seed in range(seeds))
    return [game for game in games if any(month.actions("show") for month in game.months)]


def test_yaku_of_a_hidden_hand_played_out_is_paid() -> None:
    """B6: a played-out hand is known, so the payment is due without a declaration."""
    paid = 0
    for seed in range(3):
        game = simulate("hachihachi-bga", seed=seed)
        for hidden_deal, open_deal in zip(
            judged(hidden(game)).deals, judged(game).deals, strict=True
        ):
            if hidden_deal.end == "played-out":
                assert hidden_deal == open_deal
                paid += len(hidden_deal.ledger) > 1
    assert paid


def test_declaration_disproved_by_later_plays_is_false() -> None:
    """C9: before any play 赤 may be right; the played-out hand has another card."""
    game = simulate("hachihachi", seed=2)
    deals = judged(game).deals
    i, seat, open_ = next(
        (i, seat, cards.letters(open_))
        for i, month in enumerate(game.months)
        if deals[i].end == "played-out"
        for seat, hand in month.hands.items()
        for open_ in [cards.mask(hand) & cards.CHAFF & ~cards.MONTHS[11]]
        if 3 <= open_.bit_count() <= 5 and cards.mask(hand) & (cards.BRIGHTS | cards.ANIMALS)
        if all(show.seat != seat for show in month.actions("show"))
    )
    month = game.months[i]
    month.write_down(Action("show", seat, take=open_, say="aka"))
    verdict = judged(hidden(game))
    assert (verdict.status, verdict.error and verdict.error.code.id) == ("illegal", "show-false")
    stopped = replace(game, months=game.months[: i + 1], result=None, final=None)
    stopped.tags["Termination"] = "unfinished"
    stopped.months[i] = stopped.months[i].replace(turns=[], score=None)
    verdict = judged(hidden(stopped))
    assert (verdict.status, verdict.error) == ("unfinished", None)
    warned = [warning.values for warning in verdict.warnings if warning.deal == i + 1]
    assert {"seat": seat, "what": "aka"} in warned


def is_known(game: Game, month: Month, show: Action) -> bool:
    """Return whether all cards of a declaring hand were played or lie open (three players)."""
    players = len(game.players)
    turns = [turn for turn in month.turns if turn.keyword == "turn"]
    place = (show.seat - month.dealer) % players
    assert players == 3
    played = {turn.value[0].card for turn in turns[place::3]}
    return len(played | set(show.take)) == 7


# Unchecked claims ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", part(["hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one"])
)
def test_declaration_that_nothing_proves_has_a_warning(rules: str) -> None:
    """C9: the game is consistent, with a warning at the declaration of an unknown hand only."""
    count = 0
    for game in declared(rules):
        verdict = judged(hidden(game))
        assert verdict.status in ("consistent", "mismatch"), verdict.error
        due = {
            (i, show.seat, show.say)
            for i, month in enumerate(game.months, 1)
            for show in month.actions("show")
            if not is_known(game, month, show)
        }
        count += len(due)
        warned = {
            (warning.deal, warning.values["seat"], warning.values["what"])
            for warning in verdict.warnings
        }
        assert warned == due
        for warning in verdict.warnings:
            assert (warning.code.id, warning.turn) == ("not-checkable", None)
        assert judged(game).warnings == []
    # Every hand is played out in these rulesets.
    assert count or rules in ("hanaawase", "ten-five-one")


def in_part(game: Game, random: Random) -> Game:
    """Return the game with random hands hidden, in whole or in part, and with cut stocks."""

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
        months.append(month.replace(hands=hands, stock=stock, stock_cut=cut))
    return replace(game, months=months)


@pytest.mark.parametrize("rules", part(sorted(RULES)))
@given(SEEDS)
@example(1393953408)  # 飛込み of a hidden hand, paid by a single player (B15)
def test_true_record_is_consistent_whatever_is_hidden(rules: str, seed: int) -> None:
    """C9: never illegal, no mismatch; a warning names each unproved payment."""
    game = simulated(rules, seed)
    whole, verdict = judged(game), judged(in_part(game, Random(seed)))
    assert (verdict.status in ("consistent", "verified"), verdict.error) == (True, None)
    deals_with_warning = {warning.deal for warning in verdict.warnings}
    for number, (partial, complete) in enumerate(zip(verdict.deals, whole.deals, strict=True), 1):
        assert number in deals_with_warning or sorted(partial.ledger) == sorted(complete.ledger)
        if rules != "hachihachi-bga":  # rulesets that pay hands without a declaration
            assert partial == complete


def without_claims(game: Game) -> Game:
    """Return the game without its scores and settlement."""
    months = [month.replace(score=None) for month in game.months]
    return replace(game, months=months, result=None, final=None)


@given(SEEDS)
def test_hand_neither_proved_nor_claimed_is_not_paid(seed: int) -> None:
    """C9: claimed payments are counted as claimed."""
    game = in_part(simulated("hachihachi-bga", seed), Random(seed))
    claimed, silent = judged(game), judged(without_claims(game))
    shows = {
        (i, show.say) for i, month in enumerate(game.months, 1) for show in month.actions("show")
    }
    assert {(warning.deal, warning.values["what"]) for warning in silent.warnings} <= shows
    for without, with_claims in zip(silent.deals, claimed.deals, strict=True):
        assert len(without.ledger) <= len(with_claims.ledger)
    if "score" not in {warning.values["what"] for warning in claimed.warnings}:
        assert [deal.score for deal in claimed.deals] == [month.score for month in game.months]
        assert claimed.final == game.final


@given(SEEDS)
def test_false_claim_of_hidden_hands_is_a_mismatch(seed: int) -> None:
    """C9: no completion pays a mon less or more, or a kan, or a large sum."""
    random = Random(seed)
    game = in_part(simulated("hachihachi-bga", seed), random)
    i = random.randrange(len(game.months))
    score = list(game.months[i].score or ())
    more, less = random.sample(range(len(score)), 2)
    changed = random.choice([1, 12, 1200])
    score[more] += changed
    score[less] -= changed
    game.months[i] = game.months[i].replace(score=tuple(score))
    verdict = judged(game)
    if "score" in {warning.values["what"] for warning in verdict.warnings}:
        return  # too much to go through
    assert verdict.status == "mismatch"
    assert {claim.deal for claim in verdict.mismatches if claim.where == "score"} == {i + 1}


def test_score_of_a_hidden_hand_has_a_warning() -> None:
    """B6, B4: only the score tells of the payment; the warning is at the score."""
    labels = set()
    for seed in range(6) if LONG else (1,):
        game = simulate("hachihachi-bga", seed=seed, players=4 + seed % 3)
        for month in game.months:
            month.put("show", [])
        verdict, whole = judged(hidden(game)), judged(game)
        assert verdict.status == "consistent"
        text = write(hidden(game)).splitlines()
        for warning in verdict.warnings:
            assert (warning.code.id, warning.line is not None) == ("not-checkable", True)
            if warning.values["what"] == "final":  # months with too many completions
                continue
            assert text[(warning.line or 0) - 1].startswith("score ")
            values = warning.values
            due = {line.label for line in whole.deals[(warning.deal or 0) - 1].ledger}
            labels.add((values["what"], values["what"] in due))
    # Two yaku of the same value cannot be distinguished by a sum.
    assert {("kuttsuki", True), ("oikomi", True)} <= labels


def test_redeal_for_a_four_in_a_hidden_hand_has_a_warning() -> None:
    """K15: the house deals again for a four in a hand, and no card proves it (C9)."""
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
