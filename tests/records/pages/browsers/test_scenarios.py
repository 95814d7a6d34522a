"""The tasks of docs/scenarios.md in short form, in Firefox and in WebKit.

`tests/records/pages/test_scenarios.py` and `test_clubs.py` have them in full, in Chromium.
"""

from __future__ import annotations

import csv
import hashlib
import io
from itertools import chain
from pathlib import Path
from secrets import token_hex

import pytest
import requests
from selenium.webdriver.common.keys import Keys

from records.models import Visibility
from tests.people.world import PASSWORD
from tests.records.pages.browsers.conftest import PHONE, Archive, Start
from tests.records.pages.browsers.visitor import Visitor
from tests.records.pages.kinds import SAMPLES
from tests.records.pages.test_scenarios import LOGS, MANY, pack_logs
from tests.records.pages.writing.actions import short_game

pytestmark = pytest.mark.browsers

#: Whether a page opens without the server.
IS_CACHED = """
    return caches.open("hana-offline").then((cache) => cache.match(arguments[0])).then(Boolean);
"""
#: Whether the text of a score sheet contains a line.
HAS_WRITTEN = "return document.querySelector('[data-save]').value.includes(arguments[0])"


def begin(visitor: Visitor, *names: str) -> None:
    """Fill in the names of the players, and begin."""
    for number, name in enumerate(names, start=1):
        visitor.fill(f"label:nth-of-type({number}) > [name=player]", name)
    visitor.tap("[data-setup] [type=submit]")


def sign_up(visitor: Visitor, name: str) -> None:
    """Create an account and log in."""
    visitor.open("/account/signup/")
    visitor.fill("[name=username]", f"{name}-{token_hex(4)}")
    visitor.fill("[name=password1]", PASSWORD)
    visitor.fill("[name=password2]", PASSWORD)
    visitor.tap("main form [type=submit]")
    visitor.wait("return location.pathname === '/me/'")


def save(visitor: Visitor) -> str:
    """Save a game or a sheet, and return the path of its page."""
    visitor.tap("[data-send]")
    visitor.see("[data-own] [role=status]", "保存しました。")
    return visitor.path


def test_score_keeper_loses_no_month_without_a_connection(start: Start, archive: Archive) -> None:
    keeper = start(PHONE, "ja")
    keeper.open("/sheets/new?ruleset=hachihachi")
    begin(keeper, "Aya", "Ben", "Chiyo")
    keeper.tap("[data-parts] [name=short][value='1']")
    keeper.fill("#sums-1-1", "▲18")
    keeper.fill("#sums-1-3", "0")
    keeper.tap("[data-after]")
    keeper.see("[data-fault]", "次の親")
    keeper.tap("[name=stone-1][value='2']")
    keeper.wait(HAS_WRITTEN, "pay month 1 -1k6 2 +1k6 3 0")
    keeper.tap("[data-after]")

    keeper.wait(IS_CACHED, "/sheets/new")
    archive.cut_off()
    keeper.fill("#sums-2-1", "▲30")
    keeper.see("[data-said].error")
    keeper.see("[data-kept]:not(:empty)")
    keeper.reload()
    keeper.see("[lang=ja] [data-said].error")
    archive.start()
    keeper.fill("#sums-2-3", "6")
    keeper.wait(HAS_WRITTEN, "pay month 1 -2k6 2 +2k 3 +6")
    save(keeper)
    keeper.see(".score", "Chiyo")


def test_player_shares_a_game_and_corrects_it(start: Start) -> None:
    player = start(PHONE, "ja")
    player.open("/records/new")
    player.tap("label:has([name=preset][value=nintendo])")
    begin(player, "Aya", "Ben")
    for letter in "AEIMQUYc":
        player.tap(f"[data-pack] [data-letter={letter}]")
    # A deal by chance may have three cards of a month on the field, which this house deals again.
    player.tap("[data-dealing] [type=submit]")
    for _move in range(2):
        player.tap("[data-table] .key")
    former = save(player)
    player.see("kafu-replay .replay.live, .replay.live")
    player.tap("[data-own] [data-share]")
    link = player.see("[data-dialog=share] input").get_property("value")

    player.open(former)
    player.tap("[data-own] a[href*='/records/new?record=']")
    player.see("[data-verdict][data-kind=unfinished]")
    player.tap("[data-fold] summary")
    player.fill("[data-text]", short_game(12))
    player.see("[data-verdict][data-kind=verified]")
    corrected = save(player)
    assert corrected != former

    friend = start()
    friend.open(str(link))
    friend.see(".replay.live")
    assert friend.path == corrected
    assert not friend.list_visible("[data-own]")


