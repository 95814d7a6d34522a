"""Addresses of the pages."""

from django.urls import URLPattern, URLResolver, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from records.pages.analysis.page import analysis
from records.pages.comments import comments
from records.pages.design import design
from records.pages.editor.page import new_record, offline
from records.pages.editor.plain_sheet import plain_sheet
from records.pages.editor.preview import preview
from records.pages.editor.sheet_page import new_sheet
from records.pages.game.embed import embed, frame, oembed, replay_json
from records.pages.game.page import game, moves, notation_text
from records.pages.game.pictures import animation, picture, strip
from records.pages.game.sheet_page import sheet_csv, sheet_page
from records.pages.learn.page import learn, lesson, month
from records.pages.lists.games import games, games_feed, suggest_events
from records.pages.lists.home import home
from records.pages.lists.players import player_page, players_page, suggest_players
from records.pages.notation import (
    crib_page,
    notation_page,
    programs_page,
    worked,
    worked_frame,
    worked_json,
)
from records.pages.open_data import data_file, data_page, dataset_card, latest_file, notebook_page
from records.pages.previews.views import (
    game_preview,
    page_preview,
    player_preview,
    poster_preview,
    sheet_preview,
    statistics_home_preview,
    statistics_preview,
    study_preview,
)
from records.pages.problems.page import answer, my_problems, problem
from records.pages.rules import (
    cards_page,
    glossary,
    odds_page,
    poster,
    rule_options,
    rulebook,
    rulebooks,
)
from records.pages.site_files import favicon, manifest, robots, sitemap, sitemap_file
from records.pages.situations import situations
from records.pages.statistics.bests import bests_page
from records.pages.statistics.insights import insights_page
from records.pages.statistics.page import statistics_home, statistics_page
from records.pages.studies import add, change, delete, entry, my_studies, studies, study
from records.pages.uploads.check import check
from records.pages.uploads.page import my_report, report, upload
from records.pages.uploads.sender_forms import change_upload, claim_upload

