"""Query parameters of cached responses: known ones, in canonical order and form.

A key and the computed response see nothing else of a query. Otherwise every made-up parameter would
be computed again, and a cached page could contain the query of another visitor.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils import translation

#: Returns the canonical values of a parameter, none to leave the parameter out.
Reader = Callable[[list[str]], list[str]]
#: The parameters of a response by name, in canonical order.
Parameters = dict[str, Reader]


def reduce_query(request: HttpRequest, parameters: Parameters) -> None:
    """Replace the query of a request by the canonical values of the known parameters."""
    if not request.META.get("QUERY_STRING"):
        return
    query = QueryDict(mutable=True)
    for name, read in parameters.items():
        if values := read(request.GET.getlist(name)):
            query.setlist(name, values)
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = QueryDict(request.META["QUERY_STRING"])


def last_of(read: Callable[[str], str]) -> Reader:
    """Return the reader of a parameter whose last value counts; ``read`` returns "" to drop it."""

    def read_last(values: list[str]) -> list[str]:
        value = read(values[-1].strip()) if values else ""
        return [value] if value else []

    return read_last


def one_of(words: Collection[str]) -> Reader:
    """Return the reader of a parameter with a fixed set of words."""
    return last_of(lambda value: value if value in words else "")


def read_texts(values: list[str]) -> list[str]:
    """Return the values that are not empty, without surrounding spaces."""
    return [value.strip() for value in values if value.strip()]


def texts(*names: str) -> Parameters:
    """Return parameters of which every value counts, which the view checks itself."""
    return dict.fromkeys(names, read_texts)


def read_flag(values: list[str]) -> list[str]:
    """Return an empty value for a parameter that is present with any value."""
    return [""] if values else []


#: The language of a response for another site.
LANG: Final[Parameters] = {"lang": one_of([code for code, _name in settings.LANGUAGES])}


@contextmanager
def activate_language(request: HttpRequest) -> Iterator[None]:
    """Activate the language of the parameter ``lang``, if it is a language of the archive."""
    lang = request.GET.get("lang", "")
    if lang in dict(settings.LANGUAGES):
        with translation.override(lang):
            yield
    else:
        yield