def test_organiser_uploads_the_logs_of_a_club(
    start: Start, archive: Archive, tmp_path: Path
) -> None:
    path = tmp_path / "spring.zip"
    path.write_bytes(pack_logs())
    organiser = start()
    sign_up(organiser, "organiser")
    organiser.open("/upload/")
    organiser.run("return document.querySelector('[name=files]')").send_keys(str(path))
    organiser.see("[data-files] li", "spring.zip")
    organiser.tap("[name=visibility][value=unlisted]")
    organiser.tap("main button", "Upload")

    organiser.see("[data-state=done]")
    organiser.see("#report nav a[href*='status=verified']", str(LOGS - 2))
    faults = organiser.list_visible("article.faulty")
    assert ["table-002" in faults[0].text, "table-004" in faults[1].text] == [True, True]
    report = organiser.run("""
        return fetch(document.querySelector("a[href*='report.csv']").href).then((r) => r.text());
    """)
    assert len([*csv.DictReader(io.StringIO(report))]) == LOGS
    organiser.tap("#report .sent-games a[href^='/games/'], #report li a[href^='/games/']")
    organiser.see(".replay.live")
    organiser.press(Keys.ARROW_RIGHT)
    organiser.see("[data-moves] [aria-current][data-at='1.1']")
    assert requests.get(archive.address + organiser.path).ok
    assert "Member 0" not in requests.get(f"{archive.address}/games/").text


def follow(visitor: Visitor, selector: str) -> None:
    """Press Tab until a link or a button has the focus, then Enter."""
    visitor.see(selector)
    for _ in range(MANY):
        visitor.press(Keys.TAB)
        if visitor.list_visible(f"{selector}:focus"):
            visitor.press(Keys.ENTER)
            return
    raise AssertionError(f"{selector} is not reached on {visitor.path}")


def test_keyboard_user_tries_another_move(start: Start) -> None:
    user = start()
    user.open(f"/games/?event={SAMPLES}&ruleset=koikoi&status=verified")
    user.press(Keys.TAB)
    user.see(".skip:focus")
    user.press(Keys.ENTER)
    follow(user, "main a[href^='/games/'][href$='/']:not([href='/games/'])")
    user.see(".replay.live")
    user.press(Keys.ARROW_RIGHT)
    user.see("[data-moves] [aria-current][data-at='1.1']")
    user.press(Keys.HOME, "?")
    user.see("dialog[open]", "Keys")
    user.press(Keys.ESCAPE)
    user.wait("return !arguments[0].length", user.list_visible("dialog[open]"))

    follow(user, "[data-what-if-begin]")
    user.see("[data-what-if] .key")
    for _move in range(3):
        user.run("arguments[0].focus()", user.see("[data-what-if] .key"))
        user.press(Keys.ENTER)
        user.see("[data-what-if][aria-busy=false]")
    user.see("[data-branch] li")
    user.wait(r"return /\?at=1\.0&then=[A-Za-v]/.test(location.href)")
    texts = [move.text for move in user.list_visible("[data-branch] li")]
    user.reload()
    user.see("[data-branch] li")
    assert [move.text for move in user.list_visible("[data-branch] li")] == texts
    user.press(Keys.ESCAPE)
    user.see("[data-what-if-begin]:focus")


def test_researcher_gets_figures_and_the_dump(start: Start, archive: Archive) -> None:
    researcher = start()
    researcher.open("/statistics/")
    researcher.tap("main a[href^='/statistics/insights/']")
    researcher.fill("[name=by]", "month")
    researcher.fill("[name=by2]", "")
    researcher.tap("main button", "Show")
    researcher.see("h2", "Months won by month of the year")
    assert "by=month" in researcher.driver.current_url
    rows = researcher.list_visible("main table tbody tr")
    link = researcher.see("main a[href*='.csv?']").get_property("href")
    figures = [*csv.DictReader(io.StringIO(requests.get(str(link)).text.removeprefix("\ufeff")))]
    assert len(rows) == len(figures) == 12

    researcher.open("/data/")
    dump = requests.get(str(researcher.see("a[href$='/games.parquet']").get_property("href")))
    researcher.see("code", hashlib.sha256(dump.content).hexdigest())


