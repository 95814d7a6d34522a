"""The canonical text of a record is judged as the record was, whatever is wrong with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.test_conformance import CASES
from kafu import cards
from kafu.judging.verify import Verification, verify
from kafu.notation.json.form import from_json, to_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import examples

BROKEN = [
    case for case in CASES if json.loads(case.read_text(encoding="utf-8"))["status"] == "illegal"
]


def short(rules: str, players: int) -> str:
    """The first two months of a simulated game."""
    game = simulate(rules, seed=3, players=players)
    del game.months[2:]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)


#: One of each kind of notation: kan or points, bids or none, two at the table or more.
TEXTS = [
    short("koikoi", 2),
    short("hanaawase", 3),
    short("hachihachi", 3),
    short("hachihachi-bga", 5),
    short("ten-five-one", 5),
]
BLIND = re.sub(r"(month \d+ dealer (\d)\n)", r"\1blind \2\n", TEXTS[3])
STATEMENTS = (
    *("blind 1", "swap 2", "redeal misdeal", "void misdeal", "void other", "ba large"),
    *("show 1 sanbon ABC", "draw 1E 2k", "split 1AFKQ 2BDIM", "score 1 0 2 0 3 0"),
)
PREFIXES = st.one_of(
    st.integers(0, 12).map("{}. ".format),
    st.integers(1, 5).map("{}:".format),
    st.sampled_from(("2. 3:", "9999. ", "3: ", "1. 1. ", "=torikeshi 2 ", "{c} ", "4. {c} 1: ")),
)
SAID = st.sampled_from(("=sage", "=agari", "=koikoi", "=shobu", "=menjo", "=nimai=sage"))


def told(found: Verification) -> tuple[Any, ...]:
    """Everything a verdict says but lines and columns, and repairs."""
    form = found.verdict.to_stored()
    error = form["error"] and {**form["error"], "line": None, "column": None}
    return found.verdict.identity, form["status"], error, form["deals"], form["final"]


def check(text: str) -> Verification:
    """Judge ``text``, then its canonical text and its JSON form: all must be told alike, and each
    must know of itself what is found in the canonical text.
    """
    found = verify(read(text))
    if found.game is not None:
        again = verify(read(found.text))
        assert told(again) == told(found)
        assert again.text == found.text
        assert found.canonical().verdict == again.verdict
        of_json = verify(from_json(to_json(found.game)))
        assert told(of_json) == told(found)
        assert of_json.text == found.text
        assert of_json.canonical().verdict == again.verdict
    return found


@pytest.mark.parametrize("case", BROKEN, ids=lambda path: "-".join((*path.parts[-3:-1], path.stem)))
def test_broken_games(case: Path) -> None:
    found = check(case.with_suffix(".kafu").read_text(encoding="utf-8"))
    assert found.verdict.status == "illegal"


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A game with something before or in a turn changed, or lines moved, left out or added."""
    lines = draw(st.sampled_from((*TEXTS, BLIND))).splitlines()
    for _ in range(draw(st.integers(1, 2))):
        moves = [i for i, line in enumerate(lines) if re.match(r"\d+\. ", line)]
        where = draw(st.sampled_from(moves or [0]))
        words = lines[where].split(" ")
        word = draw(st.integers(1, len(words) - 1)) if len(words) > 1 else 0
        match draw(st.integers(0, 8)):
            case 0 | 1 | 2:
                words[word] = draw(PREFIXES) + words[word]
            case 3:
                words[0] = draw(st.sampled_from(("", "0.", "2.", "7.")))
            case 4:
                words[word] += draw(SAID)
            case 5:
                words[word] = re.sub("x[A-Za-v]+", "", words[word])
            case 6:
                letter = draw(st.sampled_from(cards.LETTERS))
                words[word] = letter + words[word][1:]
            case 7:
                where = draw(st.integers(0, len(lines) - 1))
                more = draw(st.sampled_from((lines[where], *STATEMENTS)))
                words = draw(st.sampled_from(([lines[where] + "\n" + more], [])))
            case 8:
                bids = [i for i, line in enumerate(lines) if line.startswith("bid ")]
                if bids:
                    where = draw(st.sampled_from(bids))
                    said = [*lines[where].split()[1:], draw(st.sampled_from(("1in", "2in", "3in")))]
                    words = ["bid", *draw(st.permutations(said))]
        lines[where] = " ".join(words)
    return "\n".join(lines)


@settings(max_examples=examples(80), deadline=None)
@given(damaged())
@pytest.mark.long
def test_damaged_games(text: str) -> None:
    check(text)


