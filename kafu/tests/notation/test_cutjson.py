"""Cutting JSON: an object, arrays, NDJSON, and broken JSON."""

from __future__ import annotations

import io
import json

import pytest

from kafu.notation.stream.cut import cut
from notation.test_cut import pieces, shares

GAME = b'{"kafu": "1", "x": {"a": ["}", "\\"{", [1]]}}'


@pytest.mark.parametrize(
    "parts",
    [
        [GAME],
        [b"\xef\xbb\xbf \n" + GAME + b"\n"],
        [GAME + b"\n", GAME + b"\n", GAME],
        [b"[" + GAME + b", ", GAME + b",\n", GAME + b"]\n"],
        [b"[\n  " + GAME + b",\n  ", GAME + b"\n]"],
        [GAME + b" junk ", GAME],
        [b"{}"],
        [b"[ ]"],
        [b'{"kafu": {"a": [1\n', b'{"kafu": 2}\n', b'{"kafu": 3}'],
        [b'{"kafu": "open\n', b'{"kafu": 2}\n'],
        [b'{"info": {"a": \n', b'{"info": 2}\n', b'{"info": 3}'],
        [b'{"kafu":"1","months":[\n{"month":1},\n{"month":2}]}\n', GAME],
        [b'{"a": "\\\n', b'{"a": 1}'],
        [b'{"a":]', b'{"b":1}'],
    ],
)
def test_json_is_cut_into_its_objects(parts: list[bytes]) -> None:
    data = b"".join(parts)
    assert shares(data) == parts
    assert all(piece.form == "json" for piece in cut(io.BytesIO(data)))


def test_indented_array_is_cut_into_its_objects() -> None:
    data = json.dumps([json.loads(GAME)] * 3, indent=2).encode()
    assert [json.loads(piece.strip(b"[], \n")) for piece in shares(data)] == [json.loads(GAME)] * 3


def test_string_across_blocks_of_reading_is_not_cut() -> None:
    for pad in range(65_480, 65_560, 3):
        first = b'{"a": "' + b"x" * pad + b'\\"}\\\\", "b": {}}\n'
        assert shares(first + GAME) == [first, GAME]


@pytest.mark.parametrize("text", ["{ a comment }\n[Kafu", "{a}", "[Kafu", "[x", "x{"])
def test_text_that_resembles_json_is_cut_as_kafu(text: str) -> None:
    assert pieces(text.encode())[0].form == "kafu"


def test_object_over_the_limit_is_refused_and_harms_no_other() -> None:
    long = b'{"kafu": "' + b"x" * (3 << 20) + b'"}\n'
    cut_pieces = pieces(GAME + b"\n" + long + GAME)
    assert [piece.fault and piece.fault.code.id for piece in cut_pieces] == [
        None,
        "game-too-large",
        None,
    ]
