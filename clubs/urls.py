"""Addresses of the pages of clubs."""

from datetime import date

from django.urls import URLPattern, path, register_converter

from clubs.pages import (
    directory,
    entries,
    evenings,
    feeds,
    games,
    home,
    log,
    members,
    season,
    seasons,
    settings,
)


class DayConverter:
    """A day in an address: 2026-04-03."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Return the day. Raise ValueError for a day that is not in the calendar."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """Return the text of the address."""
        return str(value)


register_converter(DayConverter, "day")

_SEASON = "clubs/<slug:key>/seasons/<slug:season>"
_EVENING = "clubs/<slug:key>/evenings/<day:day>"

urlpatterns: list[URLPattern] = [
    path("clubs/", directory.show_clubs, name="clubs"),
    path("clubs/new/", directory.found, name="club-new"),
    path("clubs/join/<str:secret>/", directory.join, name="club-join"),
    path("clubs/<slug:key>/", home.show_club, name="club"),
    path("clubs/<slug:key>/members/", members.show_members, name="club-members"),
    path("clubs/<slug:key>/members/<slug:member>/", members.show_member, name="club-member"),
    path("clubs/<slug:key>/invites/", members.show_invites, name="club-invites"),
    path("clubs/<slug:key>/settings/", settings.show_settings, name="club-settings"),
    path("clubs/<slug:key>/delete/", settings.delete, name="club-delete"),
    path("clubs/<slug:key>/games/", games.show_games, name="club-games"),
    path("clubs/<slug:key>/log/", log.show_log, name="club-log"),
    path("clubs/<slug:key>/leave/", members.leave, name="club-leave"),
    path("clubs/<slug:key>/seasons/", seasons.show_seasons, name="club-seasons"),
    path("clubs/<slug:key>/seasons/new/", seasons.begin, name="club-season-new"),
    path(f"{_SEASON}/", season.show_season, name="club-season"),
    path(f"{_SEASON}/change/", seasons.change, name="club-season-change"),
    path(f"{_SEASON}/entries/", entries.change_entries, name="club-entries"),
    path(f"{_SEASON}/totals/", entries.add_totals, name="club-totals"),
    path(f"{_SEASON}/print/", season.print_season, name="club-print"),
    path(f"{_SEASON}/standings.csv", season.standings_csv, name="club-standings-csv"),
    path(f"{_SEASON}/picture.png", season.picture, name="club-picture"),
    path("clubs/<slug:key>/evenings/", evenings.show_evenings, name="club-evenings"),
    path(f"{_EVENING}/", evenings.show_evening, name="club-evening"),
    path(f"{_EVENING}/sheets/", evenings.print_sheets, name="club-sheets"),
    path("clubs/<slug:key>/calendar.ics", feeds.calendar, name="club-calendar"),
    path("clubs/<slug:key>/feed", feeds.feed, name="club-feed"),
]
