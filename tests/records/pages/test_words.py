"""Texts that people see have the words of docs/glossary.md, none of the words that it replaces."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.openapi import japanese
from kafu.rules.codes import CODES
from tests.records.pages.test_language import entries
from tests.words import NOWHERE

ROOT = Path(__file__).parents[3]

#: Words that the archive once used in a sense of its own, with the plain ones.
NOT_USED = NOWHERE | {
    r"paces?": "rate limit",
    r"beats?": "heartbeat",
    r"spans?": "window",
    r"(break|broke|broken|breaks) off": "interrupted, incomplete",
    r"(hand(s|ed|ing)?) (\w+ )?in(?! (the|a|that|which|their)\b)": "upload",
    r"past its time": "expired",
    r"taken? out": "remove",
    r"whose turn it was to write": "writer",
    r"youngest month": "earliest month",
    r"played over": "played again",
    r"ribbons?": "slips",
    r"chaff": "dregs",
    r"junk": "dregs",
    r"talon|(the|from|card) stock": "draw pile",
}

#: Words that must stay in one place: (part of the text, why).
EXCEPTIONS = {
    ("glossary.md", "ribbons"): "says that searches understand it",
    ("glossary.md", "chaff"): "says that searches understand it",
}

#: Japanese for words that mean two things here.
NOT_USED_JA = {
    r"(?<![対終])局(?!面|所)": "月（配られた月）、件（対局の数）",
    r"胴元": "胴、親",
    r"カラス": "空素",
    r"スート": "月",
    r"合法": "規則に合う",
    r"アーカイブ": "書庫",
    r"棋譜": "記録",
    r"ヶ月": "か月",
}


def documents() -> Iterator[tuple[str, str]]:
    """The documents without what is code in them: blocks, spans and addresses."""
    for folder in (ROOT, ROOT / "docs", ROOT / "kafu", ROOT / "kafu/docs"):
        for path in sorted(folder.glob("*.md")):
            if path.name in ("CHANGELOG.md", "CONTRIBUTING.md"):
                continue
            text = re.sub(r"^(```.*?^```|    .*?)$", "", path.read_text(), flags=re.M | re.S)
            yield path.name, re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def helps() -> Iterator[tuple[str, str]]:
    """What commands say of themselves."""
    for folder in ("kafu/src/kafu/cli", "hana", "records/management", "people/management"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.keyword) and node.arg in ("help", "description"):
                    for part in ast.walk(node.value):
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            yield path.name, part.value


def texts() -> Iterator[tuple[str, str]]:
    """Every English text that people see, with the place that it is from."""
    yield from (("catalogue", text) for text in entries())
    yield from ((code.id, code.en) for code in CODES.values())
    yield from documents()
    yield from helps()


@pytest.mark.parametrize(("word", "plain"), NOT_USED.items(), ids=NOT_USED.values())
def test_no_text_has_a_word_of_our_own(word: str, plain: str) -> None:
    found = [
        (place, text[max(0, match.start() - 40) : match.end() + 40])
        for place, text in texts()
        for match in re.finditer(rf"(?i)(?<![\w-])(?:{word})(?![\w-])", text)
        if (place, match[0].lower()) not in EXCEPTIONS
    ]
    assert not found, f"write instead: {plain}"


@pytest.mark.parametrize(("word", "plain"), NOT_USED_JA.items(), ids=NOT_USED_JA)
def test_one_japanese_word_means_one_thing(word: str, plain: str) -> None:
    texts = [*entries().values(), *(code.ja for code in CODES.values()), *japanese().values()]
    found = [text for text in texts if re.search(word, text)]
    assert not found, f"write instead: {plain}"


def test_every_exception_is_needed() -> None:
    said = list(texts())
    for place, word in EXCEPTIONS:
        assert any(where == place and word in text.lower() for where, text in said), (place, word)
