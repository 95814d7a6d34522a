"""Japanese and English: which is shown, and that no text of a page lacks its translation."""

import gettext
import re
from pathlib import Path

import pytest
from django.test import Client

LOCALE = Path(__file__).parents[2] / "locale/ja/LC_MESSAGES"
ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)


def entries() -> dict[str, str]:
    """The texts of the catalogue with their translations."""
    found = ENTRY.findall((LOCALE / "django.po").read_text())
    joined = ["".join(re.findall(r'"(.*)"', part)) for pair in found for part in pair]
    return {msgid: msgstr for msgid, msgstr in zip(joined[::2], joined[1::2], strict=True) if msgid}


def test_every_text_is_translated_with_the_same_values() -> None:
    values = re.compile(r"%\(\w+\)[sd]")
    for text, translated in entries().items():
        assert translated, text
        assert sorted(values.findall(text)) == sorted(values.findall(translated)), text


def test_the_compiled_catalogue_is_that_of_the_texts() -> None:
    """If not: `make messages`."""
    with (LOCALE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert {text: compiled.gettext(text) for text in entries()} == entries()


def test_every_text_of_the_templates_is_in_the_catalogue() -> None:
    """If not: `make messages`, and write the translations."""
    known = entries()
    templates = Path(__file__).parents[2] / "templates"
    for path in templates.rglob("*.html"):
        for _quote, text in re.findall(r"{% translate (['\"])(.*?)\1 %}", path.read_text()):
            assert text in known, (path.name, text)


@pytest.mark.django_db
def test_the_browser_chooses_and_the_switch_overrides() -> None:
    client = Client()
    japanese = {"Accept-Language": "ja,en;q=0.5"}
    assert 'lang="ja"' in client.get("/games/", headers=japanese).content.decode()
    switched = client.post("/language/", {"language": "en", "next": "/games/?status=illegal"})
    assert (switched.status_code, switched.headers["Location"]) == (302, "/games/?status=illegal")
    page = client.get("/games/", headers=japanese).content.decode()
    assert '<html lang="en">' in page and "<h1>Games</h1>" in page
