"""POST notebooks."""

from __future__ import annotations

import pytest

import kafu
from records.models import Record, Upload
from tests.api.contract import Api

pytestmark = pytest.mark.django_db
TABLE = "月,親,Aya,Ben\r\n1月,Aya,7,\r\n2月,Aya,,5\r\n"


@pytest.mark.parametrize(("media", "encoding"), [("text/csv", "cp932"), ("text/plain", "utf-8")])
def test_notebook_becomes_a_sheet_that_is_not_stored(api: Api, media: str, encoding: str) -> None:
    response = api.post("notebooks?ruleset=koikoi&options=months=2", TABLE.encode(encoding), media)
    assert response.status_code == 200
    body = response.json()
    assert kafu.read(body["kafu"]).options == {"months": "2"}
    assert body["verdict"]["status"] == "consistent" and not body["faults"]
    warnings = ["decoded", "decoded-names"] if encoding == "cp932" else []
    assert [warning["code"] for warning in body["warnings"]] == warnings
    assert not Record.objects.exists() and not Upload.objects.exists()


@pytest.mark.parametrize(
    ("table", "code", "place", "has_sheet"),
    [
        ("月,Aya,Ben\n1,7,o5\n", "notebook-amount", (2, 3), False),
        ("月,Aya,Ben\n1,7,0\n2,0,99999\n", "sheet-month-sum", (3, 3), True),
        ("hello", "notebook-no-table", (1, 1), False),
    ],
)
def test_cell_with_a_fault_is_named_by_row_and_column(
    api: Api, table: str, code: str, place: tuple[int, int], has_sheet: bool
) -> None:
    body = api.post("notebooks?ruleset=koikoi", table.encode(), "text/csv").json()
    (fault,) = body["faults"]
    assert (fault["code"], (fault["line"], fault["column"])) == (code, place)
    assert (body["kafu"] is not None) == has_sheet


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "ruleset"),
        ("?ruleset=poker", "ruleset"),
        ("?ruleset=koikoi&options=months=0", "options"),
        ("?ruleset=koikoi&options=x", "options"),
        ("?ruleset=koikoi&dealer=9", "dealer"),
    ],
)
def test_house_that_does_not_exist_is_refused(api: Api, query: str, field: str) -> None:
    response = api.post(f"notebooks{query}", TABLE.encode(), "text/csv")
    assert response.status_code == 400
    assert response.json()["errors"][0]["name"] == field
