"""Addresses of the API below /api/v1/."""

from collections.abc import Iterator, Mapping

from django.urls import URLPattern, path

from api.views.account import (
    DraftDetail,
    Drafts,
    Me,
    MyGames,
    MyUploads,
    OwnershipDetail,
    OwnQuota,
)
from api.views.analysis import RecordAnalysis, RecordSituations
from api.views.base import Resource
from api.views.changes import RecordChanges, RecordChangesNdjson
from api.views.clubs import (
    ClubDetail,
    ClubEvenings,
    ClubGameDetail,
    ClubGames,
    ClubMembers,
    Clubs,
    ClubSeason,
    ClubSeasonEntries,
    ClubSeasons,
    SeasonStandings,
    SeasonStandingsCsv,
)
from api.views.export import (
    MY_GAMES_FILES,
    RECORDS_EXPORT_FILES,
    MyGamesExport,
    RecordsExport,
)
from api.views.problems import DailyProblem
from api.views.records import (
    RECORDS_FILES,
    RecordDetail,
    RecordHistory,
    RecordKafu,
    RecordReplay,
    Records,
    RecordSheet,
    RecordSheetCsv,
)
from api.views.report import UploadReport, UploadReportCsv, UploadReportNdjson
from api.views.resumable import Resumable, Resumables
from api.views.schema import Docs, Root, Schema, changes_feed, kafu_schema
from api.views.statistics import (
    RulesetOdds,
    Statistics,
    make_statistic_file_view,
    make_statistic_view,
)
from api.views.studies import (
    CommentDetail,
    CommentReports,
    MyStudies,
    RecordComments,
    Studies,
    StudyDetail,
    StudyEntries,
)
from api.views.upload_detail import UploadDetail
from api.views.uploads import UploadClaim, UploadFiles, UploadGames, Uploads
from api.views.verify import Verify, VerifyNdjson
from api.views.writing import CardLetters, Names, Notebooks, Positions, Problems, Sheets
from records.statistics.registry import FIGURES

app_name = "api"


def _list_files(route: str, name: str, views: Mapping[str, type[Resource]]) -> Iterator[URLPattern]:
    """Yield an address for each format of a file."""
    for ending, view in views.items():
        yield path(f"{route}.{ending}", view.as_view(), name=f"{name}-{ending}")


