"""Hostile games in a real browser: nothing runs, nothing is blocked by the policy, no dialogs."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Dialog, Page

from lengths import part
from tests.conftest import Environment, Hana
from tests.security.hostile import ATTRIBUTE, ELEMENT

MAKE = """
import json
from records.models import Player, Record, Status
from tests.security import hostile
upload = hostile.ingest()
each = {(one.ruleset, one.sheet): one.key for one in Record.objects.all()}
each |= {one.status: one.key for one in Record.objects.all()}
print("KEYS" + json.dumps({"upload": upload.key, "records": sorted(set(each.values())),
                           "players": [one.key for one in Player.objects.all()[:4]]}))
"""
#: Elements, attributes and scripts that are not ours, in the page and in open shadow roots.
LOOK = f"""() => {{
    const found = [];
    const walk = (root) => {{
        for (const one of root.querySelectorAll("*")) {{
            if (one.localName === "{ELEMENT}" || one.hasAttribute("{ATTRIBUTE}"))
                found.push(one.outerHTML.slice(0, 200));
            for (const name of one.getAttributeNames())
                if (name.startsWith("on")) found.push(`${{one.localName}} ${{name}}`);
            if (one.shadowRoot) walk(one.shadowRoot);
        }}
    }};
    walk(document);
    return found;
}}"""


@pytest.fixture
def site(hana: Hana, hana_env: Callable[..., Environment]) -> tuple[str, list[str]]:
    """A server with the hostile games, and the addresses to look at: of every other game a page and
    an embed alone, in `make test-long` all.
    """
    env = hana_env()
    said = hana("shell", "--command", MAKE, env=env).stdout
    keys = json.loads(said.partition("KEYS")[2].splitlines()[0])
    _process, port = hana.web(env)
    paths = ["/", "/games/", "/players/", f"/uploads/{keys['upload']}/", "/check/"]
    paths += [f"/players/{key}/" for key in keys["players"]]
    paths += [path for key in keys["records"] for path in (f"/games/{key}/#1.3", f"/embed/{key}/")]
    for key in part(keys["records"], one_of=2):
        paths += [f"/check/?record={key}", f"/games/{key}/moves/", f"/games/{key}/sheet"]
    return f"http://127.0.0.1:{port}", paths


def test_nothing_runs(page: Page, site: tuple[str, list[str]]) -> None:
    url, paths = site
    asked: list[str] = []
    dialogs: list[str] = []

    def on_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", on_dialog)
    page.on("request", lambda request: asked.append(request.url))
    found: dict[str, list[str]] = {}
    for path in paths:
        answer = page.goto(url + path, wait_until="load")
        assert answer is not None and answer.status in (200, 404), path
        page.wait_for_function(
            """() => [...document.querySelectorAll("kafu-replay")].every((one) =>
                one.shadowRoot?.querySelector(".replay.live"))"""
        )
        if "/games/" in path and path.endswith("#1.3"):
            for key in ("ArrowRight", "ArrowRight", "End"):
                page.keyboard.press(key)
        wrong = page.evaluate(LOOK)
        if wrong:
            found[path] = wrong
    assert not found
    assert not dialogs
    hosts = {urlsplit(one).netloc for one in asked if not one.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(url).netloc}
