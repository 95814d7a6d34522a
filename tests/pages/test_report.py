"""The report of an upload."""

import re
from typing import Any

import pytest
from django.test import Client

from records.models import Upload
from records.views import uploads as view
from records.worker import work_off
from tests.records import makers

pytestmark = pytest.mark.django_db


def test_before_any_work_it_waits(client: Client) -> None:
    upload = makers.upload(makers.joined(makers.text(1)))
    page = client.get(f"/uploads/{upload.key}/").content.decode()
    assert 'data-now="waiting"' in page
    assert 'http-equiv="refresh"' in page
    assert f'data-api="/api/v1/uploads/{upload.key}"' in page


def test_each_faulty_game_has_its_error_in_its_text(client: Client) -> None:
    first = makers.text(1)
    upload = makers.ingest(makers.joined(first, makers.illegal(2), makers.MALFORMED))
    response = client.get(f"/uploads/{upload.key}/")
    page = response.content.decode()
    assert 'data-now="done"' in page and 'http-equiv="refresh"' not in page
    illegal, malformed = response.context["faulty"]
    assert illegal["error"]["code"] == "not-in-hand"
    fault = next(row for row in illegal["rows"] if row.fault)
    assert fault.number == illegal["error"]["line"] > first.count("\n")
    assert fault.caret.endswith("^")
    assert malformed["submission"].record is None
    assert '[Rules "poker"]' in next(row for row in malformed["rows"] if row.fault).text
    assert page.count('class="line fault"') == 2


def test_a_game_that_is_read_while_the_page_is_made_is_in_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = makers.upload(makers.MALFORMED.encode())
    progress = Upload.progress

    def late(one: Upload) -> dict[str, Any]:
        monkeypatch.setattr(Upload, "progress", progress)
        return work_off(one, lambda _progress: None)

    monkeypatch.setattr(Upload, "progress", late)
    response = client.get(f"/uploads/{upload.key}/")
    assert response.context["progress"]["state"] == "done"
    assert len(response.context["faulty"]) == len(response.context["games"]) == 1


def test_a_mismatch_is_told(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.with_wrong_score(1)))
    page = client.get(f"/uploads/{upload.key}/").content.decode()
    assert "the record claims 98" in page


def test_a_game_that_was_there_is_linked_and_said_to_be(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    again = makers.ingest(makers.joined(makers.text(1)))
    page = client.get(f"/uploads/{again.key}/").content.decode()
    assert "already in the archive" in page[page.index('id="games"') :]
    assert re.search(r'href="/games/\w+/"', page)


def test_faults_and_games_are_paged(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "FAULTS", 2)
    monkeypatch.setattr(view, "GAMES", 2)
    upload = makers.ingest(makers.joined(*[makers.MALFORMED] * 5))
    response = client.get(f"/uploads/{upload.key}/?faults=3&page=2")
    assert len(response.context["faulty"]) == 1
    assert [one.number for one in response.context["games"]] == [3, 4]
    page = response.content.decode()
    assert 'href="?faults=2&amp;page=2#faults"' in page
    assert 'href="?faults=3&amp;page=3#games"' in page


def test_a_page_number_that_is_none(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.MALFORMED))
    assert client.get(f"/uploads/{upload.key}/?faults=x&page=99999").status_code == 200


def test_a_file_that_is_no_text(client: Client) -> None:
    upload = makers.ingest(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    response = client.get(f"/uploads/{upload.key}/")
    assert [fault["submission"].status for fault in response.context["faulty"]] == ["malformed"]


def test_no_such_upload(client: Client) -> None:
    assert client.get("/uploads/nothing/").status_code == 404
