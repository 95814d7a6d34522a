"""Reading pieces of any form and encoding."""

from __future__ import annotations

import io
import json

import pytest

from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.stream.pieces import read_kafu
from kafu.notation.writer import write
from notation.texts import TAGS, read_game

GAME = TAGS.replace("Aya", "あや") + "\nmonth 1 dealer 1\nhand 1 AB\n"


def read(data: bytes) -> list[Reading]:
    return [read_kafu(piece) for piece in cut(io.BytesIO(data))]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp932", "utf-16", "iso2022_jp"])
def test_game_in_any_encoding_is_read(codec: str) -> None:
    readings = read((GAME + "\n" + GAME).encode(codec))
    assert [reading.game for reading in readings] == [read_game(GAME)] * 2
    warnings = [[w.code.id for w in reading.warnings] for reading in readings]
    assert warnings == [[] if codec.startswith("utf-8") else ["decoded", "decoded-names"]] * 2
    for reading in readings:
        for warning, line in zip(reading.warnings, (0, 2), strict=False):
            assert warning.line == (reading.game.line + line if reading.game else None)


def test_names_of_a_text_that_was_not_utf_8_are_reported() -> None:
    (reading,) = read(GAME.encode("euc_jp"))
    assert [fault.message() for fault in reading.warnings] == [
        "read as EUC-JP, not UTF-8",
        "check the names; if they are wrong, save the text as UTF-8: あや, Ben",
    ]
    (reading,) = read(GAME.replace("あや", "Aya").encode("utf-16"))
    assert [fault.code.id for fault in reading.warnings] == ["decoded"]


def test_private_character_is_reported() -> None:
    (reading,) = read(GAME.replace("あや", "あ\ue000や").encode())
    assert [(warning.code.id, warning.line, warning.column) for warning in reading.warnings] == [
        ("private-character", 3, 12)
    ]


@pytest.mark.parametrize("name", ["\ufffd\ufffdq", "ï¿½q", "锟斤拷"])
def test_trace_of_lost_characters_is_reported(name: str) -> None:
    (reading,) = read(GAME.replace("あや", name).encode())
    assert [(warning.code.id, warning.line, warning.column) for warning in reading.warnings] == [
        ("damaged-text", 3, 11)
    ]


def test_text_in_utf_32_is_refused_by_the_name_of_its_encoding() -> None:
    (reading,) = read(GAME.encode("utf-32"))
    assert reading.fault is not None
    assert (reading.fault.code.id, reading.fault.values) == ("unread-encoding", {"kind": "UTF-32"})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[[[0,1],[2,3]]]]", (1, 5)),
        ("[[[[", (1, 1)),
        ('// a game\n{"kafu": "1"}', (1, 1)),
        ('/* a\ngame */ {"kafu": "1"}', (1, 1)),
        ("{'kafu': '1'}", (1, 2)),
        ('{kafu: "1"}', (1, 2)),
        ('\n["a", "b"]', (2, 2)),
    ],
)
def test_text_that_resembles_json_has_a_fault_of_json(text: str, place: tuple[int, int]) -> None:
    (reading,) = read(text.encode())
    assert reading.fault is not None
    assert (reading.fault.code.id, reading.fault.line, reading.fault.column) == ("bad-json", *place)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("// hello", "first-tag"),
        ("{a comment}", "empty"),
        ("{'a'} x", "first-tag"),
        ('[[Kafu "1"]]', "bad-tag"),
        ("{note: x}\n" + GAME.replace("month", "mnth"), "unknown-statement"),
    ],
)
def test_other_text_has_a_fault_of_kafu(text: str, code: str) -> None:
    (reading,) = read(text.encode())
    assert reading.fault is not None and reading.fault.code.id == code


def test_games_in_json_are_read_with_their_lines() -> None:
    form = json.dumps(to_json(read_game(GAME)), ensure_ascii=False)
    readings = read(f"[{form},\n{form}]".encode())
    assert [reading.game for reading in readings] == [read_game(GAME)] * 2
    assert [reading.game.line for reading in readings if reading.game] == [1, 2]


def test_broken_game_harms_no_other() -> None:
    data = f"{GAME}\n{GAME}{{ open\n\n{GAME}1. A/B=what\n\n{GAME}".encode()
    assert [reading.fault and reading.fault.code.id for reading in read(data)] == [
        None,
        "comment-not-closed",
        "unknown-decision",
        None,
    ]


def test_compressed_data_is_one_fault() -> None:
    (reading,) = read(b"PK\x03\x04")
    assert reading.fault is not None
    assert reading.fault.code.id == "compressed"


def test_stream_of_many_games_is_cut_into_all() -> None:
    text = (write(read_game(GAME)) + "\n").encode()
    assert sum(1 for _ in cut(io.BytesIO(text * 2000))) == 2000
