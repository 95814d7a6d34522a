"""A person at a browser: acts on what is in sight, and waits for what is to come."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    JavascriptException,
    NoSuchFrameException,
    StaleElementReferenceException,
)
from selenium.webdriver import ActionChains, Remote
from selenium.webdriver.remote.webelement import WebElement

from tests.services import wait_until

#: Seconds until something has to be in sight.
PATIENCE: Final = 30.0
#: Returns the visible elements with a selector and a text, in the page and in its players.
FIND: Final = """
    const [selector, text] = arguments;
    const players = [...document.querySelectorAll("kafu-replay")];
    return [document, ...players.map((player) => player.shadowRoot).filter(Boolean)]
        .flatMap((root) => [...root.querySelectorAll(selector)])
        .filter((element) => element.getClientRects().length && element.textContent.includes(text));
"""
#: Whether the next page is loaded. Browsers also replace the blank page that they begin with.
HAS_ARRIVED: Final = """
    return !window.isOld && location.protocol !== "about:" && document.readyState === "complete";
"""
#: Fills a field as typing does, in one step.
FILL: Final = """
    const [field, text] = arguments;
    field.focus();
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
"""


class Visitor:
    """A person at one page of an archive."""

    def __init__(self, driver: Remote, address: str) -> None:
        """Take a browser, and the address of the archive without a final slash."""
        self.driver = driver
        self.address = address

    def open(self, path: str) -> None:
        """Go to a page of the archive, or to another address."""
        self._leave("location.assign(arguments[0])", urljoin(self.address, path))

    @property
    def path(self) -> str:
        """The path of the current page."""
        return urlsplit(self.driver.current_url).path

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return its result."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> None:
        """Wait until a script returns something true; errors of a page that changes are retried."""

        def is_true() -> bool:
            try:
                return bool(self.run(script, *arguments))
            except (JavascriptException, NoSuchFrameException, StaleElementReferenceException):
                return False

        wait_until(is_true, f"{script} {arguments} on {self.driver.current_url}", PATIENCE)

    def list_visible(self, selector: str, text: str = "") -> list[WebElement]:
        """Return the visible elements with a selector and a text; none while a page is left."""
        try:
            elements: list[WebElement] | None = self.run(FIND, selector, text)
        except NoSuchFrameException:  # WebKit's error for a script in a page that is left
            return []
        return elements or []

    def see(self, selector: str, text: str = "") -> WebElement:
        """Wait for a visible element, and return it."""
        elements: list[WebElement] = []

        def is_seen() -> bool:
            elements[:] = self.list_visible(selector, text)
            return bool(elements)

        wait_until(is_seen, f"{selector} {text} on {self.driver.current_url}", PATIENCE)
        return elements[0]

    def tap(self, selector: str, text: str = "") -> None:
        """Tap on the first visible element, as soon as nothing covers it."""

        def has_tapped() -> bool:
            element = self.see(selector, text)
            try:
                # A person scrolls until no bar covers what they tap.
                self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
                element.click()
            except (StaleElementReferenceException, ElementClickInterceptedException):
                return False
            return True

        wait_until(has_tapped, f"{selector} {text} is tapped", PATIENCE)

    def fill(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        self.run(FILL, self.see(selector), text)

    def reload(self) -> None:
        """Reload the page as a person does: the drivers' own command passes service workers by."""
        self._leave("location.reload()")

    def _leave(self, script: str, *arguments: str) -> None:
        """Run a script that leads to another page, and wait for the page."""
        self.run(f"window.isOld = true; {script}", *arguments)
        self.wait(HAS_ARRIVED)

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
