"""Every kind of broken game, opened in the editor at its fault, corrected there, and verified.

The kind is the code of the fault. The cases are those of the library, which are edits of whole
games, and of an independent implementation: the game that one was made of is the most alike one.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect

from conformance.make import EDITED
from conformance.run import HERE
from kafu.judging.options import REST
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from lengths import LONG, part
from tests.conformance import OWN, SHARED
from tests.records.pages.writing.test_editor import begin, kafu

#: A game that breaks no rule; of a score sheet only the first is one.
LEGAL: Final = ("verified", "consistent", "unfinished")
#: Taps on what is offered, before one removes the rest.
TAPS: Final = 12
#: What a text is replaced by that has nothing of a game.
OTHER: Final = HERE / "koikoi/month.kafu"
#: The whole games of which our own cases are edits.
BASES: Final = {one.record: HERE / f"{one.base}.kafu" for one in EDITED if one.base}


@dataclass(frozen=True)
class Case:
    """A broken record, and the kind of its fault."""

    kind: str
    record: Path

    @property
    def text(self) -> str:
        """As a browser has it."""
        data = self.record.read_bytes().decode(errors="replace")
        return data.replace("\r\n", "\n").replace("\r", "\n")


def cases() -> list[Case]:
    """The broken records: of each kind one, of rulesets in turn, or all of them."""
    kinds: dict[str, list[Case]] = {}
    for place in (OWN, SHARED) if LONG else (OWN,):
        for record in sorted(place.glob("*/*.kafu")):
            verdict: dict[str, Any] = json.loads(record.with_suffix(".json").read_text("utf-8"))
            if verdict["status"] not in ("malformed", "illegal", "mismatch"):
                continue
            error = verdict["error"] or {}
            found = error.get("code") or verdict.get("kind") or "mismatch"
            kinds.setdefault(found, []).append(Case(found, record))
    if LONG:
        return [case for found in kinds.values() for case in found]
    return [found[number % len(found)] for number, found in enumerate(kinds.values())]


@cache
def whole_games(folder: Path) -> dict[Path, frozenset[str]]:
    """The lines of each whole game of a folder."""
    found = {}
    for path in folder.glob("*.kafu"):
        if json.loads(path.with_suffix(".json").read_text("utf-8"))["status"] in LEGAL:
            found[path] = frozenset(path.read_text("utf-8", errors="replace").split("\n"))
    return found


def intended(case: Case) -> str | None:
    """The game that a case was made of; None where that is not known."""
    if (base := BASES.get(case.record)) is not None:
        return base.read_text("utf-8")
    lines = set(case.text.split("\n"))
    games = whole_games(case.record.parent)
    nearest = max(games, key=lambda path: len(games[path] & lines), default=None)
    if nearest is None or len(games[nearest] & lines) < len(lines) / 2:
        return None
    return nearest.read_text("utf-8")


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """The editor with a game in it, for all cases: what was opened before must not matter."""
    context = chromium.new_context(
        locale="en-US", base_url=site, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    begin(page, "koikoi", "Aya", "Ben")
    yield page
    context.close()
    assert not errors


@pytest.mark.parametrize(
    "case", part(cases(), one_of=5), ids=lambda case: f"{case.kind}-{case.record.stem}"
)
def test_a_broken_game_is_corrected_at_its_fault(page: Page, case: Case) -> None:
    """By a tap where one is offered, else in the text, as one does who has the sheet at hand."""
    is_at_its_fault(page, paste(page, case.text))
    meant = intended(case)
    ways = page.locator("[data-instead] button:not([data-cut])")
    for _ in range(TAPS):
        if status(page) in LEGAL or not ways.count():
            break
        tap(page, best(ways, meant or ""))
    cut = page.locator("[data-instead] [data-cut]")
    if status(page) not in LEGAL and meant is None and cut.count():
        tap(page, cut)
    elif status(page) not in LEGAL:
        rewrite(page, meant or OTHER.read_text("utf-8"))
    written = kafu(page)
    assert status(page) in LEGAL, written
    if written:
        assert verify(read(written)).verdict.status == status(page)


def paste(page: Page, text: str) -> int:
    """Replace the text by another from the clipboard; the line of its fault, 0 for none."""
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text or " ")
    page.locator("[data-text]").focus()
    page.keyboard.press("Control+a")
    with page.expect_response(judges(text or " ")) as answer:
        page.keyboard.press("Control+v")
    refused: dict[str, Any] = {"status": "", "error": None}
    found = answer.value.json() if answer.value.ok else refused
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", found["status"])
    return (found["error"] or {}).get("line") or 0


def judges(text: str) -> Callable[[Response], bool]:
    """Tells the answer about a text from those to what stood there before."""

    def does(answer: Response) -> bool:
        if "/api/v1/positions" not in answer.url:
            return False
        return bool((answer.request.post_data_json or {}).get("kafu") == text)

    return does


def status(page: Page) -> str:
    """The verdict so far."""
    return page.locator("[data-verdict]").get_attribute("data-kind") or ""


def is_at_its_fault(page: Page, line: int) -> None:
    """The line of the fault is marked, and the place in it chosen; what is wrong is said."""
    expect(page.locator("[data-status][role=status]")).to_have_class("error")
    expect(page.locator("[data-lines] .faulty")).to_have_text([str(line)] if line else [])
    if line:
        before = "(box) => box.value.slice(0, box.selectionStart)"
        assert page.locator("[data-text]").evaluate(before).count("\n") + 1 == line


def best(ways: Locator, meant: str) -> Locator:
    """Of what is offered that which the intended game has, else the first."""
    texts = ways.evaluate_all("(all) => all.map((one) => one.querySelector('code')?.textContent)")
    there = (n for n, text in enumerate(texts) if text and text.replace(REST, "/") in meant)
    return ways.nth(next(there, 0))


def tap(page: Page, way: Locator) -> None:
    """Tap on what is offered, and wait for what comes of it."""
    with page.expect_response("**/api/v1/positions*") as answer:
        way.click()
    found = answer.value.json()
    assert answer.value.ok, found
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", found["status"])
    # Without any deal there is no text, but the form for the cards.
    expect(page.locator("[data-text]")).to_have_value(found["kafu"] if found["deals"] else "")


def utf16(text: str) -> int:
    """The length of a text as a browser counts it."""
    return len(text.encode("utf-16-le")) // 2


def rewrite(page: Page, meant: str) -> None:
    """Write what is meant where the text differs from it."""
    box = page.locator("[data-text]")
    text = kafu(page)
    lines, others = text.split("\n"), meant.split("\n")
    blocks = difflib.SequenceMatcher(None, lines, others, autojunk=False).get_opcodes()
    for kind, first, end, other_first, other_end in reversed(blocks):
        if kind == "equal":
            continue
        start = sum(len(line) + 1 for line in lines[:first])
        stop = sum(len(line) + 1 for line in lines[:end])
        box.evaluate(
            "(box, [start, end]) => { box.focus(); box.setSelectionRange(start, end); }",
            [utf16(text[:start]), utf16(text[:stop])],
        )
        typed = "".join(f"{line}\n" for line in others[other_first:other_end])
        if typed:
            page.keyboard.insert_text(typed)
        else:
            page.keyboard.press("Delete")
    wanted = verify(read(meant)).verdict.status
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", wanted)
