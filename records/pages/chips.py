"""Chips: the filters of a query as links, each of which removes one filter or chooses one."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from records.base import labels
from records.base.dates import played


class Chip(NamedTuple):
    """A link to the same list with one filter less, or with one other filter."""

    text: str
    href: str


def removals(
    query: QueryDict, write: Callable[[str, str], str], but: Container[str] = ()
) -> Iterator[Chip]:
    """Yield a chip that removes each value of a query, ``but`` those of some names.

    ``write`` returns a value in words.
    """
    for name, values in query.lists():
        for value in values if name not in but else ():
            remaining_query = query.copy()
            remaining_query.setlist(name, [other for other in values if other != value])
            yield Chip(write(name, value), _address(remaining_query))


def without(query: QueryDict, words: str, *names: str) -> Chip:
    """Return a chip that removes all values of some names."""
    remaining_query = query.copy()
    for name in names:
        del remaining_query[name]
    return Chip(words, _address(remaining_query))


def choices(query: QueryDict, name: str, offered: Iterable[tuple[str, str]]) -> Iterator[Chip]:
    """Yield a chip that chooses each offered value (with its words) that is not chosen yet."""
    for value, words in offered:
        if query.get(name) != value:
            yield choice(query, words, **{name: value})


def choice(query: QueryDict, words: str, **values: str) -> Chip:
    """Return a chip that sets these values of a query."""
    chosen = query.copy()
    for name, value in values.items():
        chosen[name] = value
    return Chip(words, _address(chosen))


def _address(query: QueryDict) -> str:
    return f"?{query.urlencode()}"


def filter_words(ruleset: str, name: str, value: str) -> str:
    """Return a filter of a query in words, as a chip shows it."""
    match name:
        case "ruleset":
            return labels.ruleset_brief(value)
        case "profile":
            return _("all house rules") if value == "all" else labels.house(value)
        case "option":
            label, choice_words = labels.option(ruleset, value)
            return _("%(label)s: %(value)s") % {"label": label, "value": choice_words}
        case "yaku":
            return labels.yaku(value)
        case "from":
            return _("from %(day)s") % {"day": played(value)}
        case "to":
            return _("until %(day)s") % {"day": played(value)}
        case "seat":
            return _("Seat %(number)s") % {"number": value}
        case "last":
            text = _("newest game") if value == "1" else _("newest %(count)s games")
            return text % {"count": value}
        case "opponent":
            return _("against %(name)s") % {"name": labels.person(value)}
    return labels.person(value)
