"""Every address of the URLconf, with its parameters filled in.

A new address with parameters needs a line in `_VALUES`; a test fails until it has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from kafu.notation.vocabulary import RULES
from records.statistics.registry import FIGURES


@dataclass(frozen=True, slots=True)
class Known:
    """Keys of what is in the archive."""

    records: list[str] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    partials: list[str] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


_OF_RECORDS: Final = (
    *("game", "kafu", "replay", "frame", "moves", "embed", "sheet", "sheet-csv", "my_game"),
    *("api:ownership", "api:record", "api:record-kafu", "api:record-replay", "api:record-sheet"),
    *("api:record-history", "api:record-analysis", "api:record-situations"),
    *("situations", "analysis", "comments"),
    "api:record-comments",
)
#: What is filled in, by the address's name.
_VALUES: Final[dict[str, dict[str, str]]] = {
    "report": {"key": "uploads"},
    "my_report": {"key": "uploads", "words": "words"},
    "change_upload": {"key": "uploads"},
    "claim_upload": {"key": "uploads"},
    "api:upload-claim": {"key": "uploads"},
    "player": {"key": "players"},
    "api:upload": {"key": "uploads"},
    "api:upload-files": {"key": "uploads"},
    "api:upload-games": {"key": "uploads"},
    "api:upload-events": {"key": "uploads"},
    "api:upload-report": {"key": "uploads"},
    "api:upload-report-csv": {"key": "uploads"},
    "api:upload-report-ndjson": {"key": "uploads"},
    "api:resumable": {"key": "partials"},
    "api:draft": {"key": "drafts"},
    **{name: {"key": "records"} for name in _OF_RECORDS},
    "sitemap-file": {"number": "numbers"},
    "animation": {"key": "pictured", "deal": "deals"},
    "strip": {"key": "pictured", "deal": "deals"},
    "picture": {"key": "pictured", "at": "positions"},
    "data-file": {"month": "months", "name": "files"},
    "odds": {"ruleset": "rulesets"},
    "statistics": {"ruleset": "rulesets"},
    "api:odds": {"ruleset": "rulesets"},
    "account_reset_password_from_key": {"uidb36": "base36", "key": "words"},
    "account_confirm_email": {"key": "signed"},
    "openid_connect_login": {"provider_id": "words_of_addresses"},
    "openid_connect_callback": {"provider_id": "words_of_addresses"},
    "end_session": {"pk": "numbers"},
    "study": {"key": "studies"},
    "study-change": {"key": "studies"},
    "study-delete": {"key": "studies"},
    "study-entry": {"key": "studies"},
    "api:study": {"key": "studies"},
    "api:study-entries": {"key": "studies"},
    "api:comment": {"key": "comments"},
    "api:comment-reports": {"key": "comments"},
    "delete_collection": {"key": "collections"},
    "delete_webhook": {"key": "tokens"},
    "enable_webhook": {"key": "tokens"},
    "api:webhook": {"key": "tokens"},
    "revoke_token": {"key": "tokens"},
    "rulebook": {"ruleset": "rulesets", "profile": "rulesets"},
}
#: Queries that addresses are asked with beside none; ``{record}`` and so on are filled in.
QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "games": ("event=%22%3E%3Cx-evil%20data-evil%3E&player=%22%3E%3Cx-evil%20data-evil%3D1%3E",),
    "me": ("collection={collection}", "player=%22%3E%3Cx-evil%20data-evil%3D1%3E"),
    "account_login": ("next=javascript:alert(1)", "next=%22%3E%3Cx-evil%20data-evil%3E"),
    "feed": ("event=%22%3E%3Cx-evil%20data-evil%3E&player=%3Cx-evil%20data-evil%3E", "ruleset=x"),
    "players": ("q=%3Cx-evil%20data-evil%3E",),
    "statistics": (
        "player=%3Cx-evil%20data-evil%3E&%3Cx-evil%3E=1",
        "event=%22%3E%3Cx-evil%20data-evil%3E&decisions.yaku=%22%3E%3Cx-evil%3E&option=%3Cx-evil%3E",
    ),
    "bests": ("ruleset=koikoi", "ruleset=%3Cx-evil%20data-evil%3E"),
    "insights": (
        "by=rating&by2=opponent_rating",
        "player=%3Cx-evil%20data-evil%3E&metric=%22%3E%3Cx-evil%3E&by=%3Cx-evil%3E",
    ),
    "suggest-players": ("q=x-evil",),
    "suggest-events": ("q=%3C/title",),
    "check": ("record={record}", "upload={upload}&file=1&game=7", "upload={upload}&file=5&game=4"),
    "new-record": (
        *("record={record}", "record={record}&at=1.1&example=koikoi"),
        "example=%3Cx-evil%20data-evil%3E&at=%3Cx-evil%20data-evil%3E&ruleset=%3Cx-evil%3E",
    ),
    "new-sheet": (
        *("record={record}", "record=%3Cx-evil%20data-evil%3E"),
        "ruleset=%22%3E%3Cx-evil%20data-evil%3E&house=%22%3E%3Cx-evil%3E",
    ),
    "study-add": (
        "record={record}&at=%3Cx-evil%20data-evil%3E&then=%3Cx-evil%3E",
        "record={record}&at=1.0&then=A",
    ),
    "oembed": ("url=http://testserver/games/{record}/",),
    "game": ("at=2.3", "at=1.1&then=%22%3E%3Cx-evil%20data-evil%3E", "at=%3Cx-evil%20data-evil%3E"),
    "comments": ("at=1.0", "at=%3Cx-evil%20data-evil%3E", "after=%3Cx-evil%20data-evil%3E"),
    "situations": ("at=1.0", "at=%3Cx-evil%20data-evil%3E"),
    "api:record-situations": ("at=1.0", "at=%3Cx-evil%20data-evil%3E"),
    "embed": ("at=1.2&lang=ja",),
    "frame": ("at=1.2",),
    "report": ("show=all", "errors=1"),
    **{
        f"api:statistics-{id}": (
            f"ruleset={figure.rulesets[0]}",
            "ruleset=koikoi&event=%3Cx-evil%20data-evil%3E&by=%3Cx-evil%3E",
        )
        for id, figure in FIGURES.items()
    },
    "api:records": (
        *("page_size=200", "%3Cx-evil%3E=1"),
        *(f"format={form}" for form in ("ndjson", "kafu", "csv")),
    ),
    "api:records-export": ("keys={record}", "keys={record}&format=csv", "keys=%3Cx-evil%3E"),
    "api:my-games-export": ("format=csv", "format=kafu"),
}


@dataclass(frozen=True, slots=True)
class Address:
    """One address: the name that the URLconf has for it, and a path with its query."""

    name: str
    path: str


def patterns(
    of: Iterable[URLPattern | URLResolver] | None = None,
) -> Iterator[tuple[str, URLPattern, list[str]]]:
    """Every pattern, or those of a list: its name with namespaces, and what is to be filled in."""

    def walk(
        found: Iterable[URLPattern | URLResolver], space: str, given: list[str]
    ) -> Iterator[tuple[str, URLPattern, list[str]]]:
        for one in found:
            wanted = [*given, *one.pattern.regex.groupindex]
            if isinstance(one, URLResolver):
                inner = f"{space}{one.namespace}:" if one.namespace else space
                yield from walk(one.url_patterns, inner, wanted)
            else:
                yield f"{space}{one.name or ''}", one, wanted

    yield from walk(get_resolver().url_patterns if of is None else of, "", [])


def addresses(known: Known) -> Iterator[Address]:
    """All addresses, with every value that is known for them."""
    pools = {
        "records": known.records,
        "uploads": known.uploads,
        "players": known.players,
        "partials": known.partials,
        "rulesets": list(RULES),
        "collections": known.collections,
        "tokens": known.tokens,
        "drafts": known.drafts,
        "studies": known.studies,
        "comments": known.comments,
        "positions": ["1.1"],
        "deals": ["1"],
        "months": ["2026-10"],
        "files": ["README.md", "manifest.json"],
        "pictured": known.records[:2],  # each takes a while, and is no text
        "words": ["<x-evil data-evil>"],
        "words_of_addresses": ["site"],
        "base36": ["zzzzzzzzzzzzzz"],
        "signed": ["x-evil:data-evil"],
        "numbers": ["99999999999999999999"],
    }
    for name, _pattern, wanted in patterns():
        if name.startswith("admin:"):
            continue  # Django's own, behind a log-in; its index shows that it is closed
        values = _VALUES.get(name, {})
        missing = [one for one in wanted if one not in values]
        assert not missing, f"tests/security/addresses.py does not know {missing} of {name!r}"
        for chosen in product(*(pools[values[one]] for one in wanted)):
            path = reverse(name, kwargs=dict(zip(wanted, chosen, strict=True)))
            yield Address(name, path)
            for query in QUERIES.get(name, ()):
                filled = query.format(
                    record=(known.records or [""])[0],
                    upload=(known.uploads or [""])[0],
                    collection=(known.collections or [""])[0],
                )
                yield Address(name, f"{path}?{filled}")


def body_of(response: Any) -> bytes:
    """The bytes of an answer, also of one that is streamed."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return bytes(body)
