"""Addresses of the pages of clubs."""

from django.urls import URLPattern, path

from clubs.pages import directory, games, home, log, members, settings

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
]
