"""The canonical text of a record has the record's verdict, with any kind of fault."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import check_cases, illegal_cases
from kafu import cards
from kafu.judging.verify import Verification, verify
from kafu.notation.json.form import from_json, to_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import MAX_GAME_BYTES, RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import examples, part

#: The seats of a game of each kind of notation: kan or points, bids or none, two or more.
SEATS = {"koikoi": 2, "hanaawase": 3, "hachihachi": 3, "hachihachi-bga": 5, "ten-five-one": 5}


@cache
def short(rules: str = "koikoi") -> str:
    """Return the first two months of a simulated game."""
    game = simulate(rules, seed=3, players=SEATS[rules])
    del game.months[2:]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)


@cache
def blind() -> str:
    """Return a game with a blind bid in each month."""
    return re.sub(r"(month \d+ dealer (\d)\n)", r"\1blind \2\n", short("hachihachi-bga"))


STATEMENTS = (
    *("blind 1", "swap 2", "redeal misdeal", "void misdeal", "void other", "ba large"),
    *("show 1 sanbon ABC", "draw 1E 2k", "split 1AFKQ 2BDIM", "score 1 0 2 0 3 0"),
)
PREFIXES = st.one_of(
    st.integers(0, 12).map("{}. ".format),
    st.integers(1, 5).map("{}:".format),
    st.sampled_from(("2. 3:", "9999. ", "3: ", "1. 1. ", "=torikeshi 2 ", "{c} ", "4. {c} 1: ")),
)
DECISIONS = st.sampled_from(("=sage", "=agari", "=koikoi", "=shobu", "=menjo", "=nimai=sage"))


def comparable(verification: Verification) -> tuple[Any, ...]:
    """Return all parts of a verdict except lines, columns and repairs."""
    form = verification.verdict.to_stored()
    error = form["error"] and {**form["error"], "line": None, "column": None}
    return verification.verdict.identity, form["status"], error, form["deals"], form["final"]


def check_again(verification: Verification) -> None:
    """Judge the canonical text and the JSON form of a game.

    Both have the game's verdict, and `Verification.canonical` equals the verification of the text.
    """
    if verification.game is None:
        return
    again = verify(read(verification.text))
    assert comparable(again) == comparable(verification)
    assert again.text == verification.text
    assert verification.canonical().verdict == again.verdict
    of_json = verify(from_json(to_json(verification.game)))
    assert comparable(of_json) == comparable(verification)
    assert of_json.text == verification.text
    assert of_json.canonical().verdict == again.verdict


def check(text: str) -> Verification:
    """Judge a text and its canonical text."""
    verification = verify(read(text))
    check_again(verification)
    return verification


@pytest.mark.parametrize("rules", part(sorted(RULES)))
def test_canonical_text_of_illegal_game_is_judged_alike(rules: str) -> None:
    check_cases(illegal_cases(rules), lambda case: check_again(case.verification))


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw a game with a changed turn, or with moved, omitted or added lines."""
    lines = draw(st.sampled_from([*map(short, SEATS), blind()])).splitlines()
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
                words[word] += draw(DECISIONS)
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
                    new_bids = [
                        *lines[where].split()[1:],
                        draw(st.sampled_from(("1in", "2in", "3in"))),
                    ]
                    words = ["bid", *draw(st.permutations(new_bids))]
        lines[where] = " ".join(words)
    return "\n".join(lines)


@settings(max_examples=examples(40), deadline=None)
@given(damaged())
@pytest.mark.long
def test_canonical_text_of_damaged_game_is_judged_alike(text: str) -> None:
    check(text)


