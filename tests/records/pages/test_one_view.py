"""Table, controls and words of a replay are seen at once in every window, and nothing overlaps."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser

from lengths import LONG
from tests.records.pages.kinds import SAMPLES
from tests.records.pages.replay_page import opened

#: Windows: two of desks, two phones, a phone on its side.
SIZES: Final = ((1280, 800), (1440, 900), (390, 844), (360, 640), (844, 390))
#: Rulesets and verdicts of the sample games by how many play, and one with a fault.
GAMES: Final = {
    "2": {"ruleset": "koikoi", "status": "verified"},
    "3": {"ruleset": "hachihachi", "status": "verified"},
    "4": {"ruleset": "hachihachi-bga", "status": "verified"},
    "5": {"ruleset": "ten-five-one", "status": "verified"},
    "7": {"ruleset": "ten-five-one", "status": "verified"},
    "fault": {"ruleset": "koikoi", "status": "illegal"},
}

#: What is wrong at the steps of this part of the game: pieces out of the window or over each other,
#: sums that are not to be seen, piles whose cards show too little of themselves.
WRONG: Final = """(every) => {
    const { player, shadowRoot: root } = document.querySelector("kafu-replay");
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 0;
    const inside = (one, other) => one.left > other.left - 1.5 && one.right < other.right + 1.5 &&
        one.top > other.top - 1.5 && one.bottom < other.bottom + 1.5;
    const apart = (one, other) => one.right < other.left + 1.5 || other.right < one.left + 1.5 ||
        one.bottom < other.top + 1.5 || other.bottom < one.top + 1.5;
    const find = (place, within = root) => [...within.querySelectorAll(place)].filter(seen);
    const wrong = new Set();
    const say = (...told) => wrong.add(told.join(" "));
    const name = (one) => one.className || one.tagName;
    const clash = (all) => all.forEach((one, i) => all.slice(i + 1).forEach((other) => {
        if (!apart(box(one), box(other))) say(name(one), "over", name(other));
    }));
    const look = () => {
        const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        const views = ["deals", "felt", "controls", "said"].flatMap((one) => find(`[data-${one}]`));
        if (views.length < 4) say("only", views.map(name));
        for (const one of views) if (!inside(box(one), screen)) say(name(one), "out of the window");
        clash(views);
        const felt = box(root.querySelector("[data-felt]"));
        const pieces = find(".seat, .middle");
        for (const one of pieces) if (!inside(box(one), felt)) say(name(one), "out of the table");
        clash(pieces);
        for (const seat of find(".seat")) clash(find(".who, .hand, .captured, .yaku", seat));
        const sums = [...root.querySelectorAll("[data-score]")];
        for (const sum of sums) {
            const holder = sum.closest(".outs") ?? sum.closest(".who");
            if (!seen(sum) || !inside(box(sum), box(holder))) say("sum hidden", sum.textContent);
        }
        for (const place of find(".hand, .captured")) {
            const cards = [...place.querySelectorAll(".card")]
                .filter((one) => getComputedStyle(one).position !== "absolute").map(box);
            cards.forEach((one, i) => {
                if (!inside(one, box(place.closest(".seat")))) say("card out of", place.className);
                const shown = one.left - cards[i - 1]?.left;
                if (i > 0 && shown < LEAST) say("slivers in", place.className);
            });
        }
    };
    window.scrollTo(0, 0);
    player.data.deals.forEach(({ steps }, deal) => {
        if (deal % every) return;
        const last = steps.length - 1;
        for (const step of [0, 3, 9, last >> 1, last - 2, last]) {
            player.show({ deal: deal + 1, step });
            look();
        }
    });
    player.show({ deal: 99, step: 0 });
    look();
    return [...wrong];
}""".replace("LEAST", "2.5")


@pytest.mark.parametrize(
    ("lang", "games"),
    [("en-US", tuple(GAMES)), ("ja-JP", tuple(GAMES))]
    if LONG
    else [("en-US", ("2", "7")), ("ja-JP", ("3", "fault"))],
)
def test_a_window_shows_table_controls_and_words(
    chromium: Browser, site: str, lang: str, games: tuple[str, ...]
) -> None:
    page = chromium.new_context(locale=lang, reduced_motion="reduce").new_page()
    wrong = {}
    for name in games:
        asked = {**GAMES[name], "event": SAMPLES}
        found = page.request.get(f"{site}/api/v1/records", params={**asked}).json()["results"]
        places = ("games", "embed") if LONG or name == "3" else ("games",)
        key = next(
            one["key"] for one in found if name == "fault" or len(one["players"]) == int(name)
        )
        for place in places:
            page.set_viewport_size({"width": 1280, "height": 800})
            opened(page, f"{site}/{place}/{key}/")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                if told := page.evaluate(WRONG, 1 if LONG else 5):
                    wrong[name, place, width, height] = told
    page.context.close()
    assert not wrong
