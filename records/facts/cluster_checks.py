"""The checks of `manage.py check` for the cluster of HANA_STATISTICS_URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError
from django.core import checks
from django.db import Error as DatabaseError

from records.facts import cluster
from records.facts.parts import file_of, find_live
from records.models import FactPart

#: ClickHouse's codes of errors that need an explanation.
_EXPLANATIONS: Final = {
    516: "the user or the password is wrong",
    497: "the user lacks a privilege",
    164: "the user may read only; the user needs readonly = 2",
    452: "a setting of statistics is restricted for the user",
    279: "a machine of the cluster does not respond",
    499: "the cluster cannot read the bucket",
    669: "the named collection does not exist",
    701: "the cluster does not exist",
}


def find_faults() -> list[checks.CheckMessage]:
    """Return what would prevent statistics on the cluster."""
    address = "{host}:{port}".format(**cluster.get_address())
    try:
        client = cluster.get_client()
        return [*_find_faults_of_server(client)]
    except ClickHouseError as error:
        code = getattr(error, "code", None)
        reason = _EXPLANATIONS.get(code or 0, "" if code else f"nothing responds at {address}")
        text = ": ".join(filter(None, ("HANA_STATISTICS_URL", reason, str(error))))
        return [checks.Error(text, id="statistics.E001")]


def _find_faults_of_server(client: Client) -> Iterator[checks.CheckMessage]:
    oldest = ".".join(map(str, cluster.OLDEST))
    if not cluster.is_supported(client.server_version):
        yield checks.Error(
            f"HANA_STATISTICS_URL: ClickHouse {client.server_version}; statistics need {oldest}",
            id="statistics.E002",
        )
        return
    name = cluster.get_address()["cluster"]
    if name:
        # Unlike s3Cluster, this fails if any machine is out of reach.
        client.command(
            "SELECT count() FROM clusterAllReplicas({cluster:Identifier}, system.one)",
            parameters={"cluster": name},
            settings={"skip_unavailable_shards": 0},
        )
    try:
        part = find_live().filter(rows__has_key="games").first()
    except DatabaseError:  # The tables do not exist yet.
        return
    if part is not None:
        yield from _compare_rows(client, part)


def _compare_rows(client: Client, part: FactPart) -> Iterator[checks.CheckMessage]:
    file = file_of(part.name, "games")
    source = cluster.describe_files([file], {"game": "BIGINT"})
    rows = client.command(
        f"SELECT count() FROM {source} WHERE game > 0", settings=dict(cluster.SETTINGS)
    )
    if rows != part.rows["games"]:
        yield checks.Error(
            f"HANA_STATISTICS_URL: the cluster read {rows} of {part.rows['games']} games of "
            f"{file}; another bucket?",
            id="statistics.E003",
        )