def judge_with_prefix(written: str) -> tuple[Verification, str]:
    """Judge a game with a prefix before its second turn; return the canonical line too."""
    verification = check(re.sub(r"(\n1\. \S+ )", rf"\g<1>{written}", short(), count=1))
    return verification, next(
        line for line in verification.text.splitlines() if line.startswith("1. ")
    )


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
def test_wrong_prefix_of_a_turn_is_kept_in_the_canonical_text(
    written: str, code: str, kept: str
) -> None:
    right = verify(read(short()))
    assert right.game is not None
    dealer = str(right.game.months[0].dealer)
    verification, line = judge_with_prefix(written.replace("DEALER", dealer))
    error = verification.verdict.error
    assert error is not None
    assert (error.code.id, error.deal, error.turn) == (code, 1, 2)
    assert kept.replace("DEALER", dealer) in line
    assert verification.verdict.identity == right.verdict.identity


def test_right_seat_of_a_turn_is_left_out_of_the_canonical_text() -> None:
    right = verify(read(short()))
    assert right.game is not None
    verification, _ = judge_with_prefix(f"{3 - right.game.months[0].dealer}: ")
    assert verification.text == right.text == short()


def test_wrong_round_number_is_kept_and_others_are_normalised() -> None:
    verification = check(short().replace("\n2. ", "\n12. ", 1))
    assert verification.verdict.error is not None
    assert verification.verdict.error.code.id == "wrong-round"
    assert "\n12. " in verification.text
    assert check(short().replace("\n2. ", "\n02. ", 1)).text == short()
    assert check(short().replace("\n2. ", "\n", 1)).text == short()


def test_bid_of_a_blind_dealer_is_out_of_turn() -> None:
    """B14: the dealer is in before all others; a bid of theirs after the others' is illegal."""
    dealer = blind().partition("blind ")[2][0]
    (bid,) = re.findall(r"bid .*", blind())[:1]
    other_bids = [word for word in bid.split()[1:] if word[0] != dealer]
    verification = check(
        blind().replace(bid, f"bid {other_bids[0]} {dealer}in {' '.join(other_bids[1:])}", 1)
    )
    assert verification.verdict.error is not None
    assert verification.verdict.error.code.id == "bid-out-of-turn"


def test_game_with_too_large_canonical_text_is_malformed() -> None:
    """A blank stands before every comment of the canonical text, which must read again."""
    comments = "{a}" * 9000
    room = MAX_GAME_BYTES - len(short()) - len(comments) - 2
    verification = check(short() + comments + "{" + "b" * room + "}")
    assert verification.verdict.status == "malformed"
    assert verification.verdict.error is not None
    assert verification.verdict.error.code.id == "game-too-large"
    fits = check(short() + comments + "{" + "b" * (room - 9100) + "}")
    assert fits.verdict.status == "unfinished"


def test_capture_left_out_of_an_illegal_turn_keeps_its_warning() -> None:
    """The turn stays as written, with its warning."""
    text = re.sub(r" (\w)x\w+/\w\S*", r" \1/\1", short(), count=1)
    verification = check(text)
    assert verification.verdict.status == "illegal"
    warned = [warning.code.id for warning in verification.canonical().verdict.warnings]
    assert (
        warned
        == [warning.code.id for warning in verification.verdict.warnings]
        == ["capture-left-out"]
    )


def test_capture_left_out_is_written_without_a_warning() -> None:
    verification = check(re.sub(r" (\w)x\w+/", r" \1/", short(), count=1))
    assert [warning.code.id for warning in verification.verdict.warnings] == ["capture-left-out"]
    assert not verification.canonical().verdict.warnings
    assert verification.text == short()


def test_tags_of_another_record_move_the_places_of_faults() -> None:
    """An error has its place in the new text, below the added lines."""
    text = re.sub(r" (\w)x\w+/\w\S*", r" \1/\1", short(), count=1)
    verification = verify(read(text))
    tagged = read(short().replace("[Player1", '[Event "a"]\n[Site "b"]\n[Player1', 1)).game
    assert tagged is not None
    reworded = verification.in_words_of(tagged)
    assert reworded is not None
    assert reworded.verdict == verify(read(reworded.text)).verdict
    assert reworded.verdict.error is not None and verification.verdict.error is not None
    assert reworded.verdict.error.line == (verification.verdict.error.line or 0) + 2