def test_beginner_learns_koikoi(start: Start, archive: Archive) -> None:
    beginner = start(PHONE, "ja")
    beginner.open("/learn/")
    beginner.tap("main a[href='/learn/koikoi/']")
    beginner.see("[data-kinds]:not(.waiting) button")
    beginner.tap("#cards [data-letter=A]")
    beginner.see("#cards [data-says]", "まつにつる")
    beginner.tap("[data-next]")
    for screen in ("matching", "turn"):
        play_exercise(beginner, screen)
        beginner.tap("[data-next]")
    for letter in "AIc":
        beginner.tap(f"#yaku .entry [data-letter={letter}]")
    beginner.see("#yaku .entry.made")
    beginner.open("/learn/koikoi/")
    beginner.see("#yaku h2")
    beginner.tap("[data-next]")
    beginner.tap("#choice summary")
    beginner.see("#choice details p")
    beginner.tap("[data-next]")
    beginner.see("[data-month] .key")

    beginner.wait(IS_CACHED, "/learn/koikoi/")
    archive.cut_off()
    beginner.tap("[data-another]")
    beginner.see("#month [data-says]", "サーバー")
    beginner.reload()
    beginner.see("#month [data-says]", "サーバー")
    archive.start()
    beginner.tap("[data-another]")
    for _turn in range(12):
        if not play_hint(beginner):
            break
    beginner.see("[data-finish][href='/records/new?ruleset=koikoi']")
    beginner.open("/rules/koikoi/poster/")
    beginner.see("h1", "役")


def test_player_solves_the_problem_of_the_day_and_reviews_its_game(start: Start) -> None:
    player = start(PHONE, "ja")
    player.open("/")
    best = player.see("[data-problem]").get_attribute("data-best")
    player.tap(f"[data-problem] button[data-move]:not([data-move='{best}'])")
    player.see("[data-wrong]", "よりよい手")
    player.open("/problems/")
    player.see("[data-wrong]", "よりよい手")
    player.tap("[data-answer] a[href*='?at=']")
    player.see("[data-said] .review tr.best")
    player.see("[data-said] .review tr.chosen")
    player.tap("[data-again]")
    player.tap("[data-answers] button")
    player.see("[data-said] .review tr.mine")
    player.tap("[data-board]")
    player.see("[data-what-if] .key")

    player.open(player.path)
    player.tap(".mistakes a")
    player.see("[data-said] .review tr.best")
    player.see("[data-said] .review tr.chosen")


def found_club(founder: Visitor) -> str:
    """Found a private club with rules of one month and a season; return the path of its page."""
    founder.open("/clubs/new/")
    founder.fill("[name=name]", f"Kai {token_hex(4)}")
    founder.fill("[name=player]", "Aya")
    founder.fill("[name=visibility]", str(Visibility.PRIVATE.value))
    founder.tap("main form button")
    founder.see(".tonight")
    path = founder.path
    founder.open(f"{path}settings/?ruleset=ten-five-one")
    founder.fill("[name=months]", "1")
    founder.tap("main form button")
    founder.see("[role=status]")
    founder.open(f"{path}seasons/new/")
    founder.fill("[name=name]", "今年")
    founder.fill("[name=ruleset]", "ten-five-one")
    founder.fill("[name=first]", "2020-01-01")
    founder.fill("[name=last]", "2099-12-31")
    founder.tap(".season-form button")
    founder.see("h1", "今年")
    return path


