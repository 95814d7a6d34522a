"""The list of games: its filters and orders, and suggestions of events.

The newest games as an Atom feed (RFC 4287): of the archive, an event, or a player.

The query has the filters of the list of games. Results are left to the pages of the games.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from kafu.notation.vocabulary import GRADES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.dates import played
from records.base.keys import player_key
from records.base.release import absolute
from records.models import Player, Record, Status
from records.pages.chips import Chip, choice, choices, filter_words, removals, without
from records.pages.parameters import PLACE, SEARCH
from records.search import filters
from records.search.games import load_results, records_of
from records.search.paging import page_of
from records.search.players import events, suggestions
from records.search.selection import ALL, SOUND, GameSelection, find, listings
from records.serving.cached_responses import cached_page
from records.serving.parameters import LANG, activate_language, texts
from records.states import of_ruleset

PAGE: Final = 50
#: Seconds for which a browser may cache suggestions.
SUGGESTED: Final = 60
_FILTERS: Final = texts(*filters.NAMES)
#: Games in a feed.
MOST: Final = 50
#: Letters of a name in a title.
_SHOWN: Final = 80
#: Characters not allowed in XML 1.0.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@cached_page(of_ruleset, parameters=_FILTERS | SEARCH | PLACE)
def games(request: HttpRequest) -> HttpResponse:
    """Show the games selected by the query. An invalid parameter is reported and ignored.

    Illegal games are listed only if the query selects them. A page of the newest games begins with
    verified ones. ``q`` is what the search box has: a
    player or the beginning of an event, which becomes a filter.
    """
    query = query_of(request.GET)
    searched = request.GET.get("q", "")
    if searched and _add_search(query, searched):
        return redirect(f"{reverse('games')}?{query.urlencode()}")
    selection, faults = filters.read(request.GET)
    selection = replace(selection, status=selection.status or SOUND)
    everything = query.copy()
    everything["status"] = ALL
    with_sheets = query.copy()
    with_sheets["form"] = ALL
    listed = find(selection)
    page = page_of(listed.rows, request.GET.dict(), PAGE)
    if not request.GET.get("status") and selection.sort == "newest":
        # The sort is stable, and limited to a page: the index of the order has no verdicts.
        page.records.sort(key=lambda record: record.status != Status.VERIFIED)
    load_results(page.records)
    count, is_exact = listed.count()
    return render(
        request,
        "records/games.html",
        {
            "page": page,
            "count": max(count, len(page.records)),
            "is_exact": is_exact,
            "is_sound": selection.status == SOUND,
            "selection": selection,
            "query": query,
            "searched": searched,
            "similar": [
                choice(query, player.name, player=player.name) for player in suggestions(searched)
            ]
            if searched
            else [],
            "kept": (valid_query := _leave_out(query, {fault.name for fault in faults})),
            **_chips(valid_query),
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


def _add_search(query: QueryDict, text: str) -> bool:
    """Add a player or an event with a name to the filters; return whether there is one."""
    if Player.objects.filter(key=player_key(text), games__gt=0).exists():
        if text not in query.getlist("player"):
            query.appendlist("player", text)
    elif events(text):
        query["event"] = text
    else:
        return False
    return True


def _leave_out(query: QueryDict, names: Container[str]) -> QueryDict:
    """Return a query without some parameters."""
    valid_query = query.copy()
    for name in [name for name in valid_query if name in names]:
        del valid_query[name]
    return valid_query


def _chips(query: QueryDict) -> dict[str, list[Chip]]:
    """Return the chips of the chosen filters, and of the filters that most people want."""
    filters_of_period = []
    if (period := query.get("from")) and period == query.get("to"):
        filters_of_period = [without(query, played(period), "from", "to")]
    rulesets = ((ruleset, labels.ruleset_brief(ruleset)) for ruleset in RULESETS)
    forms = [form for form in _forms() if form[0] != ALL]
    today = timezone.now().date()
    periods = {
        _("this month"): (f"{today:%Y-%m}",) * 2,
        _("this year"): (f"{today:%Y}",) * 2,
        _("last year"): (str(today.year - 1),) * 2,
    }
    return {
        "chosen": [
            *filters_of_period,
            *removals(
                query,
                lambda name, value: _words(query, name, value),
                but=("from", "to") if filters_of_period else (),
            ),
        ],
        "offered": [
            *choices(query, "ruleset", rulesets),
            *choices(query, "status", [(str(Status.VERIFIED), str(Status.VERIFIED.label))]),
            *choices(query, "form", forms),
            *(
                choice(query, words, **{"from": first, "to": last})
                for words, (first, last) in periods.items()
                if (query.get("from"), query.get("to")) != (first, last)
            ),
        ],
    }


def _words(query: QueryDict, name: str, value: str) -> str:
    """Return a filter in the words of its chip."""
    match name:
        case "status":
            return dict(_statuses())[value]
        case "grade":
            return labels.grade(value)
        case "form":
            return dict(_forms())[value]
        case "sort":
            return dict(_sorts())[value]
    field, _underscore, side = name.partition("_")
    if side:
        words = {"field": _labels()[name], "number": value}
        text = _("%(field)s: from %(number)s") if side == "min" else _("%(field)s: to %(number)s")
        return text % words
    return filter_words(query.get("ruleset", "") or _find_ruleset(query), field, value)


def _find_ruleset(query: QueryDict) -> str:
    """Return the ruleset of the chosen house rules, "" without any."""
    profile = query.get("profile", "")
    return next((ruleset for ruleset in RULESETS if profile in RULESETS[ruleset].profiles), "")


@cache_control(public=True, max_age=SUGGESTED)
def suggest_events(request: HttpRequest) -> HttpResponse:
    """Return the events whose names begin with ``?q=``, events with the most games first."""
    return JsonResponse({"results": events(request.GET.get("q", "").replace("\0", "")[:200])})


def _form(selection: GameSelection) -> dict[str, Any]:
    """Return the fields of the form."""
    player, opponent = [*selection.players, "", ""][:2]
    return {
        "rulesets": [(ruleset, labels.ruleset(ruleset)) for ruleset in RULESETS],
        "profiles": [
            (ruleset, [(profile, labels.house(profile)) for profile in filters.profiles(ruleset)])
            for ruleset in RULESETS
            if len(filters.profiles(ruleset)) > 1
        ],
        "yaku": [
            (
                ruleset,
                labels.ruleset(ruleset),
                [(id, labels.yaku(id)) for id in filters.yaku_of(ruleset)],
            )
            for ruleset in RULESETS
        ],
        "yaku_rules": _yaku_rules(selection),
        "grades": [(grade, labels.grade(grade)) for grade in GRADES],
        "statuses": _statuses(),
        "forms": _forms(),
        "sorts": _sorts(),
        "player_fields": [player, opponent, *selection.players[2:]],
        "spans": [
            ("deals", _("Months"), selection.deals),
            ("turns", _("Turns"), selection.turns),
            ("score", _("Best final score"), selection.score),
        ],
    }


def _statuses() -> list[tuple[str, str]]:
    listed = (status for status in Status if status is not Status.MALFORMED)
    return [(ALL, _("all verdicts")), *((str(status), str(status.label)) for status in listed)]


def _forms() -> list[tuple[str, str]]:
    return [
        (ALL, _("games with moves and score sheets")),
        ("moves", _("games with moves")),
        ("sheet", _("score sheets")),
    ]


def _sorts() -> list[tuple[str, str]]:
    return [
        ("newest", _("newest first")),
        ("oldest", _("oldest first")),
        ("played", _("last played first")),
        ("longest", _("longest first")),
        ("score", _("highest score first")),
    ]


def _yaku_rules(selection: GameSelection) -> str:
    """Return the ruleset under which the form shows the selected yaku."""
    if selection.yaku in filters.yaku_of(selection.ruleset):
        return selection.ruleset
    return next((ruleset for ruleset in RULESETS if selection.yaku in filters.yaku_of(ruleset)), "")


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
        **{f"deals_{side}": _("Months") for side in ("min", "max")},
        **{f"turns_{side}": _("Turns") for side in ("min", "max")},
        **{f"score_{side}": _("Best final score") for side in ("min", "max")},
    }


def _unknown(selection: GameSelection) -> list[str]:
    """Return the selected players without games."""
    keys = {player_key(name): name for name in selection.players}
    stored_keys = Player.objects.filter(key__in=keys, games__gt=0).values_list("key", flat=True)
    return [name for key, name in keys.items() if key not in set(stored_keys)]


@require_safe
def games_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed in the language ``lang``, or 400 for an invalid filter."""
    with activate_language(request):
        return _feed(request)


@cached_page(of_ruleset, parameters=_FILTERS | LANG, public=True)
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


def _title(selection: GameSelection) -> str:
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
