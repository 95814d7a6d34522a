"""Hostile games in a real browser: no script of them runs, and the policy blocks none of ours."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Dialog, Page

from archives.makers import zipped
from lengths import LONG
from tests.security import hostile
from tests.security.hostile import ATTRIBUTE, ELEMENT
from tests.services import wait_until

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


def send_games(page: Page, site: str) -> list[str]:
    """Upload hostile games in hostile files, and return the paths to visit.

    Each page that draws names by a script is visited with one of the games, in `make test-long`
    with all of them, and pages without such a script.
    """
    files = {hostile.FILE: hostile.games("koikoi")[0].encode(), "s.kafu": hostile.sheet().encode()}
    body = zipped(hostile.files() if LONG else files)
    headers = {"Content-Type": "application/zip"}
    upload = page.request.post(f"{site}/api/v1/uploads", data=body, headers=headers).json()["key"]
    address = f"{site}/api/v1/uploads/{upload}"
    wait_until(lambda: page.request.get(address).json()["state"] == "done", "the games are stored")
    games = page.request.get(f"{address}/games").json()["results"]
    keys = [game["record"].rpartition("/")[2] for game in games if game["record"]]
    html = page.request.get(f"{site}/games/{keys[0]}/").text()
    (player, *other_paths) = dict.fromkeys(re.findall(r"/players/[0-9A-Za-z]{5,}/", html))
    paths = [player, f"/uploads/{upload}/", f"/check/?record={keys[0]}"]
    paths += [f"/games/{keys[0]}/#1.3", f"/games/{keys[1]}/"]
    if LONG:
        paths += ["/", "/games/", "/players/", *other_paths]
        for key in keys:
            paths += [f"/games/{key}/#1.3", f"/embed/{key}/", f"/check/?record={key}"]
            paths += [f"/games/{key}/moves/", f"/games/{key}/sheet"]
    return paths


def test_scripts_of_hostile_games_do_not_run(page: Page, site: str) -> None:
    """Nothing is inserted into a page, no dialog opens, and no other host gets a request."""
    paths = send_games(page, site)
    requested: list[str] = []
    dialogs: list[str] = []

    def on_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", on_dialog)
    page.on("request", lambda request: requested.append(request.url))
    insertions: dict[str, list[str]] = {}
    for path in paths:
        response = page.goto(site + path, wait_until="load")
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
    assert hosts == {urlsplit(site).netloc}
