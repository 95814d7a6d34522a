"""The analysis of a game below its replay, and on a page of its own."""

from __future__ import annotations

import re
from datetime import timedelta
from secrets import token_hex
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.base import clock
from records.models import Analysis, Job, Record
from records.pages.analysis.choices import kind_words, move_words, view_of
from records.pages.analysis.curve import curve_of
from records.pages.analysis.reasons import reason_of
from records.pages.game.player_data import replay_of, replay_of_example
from records.services import analyses
from tests.people.world import sent, session, user
from tests.records.makers import UNSUPPORTED as SHEET
from tests.records.makers import work_all
from tests.records.pages.accounts import sign_up
from tests.services import wait_until

#: The first player throws the moon although three pairs could be captured.
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
def few_deals(db: None, without_facts: None, settings: LazySettings) -> None:
    settings.ANALYSIS_DEALS = 2


def test_long_queue_offers_the_analysis_on_the_device(
    few_deals: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("records.pages.analysis.page.find_engine", lambda: "/static/kafu/engine/")
    _record, address = store(write_game())
    client.post(address)
    assert "data-here" not in client.get(address).content.decode()
    Job.objects.update(created=clock.now() - timedelta(minutes=2))
    assert "data-here" in client.get(address).content.decode()


def store(text: str) -> tuple[Record, str]:
    sent(text)
    record = Record.objects.get()
    return record, reverse("analysis", args=[record.key])


def write_game(rules: str = "koikoi", **options: Any) -> str:
    return write(simulate(rules, seed=4, options={"months": "1"}, **options))


def keep_costly(record: Record) -> dict[str, Any]:
    """Store an analysis whose first choice costs 2.34 ± 0.56, and a chance to win."""
    analysis = analyses.make(record)
    first = analysis["choices"][0] | {"costly": True, "better": 2.34, "error": 0.56}
    first["chance"] = {"value": 0.041, "error": 0.0123}
    changed: dict[str, Any] = analysis | {"choices": [first, *analysis["choices"][1:]]}
    Analysis.objects.update(found=changed)
    return changed


@pytest.mark.usefixtures("few_deals")
def test_page_without_scripts_has_tables_of_choices_and_players() -> None:
    """Each costly choice has its difference and its error, and each player a line."""
    record, address = store(write_game())
    analysis = keep_costly(record)
    page = Client().get(address).content.decode()
    assert "+2.3 <small>± 0.6</small>" in page and "+4.1 <small>± 1.2</small> %" in page
    first = analysis["choices"][0]
    assert f"?at=1.{first['step']}" in page
    for seat in analysis["seats"]:
        part = seat["parts"]["stock"]
        value = f"{part['value']:+.1f}".replace("-", "−")
        assert f"{value} <small>± {part['error']:.1f}</small>" in page
    japanese = Client().get(address, headers={"Accept-Language": "ja"}).content.decode()
    assert "損な手" in japanese and "+2.3 <small>± 0.6</small>" in japanese
    assert "対局に勝つ見込み +4.1 ± 1.2%" in japanese
    assert f'href="{address}"' in Client().get(reverse("game", args=[record.key])).content.decode()


@pytest.mark.parametrize(
    ("move", "kind", "words"),
    [
        ("AxC", "hand", "pine with crane, which captures pine chaff"),
        ("in", "bid", "going in"),
        ("blind", "bid", "going in blind"),
        ("-", "bid", "looking at the hand first"),
        ("sanbon ABC", "show", "declaring sanbon (three of a month)"),
        ("-", "show", "saying nothing"),
        ("menjo", "say", "menjo"),
        ("-", "say", "saying nothing"),
    ],
)
def test_move_is_told_in_words(move: str, kind: str, words: str) -> None:
    assert move_words(move, kind) == words


@pytest.mark.parametrize(
    ("kind", "played", "rival", "ruleset", "words"),
    [
        ("hand", "AxC", "B", "koikoi", "card"),
        ("say", "shobu", "koikoi", "koikoi", "koi-koi"),
        ("say", "sage", "agari", "hachihachi", "sage"),
        ("say", "-", "menjo", "hachihachi", "menjo"),
        ("bid", "in", "out", "hachihachi-bga", "bid"),
    ],
)
def test_kind_of_a_choice_is_told(
    kind: str, played: str, rival: str, ruleset: str, words: str
) -> None:
    assert kind_words({"kind": kind, "played": played, "rival": rival}, ruleset) == words


@pytest.mark.long_only  # the test above has the words of each kind of move
@pytest.mark.usefixtures("few_deals")
def test_choice_to_say_nothing_names_its_player() -> None:
    """The step of the choice is another player's."""
    record, _ = store(write_game())
    analysis = keep_costly(record)
    analysis["choices"][0] |= {"kind": "show", "played": "-", "rival": "kuttsuki ABC", "turn": 0}
    replay = replay_of(record)
    assert replay is not None
    [mistake] = [
        mistake
        for mistake in view_of(replay, record.verdict, analysis).mistakes
        if mistake.played == "saying nothing"
    ]
    assert mistake.text.startswith(f"{mistake.player}: declaring kuttsuki")
    assert mistake.place.endswith("dealt hands")


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"kind": "say", "played": "koikoi", "rival": "shobu"}, "too bold"),
        ({"kind": "say", "played": "shobu", "rival": "koikoi"}, "too careful"),
        # Ben captures the moon of Aya's first card with the turned card.
        ({"kind": "hand", "played": "c", "rival": "AxB"}, "leaves pampas with moon to Ben"),
        ({"kind": "hand", "played": "AxB", "rival": "s"}, ""),
    ],
)
def test_costly_choice_has_a_reason_if_it_can_be_told(choice: dict[str, Any], reason: str) -> None:
    text = BLUNDER.replace("SUGl", "SdGl").replace("vdrR", "vUrR")
    replay = replay_of_example(text.replace("1. c/S\n", "1. c/S mxk/dxc\n"), "")
    found = reason_of(replay, {"deal": 1, "step": 1, "seat": 1} | choice)
    assert found == reason


