"""Broken games in the editor: each kind of fault is corrected with what the editor offers.

The kind is the code of the fault. The cases are those of the library, which are edits of whole
games, and of an independent implementation: the game that a case was made of is the most alike.
All kinds are corrected by the editor's requests, one of each way of correction in a browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, Response, expect

from kafu.judging.position import REST
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from lengths import LONG, part
from tests.conformance import OWN, SHARED
from tests.records.pages.writing.actions import begin_game, expect_status, text_of, unfold

#: Verdicts on a game that breaks no rule; of a score sheet only the first is possible.
LEGAL: Final = ("verified", "consistent", "unfinished")
#: Suggestions that are accepted before the turns after the fault are removed.
SUGGESTIONS: Final = 12
#: A whole game to replace a text without any game.
OTHER: Final = OWN / "koikoi/month.kafu"


@dataclass(frozen=True)
class Case:
    """A broken record, and the kind of its fault."""

    kind: str
    record: Path

    def __str__(self) -> str:
        """Return the name of the case in the names of tests."""
        return f"{self.kind}-{self.record.stem}"

    @property
    def text(self) -> str:
        """The text as a browser has it."""
        data = self.record.read_bytes().decode(errors="replace")
        return data.replace("\r\n", "\n").replace("\r", "\n")


def load_cases() -> list[Case]:
    """Return a broken record of each kind, of the rulesets in turn; in `make test-long` all."""
    kinds: dict[str, list[Case]] = {}
    for place in (OWN, SHARED) if LONG else (OWN,):
        for record in sorted(place.glob("*/*.kafu")):
            verdict: dict[str, Any] = json.loads(record.with_suffix(".json").read_text("utf-8"))
            if verdict["status"] not in ("malformed", "illegal", "mismatch"):
                continue
            error = verdict["error"] or {}
            kind = error.get("code") or verdict.get("kind") or "mismatch"
            kinds.setdefault(kind, []).append(Case(kind, record))
    if LONG:
        return [case for cases in kinds.values() for case in cases]
    return [cases[number % len(cases)] for number, cases in enumerate(kinds.values())]


CASES: Final = load_cases()


@cache
def lines_of_whole_games(folder: Path) -> dict[Path, frozenset[str]]:
    """Return the lines of each whole game of a folder."""
    lines = {}
    for path in folder.glob("*.kafu"):
        if json.loads(path.with_suffix(".json").read_text("utf-8"))["status"] in LEGAL:
            lines[path] = frozenset(path.read_text("utf-8", errors="replace").split("\n"))
    return lines


def intended(case: Case) -> str | None:
    """Return the game that a case was made of; None where that is not known."""
    expected: dict[str, Any] = json.loads(case.record.with_suffix(".json").read_text("utf-8"))
    if "base" in expected:
        return (OWN / f"{expected['base']}.kafu").read_text("utf-8")
    lines = set(case.text.split("\n"))
    games = lines_of_whole_games(case.record.parent)
    nearest = max(games, key=lambda path: len(games[path] & lines), default=None)
    if nearest is None or len(games[nearest] & lines) < len(lines) / 2:
        return None
    return nearest.read_text("utf-8")


def best_of(suggestions: list[str], target: str) -> int:
    """Return the number of the suggestion that the intended game has, else the first."""
    fitting = (n for n, text in enumerate(suggestions) if text.replace(REST, "/") in target)
    return next((number for number in fitting if suggestions[number]), 0)


# By requests ----------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("case", part(CASES, one_of=8), ids=str)
def test_broken_game_becomes_legal_by_the_requests_of_the_editor(
    client: Client, case: Case
) -> None:
    def send(text: str, **fields: Any) -> dict[str, Any]:
        fields["kafu"] = text
        response = client.post("/api/v1/positions", fields, "application/json")
        position: dict[str, Any] = response.json()
        return position if response.status_code == 200 else {"status": "", "kafu": text}

    position, target = send(case.text), intended(case)
    assert position["status"] not in LEGAL
    for _ in range(SUGGESTIONS):
        fault = position.get("fault")
        if position["status"] in LEGAL:
            break
        if fault and fault["instead"]:
            suggestions = [choice["text"] for choice in fault["instead"]]
            suggestion = suggestions[best_of(suggestions, target or "")]
            position = send(position["kafu"], instead=suggestion)
        elif not fault and position.get("mismatches") and position["table"]:
            position = send(position["kafu"], compute=True)
        else:
            break
    if position["status"] not in LEGAL and target is None and (fault := position.get("fault")):
        position = send(position["kafu"], take_back=True, at=f"{fault['deal']}.{fault['step']}")
    elif position["status"] not in LEGAL:
        position = send(target or OTHER.read_text("utf-8"))
    assert position["status"] in LEGAL, position["kafu"]
    if position["deals"]:
        assert verify(read(position["kafu"])).verdict.status == position["status"]


# In a browser ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """Open the editor with a game in it, once for all cases: the text before must not matter."""
    context = chromium.new_context(
        locale="en-US", base_url=site, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    begin_game(page, "koikoi", "Aya", "Ben")
    unfold(page)
    yield page
    context.close()
    assert not errors


#: Faults with a claim that is computed, a suggestion, removed turns, and no line.
KINDS_IN_BROWSER: Final = ("mismatch", "not-in-hand", "hand-missing", "binary")
IN_BROWSER: Final = [case for case in CASES if case.kind in KINDS_IN_BROWSER]


@pytest.mark.parametrize("case", IN_BROWSER, ids=str)
def test_broken_game_is_shown_at_its_fault_and_corrected_there(page: Page, case: Case) -> None:
    """Suggestions are accepted while there are any; then the text is written again."""
    expect_fault_at(page, paste(page, case.text))
    target = intended(case)
    buttons = page.locator("[data-instead] button:not([data-cut])")
    for _ in range(SUGGESTIONS):
        if status(page) in LEGAL or not buttons.count():
            break
        texts = "(all) => all.map((button) => button.querySelector('code')?.textContent ?? '')"
        click(page, buttons.nth(best_of(buttons.evaluate_all(texts), target or "")))
    cut = page.locator("[data-instead] [data-cut]")
    if status(page) not in LEGAL and target is None and cut.count():
        click(page, cut)
    elif status(page) not in LEGAL:
        rewrite(page, target or OTHER.read_text("utf-8"))
    text = text_of(page)
    assert status(page) in LEGAL, text
    if text:
        assert verify(read(text)).verdict.status == status(page)


def paste(page: Page, text: str) -> int:
    """Replace the text by another from the clipboard; return the line of its fault, or 0."""
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text or " ")
    page.locator("[data-text]").focus()
    page.keyboard.press("Control+a")
    with page.expect_response(is_about(text or " ")) as response:
        page.keyboard.press("Control+v")
    refused: dict[str, Any] = {"status": "", "error": None}
    position = response.value.json() if response.value.ok else refused
    expect_status(page, position["status"])
    return (position["error"] or {}).get("line") or 0


def is_about(text: str) -> Callable[[Response], bool]:
    """Return a filter for the response about a text, as against those before it."""

    def matches(response: Response) -> bool:
        if "/api/v1/positions" not in response.url:
            return False
        return bool((response.request.post_data_json or {}).get("kafu") == text)

    return matches


def status(page: Page) -> str:
    """Return the status that is shown."""
    return page.locator("[data-verdict]").get_attribute("data-kind") or ""


def expect_fault_at(page: Page, line: int) -> None:
    """Check that a line is marked, the place in it selected, and the fault described."""
    expect(page.locator("[data-status][role=status]")).to_have_class("error")
    expect(page.locator("[data-lines] .faulty")).to_have_text([str(line)] if line else [])
    if line:
        before = "(box) => box.value.slice(0, box.selectionStart)"
        assert page.locator("[data-text]").evaluate(before).count("\n") + 1 == line


def click(page: Page, button: Locator) -> None:
    """Click on a suggestion, and wait until its response is shown."""
    with page.expect_response("**/api/v1/positions*") as response:
        button.click()
    position = response.value.json()
    assert response.value.ok, position
    expect_status(page, position["status"])
    # Without any deal the page has a form for the cards and no text.
    text = position["kafu"] if position["deals"] else ""
    expect(page.locator("[data-text]")).to_have_value(text)


def rewrite(page: Page, target: str) -> None:
    """Write the intended game in place of the text."""
    page.locator("[data-text]").fill(target)
    expect_status(page, verify(read(target)).verdict.status)
