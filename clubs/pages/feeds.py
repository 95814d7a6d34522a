"""The feeds of a club: its dates for calendars (RFC 5545), its evenings for readers (RFC 4287).

Programs that read feeds have no session. The links of a private club contain the signature of a
member, which is valid while the account is a member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, ngettext
from django.views.decorators.http import require_safe

from clubs import access
from clubs.access import Access
from clubs.days import ClubDay, list_days
from clubs.games import games_of, level_of
from clubs.models import Club, Evening, Member
from clubs.pages.view import club_view, state_of
from clubs.shown import redact
from records.base import dates
from records.base.release import absolute
from records.models import Visibility
from records.privacy.access import Viewer, mark
from records.serving.cached_responses import cached_page
from records.serving.parameters import LANG, Parameters, activate_language, last_of

#: Dates in a calendar, and evenings in a feed, the newest.
MOST_DATES: Final = 1000
MOST_EVENINGS: Final = 50
#: Changes that are read for the times of the newest evenings.
_CHANGES: Final = 500
#: The longest line of a calendar, in bytes without its end.
_LINE: Final = 75
_CONTROLS: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f]")
#: Characters not allowed in XML 1.0.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SIGNER: Final = Signer(salt="clubs.feeds")
#: The parameter with the signature of a member.
_SIGNED: Final[Parameters] = {"as": last_of(lambda value: value if len(value) < 200 else "")}


def address_of(name: str, club: Access, **query: str) -> str:
    """Return the absolute address of a feed; of a private club with the member's signature."""
    url = absolute(reverse(name, args=[club.club.key]))
    pairs = [f"{key}={value}" for key, value in query.items()]
    if club.club.visibility < Visibility.UNLISTED and club.member is not None:
        pairs.append(f"as={_SIGNER.sign(club.member.key)}")
    return f"{url}?{'&'.join(pairs)}" if pairs else url


def _as_member(request: HttpRequest, key: str) -> Access | None:
    """Return a club as the member sees it whose signature is in the address."""
    try:
        member_key = _SIGNER.unsign(request.GET.get("as", ""))
    except BadSignature:
        return None
    member = Member.objects.filter(key=member_key, club__key=key, left=None).first()
    if member is None or member.account_id is None:
        return None
    found = access.find(key, Viewer(member.account_id))
    return found if found is not None and found.is_member else None


def _feed_view(view: Any) -> Any:
    """Show a feed to those who see the club, and to programs with the signature of a member."""
    shown = club_view()(view)

    @require_safe
    @cached_page(state_of, parameters={**LANG, **_SIGNED})
    def respond(request: HttpRequest, key: str) -> HttpResponse:
        with activate_language(request):
            member = _as_member(request, key)
            if member is None:
                response: HttpResponse = shown(request, key)
            else:
                mark(request, member.club.visibility)
                response = view(request, member)
            return response

    respond.__name__ = view.__name__
    return respond


@_feed_view
def calendar(request: HttpRequest, club: Access) -> HttpResponse:
    """Return the dates of a club that an officer wrote down."""
    evenings = club.club.evenings.order_by("-day")[:MOST_DATES]
    newest = club.club.changes.first()
    stamp = newest.made if newest is not None else club.club.created
    text = write_calendar(club.club, list(evenings), stamp)
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


def write_calendar(club: Club, evenings: list[Evening], stamp: datetime) -> str:
    """Return evenings as an iCalendar object. Times are those of the place (floating)."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//HanaArchive//clubs//EN",
        f"X-WR-CALNAME:{_escape(redact(club.name))}",
    ]
    for evening in evenings:
        lines += _write_event(club, evening, stamp)
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _write_event(club: Club, evening: Evening, stamp: datetime) -> Iterator[str]:
    address = absolute(reverse("club-evening", args=[club.key, evening.day]))
    yield "BEGIN:VEVENT"
    yield f"UID:{evening.day:%Y%m%d}-{club.key}@{absolute('').partition('//')[2]}"
    yield f"DTSTAMP:{stamp.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    if evening.time is None:
        yield f"DTSTART;VALUE=DATE:{evening.day:%Y%m%d}"
    else:
        yield f"DTSTART:{evening.day:%Y%m%d}T{evening.time:%H%M%S}"
    yield f"SUMMARY:{_escape(redact(club.name))}"
    if evening.place:
        yield f"LOCATION:{_escape(redact(evening.place))}"
    if evening.line:
        yield f"DESCRIPTION:{_escape(redact(evening.line))}"
    yield f"URL:{address}"
    yield "END:VEVENT"


def _escape(text: str) -> str:
    r"""Return a text as a value of a calendar.

    >>> _escape("Hall 2; bring tea,\ncake")
    'Hall 2\\; bring tea\\,\\ncake'
    """
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\\", "\\\\"))
    return text.replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _fold(line: str) -> str:
    """Return a line broken after at most 75 bytes, never inside a character."""
    parts, part, size = [], "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > _LINE:
            parts.append(part)
            part, size = " ", 1
        part, size = part + letter, size + width
    return "\r\n".join([*parts, part])


@_feed_view
def feed(request: HttpRequest, club: Access) -> HttpResponse:
    """Return the evenings of a club as an Atom feed. Results are left to the pages."""
    address = absolute(request.path)
    atom = Atom1Feed(
        title=_clean(redact(f"{club.club.name} – HanaArchive")),
        link=absolute(reverse("club", args=[club.club.key])),
        description=_clean(redact(club.club.words)),
        language=get_language(),
        feed_url=address,
        feed_guid=address,
    )
    changes = _load_changes(club)
    for day in list_days(club)[:MOST_EVENINGS]:
        atom.add_item(**_entry(club, day, changes.get(day.day, club.club.created)))
    return HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type)


def _load_changes(club: Access) -> dict[date, datetime]:
    """Return the time of the newest game, or of the newest change by an officer, by day."""
    games = games_of(club.club, level_of(club)).order_by()
    changes = dict(games.values_list("day").annotate(Max("created")))
    written = club.club.changes.filter(what__in=("evening", "tables"))
    for values, made in written.values_list("values", "made")[:_CHANGES]:
        day = date.fromisoformat(values["day"])
        changes[day] = max(made, changes.get(day, made))
    return changes


def _entry(club: Access, day: ClubDay, changed: datetime) -> dict[str, Any]:
    address = absolute(reverse("club-evening", args=[club.club.key, day.day]))
    facts = []
    if day.evening is not None:
        at = f"{day.evening.time:%H:%M}" if day.evening.time else ""
        facts += [at, redact(day.evening.place), redact(day.evening.line)]
    if day.games:
        facts.append(
            ngettext("%(count)d game", "%(count)d games", day.games) % {"count": day.games}
        )
    return {
        "title": _clean(dates.day(day.day)),
        "link": address,
        "description": escape(_clean(" · ".join(fact for fact in facts if fact))),
        "updateddate": changed,
        "unique_id": address,
    }


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
