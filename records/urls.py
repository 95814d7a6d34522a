"""Addresses of the pages."""

from django.urls import URLPattern, URLResolver, path
from django.views.i18n import set_language

from records.views.games import game, games, kafu
from records.views.home import home
from records.views.odds import odds_page
from records.views.rules import rulebook, rules
from records.views.sheet import sheet_csv, sheet_page
from records.views.uploads import report, upload

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("upload/", upload, name="upload"),
    path("uploads/<slug:key>/", report, name="report"),
    path("games/", games, name="games"),
    path("games/<slug:key>.kafu", kafu, name="kafu"),
    path("games/<slug:key>/", game, name="game"),
    path("games/<slug:key>/sheet", sheet_page, name="sheet"),
    path("games/<slug:key>/sheet.csv", sheet_csv, name="sheet-csv"),
    path("odds/<slug:ruleset>/", odds_page, name="odds"),
    path("rules/", rules, name="rules"),
    path("rules/<slug:ruleset>/", rulebook, name="rulebook"),
    path("rules/<slug:ruleset>/<slug:profile>/", rulebook, name="rulebook"),
    path("language/", set_language, name="language"),
]
