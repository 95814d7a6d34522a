"""Changes of the API, and what it will remove (the policy is in docs/api.md).

`CHANGES` and `DEPRECATIONS` are the one place of a change: response headers, OpenAPI document, feed
and docs/api.md follow. `python -m api.policy` prints the list of docs/api.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

BASE: Final = "/api/v1"
#: The query parameter of the format. A request chooses the format by Accept too.
FORMAT: Final = "format"
_PARAMETER: Final = re.compile(r"<(?:\w+:)?(\w+)>")
#: A variable without a converter, for one segment without variables of `api.urls`.
_SEGMENT: Final = re.compile(r"<\w+>")
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Change:
    """A change that programs can notice. ``id`` stays if ``text`` (Markdown) is corrected."""

    day: date
    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """An address, or one query parameter of it, that the API will remove.

    ``route`` is the address below /api/v1/ as in `api.urls`; ``statistics/<figure>`` is that of all
    figures. It works at least until the day ``until``, and does not work any more from the day
    ``removed``. ``successor`` is an address, which may have the variables of ``route``. The
    parameter `FORMAT` stands for a format that Accept chooses, too.
    """

    route: str
    parameter: str = ""
    since: date
    until: date
    successor: str
    removed: date | None = None

    @property
    def path(self) -> str:
        """The address as the OpenAPI document has it."""
        return template_of(self.route)

    @property
    def name(self) -> str:
        """The address with the parameter, in Markdown."""
        parameter = f" with `{self.parameter}`" if self.parameter else ""
        accept = " or `Accept`" if self.parameter == FORMAT else ""
        return f"`{self.path}`{parameter}{accept}"

    def covers(self, route: str) -> bool:
        """Return whether the row is about a route below /api/v1/."""
        pattern = _SEGMENT.sub("[^/.<>]+", re.escape(self.route))
        return re.fullmatch(pattern, route) is not None

    def successor_of(self, values: Mapping[str, str]) -> str:
        """Return the successor for the ``values`` of a request's address."""
        return _VARIABLE.sub(lambda variable: values.get(variable[1], variable[0]), self.successor)

    def list_changes(self) -> list[Change]:
        """Return the changes: the deprecation, and the removal if there was one."""
        changes = []
        if self.removed != self.since:
            text = f"{self.name} is deprecated until {self.until}: use `{self.successor}`."
            changes.append(Change(self.since, f"deprecated:{self.route}?{self.parameter}", text))
        if self.removed is not None:
            text = f"{self.name} is removed: use `{self.successor}`."
            changes.append(Change(self.removed, f"removed:{self.route}?{self.parameter}", text))
        return changes


def template_of(route: str) -> str:
    """Return the address of a route as a template (RFC 6570).

    >>> template_of("records/<slug:key>.kafu")
    '/api/v1/records/{key}.kafu'
    """
    return f"{BASE}/" + _PARAMETER.sub(r"{\1}", route)


_WAIT: Final = "/api/v1/uploads/{key}?wait=20"
#: The day on which webhooks and events were replaced, before the policy.
_WAITING: Final = date(2026, 11, 29)
_POLICY: Final = date(2026, 11, 30)

#: What had an address, or a parameter of it, before each format got an address.
_FORMER_FILES: Final = (
    ("records", FORMAT, "records.{format}"),
    ("records", "changed_since", "records/changes"),
    ("records/export", "", "records/export.{format}"),
    ("records/<slug:key>", FORMAT, "records/{key}.kafu"),
    ("records/<slug:key>/sheet", FORMAT, "records/{key}/sheet.csv"),
    ("me/games/export", "", "me/games.{format}"),
    ("uploads/<slug:key>/report", "", "uploads/{key}/report.{format}"),
    ("statistics/<figure>", FORMAT, "statistics/{figure}.csv"),
    (
        "clubs/<slug:key>/seasons/<slug:season>/standings",
        FORMAT,
        "clubs/{key}/seasons/{season}/standings.csv",
    ),
    ("verify", FORMAT, "verify.ndjson"),
)
DEPRECATIONS: Final = (
    *(
        Deprecation(
            route=route,
            parameter=parameter,
            since=_POLICY,
            until=date(2027, 11, 30),
            successor=f"{BASE}/{successor}",
        )
        for route, parameter, successor in _FORMER_FILES
    ),
    Deprecation(route="", since=_POLICY, until=date(2027, 11, 30), successor=BASE),
    *(
        Deprecation(route=route, since=_WAITING, until=_WAITING, removed=_WAITING, successor=_WAIT)
        for route in (
            *("uploads/<slug:key>/events", "me/webhooks"),
            "me/webhooks/<slug:webhook>",
        )
    ),
)
CHANGES: Final = (
    Change(
        _POLICY, "files", "Each format of a file has an address, such as `/api/v1/records.csv`."
    ),
    Change(
        _POLICY, "rate-limits", "Errors have `RateLimit` too, and it names every limit that counts."
    ),
    Change(_POLICY, "policy", "Removals are announced 12 months ahead by headers and this list."),
    Change(
        _POLICY,
        "oauth",
        "Applications use OAuth 2 with PKCE, terminals a code that the user enters in a browser.",
    ),
    Change(_POLICY, "link", "Lists have the header `Link` with `next` and `prev`."),
)


def list_changes() -> list[Change]:
    """Return all changes, newest first."""
    changes = [*CHANGES, *(change for row in DEPRECATIONS for change in row.list_changes())]
    return sorted(changes, key=lambda change: change.day, reverse=True)


def render_list() -> str:
    """Return the changes as a list of Markdown."""
    return "".join(f"- {change.day}: {change.text}\n" for change in list_changes())


if __name__ == "__main__":
    print(render_list(), end="")
