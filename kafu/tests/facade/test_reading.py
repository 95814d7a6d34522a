"""Reading games from paths and streams, in every form."""

from __future__ import annotations

import gc
import io
import json
import tracemalloc
from pathlib import Path
from typing import BinaryIO, cast

import pytest

import kafu
from archives.makers import gz, tarred

GAMES = [kafu.simulate("koikoi", seed=seed) for seed in (1, 2)]
TEXT = "\n".join(map(kafu.write, GAMES))
LINES = "".join(json.dumps(kafu.to_json(game)) + "\n" for game in GAMES)


@pytest.mark.parametrize("text", [TEXT, LINES, json.dumps([kafu.to_json(g) for g in GAMES])])
def test_every_form_is_read_from_paths_and_streams(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(text, encoding="utf-8")
    with path.open("rb") as stream, path.open(encoding="utf-8") as words:
        for source in (path, str(path), stream, words, io.StringIO(text)):
            assert list(kafu.games(source)) == GAMES


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp932"])
def test_text_of_any_encoding_is_read(encoding: str) -> None:
    text = TEXT.replace("Aya", "あや")
    (first, _) = kafu.games(io.BytesIO(text.encode(encoding)))
    assert first.players == ("あや", "Ben")


def test_games_of_an_archive_are_read_with_the_names_of_their_files(tmp_path: Path) -> None:
    text = kafu.write(kafu.simulate("koikoi", seed=1))
    data = gz(tarred({"a.kafu": text.encode(), "b.kafu": b"[Kafu", "link@": b""}))
    path = tmp_path / "g.tgz"
    path.write_bytes(data)
    for source, name in ((path, str(path)), (io.BytesIO(data), "")):
        first, *later = kafu.records(source)
        assert (first.source, first.text) == (f"{name} › a.kafu", text)
        assert [record.error and record.error.code for record in later] == [
            "bad-tag",
            "archive-link",
        ]


def test_unreadable_game_is_a_record_with_an_error() -> None:
    first, bad, second = kafu.records(
        io.StringIO(TEXT.replace('\n[Kafu "1"]', '\n[Kafu "3"]\n\n[Kafu "1"]', 1))
    )
    assert (first.game, second.game) == (GAMES[0], GAMES[1])
    assert (bad.game, bad.number, bad.line) == (None, 2, len(first.text.splitlines()) + 1)
    assert bad.error
    assert (bad.error.code, bad.error.line) == ("bad-version", bad.line)
    verdict = kafu.verify(bad)
    assert (verdict.status, verdict.game, verdict.line) == ("malformed", 2, bad.line)
    assert kafu.verify(second).status == "verified"


def test_only_games_at_requested_positions_are_read() -> None:
    text = f'[Kafu "1"]\n[Rules "poker"]\n\n{TEXT}'
    (first, last) = kafu.records(io.StringIO(text), numbers={2, len(GAMES) + 1})
    assert (first.number, first.game, first.error) == (2, GAMES[0], None)
    assert (last.number, last.game) == (len(GAMES) + 1, GAMES[-1])
    assert list(kafu.records(io.StringIO(text), numbers=())) == []


def test_unreadable_game_is_reported_and_passed_over() -> None:
    errors: list[kafu.NotKafu] = []
    text = f'[Kafu "1"]\n[Rules "poker"]\n\n{TEXT}'
    assert list(kafu.games(io.StringIO(text), on_error=errors.append)) == GAMES
    assert [error.code for error in errors] == ["unknown-rules"]
    with pytest.raises(kafu.NotKafu):
        list(kafu.games(io.StringIO(text)))


@pytest.mark.long_only  # two seconds of a core
@pytest.mark.long
def test_long_stream_takes_no_more_memory() -> None:
    """Memory contains one game and one block, for any number of games."""

    class Endless(io.RawIOBase):
        def __init__(self, count: int) -> None:
            self.left, self.rest = count, b""

        def read(self, size: int = -1) -> bytes:
            while len(self.rest) < size and self.left:
                self.rest += TEXT.encode()
                self.left -= 1
            block, self.rest = self.rest[:size], self.rest[size:]
            return block

    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            stream = cast(BinaryIO, Endless(count))
            for number, _ in enumerate(kafu.games(stream), start=1):
                if number % 10 == 0:
                    gc.collect()  # otherwise the peak depends on the time of collection
            assert number == 2 * count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(5)
    assert peak(30) < 1.5 * peak(10)


def test_log_of_another_program_is_named_in_the_error() -> None:
    with pytest.raises(kafu.NotKafu) as caught:
        kafu.read("Watch Start: P1=A CPU=B rounds=12 no_sake=0\nFloor: 1\n")
    assert (caught.value.code, caught.value.line) == ("bad-foreign-log", 2)
