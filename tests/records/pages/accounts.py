"""Accounts for tests in a browser, made by requests without a page."""

from __future__ import annotations

from playwright.sync_api import BrowserContext

from tests.people.world import PASSWORD


def sign_up(context: BrowserContext, site: str, name: str) -> None:
    """Create an account with `PASSWORD` and log this browser in."""
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    _enter(context, f"{site}/account/signup/", fields)


def log_in(context: BrowserContext, site: str, name: str) -> None:
    """Log this browser in to an account with `PASSWORD`."""
    _enter(context, f"{site}/account/login/", {"login": name, "password": PASSWORD})


def _enter(context: BrowserContext, address: str, fields: dict[str, str]) -> None:
    """Send a form that leads to the page of one's own games."""
    context.request.get(address)
    tokens = [cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken"]
    form = fields | {"csrfmiddlewaretoken": tokens[0]}
    response = context.request.post(address, form={**form}, headers={"Referer": address})
    assert response.url.endswith("/me/"), response.text()
