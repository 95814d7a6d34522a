"""The analysis of a game below its replay, and on a page of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Analysis, Job, Record
from records.pages.analysis.curve import curve_of
from records.pages.analysis.view import move_words, view_of
from records.store import analyses
from tests.people.world import sent, session, user
from tests.records.makers import UNSUPPORTED as SHEET
from tests.records.makers import work_all
from tests.records.pages.test_admin import log_in

#: The first player throws the moon where three pairs could be captured.
BLUNDER = """[Kafu "1"]
[Rules "koikoi"]
[Player1 "Aya"]
[Player2 "Ben"]
[Termination "unfinished"]

month 1 dealer 1
hand 1 AIPTXchs
hand 2 DHKOVimn
field BEJYgkot
stock SUGlQjZfLMaupCqFbevdrRNW
1. c/S
"""


@pytest.fixture
def few_deals(db: None, settings: LazySettings) -> None:
    settings.ANALYSIS_DEALS = 2


def _stored(text: str) -> tuple[Record, str]:
    sent(text)
    record = Record.objects.get()
    return record, reverse("analysis", args=[record.key])


def _whole(rules: str = "koikoi", **options: Any) -> str:
    return write(simulate(rules, seed=4, options={"months": "1"}, **options))


def _kept(record: Record) -> dict[str, Any]:
    """A kept analysis whose first choice was costly, by 2.34 ± 0.56, and by a chance to win."""
    found = analyses.make(record)
    first = found["choices"][0] | {"costly": True, "better": 2.34, "error": 0.56}
    first["chance"] = {"value": 0.041, "error": 0.0123}
    changed: dict[str, Any] = found | {"choices": [first, *found["choices"][1:]]}
    Analysis.objects.update(found=changed)
    return changed


@pytest.mark.usefixtures("few_deals")
def test_without_scripts_it_is_a_page_of_tables() -> None:
    """With each costly choice, its difference and its error; and a line a player."""
    record, address = _stored(_whole())
    kept = _kept(record)
    page = Client().get(address).content.decode()
    assert "+2.3 <small>± 0.6</small>" in page and "+4.1 <small>± 1.2</small> %" in page
    first = kept["choices"][0]
    assert f"?at=1.{first['step']}" in page
    for seat in kept["seats"]:
        part = seat["parts"]["stock"]
        value = f"{part['value']:+.1f}".replace("-", "−")
        assert f"{value} <small>± {part['error']:.1f}</small>" in page
    japanese = Client().get(address, headers={"Accept-Language": "ja"}).content.decode()
    assert "損な手" in japanese and "+2.3 <small>± 0.6</small>" in japanese
    assert "対局に勝つ見込み +4.1 ± 1.2 %" in japanese
    assert f'href="{address}"' in Client().get(reverse("game", args=[record.key])).content.decode()


@pytest.mark.parametrize(
    ("move", "kind", "words"),
    [
        ("AxC", "hand", "pine with crane, which captures pine dregs"),
        ("in", "bid", "going in"),
        ("blind", "bid", "going in blind"),
        ("-", "bid", "looking at the hand first"),
        ("sanbon ABC", "show", "declaring sanbon (three of a month)"),
        ("-", "show", "saying nothing"),
        ("menjo", "say", "menjo"),
        ("-", "say", "saying nothing"),
    ],
)
def test_a_move_has_words(move: str, kind: str, words: str) -> None:
    assert move_words(move, kind) == words


@pytest.mark.usefixtures("few_deals")
def test_who_says_nothing_is_named() -> None:
    """The step at which it stands is another's."""
    record, _ = _stored(_whole())
    kept = _kept(record)
    kept["choices"][0] |= {"kind": "show", "played": "-", "rival": "kuttsuki ABC", "turn": 0}
    [one] = [one for one in view_of(record, kept).mistakes if one.played == "saying nothing"]
    assert one.text.startswith(f"{one.player}: declaring kuttsuki")
    assert one.place.endswith("dealt hands")


