"""Simulated games always verify; a changed game never passes for another (property tests)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from kafu import cards
from kafu.judging.playthrough import Playthrough
from kafu.judging.replay import stored_replay
from kafu.judging.verify import Verification, verify
from kafu.notation.game import Game, Statement
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import PLAYERS, simulate

SEEDS = st.integers(0, 2**32)
OPTIONS = st.sampled_from(
    [
        {},
        {"profile": "koikoi-ai"},
        {"profile": "koikoi-nintendo"},
        {"months": "2", "rain": "no"},
    ]
)


def judged(text: str) -> Verification:
    return verify(read(text))


@given(SEEDS, st.sampled_from(sorted(PLAYERS)), OPTIONS)
def test_simulated_game_is_verified(seed: int, player: str, options: dict[str, str]) -> None:
    game = simulate("koikoi", seed=seed, player=player, options=options)
    text = write(game)
    verification = judged(text)
    assert verification.verdict.status == "verified", verification.verdict.error
    assert verification.verdict.warnings == []
    assert verification.text == text
    for deal in verification.verdict.deals:
        assert tuple(map(sum, zip(*(line.amounts for line in deal.ledger), strict=True))) in (
            deal.score,
            (),
        )


def test_house_with_the_greatest_values_is_playable() -> None:
    """The sensible player copes with great values; a game of 64 months can be written."""
    for options in ({"goko": "999", "kasu": "999", "tan": "999"}, {"kasu": "999", "rain": "no"}):
        for seed in range(3):
            assert judged(write(simulate("koikoi", seed=seed, options=options))).verdict.final
    game = simulate("ten-five-one", seed=1, options={"months": "64"})
    assert judged(write(game)).verdict.status == "verified"


@given(SEEDS)
def test_every_step_of_a_replay_partitions_the_pack(seed: int) -> None:
    """C3: hands, field, captured cards and stock hold each card once, at every step."""
    shown = stored_replay(simulate("koikoi", seed=seed, options={"months": "1"}))
    for deal in shown["deals"]:
        for step in deal["steps"]:
            lying = "".join([*step["hands"], step["field"], *step["captured"]])
            assert len(lying) == len(set(lying)) == 48 - step["stock"]


@given(SEEDS)
def test_every_legal_action_can_be_applied(seed: int) -> None:
    """`legal_actions` and `apply` agree, all along a game by chance."""
    rules = machine_of("koikoi", {"months": "1"}, 2)
    game = simulate("koikoi", seed=seed, player="random", options={"months": "1"})
    for played in Playthrough(game, rules).advance():
        for action in rules.legal_actions(played.state):
            rules.apply(played.state, action)


STATEMENTS = (
    *("bid 1in 2out 3in", "swap 1", "swap 2", "blind 1", "blind 2", "ba large", "split 1A 2E"),
    *("redeal misdeal", "redeal shima", "redeal ba4", "redeal teshi", "redeal tsukisante"),
    *("void mismatch", "void misdeal", "void other", "show 1 sanbon ABC", "show 2 nasake BFJ"),
    *("draw 1A 2E 3I", "=torikeshi 1", "=void-show 2", "=agari", "=sage", "=menjo", "=nimai"),
    *("=koikoi", "=shobu", "score 1 2 3", "final 0 0 0"),
)


@given(st.sampled_from(sorted(RULES)), SEEDS)
def test_fault_of_a_damaged_game_is_reported_in_both_languages(rules: str, seed: int) -> None:
    """Lines and words of records are moved, doubled, dropped and put in: every ruleset."""
    random = Random(seed)
    game = simulate(rules, seed=seed % 50, players=random.choice(RULES[rules].seats))
    first = write(game).partition("\n\nmonth ")[0].count("\n") + 1
    lines = write(game).splitlines()
    for _ in range(random.randint(1, 2)):
        at, second = (random.randrange(first, min(len(lines), first + 40)) for _ in "12")
        how = random.randrange(5)
        if how == 0:
            lines[at], lines[second] = lines[second], lines[at]
        elif how == 1:
            del lines[at]
        elif how == 2:
            lines.insert(at, lines[second])
        elif how == 3:
            lines.insert(at, random.choice(STATEMENTS))
        else:
            words = lines[at].split(" ")
            words[random.randrange(len(words))] += random.choice(["?", "...", *"Ako", *STATEMENTS])
            lines[at] = " ".join(words)
    verification = judged("\n".join(lines) + "\n")
    for lang in ("en", "ja"):
        error = verification.verdict.to_json(lang).get("error")
        assert (error is None) == (verification.verdict.error is None)
        assert error is None or (error["message"] and "{" not in error["message"])
    if verification.game is not None:
        stored_replay(verification.game)


def played_alike(first: Game, second: Game) -> bool:
    """Return whether two games differ only in free choices (C2).

    Free are the played card, and the captured card of two that match.
    """

    def plain(turn: Statement) -> Statement:
        actions = (
            action._replace(card="" if action.kind == "hand" else action.card, take="")
            for action in turn.value
        )
        return replace(turn, value=tuple(actions))

    def stripped(game: Game) -> list[object]:
        return [month.replace(turns=[plain(turn) for turn in month.turns]) for month in game.months]

    return (first.rules, first.players, first.options, stripped(first)) == (
        second.rules,
        second.players,
        second.options,
        stripped(second),
    )


@given(
    SEEDS,
    st.integers(0, 10**6),
    st.sampled_from(["replace", "delete", "insert", "swap", "double"]),
    st.sampled_from(
        [*cards.LETTERS, *" /=x.?_1239\n[]{};", "+", "-", "下", "　", "\x00", "\udc80"]
    ),
)
@example(1, 300, "swap", "A")
@example(1758, 1757, "insert", "A")
@example(0, 10**6, "replace", "K")
def test_text_with_one_change_never_verifies_as_another_game(
    seed: int, where: int, how: str, what: str
) -> None:
    """A single change below the tags never crashes, and never verifies as a different game."""
    game = simulate("koikoi", seed=seed % 50, options={"months": "2"})
    text = write(game)
    first = text.index("\nmonth ") + 1
    i = first + where % (len(text) - first - 1)
    changed = {
        "replace": text[:i] + what + text[i + 1 :],
        "delete": text[:i] + text[i + 1 :],
        "insert": text[:i] + what + text[i:],
        "swap": text[:i] + text[i + 1] + text[i] + text[i + 2 :],
        "double": text[:i] + text[i] + text[i:],
    }[how]
    verification = judged(changed)
    verification.verdict.to_json("ja")
    if (
        verification.verdict.status == "verified"
        and verification.verdict.identity != judged(text).verdict.identity
    ):
        assert verification.game is not None
        # Unturned cards of the stock may lie in any order; all other parts must be equal.
        unturned = [month.replace(stock=None) for month in verification.game.months]
        assert played_alike(
            replace(verification.game, months=unturned),
            replace(game, months=[month.replace(stock=None) for month in game.months]),
        )
