"""Score sheets of every ruleset in the archive: their pages, exports, statistics and dumps."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from lengths import part
from records.facts.rows import collect_rows
from records.models import Record
from tests import conformance
from tests.records import makers

pytestmark = pytest.mark.django_db

LEGAL = sorted(
    path.with_suffix(".kafu")
    for path in conformance.OWN.glob("*/sheet-*.json")
    if json.loads(path.read_text(encoding="utf-8"))["status"]
    in ("verified", "consistent", "mismatch", "unfinished")
)
#: The years of the documents, and in short a selection of the other sheets.
SHEETS = sorted({*(path for path in LEGAL if "document" in path.stem), *part(LEGAL, one_of=4)})


@pytest.fixture(scope="module")
def sheets(rows_for_all: None) -> list[Record]:
    """Legal sheets of our own cases, each a record."""
    makers.ingest(*(path.read_bytes() for path in SHEETS))
    return list(Record.objects.order_by("pk"))


def test_sheets_of_every_ruleset_are_legal(sheets: list[Record]) -> None:
    assert {record.ruleset for record in sheets} == set(RULES)
    assert all(record.sheet for record in sheets)
    assert {record.status for record in sheets} <= {
        *("verified", "consistent", "mismatch", "unfinished")
    }


@pytest.mark.long_only  # test_sheet.py has the pages of a sheet
@pytest.mark.parametrize("language", part(["ja", "en"]))
def test_pages_and_resources_of_each_sheet_are_served(
    client: Client, sheets: list[Record], language: str
) -> None:
    header = {"Accept-Language": language}
    for record in part(sheets if language == "en" else sheets[::-1], one_of=6):
        for address in ("", "sheet", "sheet.csv"):
            response = client.get(f"/games/{record.key}/{address}", headers=header)
            assert response.status_code == 200, (record.text, address)
        for address in ("", "/sheet", ".kafu"):
            response = client.get(f"/api/v1/records/{record.key}{address}", headers=header)
            assert response.status_code == 200, (record.text, address)
    for address in ("/", "/games/", "/games/?form=sheet", "/players/", "/statistics/"):
        assert client.get(address, headers=header).status_code == 200
    players = sorted({player for record in sheets for player in record.players})
    for player in part(players, one_of=6):
        assert client.get(f"/games/?player={player}", headers=header).status_code == 200


def test_sheets_are_exported(client: Client, sheets: list[Record]) -> None:
    response: Any = client.get("/api/v1/records.csv?form=sheet")
    assert response.status_code == 200
    body = b"".join(response.streaming_content) if response.streaming else response.content
    assert len(list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))) == len(sheets)


def test_facts_have_the_deals_of_sheets(sheets: list[Record]) -> None:
    for record in sheets:
        rows = collect_rows(verify(read(record.text)))
        assert (0 if rows is None else len(rows.tables["deals"])) == record.deals_played


def test_csv_of_a_documents_year_has_the_layout_of_the_document(
    client: Client, sheets: list[Record]
) -> None:
    """試合結果例 of koi-koi and 得点記入例 of hana-awase, figure by figure."""
    lines = {}
    for record in sheets:
        # Another sheet of hana-awase has the same sums, with zeros for the month of fuke.
        is_document = record.ruleset == "koikoi" or "pay fuke" in record.text
        if record.verdict["final"] in ([45, 26], [58, -234, 176]) and is_document:
            text = client.get(f"/games/{record.key}/sheet.csv").content.decode("utf-8-sig")
            lines[record.ruleset] = [row[1:] for row in csv.reader(io.StringIO(text))][1:]
    assert lines["koikoi"] == [
        ["1 2", "1 3 6 5", "6", "2 6", "32", "13", "45"],
        ["4", "", "1 12", "9", "26", "", "26"],
    ]
    assert lines["hanaawase"][1] == [
        *("-56", "+74", "+2", "-13", "+21", "+33", "-98", "+2", "0", "-55", "fuke", "-74"),
        *("-164", "-70", "-234"),
    ]
