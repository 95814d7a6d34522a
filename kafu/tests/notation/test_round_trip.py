"""Text <-> Game <-> JSON for games of every kind; and no text or bytes make reading raise."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from kafu.notation.game import Game
from kafu.notation.json.form import from_json, read_json, to_json
from kafu.notation.json.schema import schema
from kafu.notation.reading.reader import read
from kafu.notation.stream.cut import cut
from kafu.notation.stream.encoding import UTF8, detect_piece_encoding
from kafu.notation.stream.pieces import read_kafu
from kafu.notation.writer import identity, write
from lengths import examples
from notation.strategies import games

pytestmark = pytest.mark.long

VALIDATOR = Draft202012Validator(schema())
FEW = settings(max_examples=examples(10), deadline=None)


@FEW
@given(games())
def test_written_text_reads_as_the_same_game(game: Game) -> None:
    text = write(game)
    reading = read(text)
    assert reading.fault is None
    assert not reading.warnings
    assert reading.game == game
    assert write(reading.game) == text
    assert identity(reading.game) == identity(game)


@FEW
@given(games())
def test_json_form_is_valid_and_reads_as_the_same_game(game: Game) -> None:
    form = to_json(game)
    VALIDATOR.validate(form)
    reading = from_json(json.loads(json.dumps(form)))
    assert reading.fault is None
    assert reading.game == game
    assert write(reading.game) == write(game)
    assert to_json(reading.game) == form


@FEW
@given(games(), games())
def test_joined_games_are_cut_apart(first: Game, second: Game) -> None:
    texts = [write(first), write(second)]
    # A lone letter as a name can be a kanji in another encoding.
    assume(all(detect_piece_encoding(text.encode()) == UTF8 for text in texts))
    pieces = list(cut(io.BytesIO("\n".join(texts).encode())))
    assert [read_kafu(piece).game for piece in pieces] == [first, second]


@FEW
@given(games())
def test_identity_ignores_comments_claims_and_prefixes_of_turns(game: Game) -> None:
    before = identity(game)
    game.notes, game.result, game.final = {}, None, None
    game.tags = {name: value for name, value in game.tags.items() if name == "Date"}
    for month in game.months:
        month.notes, month.score = {}, None
        for turn in month.turns:
            turn.comments, turn.round, turn.seat = [], None, None
    assert identity(game) == before


JUNK = st.sampled_from(
    [
        *'{};"\\[]x/=.?_\n\r\t w１：　…\x00\ufeff花',
        *("1.", "month", "hand 1", "=sage", "[Kafu ", "99999999999"),
    ]
)


@settings(max_examples=examples(20), deadline=None)
@given(games(), st.data())
def test_changed_text_never_raises(game: Game, data: st.DataObject) -> None:
    text = write(game)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(JUNK | st.just("")) + text[end:]
    reading = read(text)
    assert (reading.game is None) == (reading.fault is not None)
    if reading.game is not None:
        again = read(write(reading.game))
        assert again.game == reading.game
        assert not [w for w in again.warnings if w.code.id != "bad-date"]
    elif reading.fault is not None:
        assert reading.fault.message("en")
        assert reading.fault.message("ja")


@settings(max_examples=examples(20), deadline=None)
@given(st.text())
def test_any_text_is_read_without_a_game(text: str) -> None:
    assert read(text).game is None
    assert read_json(text).game is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=examples(20), deadline=None)
@given(games(), st.data())
def test_changed_json_form_never_raises(game: Game, data: st.DataObject) -> None:
    form = to_json(game)
    target: Any = form
    while True:
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        deeper = target[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.booleans()):
            break
        target = deeper
    target[key] = data.draw(JSON)
    reading = from_json(form)
    assert (reading.game is None) == (reading.fault is not None)


@settings(max_examples=examples(20), deadline=None)
@given(st.binary(max_size=200), st.sampled_from([b"", b'[Kafu "1"]\n', b'{"kafu":', b"\xff\xfe"]))
def test_any_bytes_are_cut_without_a_gap(data: bytes, head: bytes) -> None:
    data = head + data
    pieces = list(cut(io.BytesIO(data)))
    assert sum(piece.length for piece in pieces) == len(data)
    for piece in pieces:
        assert read_kafu(piece).game is None
