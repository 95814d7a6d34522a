"""The games of a club: the list, adding, taking out, and moving to another evening."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import games
from clubs.access import Access
from clubs.games import Added
from clubs.models import ClubGame
from clubs.pages.forms import AddGamesForm
from clubs.pages.view import club_view, render_club, state_of
from clubs.refused import Refused
from records.models import Record
from records.privacy.access import records_for
from records.search.games import list_records
from records.search.paging import pk_page
from records.search.selection import GameSelection, listings
from records.serving.cached_responses import cached_page
from records.serving.parameters import texts

#: Number of games on a page.
PAGE: Final = 48
#: The key at the end of a link to a game, or a key alone.
_KEY: Final = re.compile(r"(?:[^\s,]*/games/)?([0-9A-Za-z]{6,44})(?:[/?#][^\s,]*)?", re.ASCII)


@cached_page(state_of, parameters=texts("before", "after"))
@club_view()
def show_games(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the games, the newest first; by POST ``add``, take ``out`` or ``move`` games."""
    do = request.POST.get("do", "")
    form = AddGamesForm(request.POST if do == "add" else None)
    if do == "add" and form.act(lambda fields: _add(request, club, fields)):
        return redirect("club-games", club.club.key)
    if do in ("out", "move"):
        _change(request, club, do)
        return redirect(request.get_full_path())
    level = games.level_of(club)
    page = pk_page(
        games.games_of(club.club, level).order_by("-record_id").select_related("club"),
        request.GET.dict(),
        PAGE,
    )
    context = {
        "games": load_games(club, page.rows),
        "page": page,
        "query": QueryDict(),
        "form": form,
    }
    return render_club(request, "games", club, "games", context)


def load_games(club: Access, rows: Iterable[ClubGame]) -> list[tuple[Record, date]]:
    """Return the games of rows as the viewer sees them, with their evenings, in their order."""
    days = {row.record_id: row.day for row in rows}
    return [(record, days[record.pk]) for record in list_records(list(days), club.viewer)]


def _add(request: HttpRequest, club: Access, fields: Mapping[str, Any]) -> None:
    links = fields["links"]
    keys = _read_links(links) if links.strip() else _select(club, fields)
    added = games.add(club, keys, fields["day"])
    messages.success(request, _describe(added))


def _read_links(text: str) -> list[str]:
    """Return the keys of games in links. Raise Refused for a word that is no link or key."""
    keys = []
    for word in re.split(r"[\s,]+", text.strip()):
        match = _KEY.fullmatch(word)
        if match is None:
            shown = word[:60]
            raise Refused(
                "no-game", _("This is no link to a game: %(word)s") % {"word": shown}, "links"
            )
        keys.append(match[1])
    return keys


def _select(club: Access, fields: Mapping[str, Any]) -> list[str]:
    """Return the keys of the games of an event, a player and days that the viewer sees.

    The keys are one more than can be added if there are as many. Raise Refused without a condition.
    """
    first, last, player = fields["first"], fields["last"], fields["player"].strip()
    event = fields["event"].strip()
    if not (event or first or last or player):
        raise Refused("nothing", _("Enter an event, days, a player or links."), "event")
    selection = GameSelection(
        event=event,
        date_from=first,
        date_to=last,
        players=(player,) if player else (),
        owner=club.viewer.user if fields["own"] or not club.is_officer else None,
    )
    chosen = Record.objects.filter(pk__in=listings(selection).order_by().values("record"))
    keys = chosen.filter(records_for(club.viewer)).order_by("pk").values_list("key", flat=True)
    return list(keys[: games.MOST_ADDED + 1])


def _describe(added: Added) -> str:
    text = ngettext("%(count)d game is added.", "%(count)d games are added.", added.new)
    parts = [text % {"count": added.new}]
    if added.known:
        parts.append(_("The club had %(count)d before.") % {"count": added.known})
    if added.refused:
        text = _("%(count)d cannot be added: not found, not yours to see, or in another club.")
        parts.append(text % {"count": len(added.refused)})
    return " ".join(parts)


def _change(request: HttpRequest, club: Access, do: str) -> None:
    """Take the chosen games out of the club, or move them to another evening. Raise Refused."""
    keys = [key.replace("\0", "") for key in request.POST.getlist("game")[:PAGE]]
    pks = list(Record.objects.order_by().filter(key__in=keys).values_list("pk", flat=True))
    if not pks:
        raise Refused("nothing", _("Tick games first."))
    if do == "out":
        count = games.take_out(club, pks)
        text = ngettext("%(count)d game is taken out.", "%(count)d games are taken out.", count)
        messages.success(request, text % {"count": count})
        return
    try:
        day = date.fromisoformat(request.POST.get("day", ""))
    except ValueError:
        raise Refused("day", _("Enter the day of the evening.")) from None
    games.move(club, pks, day)
    messages.success(request, _("Moved."))
