"""The first page."""

import pytest
from django.test import Client

from tests.records import makers

pytestmark = pytest.mark.django_db


def test_empty_archive_has_no_replay(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "There are none yet." in page
    assert "<kafu-replay" not in page


def test_first_page_has_a_replay_the_newest_games_and_counts(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1), makers.with_wrong_score(2)))
    response = client.get("/")
    page = response.content.decode()
    assert response.context["figures"] == {"games": 2, "verified": 1, "players": 2}
    assert "<kafu-replay" in page
    assert page.count('class="status verified"') == 1
    assert page.count('class="status mismatch"') == 1


def test_first_page_has_no_inline_script_or_style(client: Client) -> None:
    """Data of scripts is JSON, which does not run."""
    makers.ingest(makers.joined(makers.text(1)))
    page = client.get("/").content.decode()
    assert "<style" not in page and " style=" not in page and " onclick=" not in page
    for script in page.split("<script")[1:]:
        assert 'type="module" src="/static/' in script or 'type="application/json"' in script
