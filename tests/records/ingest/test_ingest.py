import io
from datetime import date
from itertools import pairwise

import pytest
from django.test import override_settings

from kafu.naming.translation import to_names
from kafu.notation.stream.cut import cut
from records.ingest.cutting import cut_file, split_off
from records.ingest.judging import judge
from records.jobs.ledger import LeaseLost, claim
from records.models import Chunk, Record, Submission
from records.texts.pieces import pieces
from tests.records.makers import MALFORMED, ingest, joined, text, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

GAMES = joined(text(1), MALFORMED, text(2), text(3), text(1), MALFORMED, text(4))


def chunks_of(data: bytes) -> list[Chunk]:
    """Return the saved chunks of an upload of the bytes."""
    file = upload(data).files.get()
    job = claim(file.pk)
    assert job is not None
    cut_file(job)
    job.refresh_from_db()
    assert job.state == "done"
    return list(file.chunks.order_by("first_game"))


@override_settings(CHUNK_GAMES=3)
def test_chunks_tile_the_file_at_game_boundaries() -> None:
    chunks = chunks_of(GAMES)
    assert [(chunk.first_game, chunk.games) for chunk in chunks] == [(1, 3), (4, 3), (7, 1)]
    assert chunks[0].offset == 0
    for chunk, following in pairwise(chunks):
        assert chunk.offset + chunk.length == following.offset
    assert chunks[-1].offset + chunks[-1].length == len(GAMES)


FILES = {
    "text": GAMES,
    "crlf": GAMES.replace(b"\n", b"\r\n"),
    "bom": b"\xef\xbb\xbf" + GAMES,
    "utf-16": GAMES.decode().encode("utf-16"),
    "utf-16-be": GAMES.decode().encode("utf-16-be"),
    "cp932 and utf-8": joined(text(1).replace("Aya", "太郎"), text(2)).decode().encode("cp932")
    + joined(text(3).replace("Aya", "花子"), text(4)),
    "array": b'[{"a": "b"}, {"c": [{"d": 1}]},\n {"e": 2}, {"f": 3}]',
    "ndjson": b'{"a": "b"}\n{"c": [{"d": 1}]}\n{"e": \n{"f": 3}\n{"g": 4}',
    "text logs": b"Watch Start: P1=A\n[Round Start]\n" * 3 + GAMES + b"Watch Start: P1=A\n",
    "empty": b"",
    "no game": b"no game at all",
    "comment like json": GAMES + b'\n\n{"a": "b"}\n' + GAMES,
    "comments first": b"; a note\n\n{ another }\n" + GAMES,
    "rar": b"Rar!\x1a\x07" + bytes(5000),
    "binary": b"\x00\xff" * 2000,
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
@override_settings(CHUNK_GAMES=2)
def test_chunks_together_have_the_pieces_of_the_file(data: bytes) -> None:
    whole = list(cut(io.BytesIO(data)))
    assert [piece for chunk in chunks_of(data) for piece in pieces(chunk)] == whole


@override_settings(CHUNK_BYTES=1200)
def test_chunk_is_bounded_in_bytes() -> None:
    chunks = chunks_of(GAMES)
    assert len(chunks) > 2
    assert all(chunk.length <= 1200 or chunk.games == 1 for chunk in chunks)


def test_games_are_judged_with_their_place_in_the_file() -> None:
    games = [game for chunk in chunks_of(GAMES) for game in judge(chunk)]
    assert [game.number for game in games] == [1, 2, 3, 4, 5, 6, 7]
    statuses = [game.sent.status for game in games]
    assert statuses == ["verified", "malformed", *["verified"] * 3, "malformed", "verified"]
    fault = games[1].sent.error
    assert fault is not None
    assert fault.line == games[1].line + 1
    assert GAMES.splitlines()[fault.line - 1] == b'[Rules "poker"]'
    assert games[1].sent.source == "1.kafu"


@override_settings(CHUNK_GAMES=3)
def test_parts_of_a_chunk_have_its_pieces() -> None:
    chunk = chunks_of(GAMES)[1]
    before = list(pieces(chunk))
    others = split_off(chunk, 1, chunk.job)
    assert (chunk.games, others.games) == (1, 2)
    assert [*pieces(chunk), *pieces(others)] == before


@override_settings(FILE_GAMES=4, CHUNK_GAMES=3)
def test_games_exceeding_the_limit_of_a_file_are_one_error() -> None:
    chunks = chunks_of(GAMES)
    assert [(chunk.first_game, chunk.games) for chunk in chunks] == [(1, 3), (4, 1), (5, 1)]
    assert chunks[-1].offset + chunks[-1].length == len(GAMES)
    (last_piece,) = judge(chunks[-1])
    fault = last_piece.sent.error
    assert fault is not None
    assert (fault.code.id, fault.line) == ("too-many-games", last_piece.line)
    assert GAMES.splitlines()[last_piece.line - 1].startswith(b"[Kafu")


def test_lost_lease_cuts_nothing() -> None:
    job = upload(GAMES).files.get().job
    job.lease = "somebody"
    with pytest.raises(LeaseLost):
        cut_file(job)
    assert not Chunk.objects.exists()


@pytest.mark.long_only  # test_check.py has names of cards
def test_game_with_names_of_cards_is_stored_with_letters() -> None:
    """The canonical Kafu is stored once; warnings of the report name the lines with names."""
    ingest(
        text(1).encode(), to_names(text(1), "ja").encode("cp932"), to_names(text(2), "en").encode()
    )
    assert sorted(Record.objects.values_list("text", flat=True)) == sorted([text(1), text(2)])
    warnings = [
        {warning["code"] for warning in submission.warnings}
        for submission in Submission.objects.order_by("file__number")
    ]
    assert warnings == [set(), {"decoded", "decoded-names", "card-names"}, {"card-names"}]


@pytest.mark.long_only  # kafu's tests read each notation
def test_one_game_dated_and_sent_in_many_ways_is_stored_once() -> None:
    """A date in any notation is the same day; a chat or a mail adds nothing to a game."""
    game = text(1).replace('[Player1 "', '[Date "2026-02-03"]\n[Player1 "花', 1)
    dates = ("2026/2/3", "２０２６－０２－０３", "2026年2月3日", "令和8年2月3日", "20260203")
    texts = [game.replace("2026-02-03", written) for written in dates]
    mail = "".join(f"> {row}\n" for row in game.splitlines())
    texts += [f"```kafu\n{game}```\n", f"Hi,\n{mail}\nGood game!\n-- \nBen\n", f"{game}\x1a"]
    ingest(*(game_text.encode() for game_text in texts), game.encode("euc_jp"))
    record = Record.objects.get()
    assert (record.date, record.date_from) == ("2026-02-03", date(2026, 2, 3))
    assert Submission.objects.filter(record=record).count() == len(texts) + 1


def test_names_in_two_plausible_encodings_are_refused() -> None:
    game = text(1).replace('[Player1 "', '[Player1 "高木正', 1)
    ingest(game.encode("euc_jp"))
    (submission,) = Submission.objects.all()
    assert submission.error is not None
    assert submission.error["code"] == "bad-encoding"