@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize("rules", ("koikoi", "ten-five-one"))
def test_the_curve_ends_with_the_result(rules: str) -> None:
    """That of each seat; of two the second is its mirror image, and its marks are on the first."""
    record, _ = _stored(_whole(rules))
    kept = _kept(record)
    curve = curve_of(record, kept, view_of(record, kept).mistakes)
    assert curve is not None
    count = len(record.players)
    assert len(curve.lines) == (1 if count == 2 else count)
    assert len(curve.dots) == sum(one["costly"] for one in kept["choices"]) > 0
    zero = next(tick.y for tick in curve.ticks if tick.is_zero)
    other = next(tick for tick in curve.ticks if not tick.is_zero)
    unit = (zero - other.y) / int(other.text.replace("−", "-"))
    for line in curve.lines:
        last = int(line.points.split()[-1].partition(",")[2])
        assert (zero - last) / unit == pytest.approx(
            kept["seats"][line.seat - 1]["result"], abs=2 / abs(unit)
        )


@pytest.mark.usefixtures("few_deals")
def test_who_has_an_account_asks_for_it() -> None:
    """By a form that needs no scripts; the others see what is kept as soon as it is."""
    _, address = _stored(_whole())
    assert reverse("account_login") in Client().get(address).content.decode()
    sent_on = Client().post(address)
    assert sent_on.status_code == 302 and reverse("account_login") in sent_on["Location"]
    assert not Job.objects.filter(kind=analyses.ANALYSIS).exists()
    browser = session(user("aya"))
    assert 'data-part="none"' in browser.get(address).content.decode()
    assert browser.post(address)["Location"] == address
    waiting = browser.get(address).content.decode()
    assert 'data-part="waiting"' in waiting and "<progress" in waiting
    work_all()
    for client in (browser, Client()):
        assert 'data-part="done"' in client.get(address).content.decode()


@pytest.mark.usefixtures("few_deals")
def test_no_more_than_the_archive_can_do(settings: LazySettings) -> None:
    """As over the API: so many an hour of one sender."""
    _, address = _stored(_whole())
    browser = session(user("aya"))
    settings.RATES = settings.RATES | {"analysis": (0, 3600)}
    often = browser.post(address)
    assert often.status_code == 429 and 'role="alert"' in often.content.decode()
    assert not Job.objects.filter(kind=analyses.ANALYSIS).exists()


@pytest.mark.usefixtures("few_deals")
def test_a_sheet_has_none() -> None:
    record, address = _stored(SHEET)
    assert Client().get(address).status_code == 404
    assert session(user("aya")).post(address).status_code == 404
    assert address not in Client().get(reverse("game", args=[record.key])).content.decode()


def test_the_button_brings_it_and_marks_the_replay(page: Page, own_site: str) -> None:
    """Without a reload: the table, a mark on the bar, notes in the list of moves and beside the
    step, and a key that leads there.
    """
    headers = {"Content-Type": "text/x-kafu"}
    report = page.request.post(f"{own_site}/api/v1/uploads", data=BLUNDER, headers=headers).json()
    page.goto(report["page"])
    page.locator('[data-state="done"]').wait_for(timeout=30_000)
    game = page.locator('main a[href^="/games/"]').first.get_attribute("href")
    assert game is not None
    log_in(page, own_site)
    page.goto(f"{own_site}{game}")
    page.evaluate("window.same = true")
    page.get_by_role("button", name=re.compile("解析する|Analyse")).click()
    row = page.locator("[data-mark-at]")
    expect(row).to_have_count(1, timeout=60_000)
    assert page.evaluate("window.same")
    text = row.get_attribute("data-mark")
    assert text is not None and "±" in text
    expect(page.locator("[data-stops] .costly")).to_have_count(1)
    expect(page.locator("[data-moves] p.costly")).to_have_text(text)
    row.get_by_role("link").click()
    expect(page.locator("[data-moves] .current p.costly")).to_have_text(text)
    page.keyboard.press("Home")
    expect(page.locator("[data-said] [data-costly]")).to_be_hidden()
    page.keyboard.press("c")
    expect(page.locator("[data-said] [data-costly]")).to_have_text(text)
    assert page.evaluate("window.same")
