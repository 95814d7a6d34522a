"""Hostile games in a real browser: no script of them runs, and the policy blocks none of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Dialog, Page

from lengths import LONG
from tests.conftest import Environment, Hana
from tests.security.hostile import ATTRIBUTE, ELEMENT

#: Finds elements, attributes and scripts that are not ours, in the page and in shadow roots.
FIND_FOREIGN = f"""() => {{
    const foreign = [];
    const walk = (root) => {{
        for (const element of root.querySelectorAll("*")) {{
            if (element.localName === "{ELEMENT}" || element.hasAttribute("{ATTRIBUTE}"))
                foreign.push(element.outerHTML.slice(0, 200));
            for (const name of element.getAttributeNames())
                if (name.startsWith("on")) foreign.push(`${{element.localName}} ${{name}}`);
            if (element.shadowRoot) walk(element.shadowRoot);
        }}
    }};
    walk(document);
    return foreign;
}}"""


@pytest.fixture
def site(
    hana: Hana, hostile_var: Callable[[], tuple[Environment, dict[str, Any]]]
) -> tuple[str, list[str]]:
    """A server with the hostile games, and the paths to visit.

    Each page that draws names by a script is visited with one or two of the games, in
    `make test-long` with all of them.
    """
    env, keys = hostile_var()
    _process, port = hana.web(env)
    samples = keys["samples"]
    verified, sheet = samples["koikoi"], samples["sheet True"]
    paths = ["/", "/games/", "/players/", f"/players/{keys['players'][0]}/"]
    paths += [f"/uploads/{keys['uploads'][0]}/", f"/check/?record={verified}"]
    paths += [f"/games/{verified}/#1.3", f"/games/{verified}/moves/", f"/embed/{verified}/"]
    paths += [f"/games/{samples['illegal']}/#1.3", f"/games/{sheet}/", f"/games/{sheet}/sheet"]
    if LONG:
        paths += [f"/players/{key}/" for key in keys["players"][1:4]]
        for key in sorted(set(samples.values())):
            paths += [f"/games/{key}/#1.3", f"/embed/{key}/", f"/check/?record={key}"]
            paths += [f"/games/{key}/moves/", f"/games/{key}/sheet"]
    return f"http://127.0.0.1:{port}", paths


def test_scripts_of_hostile_games_do_not_run(page: Page, site: tuple[str, list[str]]) -> None:
    """Nothing is inserted into a page, no dialog opens, and no other host gets a request."""
    url, paths = site
    requested: list[str] = []
    dialogs: list[str] = []

    def on_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", on_dialog)
    page.on("request", lambda request: requested.append(request.url))
    insertions: dict[str, list[str]] = {}
    for path in paths:
        response = page.goto(url + path, wait_until="load")
        assert response is not None and response.status in (200, 404), path
        page.wait_for_function(
            """() => [...document.querySelectorAll("kafu-replay")].every((replay) =>
                replay.shadowRoot?.querySelector(".replay.live"))"""
        )
        if "/games/" in path and path.endswith("#1.3"):
            for key in ("ArrowRight", "ArrowRight", "End"):
                page.keyboard.press(key)
        foreign = page.evaluate(FIND_FOREIGN)
        if foreign:
            insertions[path] = foreign
    assert not insertions
    assert not dialogs
    hosts = {urlsplit(address).netloc for address in requested if address.startswith("http")}
    assert hosts == {urlsplit(url).netloc}
