"""The canonical form, and the identity."""

from __future__ import annotations

import hashlib

from kafu.notation.actions import turn_text
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity, write
from notation.texts import KAN_TAGS, TAGS, read_game
from turns import make_turn

CANONICAL = """\
{of the game}
; says {so}
[Kafu "1"]
[Rules "hachihachi"]
[Options "ba=B etsunen=yes"] {house}
[Event "A \\"b\\" \\\\"]
[Date "2026"]
[Player1 "Aya"]
[Player2 "Ben"]
[Player3 "Chie"]
[Result "+1k -10 -2"]
[Annotator "x"]
[own "y"]

month 1 dealer 2 ; with } and {
{more}
hand 1 AB_?
1. {begins} =void-show 1 B/m CxD/n=nimai=sage E/o ; a }
=torikeshi 3
2. F/p {bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}
G/q {cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc}
{dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd}
H/r
score 1 +1k 2 -10 3 -2

month 2 dealer 1
redeal ba4

final 1 +1k 2 -10 3 -2 {end}
"""


def test_canonical_text_is_a_fixed_point() -> None:
    reading = read(CANONICAL)
    assert not reading.warnings
    assert reading.game is not None
    assert write(reading.game) == CANONICAL


def test_parts_in_any_order_are_written_in_the_canonical_order() -> None:
    game = read_game(
        TAGS.replace("[Rules", '[zed "1"]\n[Site "S"]\n[Options "start=5 months=3"]\n[Rules')
        + "month 1 dealer 1\nhand 2 DC\nhand 1 BA\nfield FE\nstock BA...\n"
        + "7. 1:BxDCA/GxFE 2:a/b C/d\nscore 2 5 1 -0"
    )
    assert write(game).split("\n\n")[1] == (
        "month 1 dealer 1\nhand 1 AB\nhand 2 CD\nfield EF\nstock BA...\n"
        "7. 1:BxACD/GxEF 2:a/b\n2. C/d\nscore 1 0 2 +5\n"
    )
    assert [line.split()[0] for line in write(game).split("\n\n")[0].split("\n")] == [
        "[Kafu",
        "[Rules",
        "[Options",
        "[Site",
        "[Player1",
        "[Player2",
        "[zed",
    ]
    assert '"months=3 start=5"' in write(game)


def test_comment_that_looks_like_json_is_written_after_a_semicolon() -> None:
    game = read_game('; "quoted"\n' + TAGS + "month 1 dealer 1")
    assert write(game).startswith('; "quoted"\n[Kafu')


def test_long_line_is_wrapped_at_80_columns() -> None:
    turns = " ".join(f"{card}x{card}/A=nimai=sage" for card in "ABC")
    game = read_game(KAN_TAGS + "month 1 dealer 1\n1. " + turns + " {" + "a" * 24 + "} {b}")
    rows = write(game).rstrip().split("\n")[-2:]
    assert len(rows[0]) == 80
    assert rows[1] == "{b}"


def test_identity_is_the_hash_of_rules_cards_and_turns_alone() -> None:
    game = read_game(CANONICAL)
    bare = """\
[Kafu "1"]
[Rules "hachihachi"]
[Options "ba=B etsunen=yes"]
[Date "2026"]
[Player1 "Aya"]
[Player2 "Ben"]
[Player3 "Chie"]

month 1 dealer 2
hand 1 AB_?
1. =void-show 1 B/m CxD/n=nimai=sage E/o =torikeshi 3
2. F/p G/q H/r

month 2 dealer 1
redeal ba4
"""
    assert identity(game) == hashlib.sha256(bare.encode()).hexdigest()


def test_turn_with_every_part_is_written_in_order() -> None:
    assert turn_text(make_turn("BxCA=menjo/m=sage").value) == "BxAC=menjo/m=sage"
