"""The JSON form: shape, values, the published schema, JSON text."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kafu.notation import vocabulary
from kafu.notation.faults import Fault, Malformed
from kafu.notation.json.form import from_json, parse, read_json, to_json
from kafu.notation.json.schema import schema
from notation.texts import TAGS, read_game

SCHEMA = schema()
VALIDATOR = Draft202012Validator(SCHEMA)
FORM: dict[str, Any] = {
    "kafu": "1",
    "rules": "koikoi",
    "options": {"months": "8"},
    "tags": {"Event": "x"},
    "players": ["A", "B"],
    "months": [
        {
            "month": 1,
            "deal": {
                "dealer": 1,
                "draws": [[[2, "E"], [1, "k"]]],
                "split": {"1": "AB"},
                "blind": 1,
                "hands": {"1": "AB?"},
                "field": "CD",
                "stock": "EF...",
                "swaps": [2],
            },
            "bids": [[2, "in"], [1, "out"]],
            "shows": [{"seat": 1, "yaku": ["aka", "sanbon"], "cards": "AB"}],
            "turns": [
                {"play": "A", "take": "B", "say1": ["menjo"], "turn": "C", "take2": "D"},
                {"call": "torikeshi", "seat": 1, "comments": ["c"]},
                {"round": 9, "seat": 2, "play": "B", "say": ["agari"]},
            ],
            "redeal": "ba4",
            "void": "other",
            "claims": {"ba": "small", "score": [5, 0]},
            "comments": {"hand.1": ["a"], "turns": ["b"]},
        }
    ],
    "claims": {"result": [1, 2], "final": [1, 2]},
    "comments": {"head": ["h"]},
}


def test_game_in_json_is_read_and_written_unchanged() -> None:
    reading = from_json(FORM)
    assert reading.fault is None
    assert reading.game is not None
    assert to_json(reading.game) == FORM
    assert VALIDATOR.is_valid(FORM)


def test_published_schema_is_a_valid_json_schema_with_the_limits_of_the_reader() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    shapes = SCHEMA["$defs"]
    month = shapes["month"]["properties"]
    assert SCHEMA["properties"]["months"]["maxItems"] == vocabulary.MAX_DEALS
    assert SCHEMA["properties"]["tags"]["maxProperties"] == vocabulary.MAX_TAGS
    assert shapes["line"]["maxLength"] == vocabulary.MAX_TAG_BYTES
    assert shapes["comments"]["maxItems"] == vocabulary.MAX_COMMENTS
    assert shapes["amount"]["maximum"] == vocabulary.MAX_AMOUNT
    assert month["turns"]["maxItems"] == vocabulary.MAX_TURNS
    assert month["shows"]["maxItems"] == vocabulary.MAX_STATEMENTS
    assert shapes["turn"]["properties"]["round"]["maximum"] == vocabulary.MAX_ROUND


def test_value_of_a_wrong_shape_is_refused_at_its_place() -> None:
    cases: list[tuple[str, Any, str]] = [
        ("", [], "/"),
        ("/kafu", "2", "/kafu"),
        ("/kafu", None, "/kafu"),
        ("/extra", 1, "/extra"),
        ("/players", ["A"], "/players"),
        ("/players", "AB", "/players"),
        ("/players/0", "A\nB", "/players/0"),
        ("/months", [], "/months"),
        ("/tags/Kafu", "1", "/tags/Kafu"),
        ("/tags/Player1", "x", "/tags/Player1"),
        ("/tags/Event", 'x"]\n[Site "y', "/tags/Event"),
        ("/options/months", 8, "/options/months"),
        ("/options/a b", "8", "/options/a b"),
        ("/claims/final", [1.5, 2], "/claims/final/0"),
        ("/claims/final", [10**10, 2], "/claims/final/0"),
        ("/claims/final", [True, 2], "/claims/final/0"),
        ("/comments/head", "h", "/comments/head"),
        ("/months/0/month", True, "/months/0/month"),
        ("/months/0/deal/dealer", 8, "/months/0/deal/dealer"),
        ("/months/0/deal/hands/8", "A", "/months/0/deal/hands/8"),
        ("/months/0/deal/field", "A?", "/months/0/deal/field"),
        ("/months/0/deal/field", "", "/months/0/deal/field"),
        ("/months/0/deal/stock", "A..", "/months/0/deal/stock"),
        ("/months/0/deal/draws", [[]], "/months/0/deal/draws/0"),
        ("/months/0/bids", [[1, "up"]], "/months/0/bids/0/1"),
        ("/months/0/bids", [[1]], "/months/0/bids/0"),
        ("/months/0/turns", [{}], "/months/0/turns/0"),
        ("/months/0/turns", [{"play": "w"}], "/months/0/turns/0/play"),
        ("/months/0/turns", [{"play": "A/B"}], "/months/0/turns/0/play"),
        ("/months/0/turns", [{"play": "A", "say": "agari"}], "/months/0/turns/0/say"),
        ("/months/0/turns", [{"call": "torikeshi"}], "/months/0/turns/0"),
        ("/months/0/turns/0/seat", 8, "/months/0/turns/0/seat"),
        ("/months/0/turns/0/round", 10000, "/months/0/turns/0/round"),
    ]
    for pointer, value, place in cases:
        form: Any = copy.deepcopy(FORM)
        if pointer:
            *path, last = pointer[1:].split("/")
            target = form
            for key in path:
                target = target[int(key) if isinstance(target, list) else key]
            target[int(last) if isinstance(target, list) else last] = value
        else:
            form = value
        reading = from_json(form, line=7)
        assert reading.game is None, (pointer, value)
        assert reading.fault is not None, (pointer, value)
        assert (reading.fault.code.id, reading.fault.line) == ("bad-json-form", 7), (pointer, value)
        assert reading.fault.values["pointer"] == place, (pointer, value)
        assert not VALIDATOR.is_valid(form), (pointer, value)


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("rules", "poker", "unknown-rules"),
        ("options", {"months": "99"}, "bad-option-value"),
        ("players", ["A", "B", "C"], "too-many-players"),
        ("tags", {"Termination": "x"}, "unknown-termination"),
        ("tags", {"Event": "\x00"}, "control-character"),
        ("tags", {"Event": "\ud800"}, "bad-encoding"),
        ("tags", {"Event": "花" * 1366}, "tag-too-long"),
        ("claims", {"final": [1, 2, 3]}, "no-such-seat"),
        ("comments", {"Site": ["there is no such tag"]}, "bad-json-form"),
    ],
)
def test_wrong_value_has_the_code_that_it_has_in_a_text(key: str, value: Any, code: str) -> None:
    fault = from_json({**FORM, key: value}).fault
    assert fault is not None
    assert fault.code.id == code


def test_game_read_from_json_has_only_the_line_of_its_object() -> None:
    game = from_json(FORM, line=3).game
    assert game is not None
    assert (game.line, game.months[0].places) == (3, {})
    assert [turn.place for turn in game.months[0].turns] == [None] * 3


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ('{"kafu": "1",\n }', 2, 2, "bad-json"),
        ('{"a": NaN}', 1, 1, "json-number"),
        ('{"a": 1, "a": 2}', 1, 1, "json-key-twice"),
        ('{"a": ' + "1" * 5000 + "}", 1, 1, "json-number"),
        ('{"a":' * 100_000, 1, 1, "json-too-deep"),
        ('{"a":' + "[" * 100_000, 1, 1, "json-too-deep"),
        ("[[1]]", 1, 3, "bad-json"),
        ("nothing", 1, 1, "bad-json"),
    ],
)
def test_malformed_json_is_refused_at_its_line_and_column(
    text: str, line: int, column: int, code: str
) -> None:
    fault = read_json(text).fault
    assert fault is not None
    assert (fault.code.id, fault.line, fault.column) == (code, line, column)
    assert not re.search("[{}]|digits", fault.message("ja"))


def test_broken_line_after_an_object_is_a_warning() -> None:
    game = read_game(TAGS + "month 1 dealer 1\n1. A/C")
    reading = read_json(json.dumps(to_json(game)) + "\nno object\n", line=4)
    assert reading.game == from_json(to_json(game), line=4).game
    assert [(w.code.id, w.line, w.column) for w in reading.warnings] == [("not-read", 5, 1)]


def test_object_of_an_array_is_parsed_with_its_bracket_or_comma() -> None:
    warnings: list[Fault] = []
    assert parse('[{"a": 1},\n', warn=warnings.append) == {"a": 1}
    assert parse('{"a": 1}]\n', warn=warnings.append) == {"a": 1}
    assert not warnings
    with pytest.raises(Malformed):
        parse("", warn=warnings.append)
