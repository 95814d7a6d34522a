"""Actions of a person in the record editor and in the score-sheet form, and stored games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG
from tests import conformance
from tests.services import wait_until

TELEPHONE: Final = (390, "ja-JP")
DESK: Final = (1280, "en-US")


def on(first: tuple[int, str], second: tuple[int, str]) -> pytest.MarkDecorator:
    """Run a test on the first kind of page, in `make test-long` on both."""
    kinds = [first, second] if LONG else [first]
    names = [f"{width}-{locale}" for width, locale in kinds]
    return pytest.mark.parametrize("page", kinds, ids=names, indirect=True)


ON_DESK: Final = on(DESK, TELEPHONE)
ON_TELEPHONE: Final = on(TELEPHONE, DESK)


@cache
def short_game(seed: int) -> str:
    """Return a koi-koi game of two months, which is judged and drawn faster than a year."""
    return write(simulate("koikoi", seed=seed, options={"months": "2"}))


def show_letters(page: Page) -> Locator:
    """Show letters of cards, as the setting of replays does, and return their field."""
    page.evaluate("document.documentElement.classList.add('show-letters')")
    return page.locator("[data-letters]")


def store(page: Page, text: str) -> str:
    """Upload a game through the API, wait until it is stored, and return its key."""
    kafu_type = {"Content-Type": "text/x-kafu"}
    upload = page.request.post("/api/v1/uploads", data=text, headers=kafu_type).json()
    return game_of(page, upload["key"])


def game_of(page: Page, upload: str) -> str:
    """Wait until the game of an upload is stored, and return its key."""
    address = f"/api/v1/uploads/{upload}"
    wait_until(lambda: page.request.get(address).json()["state"] == "done", "the game is stored")
    (game,) = page.request.get(f"{address}/games").json()["results"]
    return str(game["record"].rpartition("/")[2])


def save_game(page: Page) -> str:
    """Save what was written, wait for the page of the game, and return the game's key."""
    page.locator("[data-send]").click()
    page.wait_for_url(re.compile(r"/games/\w+/"))
    expect(page.locator("[data-own]")).to_be_visible()
    return page.url.split("/games/")[1].split("/")[0]


# The record editor ----------------------------------------------------------------------------


def begin_game(page: Page, ruleset: str, *names: str) -> None:
    """Open the editor and begin a game."""
    page.goto("/records/new")
    page.locator("[name=ruleset]").select_option(ruleset)
    if len(names) > 3:
        page.locator("[name=seats]").select_option(str(len(names)))
    for number, name in enumerate(names):
        page.locator("[name=player]").nth(number).fill(name)
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-dealing]")).to_be_visible()


def unfold(page: Page) -> None:
    """Open the text of the game, which is folded."""
    page.locator("[data-fold]").evaluate("details => { details.open = true; }")


def text_of(page: Page) -> str:
    """Return the text beside the table."""
    return page.locator("textarea[data-text]").input_value()


def expect_status(page: Page, status: str) -> None:
    """Wait for a verdict on the game."""
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", status)


# The score-sheet form -------------------------------------------------------------------------


def wait_until_kept(page: Page) -> None:
    """Wait until the browser has stored the last change of a draft."""
    expect(page.locator("[data-kept]")).not_to_be_empty()


def document(ruleset: str) -> str:
    """Return the score sheet of a whole year from the document of a ruleset."""
    return (conformance.OWN / ruleset / "sheet-document.kafu").read_text(encoding="utf-8")


def begin_sheet(page: Page, ruleset: str, *names: str, by_yaku: bool = True) -> None:
    """Open the form and begin a sheet, to be written by yaku unless ``by_yaku`` is false."""
    page.goto("/sheets/new")
    page.locator("[name=ruleset]").select_option(ruleset)
    if len(names) > 3:
        page.locator("[name=seats]").select_option(str(len(names)))
    for number, name in enumerate(names):
        page.locator("[name=player]").nth(number).fill(name)
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[name=dealer]").first).to_be_visible()
    if by_yaku:
        choose(page, "short", "")


def press(page: Page, selector: str) -> None:
    """Tap a control on a touch screen, and press its key elsewhere."""
    control = page.locator(selector)
    if page.evaluate("navigator.maxTouchPoints"):
        control.tap()
        return
    control.focus()
    is_button = control.evaluate("element => element.tagName === 'BUTTON'")
    page.keyboard.press("Enter" if is_button else "Space")


def choose(page: Page, name: str, value: int | str) -> None:
    """Choose a radio button of the month."""
    selector = f'[data-parts] [name="{name}"][value="{value}"]'
    button = page.locator(selector)
    if not button.is_checked():
        press(page, selector)
    expect(button).to_be_checked()


def toggle_yaku(page: Page, seat: int, *labels: str) -> None:
    """Enter yaku of a player."""
    choose(page, "whose", seat)
    for label in labels:
        selector = f'[data-act="toggle"][data-label="{label}"]'
        press(page, selector)
        expect(page.locator(selector)).to_have_attribute("aria-pressed", "true")


def change_payment(page: Page, number: int, field: str, value: str) -> None:
    """Change a field of a payment."""
    control = page.locator(f'.paid [name="{field}"][data-line="{number}"]')
    if field in ("half", "void"):
        control.check()
    elif field == "gain":
        type_amount(page.locator(f'[name="gain"][data-line="{number}"]'), value)
    else:
        control.select_option(value)


def fill_amounts(page: Page, field: str, amounts: Sequence[str]) -> None:
    """Fill in amounts by seat, leaving out empty ones; sums into the current month of the paper."""
    place = "tbody:has([aria-current]) " if field == "sums" else ""
    for seat, amount in enumerate(amounts, start=1):
        if amount:
            type_amount(page.locator(f'{place}[name="{field}"][data-seat="{seat}"]'), amount)


def type_amount(fields: Locator, amount: str) -> None:
    """Type an amount, ``-1k6`` or ``5``, into its fields for kan and for the small unit."""
    kan, has_kan, rest = amount.rpartition("k")
    if has_kan:
        fields.locator("xpath=self::*[@data-part='kan']").fill(kan)
    fields.locator("xpath=self::*[@data-part='rest']").fill(rest)


def begin_next_month(page: Page) -> None:
    """Go on to a new month, and wait for it."""
    current = page.locator(".paper th [aria-current]")
    number = int(current.get_attribute("data-at") or 0)
    press(page, "[data-after]")
    expect(current).to_have_attribute("data-at", str(number + 1))


def expect_fault(page: Page, field: str) -> Locator:
    """Wait for a fault at a field and in the status line, and return the one at the field."""
    fault = page.locator(f'[data-fault="{field}"]')
    expect(fault).to_be_visible()
    expect(page.locator("[data-said]")).to_have_class(re.compile("error"))
    expect(page.locator("[data-said]")).not_to_be_empty()
    return fault