urlpatterns: list[URLPattern | URLResolver] = [
    # The most requested addresses are first, because Django tries the patterns in order.
    path("", home, name="home"),
    path("games/", games, name="games"),
    path("games/<slug:key>/", game, name="game"),
    path("games/<slug:key>/replay.json", replay_json, name="replay"),
    path("design/", design, name="design"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemap, name="sitemap"),
    re_path(r"^sitemap/(?P<number>0|[1-9][0-9]{0,19})\.xml$", sitemap_file, name="sitemap-file"),
    path("favicon.ico", favicon, name="favicon"),
    path("site.webmanifest", manifest, name="manifest"),
    path("offline.js", offline, name="offline"),
    path("upload/", upload, name="upload"),
    path("check/", check, name="check"),
    path("records/new", new_record, name="new-record"),
    path("records/preview", preview, name="preview"),
    path("sheets/new", new_sheet, name="new-sheet"),
    path("sheets/plain", plain_sheet, name="plain-sheet"),
    path("kafu/", notation_page, name="notation"),
    path("kafu/deal/", worked, name="worked"),
    path("kafu/deal/replay.json", worked_json, name="worked-replay"),
    path("kafu/deal/frame", worked_frame, name="worked-frame"),
    path("kafu/crib/", crib_page, name="crib"),
    path("kafu/programs/", programs_page, name="programs"),
    path("uploads/<slug:key>/", report, name="report"),
    path("uploads/<slug:key>/mine/<str:secret>/", my_report, name="my_report"),
    path("uploads/<slug:key>/visibility/", change_upload, name="change_upload"),
    path("uploads/<slug:key>/claim/", claim_upload, name="claim_upload"),
    path("games/feed", games_feed, name="feed"),
    path("games/<slug:key>.kafu", notation_text, name="kafu"),
    path("games/<slug:key>/frame", frame, name="frame"),
    path("games/<slug:key>/moves/", moves, name="moves"),
    path("games/<slug:key>/situations/", situations, name="situations"),
    path("games/<slug:key>/analysis/", analysis, name="analysis"),
    path("games/<slug:key>/comments/", comments, name="comments"),
    # No leading zeros, and no more digits than in a real position, so a picture has a single
    # address.
    re_path(
        r"^games/(?P<key>[-\w]+)/(?P<at>[1-9][0-9]?\.(?:0|[1-9][0-9]{0,3}))\.png$",
        picture,
        name="picture",
    ),
    re_path(
        r"^games/(?P<key>[-\w]+)/month-(?P<deal>[1-9][0-9]{0,2})\.gif$", animation, name="animation"
    ),
    re_path(r"^games/(?P<key>[-\w]+)/month-(?P<deal>[1-9][0-9]{0,2})\.png$", strip, name="strip"),
    path("embed/<slug:key>/", embed, name="embed"),
    path("oembed", oembed, name="oembed"),
    path("games/<slug:key>/preview.png", game_preview, name="game-preview"),
    path("games/<slug:key>/sheet.png", sheet_preview, name="sheet-preview"),
    path("players/<slug:key>/preview.png", player_preview, name="player-preview"),
    path("studies/<slug:key>/preview.png", study_preview, name="study-preview"),
    path("statistics/preview.png", statistics_home_preview, name="statistics-home-preview"),
    path("statistics/<slug:ruleset>/preview.png", statistics_preview, name="statistics-preview"),
    path("previews/<slug:name>.png", page_preview, name="page-preview"),
    path("games/<slug:key>/sheet", sheet_page, name="sheet"),
    path("games/<slug:key>/sheet.csv", sheet_csv, name="sheet-csv"),
    path("studies/", studies, name="studies"),
    path("studies/mine/", my_studies, name="my-studies"),
    path("studies/add/", add, name="study-add"),
    path("studies/<slug:key>/", study, name="study"),
    path("studies/<slug:key>/change/", change, name="study-change"),
    path("studies/<slug:key>/delete/", delete, name="study-delete"),
    path("studies/<slug:key>/entries/", entry, name="study-entry"),
    path("problems/", problem, name="problems"),
    path("problems/answers/", answer, name="problem-answers"),
    path("problems/<slug:day>/", problem, name="problem"),
    path("me/problems/", my_problems, name="my-problems"),
    path("players/", players_page, name="players"),
    path("players/suggest", suggest_players, name="suggest-players"),
    path("players/<slug:key>/", player_page, name="player"),
    path("events/suggest", suggest_events, name="suggest-events"),
    path("cards/", cards_page, name="cards"),
    path("data/", data_page, name="data"),
    path("data/croissant.json", dataset_card, name="dataset-card"),
    path("data/notebook/", notebook_page, name="notebook"),
    re_path(r"^data/latest/(?P<name>[-.\w]{1,60})$", latest_file, name="data-latest"),
    re_path(
        r"^data/(?P<month>[0-9]{4}-[0-9]{2})/(?P<name>[-.\w]{1,60})$", data_file, name="data-file"
    ),
    path("glossary/", glossary, name="glossary"),
    path("learn/", learn, name="learn"),
    path("learn/month", month, name="first-month"),
    path("learn/<slug:ruleset>/", lesson, name="lesson"),
    path("odds/<slug:ruleset>/", odds_page, name="odds"),
    path("rules/", rulebooks, name="rules"),
    path("rules/<slug:ruleset>/", rulebook, name="rulebook"),
    path("rules/<slug:ruleset>/options/", rule_options, name="rule-options"),
    path("rules/<slug:ruleset>/poster/", poster, name="poster"),
    path("rules/<slug:ruleset>/poster.png", poster_preview, name="poster-preview"),
    path("rules/<slug:ruleset>/<slug:profile>/", rulebook, name="rulebook"),
    path("rules/<slug:ruleset>/<slug:profile>/options/", rule_options, name="rule-options"),
    path("rules/<slug:ruleset>/<slug:profile>/poster/", poster, name="poster"),
    path("rules/<slug:ruleset>/<slug:profile>/poster.png", poster_preview, name="poster-preview"),
    path("statistics/", statistics_home, name="statistics-home"),
    path("statistics/bests/", bests_page, name="bests"),
    path("statistics/insights/", insights_page, name="insights"),
    path("statistics/<slug:ruleset>/", statistics_page, name="statistics"),
    # The form has no CSRF token, which would prevent caching of pages. A form of another site can
    # only change the language of a visitor.
    path("language/", csrf_exempt(set_language), name="language"),
]
