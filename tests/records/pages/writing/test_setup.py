"""House rules of a game to be written down: presets, questions, all rules, and the last game's."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from records.pages.editor import page as editor_page
from records.pages.editor import sheet_page
from records.pages.editor.setup import setup_data
from records.pages.game.page import table_texts
from tests.records.pages.kinds import fits
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import ON_TELEPHONE

STORE = "(value) => localStorage.setItem('hana-rules', value)"
#: Invalid rules of a last game. tests/javascript/editor.test.mjs tests further invalid rules.
INVALID = '{"ruleset": "whist", "games": {"koikoi": {"goko": "1000"}}}'


def field(page: Page, option: str) -> Locator:
    """Return the field of an option."""
    return page.locator(f"[name='option.{option}']")


def preset(page: Page, id: str) -> Locator:
    """Return the button of a preset."""
    return page.locator(f"[name=preset][value={id}]")


@pytest.mark.parametrize(
    "texts", [table_texts() | editor_page.page_texts(), sheet_page.page_texts()]
)
def test_text_of_a_page_has_no_key_of_the_setup(texts: dict[str, str]) -> None:
    assert texts.keys().isdisjoint(setup_data()["words"])


@pytest.mark.long_only  # a player of test_scenarios.py takes a preset
@ON_TELEPHONE
def test_preset_is_one_tap_and_offered_as_last_time_and_wrong_rule_is_not_sent(
    page: Page,
) -> None:
    page.goto("/sheets/new")
    screen = page.viewport_size
    form = page.locator("[data-setup]").bounding_box()
    assert screen and form and form["y"] + form["height"] < 2 * screen["height"]
    expect(preset(page, "traditional")).to_be_checked()
    expect(page.locator("[data-questions] [data-option]")).to_have_count(6)
    expect(page.locator("[data-setup] [type=submit]")).to_be_in_viewport()
    edges = "(fields) => fields.map((field) => Math.round(field.getBoundingClientRect().left))"
    assert len(set(page.locator("[data-questions] .value").evaluate_all(edges))) == 1
    page.locator("[data-presets] label", has=preset(page, "nintendo")).click()
    expect(field(page, "bai")).to_have_value("7")
    field(page, "hanami").fill("3")
    assert not violations(page)
    assert fits(page)
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-text]")).to_have_text(
        re.compile(r'\[Options "hanami=3 profile=koikoi-nintendo"\]')
    )

    page.goto("/records/new")
    expect(preset(page, "last")).to_be_checked()
    expect(page.locator("[data-presets] label").first).to_contain_text(
        re.compile("(任天堂系 · 花見酒: 3文|Nintendo style · Hanami-zake .*: 3 points)$")
    )
    expect(field(page, "hanami")).to_have_value("3")
    assert fits(page)
    preset(page, "nintendo").check()
    expect(field(page, "hanami")).to_have_value("5")

    page.evaluate(STORE, INVALID)
    page.reload()
    expect(preset(page, "traditional")).to_be_checked()
    expect(preset(page, "last")).to_have_count(0)

    # A wrong value of a folded rule is shown and not sent; a ruleset without options has no rules.
    page.locator("[name=ruleset]").select_option("koikoi")
    rules = page.locator("[data-all-rules]")
    rules.locator("summary").click()
    assert not violations(page)
    heading = rules.locator("legend a").first
    expect(heading).to_have_attribute("href", "/rules/koikoi/#deal")
    field(page, "goko").fill("1000")
    expect(rules.locator("[data-changed]")).to_have_text(re.compile("^1( changed|件変更)$"))
    rules.locator("summary").click()
    expect(field(page, "goko")).to_be_hidden()
    page.locator("[data-setup] [type=submit]").click()
    expect(field(page, "goko")).to_be_visible()
    expect(page.locator("[data-setup]")).to_be_visible()

    page.locator("[name=ruleset]").select_option("hanaawase")
    expect(page.locator("[name=player]").nth(2)).to_be_visible()
    for part in ("presets", "questions", "all-rules"):
        expect(page.locator(f"[data-{part}]")).to_be_hidden()
