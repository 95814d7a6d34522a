import pytest
from django.test import override_settings
from pytest_django import DjangoAssertNumQueries

from kafu.notation.stream.extent import MAX_BROKEN_BYTES
from records.ingest import reports
from records.jobs.executor import Worker
from records.models import Record, Status
from records.search import games
from records.texts.pieces import piece_of
from tests.records.makers import MALFORMED, illegal, ingest, joined, text, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@override_settings(CHUNK_GAMES=2)
def test_progress_follows_every_step(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    up = upload(joined(text(1), text(2), text(3)), MALFORMED.encode())
    worker = Worker()
    states = []
    while True:
        with django_assert_num_queries(2):
            progress = up.progress()
        games = progress["games"]
        assert games["read"] == up.submissions.count()
        states.append((progress["state"], games["read"], games["total"]))
        if not worker.step():
            break
    assert states == [
        ("waiting", 0, None),
        ("cutting", 0, None),
        ("working", 0, 4),
        ("working", 2, 4),
        ("working", 3, 4),
        ("done", 4, 4),
    ]
    assert progress["files"] == 2
    assert progress["bytes"] == sum(file.size for file in up.files.all())


def test_list_of_games_takes_two_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    ingest(joined(text(1), text(2), text(3)))
    with django_assert_num_queries(2):
        assert len([r.players for r in games.records()]) == 3


def test_record_is_found_by_its_key() -> None:
    ingest(text(1).encode())
    stored = Record.objects.get()
    assert games.find(stored.key) == stored
    assert games.find("no") is None


def test_submissions_are_in_the_order_of_the_files() -> None:
    up = ingest(joined(text(1), MALFORMED), joined(illegal(2), text(1)))
    places = [(s.file.number, s.number) for s in reports.submissions(up)]
    assert places == [(1, 1), (1, 2), (2, 1), (2, 2)]
    faulty = reports.submissions(up, faulty=True)
    assert [s.status for s in faulty] == ["malformed", "illegal"]


def test_text_of_a_binary_file_is_bounded() -> None:
    binary = ingest(b"\xff\x00\x81" * 9000).submissions.get()
    assert len(piece_of(binary).text()) <= MAX_BROKEN_BYTES


def test_utf16_text_is_shown_as_text() -> None:
    up = ingest(joined(text(1), text(2)).decode().encode("utf-16"))
    assert all("[Kafu" in piece_of(submission).text() for submission in up.submissions.all())


def test_statuses_equal_those_of_the_engine() -> None:
    from kafu.rules.verdict import STATUSES

    assert tuple(Status.values) == STATUSES
