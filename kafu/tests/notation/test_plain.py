"""Plain text is read by the fast reader, with the result of the tolerant reader."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import check_cases, library_cases, shared_cases
from golden import WAYS, broken, text_of
from kafu import cards
from kafu.notation import vocabulary
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import Reading, TolerantReader, read
from kafu.notation.reading.source import SourceLines
from kafu.notation.vocabulary import RULES, RulesetNotation
from kafu.notation.writer import identity, text_and_identity, write
from lengths import LONG, examples, part
from notation.strategies import games
from notation.texts import TAGS, fault, read_game
from turns import make_turn, silent, spoken

ROWS = "1. BxA/GxH C/D\n2. ExFGH/a=koikoi axY=nimai=sage/b\n3. cxd=shobu"
TEXT = f"""{TAGS}
month 1 dealer 2
hand 1 AFGKQXcm
hand 2 BDIMUYho
field CEJOSZfs
stock dg...
{ROWS}
score 1 +5 2 0
"""


class Tolerant(TolerantReader):
    """Reads every line with all tolerance."""

    def read_plainly(self, source: SourceLines) -> None:
        """Nothing is plain."""


def tolerantly(text: str) -> Reading:
    """Return the expected result of `read`."""
    warnings: list[Fault] = []
    try:
        return Reading(Tolerant(warnings, 1).read(text), None, warnings)
    except Malformed as malformed:
        return Reading(None, malformed.fault, warnings)


def everything(game: Game | None) -> Any:
    """Return all of a game, including fields without part in comparison."""
    if game is None:
        return None
    months = [
        [list(month.places.items()), *map(dataclasses.astuple, month.turns)]
        for month in game.months
    ]
    return game, game.line, months


def same(text: str) -> Reading:
    """Read a text, plainly and with all tolerance: both readings must be the same."""
    reading, tolerant = read(text), tolerantly(text)
    if reading.game is not None and tolerant.game is not None:
        assert text_and_identity(reading.game) == text_and_identity(tolerant.game)
    assert everything(reading.game) == everything(tolerant.game)
    assert (reading.fault, reading.warnings) == (tolerant.fault, tolerant.warnings)
    return reading


def months(text: str) -> Iterator[Month]:
    """Yield the months of a readable text."""
    yield from read_game(text).months


@pytest.mark.long
@pytest.mark.parametrize("rules", sorted(RULES))
def test_simulated_game_is_read_plainly(rules: str) -> None:
    for seed in range(examples(6)):
        text = text_of(rules, seed)
        for month in months(text):
            is_plain = month.rows is not None
            calls = bool(month.actions("call"))
            assert is_plain == (bool(month.turns) and not calls)
        assert same(text).fault is None


@pytest.mark.long
@pytest.mark.parametrize("rules", part(sorted(RULES)))
def test_text_with_one_change_is_read_as_by_the_tolerant_reader(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text_of(rules, seed) for seed in range(4 if LONG else 1)]
    for way, change in WAYS.items():
        monkeypatch.setattr("golden.WAYS", {way: change})
        for seed, text in enumerate(texts):
            same(broken(text, Random(f"{way} {seed}")))


@pytest.mark.long
def test_conformance_case_is_read_as_by_the_tolerant_reader() -> None:
    cases = [*part(library_cases(), one_of=2), *part(shared_cases(), one_of=12)]
    assert cases
    check_cases(cases, lambda case: same(case.content.decode("utf-8", "replace")))


@pytest.mark.long
@settings(max_examples=examples(20), deadline=None)
@given(games())
def test_written_game_is_read_as_by_the_tolerant_reader(game: Game) -> None:
    same(write(game))


@pytest.mark.long
@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from((TEXT, f"{TEXT}{TEXT[len(TAGS) :]}\nfinal 1 0 2 0\n")), st.data())
def test_text_with_other_characters_is_read_as_by_the_tolerant_reader(
    text: str, data: st.DataObject
) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        put = data.draw(
            st.sampled_from((*'\n /=.:;{}x0123?_-+kABe"[]　＂', "\n\n", "...", "1.", ""))
        )
        text = text[:at] + put + text[at + length :]
    same(text)


#: A part of `TEXT`, and its replacement.
NEARLY_PLAIN = [
    ("\n3. cxd=shobu", "\n3."),
    ("cxd=shobu", "cxd"),
    ("C/D", "C"),
    ("C/D", "C=shobu"),
    ("C/D", "C/"),
    ("C/D", "C/D/E"),
    ("C/D", "C//D"),
    ("C/D\n", "C/D \n"),
    ("C/D\n", "C/D\n\n"),
    ("C/D\n", "C/D 1:A/C\n"),
    ("\n2. ", " 2. "),
    ("\n2. ", "\n3. "),
    ("\n2. ", "\n"),
    ("1. B", "01. B"),
    ("FGH", "HGF"),
    ("BxA", "BxAB"),
    ("BxA", "BxAC"),
    ("BxA", "BxY"),
    ("=koikoi", "=こいこい"),
    ("=koikoi", "=koikoi=koikoi=koikoi=koikoi=koikoi=koikoi=koikoi=koikoi"),
    ("=koikoi", "=koikoi" * 9),
    ("=koikoi", "=what"),
    ("=shobu\n", "=shobu\n; a remark\n"),
    ("=shobu\n", "=shobu\nA/C\n"),
    ("=shobu\n", "=shobu\n\n4. A/C\n"),
    ("=shobu\n", "=shobu\n=torikeshi 1\n"),
    ("=shobu\nscore 1 +5 2 0\n", "=shobu"),
    ("score", "void other\nscore"),
    ("score 1 +5 2 0", "score 2 0 1 5"),
    ("score 1 +5 2 0", "score 1 5k 2 0"),
    ("score 1 +5 2 0", "score 1 +5 2 9999999999"),
    ("score 1 +5 2 0", "score 1 +5 2 0 3 0"),
    ("score 1 +5 2 0", "score 1 +5 2 0\nscore 1 +5 2 0"),
    ("dealer 2", "dealer 3"),
    ("month 1 ", "month 1234 "),
    ("hand 2", "hand 1"),
    ("hand 2", "hand 3"),
    ("hand 1 AFGK", "hand 1 KGFA"),
    ("hand 1 AFGKQXcm", "hand 1 _?AFGKQX"),
    ("hand 1 AFGKQXcm", "hand 1 " + 51 * "A"),
    ("stock dg...", "stock ..."),
    ("stock dg...", "stock dg"),
    ("stock dg...\n", ""),
    ('[Player2 "Ben"]', '[Player2 "Ben"]\n\n[Sheet "1"]'),
    ('[Kafu "1"]', ' [Kafu "1"]'),
    ('[Kafu "1"]', '[Event "1"]'),
]


def test_nearly_plain_text_is_read_as_by_the_tolerant_reader() -> None:
    for old, new in NEARLY_PLAIN:
        assert old in TEXT
        changed = TEXT.replace(old, new, 1)
        same(changed)
        same(f"{changed}\nfinal 1 0 2 +3\n")
        same(changed + TEXT[len(TAGS) :])


def test_most_turns_and_deals_are_read_and_one_more_is_not() -> None:
    for rounds in (200, 201):
        rows = "".join(f"{number}. A/B A/B\n" for number in range(1, rounds + 1))
        assert (same(TEXT.replace(ROWS + "\n", rows)).fault is None) == (rounds == 200)
    for deals in (64, 65):
        assert (same(TAGS + TEXT[len(TAGS) :] * deals).fault is None) == (deals == 64)


def test_long_row_is_wrapped() -> None:
    wide = TEXT.replace("=koikoi", 8 * "=koikoi")
    (month,) = months(wide)
    assert month.rows is None
    assert write(read_game(wide)) != wide


def test_rows_equal_the_written_turns() -> None:
    for rules in RULES:
        game = read_game(text_of(rules, 7))
        before = text_and_identity(game)
        assert before == (write(game), identity(game))
        for month in game.months:
            assert month.statements is month.statements
            assert month.rows is None
        assert text_and_identity(game) == before


def test_halves_equal_the_turns_as_masks() -> None:
    (month,) = months(TEXT)
    assert month.rows is not None
    drawn = iter(month.rows.halves)
    moves = list(zip(drawn, drawn, strict=True))
    assert month.played == 5
    assert month.rows is not None
    for (played, turned), turn in zip(moves, month.turns, strict=True):
        halves = [half for half in (played, turned) if half is not None]
        assert [(cards.BIT[card], cards.mask(take)) for _, _, card, take, _ in silent(turn)] == [
            half[:2] for half in halves
        ]
        assert spoken(turn) == [word for half in halves for word in half[2]]
    assert moves[3][0] is not None and moves[3][0][2] == ("nimai", "sage")
    assert moves[4] == ((cards.BIT["c"], cards.BIT["d"], ("shobu",)), None)


def test_changed_turns_are_written() -> None:
    game = read_game(TEXT)
    game.months[0].statements.remove(game.months[0].turns[-1])
    assert game.months[0].played == 4
    assert ROWS.rpartition("\n")[0] + "\nscore" in write(game)
    game = read_game(TEXT)
    game.months[0].turns = [make_turn("A/B")]
    assert game.months[0].rows is None
    assert "\n1. A/B\nscore" in write(game)


def test_note_before_the_turns_is_written() -> None:
    game = read_game(TEXT)
    game.months[0].notes = {"turns": ["begun late"]}
    assert "1. {begun late} BxA/GxH" in write(game)


def test_rows_of_another_length_are_written_again() -> None:
    game = read_game(TEXT)
    game.rules = "hachihachi"
    assert "1. BxA/GxH C/D ExFGH/a=koikoi\n2. " in write(game)


@pytest.mark.parametrize("uses_turns", [False, True])
def test_month_with_other_hands_keeps_its_rows(uses_turns: bool) -> None:
    month = read_game(TEXT).months[0]
    assert not uses_turns or month.turns
    changed = month.replace(hands={1: "A"})
    assert (changed.rows is None) == (month.rows is None) == uses_turns
    assert changed == month.replace(hands={1: "A"})
    assert month.hands[1] == "AFGKQXcm"


def test_months_are_compared_by_value() -> None:
    first, second = read_game(TEXT), read_game(TEXT)
    assert first == second
    assert repr(read_game(TEXT)) == repr(second)
    month = read_game(TEXT).months[0]
    assert month.replace(ba="small").turns == first.months[0].turns
    assert month != month.replace(turns=[])


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
)
def test_copy_of_a_game_is_independent(copied: Any) -> None:
    for again in (False, True):
        game = read_game(TEXT)
        if again:
            assert game.months[0].turns
        assert copied(game) == read_game(TEXT)
        month = copied(game.months[0])
        assert month == game.months[0]
        month.turns = []
        assert len(game.months[0].turns) == 5
        assert write(copied(read_game(TEXT))) == TEXT


def test_words_are_unknown_after_their_ruleset_is_removed() -> None:
    vocabulary.register(
        RulesetNotation(
            "test", range(2, 3), kan=False, round=2, decisions={"tsuzuku": "続く", "iku": "行く"}
        )
    )
    text = TEXT.replace("=koikoi", "=iku")
    try:
        assert all(month.rows for month in months(text))
        assert same(TEXT.replace("=koikoi", "=tsuzuku")).fault is None
    finally:
        vocabulary.unregister("test")
    assert fault(text)[0] == "unknown-decision"
