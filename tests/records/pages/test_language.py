"""Japanese and English: which one is shown, and that every text of a page is translated."""

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page

from kafu.notation.vocabulary import GRADES, RULES, TERMINATIONS
from records.opendata.tables import TABLES
from tests.markup import join_lines

LOCALE = Path(__file__).parents[3] / "locale/ja/LC_MESSAGES"
ENTRY = re.compile(r'^(?:msgctxt "(.*)"\n)?msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)


def read_catalogue() -> dict[str, str]:
    """Return the texts of the catalogue, after context and `\\x04` if they have one, translated."""
    catalogue = {}
    for context, *pair in ENTRY.findall((LOCALE / "django.po").read_text()):
        text, translated = (
            "".join(ast.literal_eval(line) for line in part.splitlines()) for part in pair
        )
        catalogue[f"{context}\x04{text}" if context else text] = translated
    del catalogue[""]
    return catalogue


def test_every_text_has_a_translation_with_the_same_values() -> None:
    values = re.compile(r"%\(\w+\)[sd]")
    for text, translated in read_catalogue().items():
        assert translated, text
        assert sorted(values.findall(text)) == sorted(values.findall(translated)), text


def test_compiled_catalogue_has_the_same_texts() -> None:
    """If not: `make messages`."""
    with (LOCALE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    catalogue = read_catalogue()
    texts = {
        key: compiled.pgettext(*key.split("\x04")) if "\x04" in key else compiled.gettext(key)
        for key in catalogue
    }
    assert texts == catalogue


def test_every_text_of_the_templates_is_in_the_catalogue() -> None:
    """If not: `make messages`, and write the translations."""
    catalogue = read_catalogue()
    templates = Path(__file__).parents[3] / "templates"
    pattern = r"{% translate (['\"])(.*?)\1(?: context \"(.*?)\")?(?: as \w+)? %}"
    block = r"{% blocktranslate trimmed [^%]*%}((?:(?!{%).)*){% endblocktranslate %}"
    for path in templates.rglob("*.html"):
        for _quote, text, context in re.findall(pattern, path.read_text()):
            key = f"{context}\x04{text}" if context else text
            assert key.replace("%", "%%") in catalogue, (path.name, text)
        for text in re.findall(block, path.read_text(), re.DOTALL):
            key = re.sub(r"{{ (\w+) }}", r"%(\1)s", " ".join(text.replace("%", "%%").split()))
            assert key in catalogue, (path.name, text)


@pytest.mark.django_db
def test_language_is_that_of_the_browser_until_it_is_switched() -> None:
    client = Client()
    japanese = {"Accept-Language": "ja,en;q=0.5"}
    assert 'lang="ja"' in client.get("/games/", headers=japanese).content.decode()
    switched = client.post("/language/", {"language": "en", "next": "/games/?status=illegal"})
    assert (switched.status_code, switched.headers["Location"]) == (302, "/games/?status=illegal")
    page = join_lines(client.get("/games/", headers=japanese).content.decode())
    assert '<html lang="en">' in page and "<h1>Games</h1>" in page


#: Latin words that Japanese pages have too: names, forms of files and sums, keys of the keyboard.
LATIN = frozenset(
    {"HanaArchive", "Kafu", "KoiKoi", "AI", "open", "hanafuda", "ai", "UTC", "API", "JSON", "URL"}
    | {"Glicko", "null", "CC", "Universal", "player", "iCalendar", "Atom"}
    | {
        "CSV",
        "TSV",
        "xlsx",
        "ods",
        "GIF",
        "PNG",
        "HTML",
        "iframe",
        "kafu",
        "csv",
        "NDJSON",
        "ZIP",
        "gzip",
        "Zstandard",
        "bytes",
        "KB",
        "MB",
        "GB",
        "English",
    }
    | {"Options", "name", "value", "ba"}  # names in the notation
    | {"Home", "End", "PageUp", "PageDown", "PgUp", "PgDn", "Space", "Esc", "Shift", "Tab", "Page"}
)
#: Words of the notation and of the open data that Japanese sentences quote.
FACT_NAMES = {
    name
    for table in TABLES.values()
    for name in (table.name, *(column.name for column in table.columns))
}
QUOTED = frozenset(
    word
    for rules, form in RULES.items()
    for name, values in form.options.items()
    for text in (rules, name, *values.expected)
    for word in re.findall(r"[A-Za-z]+", text)
) | frozenset(
    {*TERMINATIONS, *GRADES, "Rules", "Event", "Site", "Round", "Source", "Date", "ID", "SHA"}
    | {"dealt", "captured", "special", "other", "DuckDB", "duckdb", "Parquet", "Python", "SQL"}
    | {"JavaScript"}
    | {"won", "rate", "low", "high", "exact", "mean", "score", "manifest", "json", "SUMS"}
    | {"games", "deals", "turns", "yaku", "parquet", "margin", "gain", "Croissant", "croissant"}
    | {"YYYY", "YYYYMM", "id", "clubs", "ndjson"}
    | {word for name in FACT_NAMES for word in re.findall(r"[A-Za-z]+", name)}
)
#: Names and tags of the samples, and of hostile games (tests/security/hostile.py).
SAMPLES = frozenset(
    {
        "Aya",
        "Ben",
        "Chiyo",
        "Daiki",
        "Emi",
        "Fumi",
        "Gen",
        "Sample",
        "games",
        "years",
        "body",
        "poker",
        "evil",
    }
)
#: Collects the texts of a page without texts of users: names, tags, the notation itself.
WRITTEN = """() => {
    const skipped = `script, style, template, noscript, code, pre, bdi, textarea,
        [lang=en], [lang=ja-Latn], [translate=no]`;
    const texts = [];
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) walk(element.shadowRoot);
            if (element.closest(skipped)) continue;
            for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
                if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
            for (const part of element.childNodes)
                if (part.nodeType === Node.TEXT_NODE) texts.push(part.data.trim());
        }
    };
    walk(document);
    return [document.title, ...texts];
}"""
WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
KEY = re.compile(r"[0-9A-Za-z]{11}")


def find_english(page: Page) -> dict[str, set[str]]:
    """Return English words on a Japanese page, by the text that has them."""
    return list_english(page.evaluate(WRITTEN))


def find_english_in(page: Page, html: str) -> dict[str, set[str]]:
    """Return English words in Japanese HTML, by the text that has them; `page` only parses it."""
    parse = f"""(html) => {{
        const document = new DOMParser().parseFromString(html, "text/html");
        return ({WRITTEN})();
    }}"""
    return list_english(page.evaluate(parse, html))


def list_english(texts: list[str]) -> dict[str, set[str]]:
    """Return the English words of texts, by the text that has them."""
    english = {}
    for text in texts:
        words = set(WORD.findall(text)) - LATIN - QUOTED - SAMPLES
        if words and not KEY.fullmatch(text):
            english[text] = words
    return english
