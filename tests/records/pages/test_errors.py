"""Error pages."""

import pytest
from django.test import Client

from records.search import games


@pytest.mark.django_db
def test_server_error_is_a_page_in_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("a test")

    monkeypatch.setattr(games, "figures", fail)
    client = Client(raise_request_exception=False)
    response = client.get("/", headers={"Accept-Language": "ja"})
    assert response.status_code == 500
    assert "エラーが起きました" in response.content.decode()
