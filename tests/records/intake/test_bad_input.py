"""Bad input of every kind: a clear error for it, and no harm to what came with it."""

import re

import pytest

from records.models import Record
from records.store.pieces import extent_of, piece_of
from tests.records.makers import ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def months(count: int) -> str:
    """A year with its first month played over and over."""
    head, first, *_ = re.split(r"(?m)^(?=month )", text(2))
    return head + first * count


WHOLE_FILES = {
    "empty": b"",
    "blank": b" \n\n\t\n",
    "binary": bytes(range(256)) * 40,
    "compressed": b"BZh91AY" + bytes(99),
    "prose": "一月の勝負\nWe played all night.\n".encode(),
    "json": b'{"kafu": ',
    "other json": b'{"a": [1, 2, 3]}',
    "depth": b"[" * 100_000,
    "unstorable names": rb'{"kafu": "1", "\u0000": "\ud800", "rules": "\ud800\u0000"}',
    "unstorable values": rb'{"kafu": "1", "rules": "koikoi", "players": ["\u0000", "\ud800"]}',
    "unstorable log": rb'{"info": {"player1Name": "\u0000"}, "record": {"\ud800": "\u0000"}}',
}
GAMES = {
    "unknown ruleset": text(2).replace('"koikoi"', '"poker"'),
    "tag twice": text(2).replace("[Player1", '[Event "a"]\n[Event "b"]\n[Player1', 1),
    "player twice": text(2).replace("[Player2", "[Player1"),
    "65 deals": months(65),
    "unknown option": text(2).replace("[Player1", '[Options "speed=9"]\n[Player1', 1),
    "bad card": text(2).replace("hand 1 ", "hand 1 w", 1),
    "nul": text(2).replace("Aya", "A\x00a"),
    "cut off": text(2)[:100],
    "comment never closed": text(2).replace("month 1", "{ month 1", 1),
    "tag never closed": text(2).replace('"]', "", 1),
    "large": text(2).replace("month 2", "{" + "x" * (1 << 20) + "}\nmonth 2", 1),
}


@pytest.mark.parametrize("data", WHOLE_FILES.values(), ids=WHOLE_FILES)
def test_a_file_that_is_no_game_has_one_error(data: bytes) -> None:
    up = ingest(text(1).encode(), data, text(3).encode())
    found = list(up.submissions.order_by("file__number"))
    assert [s.status for s in found] == ["verified", "malformed", "verified"]
    assert found[1].error is not None
    assert found[1].error["code"]
    assert extent_of(found[1]).length == len(data)
    assert up.progress()["chunks"]["dead_lettered"] == 0
    assert Record.objects.count() == 2


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_that_cannot_be_read_harms_no_other(game: str) -> None:
    up = ingest(joined(text(1), game, text(3)))
    found = list(up.submissions.order_by("number"))
    assert [s.status for s in found] == ["verified", "malformed", "verified"]
    error = found[1].error
    assert error is not None
    lines = joined(text(1), game).count(b"\n")
    assert found[1].line <= error["line"] <= lines + 1
    assert up.progress()["games"]["verified"] == 2


def test_bytes_in_a_wrong_encoding_harm_no_other() -> None:
    bad = text(2).encode().replace(b"Aya", b"A\xe3\x81ya " + "あいうえお".encode())
    up = ingest(b"\n".join((text(1).encode(), bad, text(3).encode())))
    found = list(up.submissions.order_by("number"))
    assert [s.status for s in found] == ["verified", "malformed", "verified"]
    assert found[1].error is not None
    assert found[1].error["code"] == "bad-encoding"
    assert "\ufffd" in piece_of(found[1]).text()


def test_shift_jis_and_utf16_are_read_with_a_warning() -> None:
    game = text(1).replace("Aya", "あや")
    up = ingest(game.encode("cp932"), game.encode("utf-16"), game.encode())
    found = list(up.submissions.order_by("file__number"))
    assert [s.status for s in found] == ["verified"] * 3
    assert [bool(s.warnings) for s in found] == [True, True, False]
    assert len({s.record_id for s in found}) == 1
    record = Record.objects.get()
    assert record.players[0] == "あや"
    assert record.verdict["warnings"] == []
