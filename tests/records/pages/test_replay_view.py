"""What a replay shows: hands, seats, marks, spoilers, motion, yaku, chart, words, its layout."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from records.pages.game.payments import amount
from tests.records.pages.replay_page import Player, game, opened, player
from tests.records.pages.ways import ways

#: Where the controls stand, and how high the table is, on each step of deal 2: all that differ.
PLACES = """() => {
    const { player, shadowRoot: root } = document.querySelector("kafu-replay");
    const found = new Set();
    for (let step = 0; step < player.course.counts[1]; step += 1) {
        player.show({ deal: 2, step });
        found.add(["felt", "controls", "tools"].map((place) => {
            const { top, height } = root.querySelector(`[data-${place}]`).getBoundingClientRect();
            return `${Math.round(top + scrollY)} ${Math.round(height)}`;
        }).join());
    }
    return [...found];
}"""
GLIDING = """() => document.querySelector("kafu-replay").shadowRoot.getAnimations()
    .filter((one) => one.effect.target.matches(".card")).length"""
#: A step on by its key, and how many cards glide then: within one moment, for none glides long.
STEP_AND_GLIDING = f"""() => {{
    document.body.dispatchEvent(
        new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
    return ({GLIDING})();
}}"""


@pytest.fixture
def shown(page: Page, site: str) -> Player:
    """A koi-koi game of the samples at its start."""
    return opened(page, game(page, site))


def cards(page: Page, seat: int) -> str:
    """The hand of a seat as it lies: ``#`` is a card face down."""
    places = page.locator(f'[data-seat="{seat}"] [data-hand] [data-card]')
    return "".join(places.evaluate_all("(all) => all.map((one) => one.dataset.card)"))


def setting(page: Page, name: str) -> Locator:
    """A box of the settings, which are open then."""
    page.locator('[data-do="settings"]').click()
    return page.locator(f'[data-dialog="settings"] [name="{name}"]')


@pytest.mark.parametrize("width", [390, 1280])
def test_one_seats_knowledge_and_the_seat_at_the_bottom(page: Page, site: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    shown = opened(page, f"{game(page, site)}#1.1")
    hands = shown.deals[0]["steps"][1]["hands"]
    bottom = page.locator("[data-bottom] [data-seat]")
    expect(bottom).to_have_attribute("data-seat", "1")
    page.locator("[data-view]").select_option("2")
    expect(bottom).to_have_attribute("data-seat", "2")
    assert sorted(cards(page, 2)) == sorted(hands[1])
    assert cards(page, 1) == "#" * len(hands[0])
    hidden = page.locator('[data-seat="1"] [data-hand] [data-card]').first
    expect(hidden).to_have_attribute("aria-label", "a card face down")
    # What comes would tell what that hand holds.
    expect(page.locator("[data-moves] li:visible")).to_have_count(2)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    shown.stands(1, 2)
    page.locator("[data-view]").select_option("0")
    assert "#" not in cards(page, 1)
    assert page.locator("[data-moves] li:visible").count() == len(shown.deals[0]["steps"])
    page.locator('[data-do="turn"]').click()
    expect(bottom).to_have_attribute("data-seat", "1")
    shown.check(1, 2)


def test_what_all_have_seen_stays_open(page: Page, site: str) -> None:
    """Hachi-hachi: cards shown as a dealt hand are known to all."""
    shown = opened(page, game(page, site, ruleset="hachihachi"))
    found = (
        (deal, step, seat)
        for deal, one in enumerate(shown.deals, start=1)
        for step, table in enumerate(one["steps"])
        for seat, known in enumerate(table["known"], start=1)
        if known
    )
    deal, step, seat = next(found)
    shown.go(deal, step)
    page.locator("[data-view]").select_option(str(seat % 3 + 1))
    table = shown.deals[deal - 1]["steps"][step]
    assert set(cards(page, seat)) - {"#"} == set(table["known"][seat - 1])


def test_settings_are_kept(shown: Player) -> None:
    page = shown.page
    root = page.locator("[data-replay]")
    for name, effect in (
        ("months", "show-months"),
        ("kinds", "show-kinds"),
        ("black", "back-black"),
    ):
        setting(page, name).check()
        page.keyboard.press("Escape")
        assert effect in (root.get_attribute("class") or "")
    expect(page.locator("[data-field] .mark.month").first).to_be_visible()
    page.reload()
    root = page.locator(".replay.live.show-months.show-kinds.back-black")
    expect(root).to_have_count(1)


def test_without_spoilers_nothing_to_come_is_reported(shown: Player) -> None:
    page = shown.page
    shown.go(2, 3)
    expect(page.locator("[data-moves] li:visible")).to_have_count(shown.counts[1])
    setting(page, "spoilers").check()
    page.get_by_role("button", name="Close").click()

    def hidden() -> None:
        expect(page.locator("[data-moves] li:visible")).to_have_count(4)
        expect(page.locator('[data-pick="1"] .won')).to_be_visible()
        expect(page.locator('[data-pick="2"] .won')).to_be_hidden()
        # Nor which month comes, nor how many: one that is played again would be told.
        expect(page.locator("[data-pick]:visible")).to_have_count(2)
        expect(page.locator("[data-chart] [data-at]")).to_have_count(2)
        expect(page.locator("[data-scrub]")).to_have_attribute(
            "max", page.locator("[data-scrub]").input_value()
        )
        expect(page.locator("[data-chart] .line").first.locator("circle")).to_have_count(
            3
        )  # 2 and the label's
        expect(page.locator(".facts .sums")).to_be_hidden()
        expect(page.locator("table.score")).to_be_hidden()

    hidden()
    page.reload()
    player(page)
    hidden()
    shown.go(2, shown.counts[1] - 1)
    expect(page.locator('[data-pick="2"] .won')).to_be_visible()
    setting(page, "spoilers").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator('[data-pick="3"] .won')).to_be_visible()
    expect(page.locator(".facts .sums")).to_be_visible()


def settled(page: Page) -> None:
    """Waits until no card glides."""
    page.wait_for_function(f"() => !({GLIDING})()")


def captures(shown: Player) -> int:
    """The first step of deal 1 that captures."""
    return next(i for i, step in enumerate(shown.deals[0]["steps"]) if step["take"])


def test_the_last_move_is_marked_and_captured_cards_glide(shown: Player) -> None:
    page = shown.page
    step = captures(shown)
    shown.go(1, step - 1)
    settled(page)
    taken = shown.deals[0]["steps"][step]
    assert page.evaluate(STEP_AND_GLIDING) == 1 + len(taken["take"])
    expect(page.locator(f'.card.played[data-card="{taken["card"]}"]')).to_have_count(1)
    expect(page.locator(".card.taken")).to_have_count(len(taken["take"]))
    settled(page)
    shown.go(3, 0)  # not step by step
    assert page.evaluate(GLIDING) == 0


def test_cards_stand_still_for_who_asks(chromium: Browser, site: str) -> None:
    page = chromium.new_page(reduced_motion="reduce", locale="en-US")
    shown = opened(page, game(page, site))
    shown.go(1, captures(shown) - 1)
    assert page.evaluate(STEP_AND_GLIDING) == 0
    page.close()


def test_captured_cards_by_kind_with_points(page: Page, site: str) -> None:
    shown = opened(page, game(page, site, ruleset="hachihachi"))
    kinds = page.locator('[data-seat="1"] .group').evaluate_all(
        "(all) => all.map((one) => one.dataset.kind)"
    )
    assert kinds == ["bright", "animal", "ribbon", "plain"]
    shown.go(1, shown.counts[0] - 1)
    table = shown.deals[0]["steps"][-1]
    for seat, captured in enumerate(table["captured"], start=1):
        points = sum(shown.data["points"][card] for card in captured)
        place = page.locator(f'[data-seat="{seat}"]')
        expect(place.locator("[data-points]")).to_have_text(f"{points} pts")
        for kind in kinds:
            lying = place.locator(f'.group[data-kind="{kind}"] [data-card]')
            expect(lying).to_have_count(sum(shown.data["kinds"][card] == kind for card in captured))


def test_yaku_made_and_near(shown: Player) -> None:
    page = shown.page
    made = next(
        (deal, step, seat)
        for deal, one in enumerate(shown.deals, start=1)
        for step, table in enumerate(one["steps"])
        for seat, yaku in enumerate(table["yaku"], start=1)
        if yaku and table["kind"] != "deal"
    )
    deal, step, seat = made
    shown.go(deal, step)
    due = shown.deals[deal - 1]["steps"][step]["yaku"][seat - 1][0]
    chip = page.locator(f'[data-seat="{seat}"] [data-yaku] [data-id="{due["id"]}"].made')
    expect(chip.locator("b")).to_have_text(str(due["value"]))
    for near in page.locator("[data-yaku] .near b").all_text_contents():
        have, need = map(int, near.split("/"))
        assert 0 < have < need and need - have <= 2
    page.locator("[data-progress] summary").click()
    rows = page.locator("[data-progress] tbody tr")
    expect(rows).to_have_count(len(shown.data["sets"]))
    expect(page.locator("[data-progress] td.made").first).to_be_visible()


def test_three_players_and_sums_in_kan(page: Page, site: str) -> None:
    """Hachi-hachi: server and script write the running sums alike, in kan of 12 points."""
    shown = opened(page, game(page, site, ruleset="hachihachi"))
    expect(page.locator("[data-score]")).to_have_count(3)
    shown.go(*shown.last)
    for seat, points in enumerate(shown.deals[-1]["totals"], start=1):
        score = page.locator(f'[data-seat="{seat}"] [data-score]')
        expect(score).to_have_text(amount(points, units=("k", "")))
    expect(page.locator("[data-result]")).to_contain_text(shown.data["final"][0])


def test_an_illegal_game_shows_its_fault_at_the_last_step(page: Page, site: str) -> None:
    opened(page, game(page, site, "illegal"))
    fault = page.locator("[data-fault]")
    expect(fault).to_be_hidden()
    page.keyboard.press("End")
    expect(fault).to_be_visible()
    expect(fault).to_contain_text("is not in the hand of")


def test_comments_are_shown_at_the_turn(page: Page, site: str) -> None:
    """In the list and with the words; and nothing of them is markup."""
    shown = opened(page, game(page, site))
    page.route("**/replay.json?*", lambda route: route.fulfill(json=remarked(shown.data)))
    shown = opened(page, f"{shown.page.url.split('#')[0]}?again")
    shown.go(1, 1)
    expect(page.locator("[data-comments] q")).to_have_text("A <b>bold</b> play")
    expect(page.locator("[data-moves] li q")).to_have_text("A <b>bold</b> play")
    shown.go(1, 2)
    expect(page.locator("[data-comments] q")).to_have_count(0)


def remarked(data: dict[str, Any]) -> dict[str, Any]:
    """The same game with a comment at 1.1."""
    data["deals"][0]["steps"][1]["comments"] = ["A <b>bold</b> play"]
    return data


def test_the_chart_has_a_line_a_seat_and_a_link_a_deal(shown: Player) -> None:
    page = shown.page
    lines = page.locator("[data-chart] .line")
    expect(lines).to_have_count(2)
    expect(lines.first.locator("polyline")).to_have_count(1)
    links = page.locator("[data-chart] a")
    expect(links).to_have_count(len(shown.deals))
    scored = next(deal for deal in shown.deals if deal["scores"])
    label = f"{scored['title']}: {', '.join(scored['scores'])}"
    expect(page.locator(f'[data-chart] a[aria-label="{label}"]').first).to_have_count(1)
    page.set_viewport_size({"width": 390, "height": 844})
    width = page.locator("[data-plot]").evaluate("(plot) => plot.clientWidth")
    expect(page.locator("[data-plot] svg")).to_have_attribute("width", str(width))


@pytest.mark.parametrize(
    ("ruleset", "width"), ways(("koikoi", "hachihachi", "ten-five-one"), (390, 1280))
)
def test_nothing_jumps_while_one_steps(page: Page, site: str, width: int, ruleset: str) -> None:
    """Table and controls stay where they are on every step of a deal."""
    page.set_viewport_size({"width": width, "height": 1200})
    opened(page, game(page, site, ruleset=ruleset))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(page.evaluate(PLACES)) == 1


def test_the_first_table_is_that_of_the_script(page: Page, site: str) -> None:
    """What the server drew stays where it was when the script takes over, on a slow device too."""
    page.add_init_script(
        """new PerformanceObserver((list) => {
            for (const one of list.getEntries()) window.shifted = (window.shifted ?? 0) + one.value;
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for ruleset, width in (("hachihachi", 390), ("ten-five-one", 1280)):
        page.set_viewport_size({"width": width, "height": 900})
        opened(page, f"{game(page, site, ruleset=ruleset)}?at=2.5")
        page.wait_for_timeout(200)
        assert page.evaluate("window.shifted ?? 0") < 0.01


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_words_are_announced_in_the_pages_language(chromium: Browser, site: str, lang: str) -> None:
    page = chromium.new_page(locale=lang)
    shown = opened(page, game(page, site))
    telling = page.locator("[data-telling]")
    expect(telling).to_have_attribute("aria-live", "polite")
    page.keyboard.press("ArrowRight")
    shown.check(1, 1)
    assert ("を打" in telling.inner_text()) == (lang == "ja")
    assert page.locator("[data-replay]").get_attribute("lang") == lang
    page.close()


def test_help_opens_with_its_key_and_closes(shown: Player) -> None:
    shown.page.keyboard.press("?")
    dialog = shown.page.get_by_role("dialog", name="Keys and gestures")
    expect(dialog).to_be_visible()
    shown.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_links_and_code_to_copy(shown: Player, site: str) -> None:
    page = shown.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.go(2, 3)
    address = page.url.split("#")[0]
    page.locator('[data-do="copy"]').click()
    expect(page.locator("[data-toast]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}?at=2.3"
    page.locator('[data-do="share"]').click()
    texts = page.locator("[data-text]").evaluate_all("(all) => all.map((one) => one.value)")
    assert texts[0] == f"{address}?at=2.3"
    assert f'src="{address.replace("/games/", "/embed/")}?at=2.3"' in texts[1]
    assert f'src="{site}/static/records/replay/kafu-replay.js"' in texts[2]
    assert f'<kafu-replay src="{address}" at="2.3">' in texts[2]
    page.locator('[data-copy="iframe"]').click()
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == texts[1]
