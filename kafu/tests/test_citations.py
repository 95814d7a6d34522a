"""Citations in docstrings and comments resolve in the library's documents.

This file needs pytest alone. In the archive's repository the archive's code is checked too.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from os.path import normpath
from pathlib import Path
from typing import Final, NamedTuple

import pytest

pytestmark = pytest.mark.long

LIBRARY: Final = Path(__file__).resolve().parents[1]
DOCS: Final = LIBRARY / "docs"
IN_REPOSITORY: Final = (LIBRARY.parent / "manage.py").exists()
ROOT: Final = LIBRARY.parent
#: Rooms of the archive.
ROOMS: Final = ("api", "bench", "hana", "hanaarchive", "people", "records")

#: How many readings each letter has.
COUNTS: Final = {"C": 10, "K": 20, "H": 25, "B": 15, "A": 6, "T": 7, "S": 11}
READINGS: Final = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
ANCHOR: Final = re.compile(r'<a id="([^"]+)"></a>')
#: ``H15``, and a part as in ``H15 (b)``. No reading has the number 0.
CITATION: Final = re.compile(r"\b([CKHBATS][1-9]\d?)\b(?: \(([a-z])\))?")
#: A document's sections: ``kafu.md §4``, ``kafu.md §2, §6``.
SECTIONS: Final = re.compile(r"([\w-]+\.md)((?:,? (?:and )?§\d+)+)")
#: A comment, alone or behind code.
COMMENT: Final = re.compile(r"^ *#.*|  # .*")
FILE: Final = re.compile(r"(?<![\w:/.-])((?:[\w-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:md|txt|toml))\b")
#: Files that programs make or serve, and parts of names.
NO_FILES: Final = {"security.txt", "robots.txt", "_subject.txt", "_message.txt"}


class Words(NamedTuple):
    """A comment, a docstring or a part of a line, and its place."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


@cache
def sources() -> list[Path]:
    """Return the library's other code, and the archive's code if present."""
    folders = [LIBRARY / "src", LIBRARY / "tests"]
    if IN_REPOSITORY:
        folders += [ROOT / room for room in ROOMS]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return [path for path in paths if path != Path(__file__).resolve()]


@cache
def source_of(path: Path) -> str:
    """Return the source of a module."""
    return path.read_text(encoding="utf-8")


def lines(path: Path, pattern: re.Pattern[str]) -> list[Words]:
    """Return the parts of a module's lines that match a pattern."""
    return [
        Words(path, number, match[0])
        for number, line in enumerate(source_of(path).split("\n"), 1)
        for match in pattern.finditer(line)
    ]


@cache
def docstrings(path: Path) -> list[Words]:
    """Return the docstrings of a module."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        Words(path, node.body[0].lineno, text)
        for node in ast.walk(ast.parse(source_of(path)))
        if isinstance(node, nodes) and (text := ast.get_docstring(node))
    ]


def prose(pattern: re.Pattern[str], folder: Path = ROOT) -> Iterator[Words]:
    """Yield comments and docstrings of the modules that match a pattern."""
    for path in sources():
        if path.is_relative_to(folder) and pattern.search(source_of(path)):
            yield from lines(path, COMMENT)
            yield from docstrings(path)


@cache
def documents() -> dict[str, str]:
    """Return the library's documents by path below ``docs``."""
    return {
        str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")
    }


@cache
def anchors() -> list[str]:
    """Return the anchors of all documents."""
    return [anchor for text in documents().values() for anchor in ANCHOR.findall(text)]


def headings(text: str) -> Iterator[str]:
    """Yield the anchors of a document's headings."""
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w -]", "", ANCHOR.sub("", title).lower())
        yield plain.strip().replace(" ", "-")


def test_every_reading_has_one_anchor() -> None:
    assert [anchor for anchor, count in Counter(anchors()).items() if count > 1] == []
    assert {anchor for anchor in anchors() if CITATION.fullmatch(anchor)} == set(READINGS)