def before_the_second_turn(written: str) -> tuple[Verification, str]:
    """The verdict on a game with this before its second turn; and that part of its text."""
    found = check(re.sub(r"(\n1\. \S+ )", rf"\g<1>{written}", TEXTS[0], count=1))
    return found, next(line for line in found.text.splitlines() if line.startswith("1. "))


@pytest.mark.parametrize(
    ("written", "code", "kept"),
    [
        ("1. ", "wrong-round", " 1. "),
        ("2. ", "wrong-round", " 2. "),
        ("{c} 07. {d} ", "wrong-round", " {c} {d} 7. "),
        ("DEALER:", "wrong-seat", " DEALER:"),
        ("3. DEALER: ", "wrong-round", " 3. DEALER:"),
    ],
)
def test_a_wrong_prefix_is_kept(written: str, code: str, kept: str) -> None:
    right = verify(read(TEXTS[0]))
    assert right.game is not None
    dealer = str(right.game.months[0].dealer)
    found, line = before_the_second_turn(written.replace("DEALER", dealer))
    error = found.verdict.error
    assert error is not None
    assert (error.code.id, error.deal, error.turn) == (code, 1, 2)
    assert kept.replace("DEALER", dealer) in line
    assert found.verdict.identity == right.verdict.identity


def test_a_right_seat_is_left_out() -> None:
    right = verify(read(TEXTS[0]))
    assert right.game is not None
    found, _ = before_the_second_turn(f"{3 - right.game.months[0].dealer}: ")
    assert found.text == right.text == TEXTS[0]


def test_the_number_of_a_round() -> None:
    found = check(TEXTS[0].replace("\n2. ", "\n12. ", 1))
    assert found.verdict.error is not None
    assert found.verdict.error.code.id == "wrong-round"
    assert "\n12. " in found.text
    assert check(TEXTS[0].replace("\n2. ", "\n02. ", 1)).text == TEXTS[0]
    assert check(TEXTS[0].replace("\n2. ", "\n", 1)).text == TEXTS[0]


def test_a_blind_dealer_who_speaks_out_of_turn() -> None:
    """B14: the dealer is in before all others; a bid of theirs after the others' is illegal."""
    dealer = BLIND.partition("blind ")[2][0]
    (bid,) = re.findall(r"bid .*", BLIND)[:1]
    others = [word for word in bid.split()[1:] if word[0] != dealer]
    found = check(BLIND.replace(bid, f"bid {others[0]} {dealer}in {' '.join(others[1:])}", 1))
    assert found.verdict.error is not None
    assert found.verdict.error.code.id == "bid-out-of-turn"


def test_a_game_whose_canonical_text_would_be_too_large() -> None:
    """A blank stands before every comment of the canonical text, which must read again."""
    comments = "{a}" * 9000
    room = MAX_GAME_BYTES - len(TEXTS[0]) - len(comments) - 2
    found = check(TEXTS[0] + comments + "{" + "b" * room + "}")
    assert found.verdict.status == "malformed"
    assert found.verdict.error is not None
    assert found.verdict.error.code.id == "game-too-large"
    fits = check(TEXTS[0] + comments + "{" + "b" * (room - 9100) + "}")
    assert fits.verdict.status == "unfinished"


def test_a_capture_left_out_in_a_turn_that_breaks_a_rule() -> None:
    """Such a turn is kept as it was written, and so is the warning."""
    text = re.sub(r" (\w)x\w+/\w\S*", r" \1/\1", TEXTS[0], count=1)
    found = check(text)
    assert found.verdict.status == "illegal"
    warned = [warning.code.id for warning in found.canonical().verdict.warnings]
    assert warned == [warning.code.id for warning in found.verdict.warnings] == ["capture-left-out"]


def test_a_capture_that_was_left_out_is_written_and_no_warning_is_left() -> None:
    found = check(re.sub(r" (\w)x\w+/", r" \1/", TEXTS[0], count=1))
    assert [warning.code.id for warning in found.verdict.warnings] == ["capture-left-out"]
    assert not found.canonical().verdict.warnings
    assert found.text == TEXTS[0]


def test_words_of_another_record_move_the_places() -> None:
    """An error is where it is in the new text, below the lines that were added."""
    text = re.sub(r" (\w)x\w+/\w\S*", r" \1/\1", TEXTS[0], count=1)
    found = verify(read(text))
    other = read(TEXTS[0].replace("[Player1", '[Event "a"]\n[Site "b"]\n[Player1', 1)).game
    assert other is not None
    told = found.in_words_of(other)
    assert told is not None
    assert told.verdict == verify(read(told.text)).verdict
    assert told.verdict.error is not None and found.verdict.error is not None
    assert told.verdict.error.line == (found.verdict.error.line or 0) + 2
