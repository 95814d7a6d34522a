"""Deprecated and removed addresses: headers, OpenAPI document, feed and guide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator

from api import headers, openapi
from api.policy import DEPRECATIONS, Deprecation, list_changes, render_list
from api.urls import urlpatterns
from records.models import Record
from tests.api.contract import Api, problem
from tests.conftest import ROOT

ATOM = "{http://www.w3.org/2005/Atom}"
#: Before the policy, addresses were removed without notice.
POLICY = date(2026, 11, 30)


def sunset(response: Any) -> datetime:
    """Return the moment of the header `Sunset`, after checking the other headers."""
    assert response["Deprecation"].startswith("@")
    assert 'rel="deprecation"' in response["Link"]
    return parsedate_to_datetime(response["Sunset"])


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        *(("records?format=csv", "*/*"), ("records?format=json", "*/*"), ("records", "text/csv")),
        *(("records?changed_since=2026-01-01", "*/*"), ("records/export?keys=a", "*/*")),
        *(("records/{key}", "text/x-kafu"), ("records/{key}/sheet", "text/csv")),
        *(("statistics/ends?ruleset=koikoi&format=csv", "*/*"), ("uploads/x/report", "*/*")),
    ],
)
def test_former_way_to_a_file_is_announced(record: Record, path: str, accept: str) -> None:
    address = f"/api/v1/{path.format(key=record.key)}"
    response = Client().get(address, headers={"Accept": accept})
    assert response["Deprecation"] == "@1795996800"
    assert sunset(response) == datetime(2027, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "path",
    [
        "records",
        "records.csv",
        "records/{key}",
        "records/{key}.kafu",
        "statistics/ends.csv?ruleset=koikoi",
        "records/export.kafu?keys={key}",
    ],
)
def test_new_way_to_a_file_announces_nothing(record: Record, path: str) -> None:
    response = Client().get(f"/api/v1/{path.format(key=record.key)}")
    assert response.status_code == 200 and "Deprecation" not in response


def test_other_requests_of_the_address_announce_nothing(api: Api, record: Record) -> None:
    first = api.get("records?page_size=1")
    unchanged = api.get("records?page_size=1", **{"If-None-Match": first["ETag"]})
    assert unchanged.status_code == 304
    for response in (first, unchanged, api.get("records?page_size=x")):
        assert "Deprecation" not in response and "Sunset" not in response
        assert "deprecation" not in response.get("Link", "")


def test_error_of_a_deprecated_request_announces_it(api: Api, db: None) -> None:
    problem(response := api.get("records?format=nothing"), "invalid-parameter", 400)
    assert sunset(response).year == 2027


def test_removed_address_has_the_day_of_its_removal(db: None) -> None:
    response = Client().post("/api/v1/me/webhooks")
    problem(response, "gone", 410)
    assert sunset(response) == datetime(2026, 11, 29, tzinfo=UTC)


def test_headers_are_for_scripts_of_other_sites_too(db: None) -> None:
    exposed = Client().get("/api/v1/", headers={"Origin": "https://app.test"})
    assert sunset(exposed)
    names = exposed["Access-Control-Expose-Headers"]
    assert {"Deprecation", "Sunset", "Link"} <= set(names.split(", "))


def test_address_without_the_slash_is_the_root(api: Api, db: None) -> None:
    response = api.get("/api/v1")
    assert response.status_code == 200 and "Deprecation" not in response
    assert Client().get("/api/v1/").content == response.content
    problem(Client().post("/api/v1"), "method-not-allowed", 405)


def test_deprecated_part_is_marked_in_headers_and_document(
    api: Api, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    row = Deprecation(
        route="odds/<slug:ruleset>",
        since=date(2027, 1, 1),
        until=date(2028, 1, 1),
        successor="/api/v2/odds/{ruleset}",
    )
    language = replace(row, route="names", parameter="lang", successor="/api/v2/names?language=")
    for module in (headers, openapi):
        monkeypatch.setattr(module, "DEPRECATIONS", (row, language))
    assert sunset(api.get("odds/koikoi")) == datetime(2028, 1, 1, tzinfo=UTC)
    assert row.successor_of({"ruleset": "koikoi"}) == "/api/v2/odds/koikoi"
    patterns = [pattern for pattern in urlpatterns if pattern.name in ("odds", "names")]
    generator = SchemaGenerator(patterns=[path("api/v1/", include((patterns, "api")))])
    paths: Any = generator.get_schema(request=None, public=True)["paths"]
    assert paths["/api/v1/odds/{ruleset}"]["get"]["deprecated"]
    names = paths["/api/v1/names"]["get"]
    marked = [parameter for parameter in names["parameters"] if "deprecated" in parameter]
    assert [parameter["name"] for parameter in marked] == ["lang"]
    text = "Deprecated until 2028-01-01: use `/api/v2/names?language=`."
    assert marked[0]["description"].endswith(text)
    assert "deprecated" not in names


def test_row_covers_the_addresses_of_all_figures() -> None:
    row = replace(DEPRECATIONS[0], route="statistics/<figure>")
    assert row.covers("statistics/ends") and row.path == "/api/v1/statistics/{figure}"
    others = ("statistics", "statistics/ends.csv", "statistics/<slug:key>", "records")
    assert not [route for route in others if row.covers(route)]
    assert not replace(row, route="").covers("records"), "/api/v1/ is no other address"


def test_removals_are_announced_twelve_months_ahead() -> None:
    for row in DEPRECATIONS:
        if row.since >= POLICY:
            assert row.until >= row.since.replace(year=row.since.year + 1)
            assert row.removed is None or row.removed >= row.until
        routes = {str(pattern.pattern) for pattern in urlpatterns}
        is_served = any(row.covers(route) for route in routes)
        is_served &= not (row.parameter and row.removed)
        assert is_served == (row.removed is None), f"{row.name} is not what the table says"


def test_feed_has_every_change_once(db: None) -> None:
    response = Client().get("/api/v1/changes.atom")
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == [change.text for change in list_changes()]
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids) == len(list_changes())
    updated = [entry.findtext(f"{ATOM}updated") for entry in feed.iter(f"{ATOM}entry")]
    assert updated == sorted(updated, key=str, reverse=True)
    assert Client().post("/api/v1/changes.atom").status_code == 405


def test_guide_has_the_list_of_changes() -> None:
    """`python -m api.policy` prints it."""
    guide = (ROOT / "docs" / "api.md").read_text()
    assert f"\n\n{render_list()}\n" in guide
