"""Addresses of the pages."""

from django.urls import URLPattern, URLResolver, path
from django.views.i18n import set_language

from records.views.games import game, games, kafu
from records.views.home import home
from records.views.uploads import report, upload

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("upload/", upload, name="upload"),
    path("uploads/<slug:key>/", report, name="report"),
    path("games/", games, name="games"),
    path("games/<slug:key>.kafu", kafu, name="kafu"),
    path("games/<slug:key>/", game, name="game"),
    path("language/", set_language, name="language"),
]
