"""Accounts in a browser: two-factor authentication by keyboard alone, checked by axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import part
from tests.people.totp import code
from tests.people.world import PASSWORD
from tests.records.pages.test_axe import violations

Way = tuple[str, Literal["light", "dark"]]
WAYS: Final[tuple[Way, ...]] = (("en-US", "dark"), ("ja-JP", "light"))
#: Each look by turns at one of these widths, in `make test-long` at both.
WIDTHS: Final = (1280, 390)
#: More fields and links than any of these pages has.
MANY: Final = 60


@pytest.fixture(params=part(WAYS), ids=lambda way: way[0])
def way(request: pytest.FixtureRequest) -> Way:
    """One of the ways to look at it."""
    found: Way = request.param
    return found


@pytest.fixture
def page(chromium: Browser, way: Way) -> Iterator[Page]:
    """A page in that way. The test fails if a script of ours does, or is not let in."""
    locale, scheme = way
    context = chromium.new_context(locale=locale, color_scheme=scheme)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None,
    )
    yield page
    context.close()
    assert not faults


class Keyboard:
    """Somebody without a mouse."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.wrong: dict[str, list[str]] = {}
        self.looks = 0

    def reach(self, selector: str) -> None:
        """Go on by Tab until this has the focus."""
        wanted = self.page.locator(selector).first
        for _ in range(MANY):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached on {self.page.url}")

    def enter(self, **fields: str) -> None:
        """Fill a form in, field by field, and send it."""
        for name, value in fields.items():
            self.reach(f"main [name={name}]")
            self.page.keyboard.type(value)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def follow(self, selector: str) -> None:
        """Open a link or press a button."""
        self.reach(selector)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def look(self, what: str) -> None:
        """Note what is wrong with the page: what axe finds, and whether it is too wide."""
        self.looks += 1
        for width in part(WIDTHS[self.looks % 2 :] + WIDTHS[: self.looks % 2], one_of=2):
            self.page.set_viewport_size({"width": width, "height": 900})
            told = violations(self.page)
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                told.append(f"{wide} px wide")
            if told:
                self.wrong[f"{what} {width}"] = told


def test_two_factors_by_keyboard(page: Page, site: str, way: Way) -> None:
    name = f"factor-{way[0]}"
    keys = Keyboard(page, site)
    page.goto(f"{site}/account/signup/")
    keys.look("registration")
    keys.enter(username=name, email=f"{name}@example.org", password1=PASSWORD, password2=PASSWORD)
    page.goto(f"{site}/account/")
    keys.look("account")
    for link in ("/account/email/", "/account/sessions/", "/account/2fa/"):
        keys.follow(f"main a[href='{link}']")
        keys.look(link)
        if link != "/account/2fa/":
            keys.follow("main .sections a[href='/account/']")
    keys.follow("main .button")
    keys.look("password once more")
    keys.enter(password=PASSWORD)
    keys.look("QR code")
    picture = page.locator("img.qr")
    assert picture.evaluate("one => one.complete && one.naturalWidth") > 20
    secret = page.locator(".key").inner_text()
    keys.enter(code="000000")
    expect(page.locator("main .errorlist")).to_be_visible()
    keys.look("wrong code")
    keys.enter(code=code(secret))
    keys.look("recovery codes")
    recovery = page.locator(".codes code").all_inner_texts()
    assert len(recovery) == 10
    page.goto(f"{site}/account/2fa/")
    keys.look("turned on")

    keys.follow("main .sections button")
    page.goto(f"{site}/account/login/")
    keys.look("log-in")
    keys.enter(login=name, password=PASSWORD)
    keys.look("code")
    keys.enter(code=recovery[0])
    expect(page).to_have_url(f"{site}/me/")

    page.goto(f"{site}/account/2fa/totp/deactivate/")
    keys.follow("main .others a")
    keys.look("code once more")
    keys.enter(code=recovery[1])
    keys.look("turning off")
    keys.follow("main form.fields button")
    expect(page).to_have_url(f"{site}/account/2fa/")
    for path in ("password/change", "password/reset", "password/reset/done", "logout", "inactive"):
        page.goto(f"{site}/account/{path}/")
        keys.look(path)
    page.goto(f"{site}/account/confirm-email/x/")
    keys.look("link that is not valid")
    assert not keys.wrong
