"""The page of a score sheet, its CSV, and how it prints."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.test import Client
from playwright.sync_api import Browser

from kafu.notation.writer import write
from records.models import Record
from tests import conformance
from tests.markup import join_lines
from tests.records import makers
from tests.records.ingest.test_sheets import OWN, written_year
from tests.records.pages.kinds import PRINTED, count_printed_pages, fits
from tests.records.pages.replay_page import find_game


def ingest_record(*texts: str) -> Record:
    """Store games and return the one record."""
    makers.ingest(*(text.encode() for text in texts))
    return Record.objects.get()


def read_csv(client: Client, record: Record, lang: str = "en") -> list[list[str]]:
    """Return the rows of the CSV of a sheet."""
    response = client.get(f"/games/{record.key}/sheet.csv", headers={"Accept-Language": lang})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="{record.key}.csv"' in response.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.mark.django_db
def test_csv_of_the_documents_year_has_the_documents_words(client: Client) -> None:
    record = ingest_record(write(written_year()))
    rows = read_csv(client, record, "ja")
    assert rows[0] == ["月", "場", "A 貫", "A 点", "B 貫", "B 点", "C 貫", "C 点", "備考"]
    assert rows[1] == ["1", "大", "-4", "", "-4", "", "+8", "", "三本"]
    assert rows[2] == ["", "", "-14", "", "+28", "*", "-14", "", "赤短"]
    assert ["3", "大大"] in [row[:2] for row in rows]
    assert ["", "", "[+16]", "", "[-8]", "", "[-8]", "", "空素"] in rows
    assert ["", "", "-7", "", "+14", "", "-7", "", "赤短・下"] in rows
    assert [row[0] for row in rows[-8:]] == [
        *("合計", "", "月石清算", "吟味分減算", "再計", "点を貫に", "端数処理", "最終得点")
    ]
    assert rows[-8][2:8] == ["+8", "+189", "+72", "-250", "-80", "+61"]
    assert rows[-7][2:8] == ["", "*=5", "", "*=3", "", "*=4"]
    page = join_lines(client.get(f"/games/{record.key}/sheet").content.decode())
    assert page.count('<tr class="void">') == 1
    assert len(re.findall(r'<tbody class="month">', page)) == 12
    chart = client.get(f"/games/{record.key}/").context["chart"]
    assert (len(chart["deals"]), chart["deals"][2]["title"]) == (12, "Month 3")
    assert chart["deals"][-1]["totals"] == [8 * 12 + 189, 72 * 12 - 250, -80 * 12 + 61]
    # Signs are explained, and English readers have yaku and grades in their words.
    assert "*=5: five stones" in page and "struck out" in page
    assert "<li>akatan (" in page and ">ōba × 2</th>" in page
    assert '<small class="unit">\N{NO-BREAK SPACE}kan</small></b>' in page


@pytest.mark.django_db
def test_page_of_a_sheet_of_sums_has_each_amount_once(client: Client) -> None:
    """A month is its score: neither its sum nor "a month of a score sheet" is repeated below."""
    record = ingest_record((conformance.OWN / "koikoi/sheet-document.kafu").read_text())
    page = client.get(f"/games/{record.key}/", headers={"Accept-Language": "ja"}).content.decode()
    table = page[page.index('class="score"') : page.index("</table>")]
    assert "記入" not in table and table.count("月計") == 1, "a month has a prize too"
    assert "Aの勝ち" in page
    assert (page.count("計算は合っています"), page.count("矛盾")) == (1, 0)


@pytest.mark.long_only  # ingest/test_sheets.py divides it into seasons
@pytest.mark.django_db
def test_sheet_of_koikoi_goes_by_seasons(client: Client) -> None:
    record = ingest_record(makers.text(1, months="12"))
    rows = read_csv(client, record, "ja")
    assert rows[0] == ["プレイヤー", "春", "夏", "秋", "冬", "小計", "吟味", "合計"]
    assert [int(row[-1]) for row in rows[1:]] == record.verdict["final"]


@pytest.mark.django_db
def test_page_of_a_sheet_links_to_it_and_has_no_replay(client: Client) -> None:
    record = ingest_record(OWN.read_text())
    page = client.get(f"/games/{record.key}/").content.decode()
    assert f'href="/games/{record.key}/sheet"' in page
    assert record.status == "verified" and 'id="replay"' not in page
    assert client.get(f"/games/{record.key}/sheet").status_code == 200


@pytest.mark.django_db
def test_record_without_deals_has_no_sheet(client: Client) -> None:
    record = ingest_record(makers.NOTHING_PLAYED)
    page = client.get(f"/games/{record.key}/").content.decode()
    assert f"/games/{record.key}/sheet" not in page
    for address in (
        f"/games/{record.key}/sheet",
        f"/games/{record.key}/sheet.csv",
        "/games/x/sheet",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_name_that_looks_like_a_formula_is_quoted(client: Client) -> None:
    record = ingest_record(makers.text(1).replace('[Player1 "', '[Player1 "=1+'))
    assert read_csv(client, record)[1][0].startswith("'=1+")


def test_sheet_is_printed_black_on_white_on_one_page(chromium: Browser, site: str) -> None:
    """Without the head and foot of the site; the phone is in test_layout.py."""
    page = chromium.new_page()
    page.goto(f"{find_game(page, site, ruleset='hachihachi')}sheet")
    assert count_printed_pages(page) == 1
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size(PRINTED)
    assert fits(page)
    for place in ("header.site", "footer.site"):
        assert not page.locator(place).is_visible()
    colours = page.evaluate(
        """() => {
            const { color, backgroundColor } = getComputedStyle(document.body);
            return [color, backgroundColor];
        }"""
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    page.close()
