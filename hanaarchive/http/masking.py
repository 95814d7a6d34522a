"""Masking of paths in logs, since some addresses contain secrets.

`mask_path` returns the path of a request unchanged if all captured values of the address are
harmless, otherwise the pattern of the address with only the harmless values. A parameter is a
secret unless the name is in `HARMLESS`, to mask new secrets by default. In a path without an
address, segments absent from all addresses are hidden.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, URLPattern, URLResolver, get_resolver, resolve

#: Names of harmless parameters. A test compares them with the URLconf.
HARMLESS: Final = frozenset(
    (
        *("at", "day", "deal", "key", "member", "month", "name", "number", "pk", "profile"),
        *("record", "ruleset", "season"),
    )
)
#: The prefix of django-allauth's addresses, whose ``key`` is a secret.
ACCOUNTS: Final = "account/"
HIDDEN: Final = "…"

_PARAMETER: Final = re.compile(r"(?<!\?P)<(?:[^<>:]+:)?(\w+)>")
_URL: Final = re.compile(r"https?://[^\s,;)]+")
#: The part with a path in messages of Waitress.
_SERVING: Final = re.compile(r"(?<= while serving )/.*", re.DOTALL)


def mask_path(path: str, match: ResolverMatch | None = None) -> str:
    """Return a path without secrets; ``match`` is the resolved address, if known."""
    if path.startswith(settings.STATIC_URL):
        return path
    match = match or _find_address(path)
    if match is None:
        literals = _list_literals()
        return "/".join(step if step in literals else HIDDEN for step in path.split("/"))
    captured = match.kwargs
    harmless = frozenset() if match.route.startswith(ACCOUNTS) else HARMLESS
    if not match.args and harmless >= captured.keys():
        return path
    shown = {name: str(value) for name, value in captured.items() if name in harmless}
    return "/" + _PARAMETER.sub(lambda field: shown.get(field[1], field[0]), match.route)


def _find_address(path: str) -> ResolverMatch | None:
    """Return the address of a path, which may lack the final slash."""
    for written in (path, f"{path}/"):
        try:
            return resolve(written)
        except Resolver404:
            pass
    return None


@lru_cache(maxsize=1)
def _list_literals() -> frozenset[str]:
    """Return the literal segments of all addresses."""
    routes = _routes(get_resolver().url_patterns)
    segments = (step for route in routes for step in route.strip("^$").split("/"))
    return frozenset(step for step in segments if not re.search(r"[<(\\]", step))


def _routes(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        yield str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns)


class SecretsFilter(logging.Filter):
    """A filter to mask paths in Django's lines about a request, and in lines of Waitress."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the record and always return True."""
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            shown = mask_path(request.path_info, request.resolver_match)
            paths = (request.get_full_path(), request.path)
            record.msg = _mask_text(record.msg, paths, shown)
            if isinstance(record.args, tuple):
                record.args = tuple(_mask_text(value, paths, shown) for value in record.args)
            record.request = f"{request.method} {shown}"
        elif record.name == "waitress" and isinstance(record.msg, str):
            record.msg = _SERVING.sub(lambda place: mask_path(place[0]), record.msg)
        return True


def _mask_text(value: object, paths: Iterable[str], shown: str) -> object:
    """Return a text with masked paths of the request, and masked URLs."""
    if not isinstance(value, str):
        return value
    for path in paths:
        value = value.replace(path, shown)
    return _URL.sub(lambda url: _mask_url(url[0]), value)


def _mask_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return HIDDEN
    return f"{parts.scheme}://{parts.netloc}{mask_path(parts.path)}"
