"""HANA_STATISTICS_URL: the address of ClickHouse."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from hanaarchive import environment

NAME = "HANA_STATISTICS_URL"
DEFAULTS = {"cluster": "", "collection": "hana_facts", "memory_mb": 4000}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "clickhouse://hana:se%2Fcret@ch.example/?cluster=archive",
            {"interface": "https", "host": "ch.example", "port": 8443, "cluster": "archive"},
        ),
        (
            "clickhouse+http://hana:se%2Fcret@[::1]:1234?collection=other&memory_mb=9",
            {
                **{"interface": "http", "host": "::1", "port": 1234},
                **{"collection": "other", "memory_mb": 9},
            },
        ),
    ],
)
def test_address_gives_the_connection(url: str, expected: dict[str, object]) -> None:
    user = {"username": "hana", "password": "se/cret"}
    parsed = environment.parse_statistics(url, has_bucket=True)
    assert parsed == DEFAULTS | user | expected


def test_without_an_address_duckdb_computes() -> None:
    assert environment.parse_statistics("", has_bucket=False) is None


@pytest.mark.parametrize(
    "url",
    [
        *("http://hana:secret@ch.example/", "clickhouse://ch.example/", "clickhouse://hana@/"),
        *("clickhouse://hana:secret@ch.example:x/", "clickhouse://hana:secret@ch.example/database"),
        "clickhouse://hana:secret@ch.example/?collection=a'b",
        *(
            f"clickhouse://hana:secret@ch.example/?{query}"
            for query in ("memory_mb=much", "memory_mb=0", "cluster", "other=1")
        ),
    ],
)
def test_invalid_address_is_explained_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}: expected clickhouse://") as raised:
        environment.parse_statistics(url, has_bucket=True)
    assert "secret" not in str(raised.value)


def test_cluster_needs_a_bucket() -> None:
    with pytest.raises(ImproperlyConfigured, match="set HANA_STORAGE_URL too"):
        environment.parse_statistics("clickhouse://hana@ch.example/", has_bucket=False)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="uv sync --extra clickhouse"):
        environment.parse_statistics("clickhouse://hana@ch.example/", has_bucket=True)
