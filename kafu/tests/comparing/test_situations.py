"""Situations of games: against their replays, and the same whatever suits are exchanged."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from comparing.test_suits import exchanged
from kafu import cards
from kafu.comparing.situations import Aspect, Compared, Occurrence, compare_game
from kafu.comparing.suits import suits_of
from kafu.judging.replay import replay
from kafu.judging.verify import verify
from kafu.notation.game import Call, Game, Month, Show, Turn
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS, Unsupported
from kafu.simulation.simulate import simulate
from lengths import LONG
from naive_situations import seen

HOUSES = [
    (rules, {"profile": house} if len(one.profiles) > 1 else {})
    for rules, one in RULESETS.items()
    for house in one.profiles
]
GAMES = 60 if LONG else 1


def situations(game: Game) -> list[Occurrence]:
    """Return the situations of a game without what is shown of them."""
    return [compared.situation for compared in compare_game(game)]


def games(rules: str, options: dict[str, str]) -> list[Game]:
    """Games as they are read from their texts."""
    texts = [write(simulate(rules, seed=seed, options=options)) for seed in range(GAMES)]
    return [game for text in texts if (game := read(text).game) is not None]


@pytest.mark.parametrize(
    ("rules", "options"), [*HOUSES, ("koikoi", {"profile": "koikoi-ai", "tsukifuda": "4"})]
)
def test_situations_equal_those_of_the_replay(rules: str, options: dict[str, str]) -> None:
    """Place, seat, what was paid, and which are equal; what is shown of each is what lies there."""
    keys: dict[object, object] = {}
    choices: dict[object, tuple[object, int]] = {}
    count = 0
    for game in games(rules, options):
        steps = [deal["steps"] for deal in replay(game)["deals"]]
        found = compare_game(game)
        expected = list(seen(game))
        assert [one[1:4] for one in expected] == [one.situation[1:4] for one in found]
        for one, naive in zip(found, expected, strict=True):
            at = one.situation
            assert (at.kind.name.lower(), at.paid) == (naive.kind, naive.paid)
            for size in range(1, len(naive.parts) + 1):
                parts, key = naive.parts[:size], at.key[:size]
                assert keys.setdefault(parts, key) == key
            choice = at.key.base, at.choice
            assert choices.setdefault((naive.parts[0], naive.choice), choice) == choice
            _shown(one, *steps[at.deal - 1][at.step : at.step + 2])
        count += len(found)
    assert len(set(keys.values())) == len(keys), "what differs has another key"
    assert len(set(choices.values())) == len(choices), "and another choice another number"
    assert count > 20 * GAMES


def _shown(one: Compared, here: dict[str, object], then: dict[str, object]) -> None:
    chosen = one.meaning(one.situation.choice)
    if one.situation.kind is Aspect.DECISION:
        assert chosen.word == then["say"]
        return
    suits = one.form
    assert suits is not None
    assert suits.place(chosen.card) == suits.place(cards.BIT[str(then["card"])])
    if one.situation.kind is Aspect.FIELD:
        assert cards.letters(one.field) == here["field"]
        assert bool(chosen.take) == bool(then["take"])
        assert not chosen.take & ~one.field


@pytest.mark.parametrize(("rules", "options"), HOUSES)
def test_game_in_other_suits_has_the_same_situations(rules: str, options: dict[str, str]) -> None:
    """The rules themselves do not tell these suits apart: a game in which they are exchanged has
    the same verdict, sums and all, and the same situations to the bit.
    """
    suits, random = suits_of(rules, options), Random(rules)
    for game in games(rules, options):
        by = exchanged(suits, random)
        letters = str.maketrans(
            {cards.LETTERS[i]: cards.LETTERS[other] for i, other in enumerate(by)}
        )
        other = _in_other_suits(game, letters)
        before, after = (verify(read(write(one))).verdict for one in (game, other))
        assert after.error is None
        assert [(deal.end, deal.score, deal.ledger) for deal in before.deals] == [
            (deal.end, deal.score, deal.ledger) for deal in after.deals
        ]
        assert before.final == after.final
        assert situations(game) == situations(other)


def _in_other_suits(game: Game, letters: dict[int, str]) -> Game:
    def of(text: str) -> str:
        return cards.sort(text.translate(letters))

    def month(one: Month) -> Month:
        turns = [
            item
            if isinstance(item, Call)
            else dataclasses.replace(
                item,
                play=of(item.play),
                take=of(item.take),
                turn=of(item.turn),
                take2=of(item.take2),
            )
            for item in one.turns
        ]
        return dataclasses.replace(
            one,
            hands={seat: of(hand) for seat, hand in one.hands.items()},
            field=one.field and of(one.field),
            stock=one.stock and one.stock.translate(letters),
            shows=[Show(show.seat, show.yaku, of(show.cards)) for show in one.shows],
            turns=turns,
        )

    return dataclasses.replace(game, months=[month(one) for one in game.months])


def test_situations_of_another_house_have_other_keys() -> None:
    """The same cards by other rules are another situation; a longer year is not."""
    game = simulate("koikoi", seed=1, options={"profile": "koikoi-ai"})
    keys = [situation.key.base for situation in situations(game)]
    shorter = dataclasses.replace(game, options={**game.options, "months": "9"})
    dearer = dataclasses.replace(game, options={**game.options, "goko": "20"})
    assert [situation.key.base for situation in situations(shorter)] == keys
    assert not {situation.key.base for situation in situations(dearer)} & set(keys)


def test_unfinished_deal_has_no_situations() -> None:
    """A deal that is not played out, or that is voided, brought nobody anything."""
    game = simulate("koikoi", seed=2)
    whole = situations(game)
    last = game.months[-1]
    open_end = dataclasses.replace(
        game,
        tags={**game.tags, "Termination": "abandoned"},
        final=None,
        months=[*game.months[:-1], dataclasses.replace(last, turns=last.turns[:3], score=None)],
    )
    kept = [one for one in whole if one.deal < len(game.months)]
    assert situations(open_end) == kept
    first = dataclasses.replace(game.months[0], void="mismatch", score=None)
    voided = dataclasses.replace(open_end, months=[first])
    assert situations(voided) == []


def test_deals_from_a_fault_on_have_no_situations() -> None:
    """Deals before the fault count; that of the fault does not."""
    game = simulate("hachihachi", seed=3)
    whole = situations(game)
    broken = list(game.months[1].turns)
    broken[2] = Turn("A", "V")
    months = [game.months[0], dataclasses.replace(game.months[1], turns=broken), *game.months[2:]]
    assert situations(dataclasses.replace(game, months=months)) == [
        one for one in whole if one.deal == 1
    ]


def test_score_sheet_has_no_situations() -> None:
    """There are no steps in it."""
    with pytest.raises(Unsupported):
        compare_game(dataclasses.replace(simulate("koikoi", seed=1), tags={"Sheet": "yes"}))
