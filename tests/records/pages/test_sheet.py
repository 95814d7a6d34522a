"""The page of a score sheet, its CSV, and how it prints."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page

from kafu.notation.writer import write
from records.models import Record
from tests.records import makers
from tests.records.store.test_sheets import OWN, written_year


def ingested(*texts: str) -> Record:
    makers.ingest(*(text.encode() for text in texts))
    return Record.objects.get()


def rows_of(client: Client, record: Record, lang: str = "en") -> list[list[str]]:
    """The CSV of a sheet."""
    response = client.get(f"/games/{record.key}/sheet.csv", headers={"Accept-Language": lang})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="{record.key}.csv"' in response.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.mark.django_db
def test_the_documents_year_in_its_own_words(client: Client) -> None:
    record = ingested(write(written_year()))
    rows = rows_of(client, record, "ja")
    assert rows[0] == ["月", "場", "A 貫", "A 点", "B 貫", "B 点", "C 貫", "C 点", "備考"]
    assert rows[1] == ["1月", "大", "-4", "", "-4", "", "+8", "", "三本"]
    assert rows[2] == ["", "", "-14", "", "+28", "*", "-14", "", "赤短"]
    assert ["3月", "大大"] in [row[:2] for row in rows]
    assert ["4月", "大", "[+16]", "", "[-8]", "", "[-8]", "", "空素"] in rows
    assert ["", "", "-7", "", "+14", "", "-7", "", "赤短・下"] in rows
    assert [row[0] for row in rows[-8:]] == [
        *("合計", "", "月石清算", "吟味分減算", "再計", "点を貫に", "端数処理", "最終得点")
    ]
    assert rows[-8][2:8] == ["+8", "+189", "+72", "-250", "-80", "+61"]
    assert rows[-7][2:8] == ["", "*=5", "", "*=3", "", "*=4"]
    page = client.get(f"/games/{record.key}/sheet").content.decode()
    assert page.count('<tr class="void">') == 1
    assert len(re.findall(r'<tbody class="month">', page)) == 12


@pytest.mark.django_db
def test_koikoi_by_seasons(client: Client) -> None:
    record = ingested(makers.text(1))
    rows = rows_of(client, record, "ja")
    assert rows[0] == ["競技者", "春", "夏", "秋", "冬", "小計", "吟味", "合計"]
    assert [int(row[-1]) for row in rows[1:]] == record.verdict["final"]


@pytest.mark.django_db
def test_the_page_of_a_game_leads_to_its_sheet(client: Client) -> None:
    record = ingested(OWN.read_text())
    page = client.get(f"/games/{record.key}/").content.decode()
    assert f'href="/games/{record.key}/sheet"' in page
    assert record.status == "verified" and 'id="replay"' not in page
    assert client.get(f"/games/{record.key}/sheet").status_code == 200


@pytest.mark.django_db
def test_where_no_deal_stands_there_is_none(client: Client) -> None:
    record = ingested(makers.NOTHING_PLAYED)
    assert "/sheet" not in client.get(f"/games/{record.key}/").content.decode()
    for address in (
        f"/games/{record.key}/sheet",
        f"/games/{record.key}/sheet.csv",
        "/games/x/sheet",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_a_name_is_no_formula(client: Client) -> None:
    record = ingested(makers.text(1).replace('[Player1 "', '[Player1 "=1+'))
    assert rows_of(client, record)[1][0].startswith("'=1+")


def test_it_fits_a_sheet_of_paper_and_a_phone(page: Page, site: str, tmp_path: Path) -> None:
    page.goto(f"{site}/upload/")
    path = tmp_path / "sheet.kafu"
    path.write_text(OWN.read_text())
    page.locator("input[name=files]").set_input_files(path)
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("link", name="See the game").first.click(timeout=30_000)
    page.get_by_role("link", name="Score sheet").click()
    page.locator("table.sheet").wait_for()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", printed)) == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})  # A4 less the margins, in CSS pixels
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert not page.locator("header.site").is_visible()
