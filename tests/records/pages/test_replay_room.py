"""The space of a replay: on phones the whole table is visible, and seats that sit out shrink."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.records.pages.replay_page import Player, game, opened
from tests.records.pages.ways import ways

#: Whether strip, table and controls are all within the window and the controls hide no card.
SEEN = """() => {
    const { shadowRoot: root } = document.querySelector("kafu-replay");
    const [felt, controls] = ["felt", "controls"].map((place) =>
        root.querySelector(`[data-${place}]`).getBoundingClientRect());
    return [felt.top >= 0, felt.bottom <= innerHeight, controls.bottom <= innerHeight + 1,
            felt.bottom <= controls.top || felt.right <= controls.left];
}"""


@pytest.mark.parametrize(
    ("ruleset", "window"),
    ways(
        ("koikoi", "hachihachi", "ten-five-one"), ((390, 800), (360, 640), (844, 390), (1280, 720))
    ),
)
def test_a_deep_link_shows_the_whole_table(
    page: Page, site: str, ruleset: str, window: tuple[int, int]
) -> None:
    width, height = window
    page.set_viewport_size({"width": width, "height": height})
    opened(page, f"{game(page, site, ruleset=ruleset)}#1.9")
    # On a phone the controls are in view too, as high as a finger needs.
    phone = width < 1280
    assert page.evaluate(SEEN)[: 4 if phone else 2] == [True] * (4 if phone else 2)
    heights = page.locator("[data-controls] button:visible").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 35 and (not phone or min(heights) >= 43)


def test_a_game_that_is_opened_at_its_start_is_not_scrolled(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, game(page, site))
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_who_sits_out_makes_room_for_who_plays(page: Page, site: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    shown = opened(page, game(page, site, ruleset="ten-five-one"))
    players = len(shown.data["players"])
    step = first_card(shown)
    shown.go(1, step)
    out, undealt = (shown.deals[0]["steps"][i]["hands"].count("") for i in (step, 0))
    outs = page.locator("[data-outs] .seat")
    expect(outs).to_have_count(out)
    expect(page.locator("[data-others] .seat")).to_have_count(players - out - 1)
    for seat in outs.all():
        assert seat.locator("h3").inner_text()
        assert seat.bounding_box()["height"] < 40  # type: ignore[index]
    names = page.locator("[data-others] h3, [data-outs] h3")
    cut = names.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1)")
    assert not cut
    shown.go(1, 0)
    expect(outs).to_have_count(undealt)


def test_who_has_played_their_last_card_does_not_sit_out(page: Page, site: str) -> None:
    shown = opened(page, game(page, site, ruleset="ten-five-one"))
    steps = shown.deals[0]["steps"]
    for step in (first_card(shown), len(steps) - 1):
        shown.go(1, step)
        expect(page.locator("[data-others] .seat")).to_have_count(2)


def first_card(shown: Player) -> int:
    """The step of deal 1 at which the first card is played."""
    return next(i for i, step in enumerate(shown.deals[0]["steps"]) if step["kind"] == "hand")