def test_evening_of_a_club_from_the_founding_to_the_printed_season(
    start: Start, archive: Archive
) -> None:
    founder, member = start(PHONE, "ja"), start(PHONE, "ja")
    for name, visitor in (("founder", founder), ("member", member)):
        sign_up(visitor, name)
    club = found_club(founder)
    founder.open(f"{club}invites/")
    founder.tap("main form button")
    link = founder.see(".invite a.key").get_property("href")
    member.open(str(link))
    member.fill("[name=name]", "Ben")
    member.tap("main form button")
    member.see(".tonight")
    assert member.path == club

    founder.open(f"{club}members/")
    founder.tap("summary", "アカウントのない人")
    founder.fill("textarea[name=name]", "Cho\nDai\nEri\nFuku")
    founder.tap("details form button")
    founder.see("[role=status]")
    founder.open(f"{club}evenings/")
    founder.tap("main form button")
    for name in ("Aya", "Ben", "Cho", "Dai", "Eri", "Fuku"):
        founder.tap(".ticks label", name)
    founder.tap(".draw button")
    founder.see(".drawn-tables > li:nth-child(2)")
    tables = [
        [name.text for name in founder.list_visible(f".drawn-tables > li:nth-child({number}) li")]
        for number in (1, 2)
    ]
    assert sorted(chain(*tables)) == ["Aya", "Ben", "Cho", "Dai", "Eri", "Fuku"]

    scores: dict[str, int] = {}
    for number, (keeper, table) in enumerate(zip((founder, member), tables, strict=True), start=1):
        keeper.open(club)
        keeper.tap(f".tables li:nth-child({number}) a")
        keeper.tap("[data-setup]:not(.waiting) [type=submit]")
        # WebKit's second window matches no `:focus`.
        keeper.wait("return document.activeElement.id === 'sums-1-1'")
        keeper.fill("#sums-1-1", "10")
        keeper.fill("#sums-1-2", f"▲{number}")
        keeper.wait(HAS_WRITTEN, f"pay month 1 +10 2 -{number} 3 -{10 - number}")
        if keeper is member:
            keeper.wait(IS_CACHED, "/sheets/new")
            archive.cut_off()
            keeper.reload()
            keeper.see("[data-said].error")
            archive.start()
            keeper.fill("#sums-1-1", "20")
            keeper.wait(HAS_WRITTEN, f"pay month 1 +20 2 -{number} 3 -{20 - number}")
        save(keeper)
        first = 20 if keeper is member else 10
        scores |= dict(zip(table, (first, -number, number - first), strict=True))

    founder.open(club)
    founder.tap("main h2 a[href*='/seasons/']")
    founder.see(".season-table")
    assert read_scores(founder, ".season-table") == scores
    founder.tap("main a[href$='/print/']")
    founder.see(".paper")
    assert read_scores(founder, ".paper table") == scores
    member.open(f"{club}leave/")
    member.tap("main form button")
    member.wait("return location.pathname === '/clubs/'")
    member.open(club)
    assert not member.list_visible(".tonight")


def read_scores(visitor: Visitor, table: str) -> dict[str, int]:
    """Return the scores of the standings by player."""
    rows = visitor.run(
        """
        return [...document.querySelector(arguments[0]).querySelectorAll("tbody tr")].map((row) =>
            [row.querySelector("th bdi").textContent, row.querySelector(".score").textContent]);
        """,
        table,
    )
    return {name: int(score.replace("\N{MINUS SIGN}", "-")) for name, score in rows}


def play_exercise(visitor: Visitor, screen: str) -> None:
    """Tap each card of an exercise, choosing the first of two captures."""
    table = f"#{screen} [data-practice]"
    for _card in range(12):
        hand = visitor.list_visible(f"{table} [data-hand] .tap")
        pile = visitor.list_visible(f"{table} [data-pile] .tap")
        if not hand and not pile:
            return
        (hand if len(hand) > len(pile) - 1 and hand else pile)[0].click()
        if lit := visitor.list_visible(f"{table} [data-field] .lit"):
            lit[0].click()
    raise AssertionError(f"{screen} does not end")


def play_hint(visitor: Visitor) -> bool:
    """Play the move of the hint, if the month goes on."""
    idle = "return document.querySelector('[data-month]').ariaBusy === 'false'"
    visitor.wait(idle)
    if visitor.list_visible("[data-hint]:disabled"):
        return False
    visitor.tap("[data-hint]")
    visitor.press(Keys.ENTER)
    visitor.wait(idle)
    if visitor.list_visible("[data-month] .key.lit"):
        visitor.tap("[data-month] [data-field] button")
    return True