urlpatterns: list[URLPattern] = [
    path("", Root.as_view(schema=None), name="root"),
    path("changes.atom", changes_feed, name="changes"),
    path("uploads", Uploads.as_view(), name="uploads"),
    path("uploads/resumable", Resumables.as_view(), name="resumables"),
    path("uploads/resumable/<slug:key>", Resumable.as_view(), name="resumable"),
    path("uploads/<slug:key>", UploadDetail.as_view(), name="upload"),
    path("uploads/<slug:key>/claim", UploadClaim.as_view(), name="upload-claim"),
    path("uploads/<slug:key>/files", UploadFiles.as_view(), name="upload-files"),
    path("uploads/<slug:key>/games", UploadGames.as_view(), name="upload-games"),
    path("uploads/<slug:key>/report", UploadReport.as_view(), name="upload-report"),
    path("uploads/<slug:key>/report.csv", UploadReportCsv.as_view(), name="upload-report-csv"),
    path(
        "uploads/<slug:key>/report.ndjson",
        UploadReportNdjson.as_view(),
        name="upload-report-ndjson",
    ),
    path("records", Records.as_view(), name="records"),
    *_list_files("records", "records", RECORDS_FILES),
    path("records/changes", RecordChanges.as_view(), name="records-changes"),
    path("records/changes.ndjson", RecordChangesNdjson.as_view(), name="records-changes-ndjson"),
    path("records/export", RecordsExport.as_view(), name="records-export"),
    *_list_files("records/export", "records-export", RECORDS_EXPORT_FILES),
    path("records/<slug:key>", RecordDetail.as_view(), name="record"),
    path("records/<slug:key>.kafu", RecordKafu.as_view(), name="record-kafu"),
    path("records/<slug:key>/replay", RecordReplay.as_view(), name="record-replay"),
    path("records/<slug:key>/analysis", RecordAnalysis.as_view(), name="record-analysis"),
    path("records/<slug:key>/history", RecordHistory.as_view(), name="record-history"),
    path("records/<slug:key>/sheet", RecordSheet.as_view(), name="record-sheet"),
    path("records/<slug:key>/sheet.csv", RecordSheetCsv.as_view(), name="record-sheet-csv"),
    path("records/<slug:key>/situations", RecordSituations.as_view(), name="record-situations"),
    path("records/<slug:key>/comments", RecordComments.as_view(), name="record-comments"),
    path("records/<slug:key>/ownership", OwnershipDetail.as_view(), name="ownership"),
    path("comments/<slug:key>", CommentDetail.as_view(), name="comment"),
    path("comments/<slug:key>/reports", CommentReports.as_view(), name="comment-reports"),
    path("studies", Studies.as_view(), name="studies"),
    path("studies/<slug:key>", StudyDetail.as_view(), name="study"),
    path("studies/<slug:key>/entries", StudyEntries.as_view(), name="study-entries"),
    path("clubs", Clubs.as_view(), name="clubs"),
    path("clubs/<slug:key>", ClubDetail.as_view(), name="club"),
    path("clubs/<slug:key>/members", ClubMembers.as_view(), name="club-members"),
    path("clubs/<slug:key>/seasons", ClubSeasons.as_view(), name="club-seasons"),
    path("clubs/<slug:key>/seasons/<slug:season>", ClubSeason.as_view(), name="club-season"),
    path(
        "clubs/<slug:key>/seasons/<slug:season>/standings",
        SeasonStandings.as_view(),
        name="club-standings",
    ),
    path(
        "clubs/<slug:key>/seasons/<slug:season>/standings.csv",
        SeasonStandingsCsv.as_view(),
        name="club-standings-csv",
    ),
    path(
        "clubs/<slug:key>/seasons/<slug:season>/entries",
        ClubSeasonEntries.as_view(),
        name="club-entries",
    ),
    path("clubs/<slug:key>/evenings", ClubEvenings.as_view(), name="club-evenings"),
    path("clubs/<slug:key>/games", ClubGames.as_view(), name="club-games"),
    path("clubs/<slug:key>/games/<slug:record>", ClubGameDetail.as_view(), name="club-game"),
    path("me", Me.as_view(), name="me"),
    path("me/uploads", MyUploads.as_view(), name="my-uploads"),
    path("me/games", MyGames.as_view(), name="my-games"),
    *_list_files("me/games", "my-games", MY_GAMES_FILES),
    path("me/games/export", MyGamesExport.as_view(), name="my-games-export"),
    path("me/studies", MyStudies.as_view(), name="my-studies"),
    path("me/drafts", Drafts.as_view(), name="drafts"),
    path("me/drafts/<slug:key>", DraftDetail.as_view(), name="draft"),
    path("quota", OwnQuota.as_view(), name="quota"),
    path("verify", Verify.as_view(), name="verify"),
    path("verify.ndjson", VerifyNdjson.as_view(), name="verify-ndjson"),
    path("positions", Positions.as_view(), name="positions"),
    path("sheets", Sheets.as_view(), name="sheets"),
    path("notebooks", Notebooks.as_view(), name="notebooks"),
    path("names", Names.as_view(), name="names"),
    path("cards", CardLetters.as_view(), name="cards"),
    path("odds/<slug:ruleset>", RulesetOdds.as_view(), name="odds"),
    path("statistics", Statistics.as_view(), name="statistics"),
    *(
        path(f"statistics/{id}", make_statistic_view(figure).as_view(), name=f"statistics-{id}")
        for id, figure in FIGURES.items()
    ),
    *(
        path(
            f"statistics/{id}.csv",
            make_statistic_file_view(figure).as_view(),
            name=f"statistics-{id}-csv",
        )
        for id, figure in FIGURES.items()
    ),
    path("problems", Problems.as_view(), name="problems"),
    path("problems/<slug:day>", DailyProblem.as_view(), name="daily-problem"),
    path("schema", Schema.as_view(), name="schema"),
    path("docs", Docs.as_view(), name="docs"),
    path("kafu.schema.json", kafu_schema, name="kafu-schema"),
]
