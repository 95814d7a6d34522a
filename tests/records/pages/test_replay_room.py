"""The space of a replay: every window shows table, controls and words, and nothing overlaps."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import LONG
from tests.records.pages.kinds import ALL_WINDOWS, SAMPLES
from tests.records.pages.replay_page import Player, open_replay, watch_page

#: Windows: a tablet, a phone, a phone on its side, a desk; all of them in the long run.
SIZES: Final = ALL_WINDOWS if LONG else ((744, 1026), (390, 664), (844, 340), (1280, 720))
#: Widths of windows in which no step may move the table.
STEADY_WIDTHS: Final = (390, 1280) if LONG else (390,)
#: Rulesets and verdicts of the sample games by the number of players, and a game with a fault.
GAMES: Final = {
    "2": {"ruleset": "koikoi", "status": "verified"},
    "3": {"ruleset": "hachihachi", "status": "verified"},
    "3 of hanaawase": {"ruleset": "hanaawase", "status": "verified"},
    "4": {"ruleset": "hachihachi-bga", "status": "verified"},
    "5": {"ruleset": "ten-five-one", "status": "verified"},
    "7": {"ruleset": "ten-five-one", "status": "verified"},
    "fault": {"ruleset": "koikoi", "status": "illegal"},
}
#: Languages and games, and whether the page is embedded in other sites.
CASES: Final = (
    [*product(("en-US", "ja-JP"), GAMES, ("games", "embed"))] if LONG else [("en-US", "7", "games")]
)
#: Steps of a deal: the first, middle and last. Negative steps count from its end.
STEPS: Final = [0, 3, 9, 6, -3, -1] if LONG else [0, 9, -1]
#: Interval of examined deals; the last step of the game is always examined.
EVERY_DEAL: Final = 1 if LONG else 12

#: Finds faults at steps of deals in an interval: pieces outside the window or overlapping, hidden
#: sums, piles with too little of a card visible.
FAULTS: Final = """([every, steps]) => {
    const { player, shadowRoot: root } = document.querySelector("kafu-replay");
    const box = (element) => element.getBoundingClientRect();
    const isVisible = (piece) =>
        piece.checkVisibility({ visibilityProperty: true }) && box(piece).width > 0;
    const isInside = (a, b) => a.left > b.left - 1.5 && a.right < b.right + 1.5 &&
        a.top > b.top - 1.5 && a.bottom < b.bottom + 1.5;
    const areApart = (a, b) => a.right < b.left + 1.5 || b.right < a.left + 1.5 ||
        a.bottom < b.top + 1.5 || b.bottom < a.top + 1.5;
    const find = (place, within = root) =>
        [...within.querySelectorAll(place)].filter(isVisible);
    const faults = new Set();
    const report = (...words) => faults.add(words.join(" "));
    const name = (piece) => piece.className || piece.tagName;
    const checkOverlap = (pieces) => pieces.forEach((piece, i) => {
        for (const other of pieces.slice(i + 1))
            if (!areApart(box(piece), box(other))) report(name(piece), "over", name(other));
    });
    const look = () => {
        const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        const views = ["deals", "felt", "controls", "said"]
            .flatMap((view) => find(`[data-${view}]`));
        if (views.length < 4) report("only", views.map(name));
        for (const view of views)
            if (!isInside(box(view), screen)) report(name(view), "out of the window");
        checkOverlap(views);
        const felt = box(root.querySelector("[data-felt]"));
        const pieces = find(".seat, .middle");
        for (const piece of pieces)
            if (!isInside(box(piece), felt)) report(name(piece), "out of the table");
        checkOverlap(pieces);
        for (const seat of find(".seat"))
            checkOverlap(find(".who, .hand, .captured, .yaku", seat));
        for (const sum of root.querySelectorAll("[data-score]")) {
            const holder = sum.closest(".outs") ?? sum.closest(".who");
            if (!isVisible(sum) || !isInside(box(sum), box(holder)))
                report("sum hidden", sum.textContent);
        }
        for (const place of find(".hand, .captured")) {
            const cards = [...place.querySelectorAll(".card")]
                .filter((card) => getComputedStyle(card).position !== "absolute").map(box);
            cards.forEach((card, i) => {
                if (!isInside(card, box(place.closest(".seat"))))
                    report("card out of", place.className);
                const strip = card.left - cards[i - 1]?.left;
                if (i > 0 && strip < 4) report("slivers in", place.className);
            });
        }
    };
    window.scrollTo(0, 0);
    player.data.deals.forEach((content, deal) => {
        if (deal % every) return;
        for (const step of steps.map((step) => step < 0 ? content.steps.length + step : step)) {
            player.show({ deal: deal + 1, step });
            look();
        }
    });
    player.show({ deal: 99, step: 0 });
    look();
    return [...faults];
}"""

#: Finds the places of table and controls on each step of deal 2: all that differ.
PLACES: Final = """() => {
    const { player, shadowRoot: root } = document.querySelector("kafu-replay");
    const places = new Set();
    for (let step = 0; step < player.course.counts[1]; step += 1) {
        player.show({ deal: 2, step });
        places.add(["felt", "controls", "tools"].map((name) => {
            const { top, height } = root.querySelector(`[data-${name}]`).getBoundingClientRect();
            return `${Math.round(top + scrollY)} ${Math.round(height)}`;
        }).join());
    }
    return [...places];
}"""

#: Checks whether table and controls are within the window and the controls cover no card.
VISIBLE: Final = """() => {
    const { shadowRoot: root } = document.querySelector("kafu-replay");
    const [felt, controls] = ["felt", "controls"].map((place) =>
        root.querySelector(`[data-${place}]`).getBoundingClientRect());
    return [felt.top >= 0, felt.bottom <= innerHeight, controls.bottom <= innerHeight + 1,
            felt.bottom <= controls.top || felt.right <= controls.left];
}"""


@pytest.mark.parametrize(("lang", "name", "place"), CASES)
def test_every_window_shows_table_controls_and_words(
    chromium: Browser, site: str, lang: str, name: str, place: str
) -> None:
    """A game opened at its start is not scrolled, and no step moves the table or its controls."""
    phone = {"width": 390, "height": 800}
    with watch_page(chromium, locale=lang, reduced_motion="reduce", viewport=phone) as page:
        query = {**GAMES[name], "event": SAMPLES}
        records = page.request.get(f"{site}/api/v1/records", params={**query}).json()["results"]
        key = next(
            record["key"]
            for record in records
            if name == "fault" or len(record["players"]) == int(name[0])
        )
        replay = open_replay(page, f"{site}/{place}/{key}/")
        assert page.evaluate("scrollY") == 0
        faults = {}
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if messages := page.evaluate(FAULTS, [EVERY_DEAL, STEPS]):
                faults[width, height] = messages
        for width in STEADY_WIDTHS if place == "games" else ():
            page.set_viewport_size({"width": width, "height": 1200})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if len(places := page.evaluate(PLACES)) > 1:
                faults[width, 1200] = places
        if name == "7":
            for width in (390, 1280):
                page.set_viewport_size({"width": width, "height": 900})
                check_seats(replay)
    assert not faults


def check_whole_table(page: Page, *, is_phone: bool) -> None:
    """Check that the table is in view, and on a phone the controls, as high as a finger needs."""
    assert all(page.evaluate(VISIBLE)[: 4 if is_phone else 2])
    heights = page.locator("[data-controls] button:visible").evaluate_all(
        "(all) => all.map((button) => button.getBoundingClientRect().height)"
    )
    assert min(heights) >= (43 if is_phone else 35)


def check_seats(replay: Player) -> None:
    """Check that seats which sit out shrink, and not those that have played their last card."""
    page = replay.page
    steps = replay.deals[0]["steps"]
    first = next(number for number, step in enumerate(steps) if step["kind"] == "hand")
    opponents = page.locator("[data-others] .seat")
    outs = page.locator("[data-outs] .seat")
    out_count, undealt = (steps[number]["hands"].count("") for number in (first, 0))
    replay.go(1, first)
    expect(outs).to_have_count(out_count)
    expect(opponents).to_have_count(len(replay.data["players"]) - out_count - 1)
    for seat in outs.all():
        assert seat.locator("h3").inner_text()
        assert seat.bounding_box()["height"] < 40  # type: ignore[index]
    names = page.locator("[data-others] h3, [data-outs] h3")
    cut = names.evaluate_all(
        "(all) => all.filter((name) => name.scrollWidth > name.clientWidth + 1)"
    )
    assert not cut
    replay.go(1, len(steps) - 1)
    expect(opponents).to_have_count(2)
    replay.go(1, 0)
    expect(outs).to_have_count(undealt)
