"""GET records/{key}/sheet."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8

import pytest

from records.models import Record
from tests.api.contract import Api, problem
from tests.records.ingest.test_sheets import OWN
from tests.records.makers import NOTHING_PLAYED, ingest, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_sheet_has_a_row_for_each_deal(api: Api) -> None:
    ingest(OWN.read_bytes())
    key = Record.objects.get().key
    body = api.get(f"records/{key}/sheet").json()
    assert body["ruleset"] == "hachihachi"
    assert {len(row["cells"]) for row in body["rows"]} == {len(body["columns"])}
    assert [row["cells"][-1] for row in body["rows"] if row["void"]] == ["tan'ichi"]
    final = body["rows"][-1]
    assert (final["kind"], final["cells"][2:7:2]) == ("final", ["+201", "-190", "-11"])
    japanese = api.get(f"records/{key}/sheet", {"lang": "ja"}).json()
    assert japanese["columns"][:2] == ["月", "場"]


def test_csv_has_the_cells_of_the_sheet(api: Api) -> None:
    ingest(text(1).encode())
    key = Record.objects.get().key
    response = api.get(f"records/{key}/sheet.csv")
    assert response.content.startswith(BOM_UTF8)
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    body = api.get(f"records/{key}/sheet").json()
    assert rows == [body["columns"], *(row["cells"] for row in body["rows"])]


def test_game_without_a_sheet_is_not_found(api: Api) -> None:
    ingest(NOTHING_PLAYED.encode())
    problem(api.get(f"records/{Record.objects.get().key}/sheet"), "no-sheet", 404)
    problem(api.get("records/nothing/sheet"), "not-found", 404)