@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize("rules", part(["koikoi", "ten-five-one"], one_of=2))
def test_curve_of_each_seat_ends_with_its_result(rules: str) -> None:
    """Of two seats one line is drawn: the other is its mirror image, and has its marks on it."""
    record, _ = store(write_game(rules))
    analysis = keep_costly(record)
    replay = replay_of(record)
    assert replay is not None
    curve = curve_of(
        replay.players, record.verdict, analysis, view_of(replay, record.verdict, analysis).mistakes
    )
    assert curve is not None
    count = len(record.players)
    assert len(curve.lines) == (1 if count == 2 else count)
    assert len(curve.dots) == sum(choice["costly"] for choice in analysis["choices"]) > 0
    zero = next(tick.y for tick in curve.ticks if tick.is_zero)
    tick_above_zero = next(tick for tick in curve.ticks if not tick.is_zero)
    unit = (zero - tick_above_zero.y) / int(tick_above_zero.text.replace("−", "-"))
    for line in curve.lines:
        last = int(line.points.split()[-1].partition(",")[2])
        assert (zero - last) / unit == pytest.approx(
            analysis["seats"][line.seat - 1]["result"], abs=2 / abs(unit)
        )


@pytest.mark.usefixtures("few_deals")
def test_game_with_an_unrecorded_hand_says_why_choices_have_no_values() -> None:
    # The month ends after four turns, before the cards in play show the hand.
    text = write(simulate("koikoi", seed=229, options={"months": "1"}))
    text = re.sub(r"(?m)^stock .*\n", "", re.sub(r"(?m)^hand 2 .*$", "hand 2 ????????", text))
    record, address = store(text)
    report = analyses.make(record)
    unknown = [choice for choice in report["choices"] if choice["reason"]]
    assert {(choice["seat"], choice["reason"]) for choice in unknown} == {(2, "hand")}
    assert len(unknown) < len(report["choices"])
    page = Client().get(address).content.decode()
    assert f"{len(unknown)} choices could not be analysed: the hand is not recorded." in page
    assert "Luck could not be measured: no month has all hands and the draw pile." in page
    report["choices"] = [choice | {"reason": "rare"} for choice in unknown[:1]]
    Analysis.objects.update(found=report)
    caches["responses"].clear()
    page = Client().get(address, headers={"Accept-Language": "ja"}).content.decode()
    assert "1手は解析できませんでした：宣言に合う配り方がほとんどありません。" in page


@pytest.mark.usefixtures("few_deals")
def test_analysis_is_requested_without_an_account_and_seen_by_all() -> None:
    """The form needs no scripts, and no cookie, because visitors share the cached page."""
    record, address = store(write_game())
    page, picture = (reverse(name, args=[record.key]) for name in ("game", "game-preview"))
    browser = Client(enforce_csrf_checks=True)
    assert 'data-part="none"' in browser.get(address).content.decode()
    earlier = {path: browser.get(path).content for path in (page, reverse("games"), picture)}
    assert browser.post(address)["Location"] == address
    waiting = browser.get(address).content.decode()
    assert 'data-part="waiting"' in waiting and "<progress" in waiting
    work_all()
    assert 'data-part="done"' in Client().get(address).content.decode()
    for path, content in earlier.items():
        now = browser.get(path).content
        assert b"by luck and choices" not in content
        assert b"by luck and choices" in now or (path == picture and now != content), path


