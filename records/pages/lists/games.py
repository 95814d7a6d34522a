"""The list of games: its filters and orders, and suggestions of events.

The newest games as an Atom feed (RFC 4287): of the archive, an event, or a player.

The query has the filters of the list of games. Results are left to the pages of the games.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from kafu.notation.vocabulary import GRADES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.keys import player_key
from records.base.release import absolute
from records.models import Player, Record, Status
from records.pages.game.embed import activate_language
from records.pages.rulebook.book import house
from records.search import filters
from records.search.games import records_of
from records.search.paging import page_of
from records.search.players import events
from records.search.selection import ALL, SOUND, Selection, find, listings
from records.serving.cached_responses import cached_page
from records.states import of_archive

PAGE: Final = 50
#: Seconds for which a browser may cache suggestions.
SUGGESTED: Final = 60
#: Games in a feed.
MOST: Final = 50
#: Letters of a name in a title.
_SHOWN: Final = 80
#: Characters not allowed in XML 1.0.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@cached_page(of_archive)
def games(request: HttpRequest) -> HttpResponse:
    """Show the games selected by the query. An invalid parameter is reported and ignored.

    Illegal games are listed only if the query selects them.
    """
    selection, faults = filters.read(request.GET)
    selection = replace(selection, status=selection.status or SOUND)
    query = query_of(request.GET)
    everything = query.copy()
    everything["status"] = ALL
    with_sheets = query.copy()
    with_sheets["form"] = ALL
    listed = find(selection)
    page = page_of(listed.rows, request.GET.dict(), PAGE)
    count, is_exact = listed.count()
    return render(
        request,
        "records/games.html",
        {
            "page": page,
            "count": max(count, len(page.records)),
            "is_exact": is_exact,
            "is_sound": selection.status == SOUND,
            "added": selection.sort in ("newest", "oldest"),
            "selection": selection,
            "query": query,
            "everything": everything.urlencode(),
            "leaves_out_sheets": not selection.form and selection.listed_form != ALL,
            "with_sheets": with_sheets.urlencode(),
            "faults": [(_labels().get(fault.name, fault.name), fault.message) for fault in faults],
            "unknown": _unknown(selection) if not page.records else [],
            **_form(selection),
        },
    )


def query_of(params: QueryDict) -> QueryDict:
    """Return the query without the place in the list and without empty values."""
    query = QueryDict(mutable=True)
    for name in filters.NAMES:
        values = [value for value in params.getlist(name) if value.strip()]
        if values:
            query.setlist(name, values)
    return query


@cache_control(public=True, max_age=SUGGESTED)
def suggest_events(request: HttpRequest) -> HttpResponse:
    """Return the events whose names begin with ``?q=``, events with the most games first."""
    return JsonResponse({"results": events(request.GET.get("q", "").replace("\0", "")[:200])})


def _form(selection: Selection) -> dict[str, Any]:
    """Return the fields of the form."""
    player, opponent = [*selection.players, "", ""][:2]
    more = (
        selection.date_from,
        selection.date_to,
        selection.event,
        selection.grade,
        selection.form,
        selection.profile,
    )
    ranges = (selection.deals, selection.turns, selection.score)
    return {
        "rulesets": [(rules, labels.ruleset(rules)) for rules in RULESETS],
        "profiles": [
            (rules, [(profile, house(rules, profile)) for profile in filters.profiles(rules)])
            for rules in RULESETS
            if len(filters.profiles(rules)) > 1
        ],
        "yaku": [
            (rules, labels.ruleset(rules), [(id, labels.yaku(id)) for id in filters.yaku_of(rules)])
            for rules in RULESETS
        ],
        "yaku_rules": _yaku_rules(selection),
        "grades": [(grade, labels.grade(grade)) for grade in GRADES],
        "statuses": [
            (ALL, _("all")),
            *((str(status), status.label) for status in Status if status is not Status.MALFORMED),
        ],
        "forms": [
            (ALL, _("games with moves and score sheets")),
            ("moves", _("games with moves")),
            ("sheet", _("score sheets")),
        ],
        "sorts": [
            ("newest", _("newest first")),
            ("oldest", _("oldest first")),
            ("played", _("last played first")),
            ("longest", _("longest first")),
            ("score", _("highest score first")),
        ],
        "player_fields": [player, opponent, *selection.players[2:]],
        "spans": [
            ("deals", _("Deals"), selection.deals),
            ("turns", _("Turns"), selection.turns),
            ("score", _("Best final score"), selection.score),
        ],
        "more": any(more) or any(one_range != type(one_range)() for one_range in ranges),
    }


def _yaku_rules(selection: Selection) -> str:
    """Return the ruleset under which the form shows the selected yaku."""
    if selection.yaku in filters.yaku_of(selection.ruleset):
        return selection.ruleset
    return next((rules for rules in RULESETS if selection.yaku in filters.yaku_of(rules)), "")


def _labels() -> dict[str, str]:
    """Return the labels of the form's fields."""
    return {
        "ruleset": _("Ruleset"),
        "profile": _("House rules"),
        "player": _("Player"),
        "event": _("Event"),
        "from": _("Played from"),
        "to": _("Played until"),
        "yaku": _("Yaku made"),
        "grade": _("Field grade"),
        "status": _("Verdict"),
        "form": _("Form"),
        "sort": _("Order"),
        **{f"deals_{side}": _("Deals") for side in ("min", "max")},
        **{f"turns_{side}": _("Turns") for side in ("min", "max")},
        **{f"score_{side}": _("Best final score") for side in ("min", "max")},
    }


