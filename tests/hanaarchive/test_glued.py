"""Addresses copied with the punctuation behind them lead to their page."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client

from records.models import Record

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "target"),
    [
        *(
            (f"/games/abc{mark}", "/games/abc/")
            for mark in ("。", "、", ")", "）", ",", ".", "」", ">")
        ),
        *((f"/games/abc/{mark}", "/games/abc/") for mark in ("。", "),", "を見て。", '"', "…/")),
        ("/games/abc.kafu)", "/games/abc.kafu"),
        ("/。", "/"),
        ("/kafu/。?lang=ja", "/kafu/?lang=ja"),
    ],
)
def test_address_with_punctuation_glued_to_it_redirects(path: str, target: str) -> None:
    response = Client().get(quote(path, safe='/?=,)(>".'))
    assert (response.status_code, response["Location"]) == (302, target)


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing/。", "/games/abc/nothing", "/games/abc/。x" * 200),
        *("/api/v1/records/abc)", "/api/v1/clubs/abc。/members"),
    ],
)
def test_address_of_no_page_is_not_found(path: str) -> None:
    assert Client().get(quote(path)).status_code == 404


def test_form_sent_to_a_glued_address_is_not_redirected() -> None:
    assert Client().post(quote("/upload/。")).status_code in (403, 404)


def test_known_address_that_ends_in_punctuation_is_not_redirected(game: Record) -> None:
    assert Client().get(f"/games/{game.key}/").status_code == 200
