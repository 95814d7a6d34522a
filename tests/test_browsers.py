"""Scripts and style sheets in the oldest supported browsers, Safari 16.5 and Firefox 121.

docs/design.md lists the browsers. TypeScript refuses methods that are newer than ES2023
(`jsconfig.json`); newer features of the DOM and of CSS are found here.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

from tests.conftest import ROOT

STATIC = ROOT / "records" / "static" / "records"
PLAYER = STATIC / "replay" / "replay.css"

#: Access to storage, which throws in browsers that block cookies.
STORAGE = re.compile(
    r"\b(localStorage|sessionStorage|BroadcastChannel|indexedDB|caches|document\.cookie)\b[.(\[]"
)
#: Features of the DOM and of CSS that a supported browser lacks, without which a page is broken.
TOO_NEW = re.compile(
    r"AbortSignal\.any|URL\.(parse|canParse)|startViewTransition|setHTMLUnsafe|parseHTMLUnsafe"
    r"|requestIdleCallback|moveBefore|checkVisibility|(show|hide|toggle)Popover|popover(target)?="
    r"|crypto\.randomUUID|CloseWatcher|ReadableStream\.from|Response\.json|searchParams\.size"
    r"|light-dark\(|text-autospace|@property|@scope|@starting-style|@position-try|@function"
    r"|interpolate-size|calc-size|field-sizing|anchor-name|position-area|animation-timeline"
    r"|(rgb|hsl|oklch|color)\(from"
)
#: Returns the lines of the page's title.
READ_LINES = """() => {
    const text = document.querySelector("h1").firstChild;
    const range = document.createRange();
    const lines = new Map();
    [...text.data].forEach((letter, i) => {
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        const { bottom } = range.getBoundingClientRect();
        lines.set(bottom, (lines.get(bottom) ?? "") + letter);
    });
    return [...lines.values()];
}"""
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def list_files(*suffixes: str) -> list[Path]:
    """Return our scripts and style sheets with these suffixes."""
    files = [path for path in sorted(STATIC.rglob("*")) if path.suffix in suffixes]
    return [path for path in files if "vendor" not in path.parts]


def read_code(path: Path) -> str:
    """Return a file without its comments."""
    return COMMENT.sub("", path.read_text(encoding="utf-8"))


def test_only_one_module_accesses_storage() -> None:
    """The service worker cannot import modules, and exists only where storage is allowed."""
    exempt = {STATIC / "storage.js", STATIC / "editor" / "offline.js"}
    paths = {path for path in list_files(".js") if STORAGE.search(read_code(path))}
    assert paths == exempt


def test_no_page_needs_features_that_a_supported_browser_lacks() -> None:
    faults = {
        (path.name, match.group())
        for path in [*list_files(".js", ".css"), *(ROOT / "templates").rglob("*.html")]
        for match in TOO_NEW.finditer(read_code(path))
        if path != PLAYER
    }
    # Without popovers game.css shows the links of the menu in the row.
    assert faults == {("base.html", "popovertarget=")}


def test_style_sheets_are_valid_in_safari_16() -> None:
    """Nested rules begin with no element, and `user-select` has its prefix."""
    for path in list_files(".css"):
        code = read_code(path)
        prelude, outer = "", list[str]()
        for part in re.split(r"([{};])", code):
            if part == "{":
                selector = prelude.strip()
                is_nested = any(not name.startswith("@") for name in outer)
                assert not (is_nested and re.match(r"[a-z]", selector)), (path.name, selector)
                outer.append(selector)
            elif part == "}":
                outer.pop()
            prelude = part
        assert code.count("-webkit-user-select") * 2 == code.count("user-select"), path.name


def test_player_without_light_dark_has_the_light_colours() -> None:
    code = read_code(PLAYER)
    colours = dict(re.findall(r"(--[\w-]+): light-dark\((#\w+), #\w+\);", code))
    fallback = code.split("@supports not (color: light-dark(#000, #fff)) {", 1)[1]
    assert colours
    assert dict(re.findall(r"(--[\w-]+): (#\w+);", fallback.split("\n}\n", 1)[0])) == colours
    assert code.count("light-dark(") == len(colours) + 1


def test_browser_without_nesting_is_told_that_it_is_too_old(page: Page) -> None:
    style = (STATIC / "site.css").read_text(encoding="utf-8")
    read = "() => getComputedStyle(document.body, '::before').content"
    page.add_style_tag(content=style)
    assert page.evaluate(read) == "none"
    page.add_style_tag(content=style.replace("selector(&)", "selector(:unknown)"))
    assert "too old" in page.evaluate(read) and "古い" in page.evaluate(read)


def test_japanese_title_breaks_after_punctuation_without_auto_phrase(page: Page) -> None:
    style = (STATIC / "site.css").read_text(encoding="utf-8")
    page.set_viewport_size({"width": 250, "height": 400})
    page.set_content('<html lang="ja"><h1>花札の対局を、見る・つける・学ぶ</h1></html>')
    page.add_style_tag(content=style.replace("auto-phrase", "unknown"))
    assert page.evaluate(READ_LINES) == ["花札の対局を、", "見る・つける・学ぶ"]
