"""What a replay shows: hands, seats, marks, spoilers, motion, yaku, chart, words, moments."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.records.pages.replay_page import (
    Player,
    find_game,
    open_replay,
    wait_for_player,
    watch_page,
)

GLIDING = """() => document.querySelector("kafu-replay").shadowRoot.getAnimations()
    .filter((animation) => animation.effect.target.matches(".card")).length"""
#: Advances by key and counts gliding cards in the same script, because gliding is short.
STEP_AND_GLIDING = f"""() => {{
    document.body.dispatchEvent(
        new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
    return ({GLIDING})();
}}"""
#: Focuses each link and button at the lower edge of the window. Returns the covered ones.
COVERED = """() => {
    const { shadowRoot: root } = document.querySelector("kafu-replay");
    const controls = root.querySelector("[data-controls]");
    const places = [".deals a", ".tools :is(button, select)", ".moves a", "summary", ".plot a"];
    const elements = [...root.querySelectorAll(places.join())].filter((element) =>
        element.checkVisibility() && element.getBoundingClientRect().height > 0);
    return elements.filter((element) => {
        root.activeElement?.blur();
        scrollTo(0, scrollY + element.getBoundingClientRect().top - innerHeight + 40);
        element.focus();
        const { bottom } = element.getBoundingClientRect();
        return bottom > controls.getBoundingClientRect().top + 1;
    }).map((element) => element.textContent);
}"""
#: Returns how much of a strip with 13 deals is outside its box.
EXCESS = """() => {
    const list = document.querySelector("kafu-replay").shadowRoot.querySelector(".deals ol");
    const others = [...list.children].slice(13);
    others.forEach((deal) => (deal.hidden = true));
    const excess = list.scrollWidth - list.clientWidth;
    others.forEach((deal) => (deal.hidden = false));
    return list.children.length >= 13 ? excess : null;
}"""


def test_view_of_a_seat_hides_the_other_hand_and_what_comes(koikoi: Player) -> None:
    page = koikoi.page
    koikoi.go(1, 1)
    hands = koikoi.step(1, 1)["hands"]
    bottom = page.locator("[data-bottom] [data-seat]")
    expect(bottom).to_have_attribute("data-seat", "1")
    page.locator("[data-view]").select_option("2")
    expect(bottom).to_have_attribute("data-seat", "2")
    assert sorted(koikoi.read_hand(2)) == sorted(hands[1])
    assert koikoi.read_hand(1) == "#" * len(hands[0])
    hidden = page.locator('[data-seat="1"] [data-hand] [data-card]').first
    expect(hidden).to_have_attribute("aria-label", "a card face down")
    # Later moves would reveal the hidden hand.
    expect(page.locator("[data-moves] li:visible")).to_have_count(2)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    koikoi.wait_for(1, 2)
    page.locator("[data-view]").select_option("0")
    assert "#" not in koikoi.read_hand(1)
    assert page.locator("[data-moves] li:visible").count() == koikoi.counts[0]
    page.locator('[data-do="turn"]').click()
    expect(bottom).to_have_attribute("data-seat", "1")
    koikoi.check(1, 2)


def test_shown_cards_of_another_hand_stay_open(hachihachi: Player) -> None:
    """Cards shown as a dealt hand are known to all."""
    deal, number, seat = next(
        (deal, number, seat)
        for deal, content in enumerate(hachihachi.deals, start=1)
        for number, step in enumerate(content["steps"])
        for seat, shown_cards in enumerate(step["known"], start=1)
        if shown_cards
    )
    hachihachi.go(deal, number)
    hachihachi.page.locator("[data-view]").select_option(str(seat % 3 + 1))
    shown_cards = hachihachi.step(deal, number)["known"][seat - 1]
    assert set(hachihachi.read_hand(seat)) - {"#"} == set(shown_cards)


def test_settings_take_effect_and_survive_a_reload(page: Page, site: str) -> None:
    replay = open_replay(page, find_game(page, site))
    root = page.locator("[data-replay]")
    letters = page.locator("[data-moves] code").first
    expect(letters).to_be_hidden()
    effects = {"months": "show-months", "kinds": "show-kinds", "black": "back-black"}
    effects["letters"] = "show-letters"
    for name, effect in effects.items():
        replay.open_setting(name).check()
        page.keyboard.press("Escape")
        assert effect in (root.get_attribute("class") or "")
    expect(page.locator("[data-field] .mark.month").first).to_be_visible()
    expect(letters).to_be_visible()
    page.keyboard.press("+")
    replay.go(2, 3)
    expect(page.locator("[data-moves] li:visible")).to_have_count(replay.counts[1])
    replay.open_setting("spoilers").check()
    page.get_by_role("button", name="Close").click()

    def check_hidden() -> None:
        expect(page.locator("[data-moves] li:visible")).to_have_count(4)
        expect(page.locator('[data-pick="1"] .won')).to_be_visible()
        expect(page.locator('[data-pick="2"] .won')).to_be_hidden()
        # Later months are hidden too: their number would reveal a replayed month.
        expect(page.locator("[data-pick]:visible")).to_have_count(2)
        expect(page.locator("[data-chart] [data-at]")).to_have_count(2)
        expect(page.locator("[data-scrub]")).to_have_attribute(
            "max", page.locator("[data-scrub]").input_value()
        )
        dots = page.locator("[data-chart] .line").first.locator("circle")
        expect(dots).to_have_count(3)  # two of the line and a dot of its label
        expect(page.locator(".outcome .total").first).to_be_hidden()
        expect(page.locator("table.score")).to_be_hidden()

    check_hidden()
    page.reload()
    wait_for_player(page)
    check_hidden()
    expect(page.locator(".replay.live.show-months.show-kinds.back-black")).to_have_count(1)
    expect(page.locator("[data-speed]")).to_have_text("2×")
    replay.go(2, replay.counts[1] - 1)
    expect(page.locator('[data-pick="2"] .won')).to_be_visible()
    replay.open_setting("spoilers").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator('[data-pick="3"] .won')).to_be_visible()
    expect(page.locator(".outcome .total").first).to_be_visible()


def find_capture(replay: Player) -> int:
    """Return the first step of deal 1 that captures."""
    return next(number for number, step in enumerate(replay.deals[0]["steps"]) if step["take"])


def wait_until_still(page: Page) -> None:
    """Wait until no card glides."""
    page.wait_for_function(f"() => !({GLIDING})()")


def test_last_move_is_marked_and_its_cards_glide(koikoi: Player) -> None:
    page = koikoi.page
    number = find_capture(koikoi)
    koikoi.go(1, number - 1)
    wait_until_still(page)
    step = koikoi.step(1, number)
    assert page.evaluate(STEP_AND_GLIDING) == 1 + len(step["take"])
    expect(page.locator(f'.card.played[data-card="{step["card"]}"]')).to_have_count(1)
    expect(page.locator(".card.taken")).to_have_count(len(step["take"]))
    wait_until_still(page)
    koikoi.go(3, 0)  # no step of a single card
    assert page.evaluate(GLIDING) == 0


def test_cards_stand_still_where_reduced_motion_is_preferred(koikoi: Player) -> None:
    koikoi.page.emulate_media(reduced_motion="reduce")
    koikoi.go(1, find_capture(koikoi) - 1)
    assert koikoi.page.evaluate(STEP_AND_GLIDING) == 0
    koikoi.page.emulate_media(reduced_motion="no-preference")


def test_captured_cards_lie_by_kind_with_points(hachihachi: Player) -> None:
    page = hachihachi.page
    kinds = page.locator('[data-seat="1"] .group').evaluate_all(
        "(all) => all.map((group) => group.dataset.kind)"
    )
    assert kinds == ["bright", "animal", "ribbon", "plain"]
    hachihachi.go(1, hachihachi.counts[0] - 1)
    data = hachihachi.data
    for seat, captured in enumerate(hachihachi.deals[0]["steps"][-1]["captured"], start=1):
        place = page.locator(f'[data-seat="{seat}"]')
        points = sum(data["points"][card] for card in captured)
        expect(place.locator("[data-points]")).to_have_text(f"{points} pt")
        for kind in kinds:
            cards = place.locator(f'.group[data-kind="{kind}"] [data-card]')
            expect(cards).to_have_count(sum(data["kinds"][card] == kind for card in captured))


def test_yaku_are_named_with_value_and_progress(koikoi: Player) -> None:
    page = koikoi.page
    deal, number, seat = next(
        (deal, number, seat)
        for deal, content in enumerate(koikoi.deals, start=1)
        for number, step in enumerate(content["steps"])
        for seat, yaku in enumerate(step["yaku"], start=1)
        if yaku and step["kind"] != "deal"
    )
    koikoi.go(deal, number)
    expected = koikoi.step(deal, number)["yaku"][seat - 1][0]
    chip = page.locator(f'[data-seat="{seat}"] [data-yaku] [data-id="{expected["id"]}"].made')
    expect(chip.locator("b")).to_have_text(str(expected["value"]))
    for near in page.locator("[data-yaku] .near b").all_text_contents():
        have, need = map(int, near.split("/"))
        assert 0 < have < need and need - have <= 2
    page.locator("[data-progress] summary").click()
    expect(page.locator("[data-progress] tbody tr")).to_have_count(len(koikoi.data["sets"]))
    expect(page.locator("[data-progress] td.made").first).to_be_visible()
    page.locator("[data-progress] summary").click()


def test_key_jumps_to_a_yaku_whose_cards_are_lifted(koikoi: Player) -> None:
    """The banner names the yaku; the key of decisions leads on to what was said."""
    page = koikoi.page
    page.keyboard.press("y")
    banner = page.locator("[data-banner]")
    expect(banner).to_be_visible()
    deal, number = map(int, koikoi.position.split("."))
    step, before = koikoi.step(deal, number), koikoi.step(deal, number - 1)
    seat, yaku = next(
        (seat, yaku)
        for seat, seat_yaku in enumerate(step["yaku"])
        for yaku in seat_yaku
        if yaku["id"] not in [former["id"] for former in before["yaku"][seat]]
    )
    expect(banner).to_contain_text(koikoi.data["players"][seat])
    expect(banner).to_contain_text(str(yaku["value"]))
    cards = next(goal["cards"] for goal in koikoi.data["sets"] if goal["id"] == yaku["id"])
    lifted = page.locator(f'[data-seat="{seat + 1}"] [data-captured] .lifted')
    letters = lifted.evaluate_all("(all) => all.map((card) => card.dataset.card)")
    assert set(letters) == set(step["captured"][seat]) & set(cards) != set()
    page.keyboard.press("d")
    decision = koikoi.step(*map(int, koikoi.position.split(".")))
    assert decision["kind"] == "say"
    expect(banner).to_have_text(re.sub(r" \([^)]*\)", "", decision["text"]))
    koikoi.go(2, 0)
    expect(banner).to_be_hidden()
    expect(page.locator(".lifted")).to_have_count(0)


def read_ledger(page: Page) -> list[list[str]]:
    """Return the lines of the ledger on the table: their name and sums."""
    expect(page.locator("[data-ledger]")).to_be_visible()
    rows: list[list[str]] = page.locator("[data-ledger] tbody tr").evaluate_all(
        """(all) => all.map(({ cells: [name, ...sums] }) =>
            [name.firstChild.textContent, ...sums.map((cell) => cell.textContent)])"""
    )
    return rows


def test_month_ends_with_its_ledger_and_game_with_its_settlement(hachihachi: Player) -> None:
    """Payers and reasons; then stones, fees and rounding to the result, in kan of 12 points."""
    page = hachihachi.page
    expect(page.locator("[data-score]")).to_have_count(3)
    number, deal = next(
        (number, deal) for number, deal in enumerate(hachihachi.deals, start=1) if deal["ledger"]
    )
    hachihachi.go(number, len(deal["steps"]) - 1)
    rows = read_ledger(page)
    yaku_names = [line["label"].split(" (")[0] for line in deal["ledger"]]
    assert [row[0] for row in rows[: len(yaku_names)]] == yaku_names
    assert len(rows) == len(yaku_names) + 2
    reasons = [line["why"] for line in deal["ledger"] if "why" in line]
    assert page.locator("[data-ledger] small").all_text_contents() == reasons
    hachihachi.go(*hachihachi.end)
    rows = read_ledger(page)
    names = [step["name"].split(" (")[0] for step in hachihachi.data["settlement"]]
    assert names and [row[0] for row in rows[-1 - len(names) : -1]] == names
    assert rows[-1][1:] == hachihachi.data["final"]
    expect(page.locator("[data-ledger] .line")).to_have_count(3)
    for seat, final in enumerate(hachihachi.data["final"], start=1):
        expect(page.locator(f'[data-seat="{seat}"] [data-score]')).to_have_text(final)
    expect(page.locator("[data-result]")).to_contain_text(hachihachi.data["final"][0])


@pytest.fixture(scope="module")
def illegal(chromium: Browser, site: str) -> Iterator[Player]:
    """Yield an illegal game with a comment at step 1 of its first deal, opened at the comment."""

    def comment(route: Route) -> None:
        response = route.fetch()
        data = response.json()
        data["deals"][0]["steps"][1]["comments"] = ["A <b>bold</b> play"]
        route.fulfill(response=response, json=data)

    with watch_page(chromium) as page:
        page.route("**/replay.json?*", comment)
        yield open_replay(page, f"{find_game(page, site, 'illegal')}#1.1")


def test_fault_of_an_illegal_game_is_shown_at_the_last_step(illegal: Player) -> None:
    page = illegal.page
    illegal.go(1, 0)
    fault = page.locator("[data-fault]")
    expect(fault).to_be_hidden()
    expect(page.locator("[data-stops] .fault")).to_have_count(1)
    assert page.locator("[data-stops] .yaku").count() > 0
    page.locator('[data-stop="fault"]').click()
    illegal.wait_for(*illegal.end)
    expect(fault).to_be_visible()
    expect(fault).to_contain_text("is not in the hand of")


def test_comments_are_shown_as_text_at_their_step(illegal: Player) -> None:
    """In the list and with the words."""
    page = illegal.page
    illegal.go(1, 1)
    expect(page.locator("[data-comments] q")).to_have_text("A <b>bold</b> play")
    expect(page.locator("[data-moves] li q")).to_have_text("A <b>bold</b> play")
    illegal.go(1, 0)
    expect(page.locator("[data-comments] q")).to_have_count(0)


def test_chart_has_a_line_per_seat_and_a_link_per_deal(koikoi: Player) -> None:
    page = koikoi.page
    lines = page.locator("[data-chart] .line")
    expect(lines).to_have_count(2)
    expect(lines.first.locator("polyline")).to_have_count(1)
    expect(page.locator("[data-chart] a")).to_have_count(len(koikoi.deals) + 1)
    koikoi.go(*koikoi.end)
    settlement = page.locator("[data-chart] a[aria-current]")
    expect(settlement).to_have_attribute("aria-label", "Settlement")
    deal = next(deal for deal in koikoi.deals if deal["scores"])
    label = f"{deal['title']}: {', '.join(deal['scores'])}"
    expect(page.locator(f'[data-chart] a[aria-label="{label}"]').first).to_have_count(1)
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 390, "height": 844})
    width = page.locator("[data-plot]").evaluate("(plot) => plot.clientWidth")
    expect(page.locator("[data-plot] svg")).to_have_attribute("width", str(width))
    page.set_viewport_size(size)


def test_controls_cover_no_focused_element_on_a_phone_and_are_not_printed(koikoi: Player) -> None:
    page = koikoi.page
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 390, "height": 664})
    assert page.evaluate(COVERED) == []
    page.emulate_media(media="print")
    for place in ("[data-controls]", ".tools", ".deals"):
        expect(page.locator(place)).to_be_hidden()
    assert (
        page.locator("[data-plot] svg").evaluate("(svg) => getComputedStyle(svg).maxWidth")
        == "100%"
    )
    page.emulate_media(media="screen")
    page.set_viewport_size(size)


def test_thirteen_months_fit_into_a_window_of_1280(koikoi: Player) -> None:
    assert koikoi.page.viewport_size == {"width": 1280, "height": 720}
    assert koikoi.page.evaluate(EXCESS) == 0


def test_one_link_of_moves_deals_and_chart_each_is_reached_by_tab(koikoi: Player) -> None:
    page = koikoi.page
    koikoi.go(1, 4)
    links = page.locator("[data-moves] li a:not([tabindex])")
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("data-at", "1.4")
    expect(page.locator('[data-deals] a:not([tabindex="-1"])')).to_have_attribute("data-pick", "1")
    expect(page.locator('[data-plot] a:not([tabindex="-1"])')).to_have_attribute("data-at", "1.0")
    step = koikoi.step(1, 4)
    expect(links.locator(".pic")).to_have_count(len(step["card"] + step["take"]))


def test_words_of_a_step_are_announced(koikoi: Player) -> None:
    telling = koikoi.page.locator("[data-telling]")
    expect(telling).to_have_attribute("aria-live", "polite")
    koikoi.page.keyboard.press("ArrowRight")
    expect(telling).to_have_text(koikoi.step(1, 1)["text"])


def test_link_and_code_to_embed_are_copied(koikoi: Player, site: str) -> None:
    page = koikoi.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    koikoi.go(2, 3)
    address = page.url.split("#")[0]
    expect(page.locator('[data-do="share"]')).to_be_hidden()  # the page has its own
    page.locator("[data-sharing] summary").click()
    page.locator('[data-copy="link"]').click()
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}?at=2.3"
    for clip in ("2.3.png", "month-2.png", "month-2.gif"):
        expect(page.locator(f"[data-clip][href='{address}{clip}?lang=en']")).to_be_visible()
    texts = page.locator("[data-text]").evaluate_all("(all) => all.map((field) => field.value)")
    assert texts[0] == f"{address}?at=2.3"
    assert f'src="{address.replace("/games/", "/embed/")}?at=2.3"' in texts[1]
    assert f'src="{site}/static/records/replay/kafu-replay.js"' in texts[2]
    assert f'<kafu-replay src="{address}" at="2.3">' in texts[2]
    page.locator("dialog summary").click()
    page.locator('[data-copy="iframe"]').click()
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == texts[1]
