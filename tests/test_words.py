"""Names, docstrings and comments of the code have standard words (`tests.words`)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.words import ALLOWED, IN_NAMES, IN_PROSE

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = ("kafu/src/kafu", "api", "people", "hanaarchive", "hana", "bench", "records")

_PROSE = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): plain for word, plain in IN_PROSE.items()}
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


#: Most modules have none of the words, and need not be parsed.
_ANY: Final = re.compile(
    "|".join(
        [
            rf"(?<![a-z])(?:{'|'.join(IN_NAMES)})(?![a-z])",
            rf"(?:{'|'.join(map(str.title, IN_NAMES))})(?![a-z])",
            rf"(?<![A-Z])(?:{'|'.join(map(str.upper, IN_NAMES))})(?![A-Z])",
            rf"\b(?i:{'|'.join(IN_PROSE)})\b",
        ]
    )
)


def files() -> Iterator[tuple[str, str]]:
    """Path and text of each module that may have one of the words, without migrations."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "migrations" not in path.parts and _ANY.search(text := path.read_text()):
                yield path.relative_to(ROOT).as_posix(), text


def names(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of each name that a module binds: its own words, not those of a library."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, without its examples, and each comment."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _WITH_DOCSTRING) and (words := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), words.partition(">>>")[0]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def is_allowed(word: str, path: str) -> bool:
    """Whether a word may stay in a module."""
    return any(word == one and part in path for one, part in ALLOWED)


def test_names() -> None:
    found = [
        f"{path}:{line}: {name}: {IN_NAMES[word]}"
        for path, text in files()
        for line, name in names(text)
        for word in map(str.lower, _PART.findall(name))
        if word in IN_NAMES and not is_allowed(word, path)
    ]
    assert not found, "\n".join(found)


def test_docstrings_and_comments() -> None:
    found = [
        f"{path}:{line}: “{match[0]}”: {plain}"
        for path, text in files()
        for line, words in prose(text)
        for pattern, plain in _PROSE.items()
        if (match := pattern.search(words)) and not is_allowed(match[0].lower(), path)
    ]
    assert not found, "\n".join(found)
