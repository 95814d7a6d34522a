"""Paths for logs: without the secrets that some addresses have in them.

In: the path of a request. Out: the same, if everything that its address captures is harmless; else
the pattern of the address, in which only harmless values are filled in. A parameter is a secret
unless its name is in `HARMLESS`, so that nobody has to remember a new secret. Of a path that is no
address, the segments that no address has are hidden.
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

#: Parameters of addresses that are no secrets. A test compares them with the URLconf.
HARMLESS: Final = frozenset(
    ("at", "deal", "key", "month", "name", "number", "pk", "profile", "ruleset")
)
#: Below it django-allauth has addresses of its own: its ``key`` is a secret.
ACCOUNTS: Final = "account/"
HIDDEN: Final = "…"

_PARAMETER: Final = re.compile(r"(?<!\?P)<(?:[^<>:]+:)?(\w+)>")
_URL: Final = re.compile(r"https?://[^\s,;)]+")
#: The messages of Waitress that have a path in them.
_SERVING: Final = re.compile(r"(?<= while serving )/.*", re.DOTALL)


def masked(path: str, match: ResolverMatch | None = None) -> str:
    """Return a path without secrets; ``match`` is its address, if that is known already."""
    if path.startswith(settings.STATIC_URL):
        return path
    match = match or _match(path)
    if match is None:
        literals = _literals()
        return "/".join(step if step in literals else HIDDEN for step in path.split("/"))
    captured = match.kwargs
    harmless = frozenset() if match.route.startswith(ACCOUNTS) else HARMLESS
    if not match.args and harmless >= captured.keys():
        return path
    shown = {name: str(value) for name, value in captured.items() if name in harmless}
    return "/" + _PARAMETER.sub(lambda found: shown.get(found[1], found[0]), match.route)


def _match(path: str) -> ResolverMatch | None:
    """Return the address of a path, which may lack the slash at its end."""
    for written in (path, f"{path}/"):
        try:
            return resolve(written)
        except Resolver404:
            pass
    return None


@lru_cache(maxsize=1)
def _literals() -> frozenset[str]:
    """Return the segments that stand in addresses as they are."""
    routes = _routes(get_resolver().url_patterns)
    segments = (step for route in routes for step in route.strip("^$").split("/"))
    return frozenset(step for step in segments if not re.search(r"[<(\\]", step))


def _routes(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        yield str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns)


class SecretsFilter(logging.Filter):
    """Masks paths in lines of Django about a request, and in lines of Waitress."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; it is always logged."""
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            shown = masked(request.path_info, request.resolver_match)
            paths = (request.get_full_path(), request.path)
            record.msg = _without(record.msg, paths, shown)
            if isinstance(record.args, tuple):
                record.args = tuple(_without(value, paths, shown) for value in record.args)
            record.request = f"{request.method} {shown}"
        elif record.name == "waitress" and isinstance(record.msg, str):
            record.msg = _SERVING.sub(lambda found: masked(found[0]), record.msg)
        return True


def _without(value: object, paths: Iterable[str], shown: str) -> object:
    """Return a text without the paths of its request, and without those of other URLs in it."""
    if not isinstance(value, str):
        return value
    for path in paths:
        value = value.replace(path, shown)
    return _URL.sub(lambda found: _masked_url(found[0]), value)


def _masked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return HIDDEN
    return f"{parts.scheme}://{parts.netloc}{masked(parts.path)}"
