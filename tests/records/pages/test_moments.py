"""Moments of a replay on the table: yaku, decisions, the ledger of a month, the settlement."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.records.pages.replay_page import Player, game, opened


def test_a_yaku_lifts_its_cards_and_is_named(page: Page, site: str) -> None:
    """By the key that jumps to it; and the decision that follows says what was said."""
    shown = opened(page, game(page, site))
    page.keyboard.press("y")
    banner = page.locator("[data-banner]")
    expect(banner).to_be_visible()
    deal, step = (int(one) for one in shown.at.split("."))
    steps = shown.deals[deal - 1]["steps"]
    seat, brought = next(
        (seat, one)
        for seat, own in enumerate(steps[step]["yaku"])
        for one in own
        if one["id"] not in [before["id"] for before in steps[step - 1]["yaku"][seat]]
    )
    expect(banner).to_contain_text(shown.data["players"][seat])
    expect(banner).to_contain_text(str(brought["value"]))
    cards = next(goal["cards"] for goal in shown.data["sets"] if goal["id"] == brought["id"])
    lifted = page.locator(f'[data-seat="{seat + 1}"] [data-captured] .lifted')
    letters = lifted.evaluate_all("(all) => all.map((one) => one.dataset.card)")
    assert set(letters) == set(steps[step]["captured"][seat]) & set(cards) != set()
    page.keyboard.press("d")
    deal, step = (int(one) for one in shown.at.split("."))
    said = shown.deals[deal - 1]["steps"][step]
    assert said["kind"] == "say"
    expect(banner).to_have_text(re.sub(r" \([^)]*\)", "", said["text"]))
    shown.go(2, 0)
    expect(banner).to_be_hidden()
    expect(page.locator(".lifted")).to_have_count(0)


def rows(shown: Player) -> list[list[str]]:
    """The lines of the ledger on the table: their name and sums."""
    page = shown.page
    expect(page.locator("[data-ledger]")).to_be_visible()
    found: list[list[str]] = page.locator("[data-ledger] tbody tr").evaluate_all(
        """(all) => all.map(({ cells: [name, ...sums] }) =>
            [name.firstChild.textContent, ...sums.map((one) => one.textContent)])"""
    )
    return found


def test_a_month_ends_with_its_ledger_and_a_game_with_its_settlement(page: Page, site: str) -> None:
    """Of hachihachi: payers and reasons, then stones, fees and rounding to the result."""
    shown = opened(page, game(page, site, ruleset="hachihachi"))
    paid = next(i for i, deal in enumerate(shown.deals) if deal["ledger"])
    deal = shown.deals[paid]
    shown.go(paid + 1, len(deal["steps"]) - 1)
    found = rows(shown)
    assert len(found) == len(deal["ledger"]) + 2
    assert [row[0] for row in found[: len(deal["ledger"])]] == [
        line["label"].split(" (")[0] for line in deal["ledger"]
    ]
    whys = [line["why"] for line in deal["ledger"] if "why" in line]
    assert page.locator("[data-ledger] small").all_text_contents() == whys
    shown.go(*shown.last)
    found = rows(shown)
    steps = shown.data["settlement"]
    assert steps and [row[0] for row in found[-1 - len(steps) : -1]] == [
        step["name"].split(" (")[0] for step in steps
    ]
    assert found[-1][1:] == shown.data["final"]
    expect(page.locator("[data-ledger] .line")).to_have_count(3)


def test_the_bar_marks_moments_and_a_fault_is_a_key_away(page: Page, site: str) -> None:
    shown = opened(page, game(page, site, status="illegal"))
    expect(page.locator("[data-stops] .fault")).to_have_count(1)
    assert page.locator("[data-stops] .yaku").count() > 0
    page.locator('[data-stop="fault"]').click()
    shown.stands(*shown.last)
    expect(page.locator("[data-fault]")).to_be_visible()


def test_of_moves_and_deals_one_link_each_is_in_the_way_of_tab(page: Page, site: str) -> None:
    shown = opened(page, game(page, site))
    shown.go(1, 4)
    links = page.locator("[data-moves] li a:not([tabindex])")
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("data-at", "1.4")
    expect(page.locator('[data-deals] a:not([tabindex="-1"])')).to_have_attribute("data-pick", "1")
    expect(page.locator('[data-plot] a:not([tabindex="-1"])')).to_have_attribute("data-at", "1.0")
    step = shown.deals[0]["steps"][4]
    expect(links.locator(".pic")).to_have_count(len(step["card"] + step["take"]))
