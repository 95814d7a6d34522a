"""Every address of the URLconf, with its parameters filled in.

A new address with parameters needs a line in `VALUES`, without which tests fail.
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
class ArchiveKeys:
    """Keys of the rows of an archive, by kind of address."""

    records: list[str] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    partials: list[str] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    applications: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    clubs: list[str] = field(default_factory=list)
    seasons: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)


RECORD_ADDRESSES: Final = (
    *("game", "kafu", "replay", "frame", "moves", "embed", "sheet", "sheet-csv", "my_game"),
    *("api:ownership", "api:record", "api:record-kafu", "api:record-replay", "api:record-sheet"),
    *("api:record-sheet-csv", "api:record-history", "api:record-analysis", "api:record-situations"),
    *("situations", "analysis", "comments"),
    "api:record-comments",
)
CLUB_ADDRESSES: Final = (
    *("club", "club-members", "club-invites", "club-settings", "club-delete", "club-games"),
    *("club-log", "club-leave", "club-seasons", "club-season-new", "club-evenings"),
    *("club-calendar", "club-feed", "api:club", "api:club-members", "api:club-seasons"),
    *("api:club-evenings", "api:club-games"),
)
SEASON_ADDRESSES: Final = (
    *("club-season", "club-season-change", "club-entries", "club-totals", "club-print"),
    *("club-standings-csv", "club-picture"),
    *("api:club-season", "api:club-standings", "api:club-standings-csv"),
    "api:club-entries",
)
#: The parameters of pages about a house.
HOUSE: Final = {"ruleset": "rulesets", "profile": "rulesets"}
#: The pool of values of each parameter, by the address's name.
VALUES: Final[dict[str, dict[str, str]]] = {
    "report": {"key": "uploads"},
    "my_report": {"key": "uploads", "secret": "words"},
    "change_upload": {"key": "uploads"},
    "claim_upload": {"key": "uploads"},
    "api:upload-claim": {"key": "uploads"},
    "player": {"key": "players"},
    "api:upload": {"key": "uploads"},
    "api:upload-files": {"key": "uploads"},
    "api:upload-games": {"key": "uploads"},
    "removed-/api/v1/uploads/{key}/events": {"key": "uploads"},
    "api:upload-report": {"key": "uploads"},
    "api:upload-report-csv": {"key": "uploads"},
    "api:upload-report-ndjson": {"key": "uploads"},
    "api:resumable": {"key": "partials"},
    "api:draft": {"key": "drafts"},
    **{name: {"key": "records"} for name in RECORD_ADDRESSES},
    "sitemap-file": {"number": "numbers"},
    "animation": {"key": "pictured", "deal": "deals"},
    "strip": {"key": "pictured", "deal": "deals"},
    "picture": {"key": "pictured", "at": "positions"},
    "game-preview": {"key": "pictured"},
    "sheet-preview": {"key": "pictured"},
    "player-preview": {"key": "players"},
    "study-preview": {"key": "studies"},
    "statistics-preview": {"ruleset": "rulesets"},
    "page-preview": {"name": "kinds_of_pages"},
    "data-file": {"month": "months", "name": "files"},
    "data-latest": {"name": "files"},
    "problem": {"day": "days"},
    "api:daily-problem": {"day": "days"},
    "odds": {"ruleset": "rulesets"},
    "lesson": {"ruleset": "rulesets"},
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
    "club-join": {"secret": "words"},
    **{name: {"key": "clubs"} for name in CLUB_ADDRESSES},
    **{name: {"key": "clubs", "season": "seasons"} for name in SEASON_ADDRESSES},
    **{name: {"key": "clubs", "day": "evenings"} for name in ("club-evening", "club-sheets")},
    "club-member": {"key": "clubs", "member": "members"},
    "api:club-game": {"key": "clubs", "record": "records"},
    "api:comment": {"key": "comments"},
    "api:comment-reports": {"key": "comments"},
    "delete_collection": {"key": "collections"},
    "remove_own_name": {"key": "players"},
    "follow_player": {"key": "players"},
    "removed-/api/v1/me/webhooks/{webhook}": {"webhook": "tokens"},
    "revoke_token": {"key": "tokens"},
    "revoke_access": {"key": "applications"},
    "delete_application": {"key": "applications"},
    "rulebook": HOUSE,
    "rule-options": HOUSE,
    "poster": HOUSE,
    "poster-preview": HOUSE,
}
#: Additional queries of addresses; ``{record}`` and so on are filled in.
QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "games": ("event=%22%3E%3Cx-evil%20data-evil%3E&player=%22%3E%3Cx-evil%20data-evil%3D1%3E",),
    "me": ("collection={collection}", "player=%22%3E%3Cx-evil%20data-evil%3D1%3E"),
    "authorize": (
        "response_type=code&client_id={application}&scope=read+upload&state=%3Cx-evil%20data-evil%3E"
        "&redirect_uri=https%3A%2F%2Fx-evil.test%2F&code_challenge=x&code_challenge_method=S256",
        "client_id=%22%3E%3Cx-evil%20data-evil%3E&redirect_uri=javascript:alert(1)",
    ),
    "connect_device": ("code=%22%3E%3Cx-evil%20data-evil%3E",),
    "account_login": ("next=javascript:alert(1)", "next=%22%3E%3Cx-evil%20data-evil%3E"),
    "feed": ("event=%22%3E%3Cx-evil%20data-evil%3E&player=%3Cx-evil%20data-evil%3E", "ruleset=x"),
    "players": ("q=%3Cx-evil%20data-evil%3E",),
    "statistics": (
        "player=%3Cx-evil%20data-evil%3E&%3Cx-evil%3E=1",
        "event=%22%3E%3Cx-evil%20data-evil%3E&decisions.yaku=%22%3E%3Cx-evil%3E&option=%3Cx-evil%3E",
    ),
    "bests": ("ruleset=koikoi", "ruleset=%3Cx-evil%20data-evil%3E"),
    **dict.fromkeys(
        ("problems", "problem", "my-problems"),
        ("ruleset=%3Cx-evil%20data-evil%3E", "move=%3Cx-evil%20data-evil%3E&n=%3Cx-evil%3E"),
    ),
    "api:daily-problem": ("ruleset=hachihachi", "ruleset=%3Cx-evil%20data-evil%3E"),
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
    "plain-sheet": (
        "rules=koikoi&player=%3Cx-evil%20data-evil%3E&rest-1-1=%22%3E%3Cx-evil%20data-evil%3E",
        "rules=hachihachi%2F%3Cx-evil%3E&player=a&kan-1-1=5&rest-1-2=x&stone-1=9&visibility=%3Cx-evil%3E",
    ),
    "study-add": (
        "record={record}&at=%3Cx-evil%20data-evil%3E&then=%3Cx-evil%3E",
        "record={record}&at=1.0&then=A",
    ),
    "oembed": ("url=http://testserver/games/{record}/",),
    "game": ("at=2.3", "at=1.1&then=%22%3E%3Cx-evil%20data-evil%3E", "at=%3Cx-evil%20data-evil%3E"),
    "comments": ("at=1.0", "at=%3Cx-evil%20data-evil%3E", "after=%3Cx-evil%20data-evil%3E"),
    "situations": ("at=1.0&match=value", "at=%3Cx-evil%20data-evil%3E&match=%3Cx-evil%3E"),
    "api:record-situations": ("at=1.0", "at=1.0&match=%3Cx-evil%20data-evil%3E"),
    "embed": ("at=1.2&lang=ja",),
    "frame": ("at=1.2",),
    "report": ("show=all", "errors=1"),
    **{
        f"api:statistics-{id}{ending}": (
            f"ruleset={figure.rulesets[0]}",
            "ruleset=koikoi&event=%3Cx-evil%20data-evil%3E&by=%3Cx-evil%3E",
        )
        for id, figure in FIGURES.items()
        for ending in ("", "-csv")
    },
    "api:records": (
        *("page_size=200", "%3Cx-evil%3E=1"),
        *("format=csv", "changed_since=2000-01-01"),
    ),
    **dict.fromkeys(
        (
            "api:records-export",
            *(f"api:records-export-{form}" for form in ("ndjson", "kafu", "csv")),
        ),
        ("keys={record}", "keys=%3Cx-evil%3E"),
    ),
    **dict.fromkeys(
        ("api:records-changes", "api:records-changes-ndjson"),
        ("changed_since=2000-01-01", "changed_since=%3Cx-evil%3E"),
    ),
}


@dataclass(frozen=True, slots=True)
class Address:
    """A path with its query, and its name in the URLconf."""

    name: str
    path: str


def patterns(
    urlpatterns: Iterable[URLPattern | URLResolver] | None = None,
) -> Iterator[tuple[str, URLPattern, list[str]]]:
    """Yield name with namespaces, pattern and parameters of all patterns (or of a list)."""

    def walk(
        entries: Iterable[URLPattern | URLResolver], namespace: str, outer: list[str]
    ) -> Iterator[tuple[str, URLPattern, list[str]]]:
        for entry in entries:
            parameters = [*outer, *entry.pattern.regex.groupindex]
            if isinstance(entry, URLResolver):
                inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
                yield from walk(entry.url_patterns, inner, parameters)
            else:
                yield f"{namespace}{entry.name or ''}", entry, parameters

    yield from walk(get_resolver().url_patterns if urlpatterns is None else urlpatterns, "", [])


def addresses(keys: ArchiveKeys) -> Iterator[Address]:
    """Yield all addresses, with every value of their pools filled in."""
    pools = {
        "records": keys.records,
        "uploads": keys.uploads,
        "players": keys.players,
        "partials": keys.partials,
        "rulesets": list(RULES),
        "collections": keys.collections,
        "tokens": keys.tokens,
        "applications": keys.applications,
        "drafts": keys.drafts,
        "studies": keys.studies,
        "comments": keys.comments,
        "clubs": keys.clubs,
        "seasons": keys.seasons,
        "members": keys.members,
        "evenings": ["2026-04-03"],
        "positions": ["1.1"],
        "deals": ["1"],
        "months": ["2026-10"],
        "days": ["today", "2026-11-30"],
        "files": ["README.md", "manifest.json"],
        "pictured": keys.records[:2],  # each is expensive and contains no text
        "words": ["<x-evil data-evil>"],
        "words_of_addresses": ["site"],
        "kinds_of_pages": ["home"],
        "base36": ["zzzzzzzzzzzzzz"],
        "signed": ["x-evil:data-evil"],
        "numbers": ["99999999999999999999"],
    }
    for name, _pattern, parameters in patterns():
        if name.startswith("admin:"):
            continue  # Django's own pages behind a log-in; one test requests the index
        values = VALUES.get(name, {})
        missing = [parameter for parameter in parameters if parameter not in values]
        assert not missing, f"VALUES in tests/security/addresses.py lacks {missing} of {name!r}"
        for arguments in product(*(pools[values[parameter]] for parameter in parameters)):
            path = reverse(name, kwargs=dict(zip(parameters, arguments, strict=True)))
            yield Address(name, path)
            for query in QUERIES.get(name, ()):
                query = query.format(
                    record=(keys.records or [""])[0],
                    upload=(keys.uploads or [""])[0],
                    collection=(keys.collections or [""])[0],
                    application=(keys.applications or [""])[0],
                )
                yield Address(name, f"{path}?{query}")


def body_of(response: Any) -> bytes:
    """Return the bytes of a response, also of a streamed response."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return bytes(body)
