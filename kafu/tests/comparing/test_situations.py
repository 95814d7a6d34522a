"""Situations of games, compared with their replays and under exchanges of suits."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from comparing.test_suits import random_exchange
from kafu import cards
from kafu.comparing.situations import Aspect, Compared, Occurrence, compare_game
from kafu.comparing.suits import suits_of
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.game import ACTIONS, Game, Month
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS, Unsupported
from kafu.simulation.simulate import simulate
from lengths import LONG
from naive_situations import read_situations
from turns import make_turn

HOUSES = [
    (rules, {"profile": house} if len(ruleset.profiles) > 1 else {})
    for rules, ruleset in RULESETS.items()
    for house in ruleset.profiles
]
GAMES = 60 if LONG else 1


def situations(game: Game) -> list[Occurrence]:
    """Return the situations of a game without their content."""
    return [compared.situation for compared in compare_game(game)]


def games(rules: str, options: dict[str, str]) -> list[Game]:
    """Return games read from their texts."""
    texts = [write(simulate(rules, seed=seed, options=options)) for seed in range(GAMES)]
    return [game for text in texts if (game := read(text).game) is not None]


@pytest.mark.parametrize(
    ("rules", "options"), [*HOUSES, ("koikoi", {"profile": "koikoi-ai", "tsukifuda": "4"})]
)
def test_situations_equal_those_of_the_replay(rules: str, options: dict[str, str]) -> None:
    """They agree in place, seat, score, equality and content."""
    keys: dict[object, object] = {}
    choices: dict[object, tuple[object, int]] = {}
    count = 0
    for game in games(rules, options):
        steps = [deal["steps"] for deal in stored_replay(game)["deals"]]
        actual = compare_game(game)
        expected = list(read_situations(game))
        assert [naive[1:4] for naive in expected] == [pair.situation[1:4] for pair in actual]
        for compared, naive in zip(actual, expected, strict=True):
            situation = compared.situation
            assert (situation.kind.name.lower(), situation.paid) == (naive.kind, naive.paid)
            for size in range(1, len(naive.parts) + 1):
                parts, key = naive.parts[:size], situation.key[:size]
                assert keys.setdefault(parts, key) == key
            choice = situation.key.base, situation.choice
            assert choices.setdefault((naive.parts[0], naive.choice), choice) == choice
            _check_content(
                compared, *steps[situation.deal - 1][situation.step : situation.step + 2]
            )
        count += len(actual)
    assert len(set(keys.values())) == len(keys), "different situations have different keys"
    assert len(set(choices.values())) == len(choices), "different choices have different numbers"
    assert count > 20 * GAMES


def _check_content(compared: Compared, before: dict[str, object], after: dict[str, object]) -> None:
    choice = compared.meaning(compared.situation.choice)
    if compared.situation.kind is Aspect.DECISION:
        assert choice.word == after["say"]
        return
    form = compared.form
    assert form is not None
    assert form.place(choice.card) == form.place(cards.BIT[str(after["card"])])
    if compared.situation.kind is Aspect.FIELD:
        assert cards.letters(compared.field) == before["field"]
        assert bool(choice.take) == bool(after["take"])
        assert not choice.take & ~compared.field


@pytest.mark.parametrize(("rules", "options"), HOUSES)
def test_exchanged_suits_give_the_same_situations(rules: str, options: dict[str, str]) -> None:
    """The rules do not notice the exchange either: verdict, scores and payments are the same."""
    suits, random = suits_of(rules, options), Random(rules)
    for game in games(rules, options):
        exchange = random_exchange(suits, random)
        letters = str.maketrans(
            {cards.LETTERS[i]: cards.LETTERS[j] for i, j in enumerate(exchange)}
        )
        translated = _translate(game, letters)
        before, after = (verify(read(write(game_))).verdict for game_ in (game, translated))
        assert after.error is None
        assert [(deal.end, deal.score, deal.ledger) for deal in before.deals] == [
            (deal.end, deal.score, deal.ledger) for deal in after.deals
        ]
        assert before.final == after.final
        assert situations(game) == situations(translated)


def _translate(game: Game, letters: dict[int, str]) -> Game:
    def translate(text: str) -> str:
        return cards.sort(text.translate(letters))

    def translate_action(action: Action) -> Action:
        return action._replace(card=translate(action.card), take=translate(action.take))

    def translate_month(month: Month) -> Month:
        month = month.replace(
            hands={seat: translate(hand) for seat, hand in month.hands.items()},
            field=month.field and translate(month.field),
            stock=month.stock and month.stock.translate(letters),
        )
        return Month.of(
            [
                dataclasses.replace(item, value=tuple(map(translate_action, item.value)))
                if item.keyword in ACTIONS
                else item
                for item in month.statements
            ]
        )

    return dataclasses.replace(game, months=[translate_month(month) for month in game.months])


def test_situations_of_another_house_have_other_keys() -> None:
    """Equal cards under other rules are another situation, unless only the length differs."""
    game = simulate("koikoi", seed=1, options={"profile": "koikoi-ai"})
    keys = [situation.key.base for situation in situations(game)]
    shorter = dataclasses.replace(game, options={**game.options, "months": "9"})
    dearer = dataclasses.replace(game, options={**game.options, "goko": "20"})
    assert [situation.key.base for situation in situations(shorter)] == keys
    assert not {situation.key.base for situation in situations(dearer)} & set(keys)


def test_unfinished_deal_has_no_situations() -> None:
    """Voided deals have none either."""
    game = simulate("koikoi", seed=2)
    whole = situations(game)
    last = game.months[-1]
    open_end = dataclasses.replace(
        game,
        tags={**game.tags, "Termination": "abandoned"},
        final=None,
        months=[*game.months[:-1], last.replace(turns=last.turns[:3], score=None)],
    )
    before = [situation for situation in whole if situation.deal < len(game.months)]
    assert situations(open_end) == before
    first = game.months[0].replace(score=None)
    first.write_down(Action("void", say="mismatch"))
    voided = dataclasses.replace(open_end, months=[first])
    assert situations(voided) == []


def test_deals_from_a_fault_on_have_no_situations() -> None:
    """Only deals before the fault count."""
    game = simulate("hachihachi", seed=3)
    whole = situations(game)
    broken = list(game.months[1].turns)
    broken[2] = make_turn("AxV")
    months = [game.months[0], game.months[1].replace(turns=broken), *game.months[2:]]
    assert situations(dataclasses.replace(game, months=months)) == [
        situation for situation in whole if situation.deal == 1
    ]


def test_score_sheet_has_no_situations() -> None:
    with pytest.raises(Unsupported):
        compare_game(dataclasses.replace(simulate("koikoi", seed=1), tags={"Sheet": "yes"}))