def _unknown(selection: Selection) -> list[str]:
    """Return the selected players without games."""
    keys = {player_key(name): name for name in selection.players}
    stored_keys = Player.objects.filter(key__in=keys, games__gt=0).values_list("key", flat=True)
    return [name for key, name in keys.items() if key not in set(stored_keys)]


@require_safe
def games_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed in the language ``lang``, or 400 for an invalid filter."""
    with activate_language(request):
        return _feed(request)


@cached_page(of_archive, public=True)
def _feed(request: HttpRequest) -> HttpResponse:
    selection, faults = filters.read(request.GET)
    if faults:
        message = "\n".join(f"{fault.name}: {fault.message}" for fault in faults)
        return HttpResponse(f"{message}\n", status=400, content_type="text/plain; charset=utf-8")
    filtered = replace(selection, sort="newest", status=selection.status or SOUND)
    query = request.GET.copy()
    query.pop("lang", None)
    page = absolute(reverse("games")) + (f"?{query.urlencode()}" if query else "")
    feed_url = absolute(request.get_full_path())
    feed = Atom1Feed(
        title=_replace_invalid(_title(filtered)),
        link=page,
        description=_("An archive of hanafuda games, each replayed by the rules."),
        language=get_language(),
        feed_url=feed_url,
        feed_guid=feed_url,
    )
    for record in records_of(list(listings(filtered)[:MOST])):
        feed.add_item(**_entry(record))
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _title(selection: Selection) -> str:
    texts = [*selection.players, *([selection.event] if selection.event else [])]
    texts += [labels.ruleset(selection.ruleset)] if selection.ruleset else []
    filter_text = " · ".join(text[:_SHOWN] for text in texts)
    title = _("Newest games")
    return f"{title}: {filter_text} – HanaArchive" if filter_text else f"{title} – HanaArchive"


def _entry(record: Record) -> dict[str, Any]:
    address = absolute(reverse("game", args=[record.key]))
    facts = [labels.ruleset(record.ruleset), record.event, record.date]
    facts.append(str(record.get_status_display()))
    return {
        "title": _replace_invalid(" – ".join(name[:_SHOWN] for name in record.players)),
        "link": address,
        # The feed writes summaries as HTML.
        "description": escape(_replace_invalid(" · ".join(fact for fact in facts if fact))),
        "pubdate": record.created,
        "updateddate": max(record.changed, record.created),
        "unique_id": address,
    }


def _replace_invalid(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