def test_readings_of_a_document_are_in_order_with_title_and_text() -> None:
    for name, text in documents().items():
        parts = re.split(r'^### <a id="([A-Z]\d+)"></a>', text, flags=re.MULTILINE)
        numbers = parts[1::2]
        assert numbers == sorted(numbers, key=lambda number: int(number[1:])), name
        for number, body in zip(numbers, parts[2::2], strict=True):
            title, _, text_of_reading = body.partition("\n")
            assert title.startswith(f"{number} "), number
            assert len(text_of_reading.split("\n##")[0].strip()) > 40, number


def broken_links(name: str) -> Iterator[str]:
    """Return the links of a document that lead to no document, anchor or file of the project."""
    text = re.sub(r"^```.*?^```", "", documents()[name], flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith(("http:", "https:")):
            continue
        page = normpath(Path(name).parent / file) if file else name
        if page not in documents():
            # The source distribution has the library alone.
            is_outside = page.startswith("../..") and not IN_REPOSITORY
            if not is_outside and not (DOCS / Path(name).parent / file).exists():
                yield f"{name}: {target}"
            continue
        targets = {*ANCHOR.findall(documents()[page]), *headings(documents()[page])}
        if anchor and anchor not in targets:
            yield f"{name}: {target}"


def test_every_link_of_the_documents_leads_somewhere() -> None:
    assert [link for name in documents() for link in broken_links(name)] == []


def test_every_citation_of_a_reading_resolves() -> None:
    lost = []
    cited = 0
    for words in (words for path in sources() for words in lines(path, CITATION)):
        number, part = CITATION.findall(words.text)[0]
        cited += 1
        if number not in anchors() or (part and f"{number}{part}" not in anchors()):
            lost.append(f"{words}: {number} {part}".strip())
    assert lost == []
    assert cited > 380


def test_docstring_that_cites_a_reading_states_the_rule_too() -> None:
    """A bare number sends its reader elsewhere."""
    bare = []
    for words in prose(CITATION, LIBRARY / "src"):
        if CITATION.search(words.text):
            own_words = re.findall(r"\w+", CITATION.sub("", words.text))
            bare += [str(words)] if len(own_words) < 5 else []
    assert bare == []


def test_every_citation_of_a_section_resolves() -> None:
    lost = []
    for words in prose(SECTIONS):
        for file, sections in SECTIONS.findall(words.text):
            text = documents().get(file, "")
            for section in re.findall(r"\d+", sections):
                if not re.search(rf"^## {section}\. ", text, re.MULTILINE):
                    lost.append(f"{words}: {file} §{section}")
    assert lost == []


def test_every_named_file_exists() -> None:
    lost = []
    for words in prose(FILE):
        for file in FILE.findall(words.text):
            if file not in NO_FILES and not _is_in_project(file):
                lost.append(f"{words}: {file}")
    assert lost == []


@cache
def _is_in_project(file: str) -> bool:
    folders = (DOCS, LIBRARY, ROOT / "docs", ROOT)
    return any((folder / file).exists() for folder in folders) or any(DOCS.rglob(file))


def test_every_code_is_documented() -> None:
    """Codes of reading are in the notation's document, other codes in the verdict's."""
    text = documents()["verdict.md"] + documents()["kafu.md"]
    modules = [path for path in sources() if path.name == "codes.py"]
    assert modules
    for path in modules:
        for code in re.findall(r'Code\(\s*"([a-z-]+)"', source_of(path)):
            assert f"`{code}`" in text, f"{path.relative_to(ROOT)}: {code}"


def test_only_tests_name_files_outside_the_project() -> None:
    """Fuzzing and tests look for records there, and run without them."""
    lost = []
    for path in sources():
        if not {"tests", "bench"} & set(path.relative_to(ROOT).parts):
            text = source_of(path)
            lost += [str(path.relative_to(ROOT))] if re.search(r"\bshared/", text) else []
    lost += [name for name, text in documents().items() if re.search(r"\bshared/", text)]
    assert lost == []
