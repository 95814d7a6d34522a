"""Accounts in a browser: two-factor authentication by keyboard alone, each page checked by axe."""

from __future__ import annotations

import re
from secrets import token_hex
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.people.totp import code
from tests.people.world import PASSWORD
from tests.records.pages.test_axe import violations

#: Widths for checks of pages, used alternately.
WIDTHS: Final = (1280, 390)
#: Pages with the same form as a tested page, or with text only.
OTHERS: Final = (
    *(
        "email/",
        "password/change/",
        "password/reset/",
        "password/reset/done/",
        "logout/",
        "inactive/",
    ),
    "confirm-email/x/",
)
#: More fields and links than on any of these pages.
MANY: Final = 60
#: Whether an element has the focus.
IS_FOCUSED: Final = "(element) => element === document.activeElement"


class Keyboard:
    """A user without a mouse."""

    def __init__(self, page: Page, site: str) -> None:
        """Start with no page checked."""
        self.page, self.site = page, site
        self.faults: dict[str, list[str]] = {}
        self.checks = 0

    def go(self, path: str) -> None:
        """Open an address of the account."""
        self.page.goto(f"{self.site}/account/{path}")

    def reach(self, selector: str) -> None:
        """Press Tab until an element has the focus, on a new page from the link to its content."""
        element = self.page.locator(selector).first
        if self.page.evaluate("document.activeElement === document.body"):
            self.page.keyboard.press("Tab")
            self.page.keyboard.press("Enter")
        for _ in range(MANY):
            if element.evaluate(IS_FOCUSED):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached on {self.page.url}")

    def enter(self, **fields: str) -> None:
        """Fill a form in, field by field, and send it."""
        for name, value in fields.items():
            self.reach(f"main [name={name}]")
            self.page.keyboard.insert_text(value)
        self.press_enter()

    def follow(self, selector: str) -> None:
        """Open a link or press a button."""
        self.reach(selector)
        self.press_enter()

    def press_enter(self) -> None:
        """Press Enter, and wait for the next page."""
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def check(self, name: str) -> None:
        """Note the faults of a page: what axe finds, and whether it is too wide."""
        width = WIDTHS[self.checks % 2]
        self.checks += 1
        self.page.set_viewport_size({"width": width, "height": 900})
        faults = violations(self.page)
        page_width = self.page.evaluate("document.documentElement.scrollWidth")
        if page_width > width:
            faults.append(f"{page_width} px wide")
        if faults:
            self.faults[f"{name} {width}"] = faults


@pytest.mark.long_only  # `tests/people/test_second_factor.py` sends the forms of these pages
@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("ja", "light")])
def test_second_factor_is_set_up_and_used_by_keyboard(
    page: Page, site: str, lang: str, scheme: Literal["dark", "light"]
) -> None:
    page.set_extra_http_headers({"Accept-Language": lang})
    page.emulate_media(color_scheme=scheme)
    name = f"factor-{token_hex(4)}"
    keys = Keyboard(page, site)
    sign_up_by_keyboard(keys, name)
    picture = page.locator("img.qr")
    assert picture.evaluate("(image) => image.complete && image.naturalWidth") > 20
    secret = page.locator(".key").inner_text()
    keys.enter(code="000000")
    expect(page.locator("main .errorlist")).to_be_visible()
    keys.check("QR code and a wrong code")
    keys.enter(code=code(secret))
    keys.check("recovery codes")
    recovery = page.locator(".codes code").all_inner_texts()
    assert len(recovery) == 10
    keys.go("")
    keys.check("account")

    page.context.clear_cookies()
    keys.go("login/")
    keys.check("log-in")
    keys.enter(login=name, password=PASSWORD)
    keys.check("code")
    keys.enter(code=recovery[0])
    expect(page).to_have_url(re.compile("/me/(#main)?$"))

    turn_off(keys, recovery[1])
    for path in ("sessions/", *OTHERS):
        keys.go(path)
        keys.check(path)
    assert not keys.faults


def sign_up_by_keyboard(keys: Keyboard, name: str) -> None:
    """Create an account, and lead to the QR code of a second factor."""
    keys.go("signup/")
    keys.check("registration")
    keys.enter(username=name, email=f"{name}@example.org", password1=PASSWORD, password2=PASSWORD)
    keys.go("")
    keys.follow("main a[href='/account/2fa/']")
    keys.check("second factor")
    keys.follow("main .button")
    keys.check("password once more")
    keys.enter(password=PASSWORD)


def turn_off(keys: Keyboard, recovery: str) -> None:
    """Turn the second factor off by a recovery code."""
    keys.go("2fa/totp/deactivate/")
    keys.follow("main .others a")
    keys.check("code once more")
    keys.enter(code=recovery)
    keys.check("turning off")
    keys.follow("main form.fields button")
    expect(keys.page).to_have_url(re.compile("/account/2fa/(#main)?$"))
