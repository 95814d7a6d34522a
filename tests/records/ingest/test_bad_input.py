"""Bad input of every kind: a clear error, and no harm to other games of the upload."""

import re

import pytest

from records.models import Record
from records.texts.pieces import extent_of, piece_of
from tests.records.makers import ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.usefixtures("without_facts")]


def months(count: int) -> str:
    """Return a game with its first month repeated."""
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


def test_file_that_is_no_game_has_one_error_and_harms_no_other() -> None:
    upload = ingest(text(1).encode(), *WHOLE_FILES.values(), text(3).encode())
    first, *faulty, last = upload.submissions.order_by("file__number")
    assert (first.status, last.status) == ("verified", "verified")
    for (name, data), submission in zip(WHOLE_FILES.items(), faulty, strict=True):
        assert submission.status == "malformed", name
        assert submission.error is not None and submission.error["code"], name
        assert extent_of(submission).length == len(data), name
    assert upload.progress()["chunks"]["dead_lettered"] == 0
    assert Record.objects.count() == 2


def test_game_that_cannot_be_read_has_an_error_at_its_lines_and_harms_no_other() -> None:
    upload = ingest(joined(text(1), *GAMES.values(), text(3)))
    first, *faulty, last = upload.submissions.order_by("number")
    assert (first.status, last.status) == ("verified", "verified")
    before = [text(1)]
    for (name, game), submission in zip(GAMES.items(), faulty, strict=True):
        before.append(game)
        assert submission.status == "malformed", name
        assert submission.error is not None, name
        lines = joined(*before).count(b"\n")
        assert submission.line <= submission.error["line"] <= lines + 1, name
    assert upload.progress()["games"]["verified"] == 2


def test_bytes_in_a_wrong_encoding_harm_no_other() -> None:
    bad = text(2).encode().replace(b"Aya", b"A\xe3\x81ya " + "あいうえお".encode())
    upload = ingest(b"\n".join((text(1).encode(), bad, text(3).encode())))
    submissions = list(upload.submissions.order_by("number"))
    statuses = [submission.status for submission in submissions]
    assert statuses == ["verified", "malformed", "verified"]
    assert submissions[1].error is not None
    assert submissions[1].error["code"] == "bad-encoding"
    assert "\ufffd" in piece_of(submissions[1]).text()


def test_shift_jis_and_utf16_are_read_with_a_warning() -> None:
    game = text(1).replace("Aya", "あや")
    upload = ingest(game.encode("cp932"), game.encode("utf-16"), game.encode())
    submissions = list(upload.submissions.order_by("file__number"))
    assert [submission.status for submission in submissions] == ["verified"] * 3
    assert [bool(submission.warnings) for submission in submissions] == [True, True, False]
    assert len({submission.record_id for submission in submissions}) == 1
    record = Record.objects.get()
    assert record.players[0] == "あや"
    assert record.verdict["warnings"] == []