@pytest.mark.usefixtures("few_deals")
def test_game_of_two_years_is_analysed_with_an_account_only() -> None:
    _, address = store(write(simulate("koikoi", seed=4, options={"months": "24"})))
    refused = Client().post(address)
    assert refused.status_code == 403 and "more than a year" in refused.content.decode()
    assert session(user("aya")).post(address).status_code == 302


@pytest.mark.usefixtures("few_deals")
def test_analyses_beyond_the_rate_of_a_sender_are_refused(settings: LazySettings) -> None:
    _, address = store(write_game())
    browser = session(user("aya"))
    settings.RATES = settings.RATES | {"analysis": (0, 3600)}
    response = browser.post(address)
    assert response.status_code == 429 and 'role="alert"' in response.content.decode()
    assert not Job.objects.filter(kind=analyses.ANALYSIS).exists()


@pytest.mark.long_only  # services/test_analyses.py refuses a sheet
@pytest.mark.usefixtures("few_deals")
def test_score_sheet_has_no_analysis() -> None:
    record, address = store(SHEET)
    assert Client().get(address).status_code == 404
    assert session(user("aya")).post(address).status_code == 404
    assert address not in Client().get(reverse("game", args=[record.key])).content.decode()


@pytest.fixture
def game(page: Page, site: str) -> str:
    """Upload `BLUNDER`, open its page with an account, and return its key."""
    headers = {"Content-Type": "text/x-kafu"}
    upload = page.request.post(f"{site}/api/v1/uploads", data=BLUNDER, headers=headers).json()
    address = f"{site}/api/v1/uploads/{upload['key']}"
    wait_until(lambda: page.request.get(address).json()["state"] == "done", "the game is stored")
    (game,) = page.request.get(f"{address}/games").json()["results"]
    sign_up(page.context, site, f"member-{token_hex(4)}")
    key: str = game["record"].rpartition("/")[2]
    page.goto(f"{site}/games/{key}/")
    return key


def test_button_brings_the_analysis_and_a_second_try(page: Page, site: str, game: str) -> None:
    """The analysis comes without a reload.

    It consists of the table, a mark on the bar, a note in the list of moves, bars and rings before
    the move, and a second try, in which a card has its value even if it is not among the best. It
    goes on with values of the replies.
    """
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
    review = page.locator("[data-said] .review")
    expect(review.locator("tr.chosen")).to_have_count(1)
    expect(review.locator("tr.best rect")).to_have_attribute("width", "100%")
    rung = page.locator("[data-felt] .ring-chosen")
    expect(rung).to_have_attribute("data-card", "c")
    assert page.locator("[data-felt] .ring-best").count() > 0
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-moves] .current p.costly")).to_have_text(text)
    expect(rung).to_have_count(0)
    page.keyboard.press("Home")
    expect(rung).to_have_count(1)

    page.set_viewport_size({"width": 390, "height": 664})
    heights = page.locator(".players td.figure").evaluate_all(
        "cells => cells.map((cell) => cell.getBoundingClientRect().height)"
    )
    assert 0 < max(heights) < 32, "a figure and its head are on one line"
    review.locator("[data-again]").click()
    expect(rung).to_have_count(0)
    hand = "AIPTXchs"
    expect(review.locator("[data-answers] button")).to_have_count(len(hand))
    report = page.request.get(f"{site}/api/v1/records/{game}/analysis").json()
    options = report["analysis"]["choices"][0]["options"]
    worst = min(options, key=lambda option: option["mean"])["move"]
    review.locator("[data-answers] button").nth(hand.index(worst[0])).click()
    expect(review.locator("tr.mine")).to_have_count(1)
    review.locator("[data-board]").click()
    expect(page.locator("[data-branch] li").first).to_be_visible()
    assert f"then={worst[0]}" in page.url
    board = page.locator("[data-what-if]")
    expect(board.locator(".seat.moving button .worth").first).to_have_text(re.compile(r"\d\.\d"))
    board.locator("[data-undo]").click()
    expect(board.locator(".seat.moving button .worth")).to_have_count(len(hand))
