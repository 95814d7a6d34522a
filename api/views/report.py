"""Downloads of the report of an upload, with every game and every fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from api import report
from api.authentication import viewer_of
from api.renderers import CsvRenderer, NdjsonRenderer
from api.views.base import Resource, document, make_file_view
from api.views.export import INCLUDE, read_inclusion, stream
from api.views.uploads import get_upload
from people.models import READ, UPLOAD
from records.base.labels import lang
from records.base.release import absolute
from records.ingest.reports import report as report_of
from records.privacy.access import Viewer
from records.privacy.redaction import redaction_for
from records.search.export import by_keys, texts_of
from records.search.inclusions import VERDICT, Inclusion
from records.shapes.shape import to_json_line
from records.shapes.uploads import ReportLine

#: Number of lines in a query for games.
_BATCH: Final = 50
_SUMMARY: Final = "The report of an upload as a file"
_DESCRIPTION: Final = (
    "A line for each game, in the order of the files, and for each file that could not be read "
    "completely (`number` null). The report covers the games read so far, and is complete once "
    "the upload's `state` is `done`."
)


class UploadReport(Resource):
    """The report in the accepted format."""

    renderer_classes: Any = (NdjsonRenderer, CsvRenderer)
    scopes = (READ, UPLOAD)

    @document(
        "uploads_report",
        _SUMMARY,
        {
            (200, NdjsonRenderer.media_type): ReportLine,
            (200, CsvRenderer.media_type): OpenApiTypes.STR,
        },
        description="`Accept` chooses NDJSON (the default) or CSV.",
        parameters=[INCLUDE],
        problems=(404, 406),
    )
    def get(self, request: Request, key: str) -> StreamingHttpResponse:
        """Stream the lines of the report."""
        upload = get_upload(request, key)
        speech = lang()  # the request has ended when the lines are sent

        def url(record: str) -> str:
            return absolute(reverse("api:record", args=[record]))

        viewer = viewer_of(request)
        redaction = redaction_for(upload, viewer)
        rows = _include_games(report_of(upload, viewer), viewer, read_inclusion(request))
        lines = (
            report.localise_line(line, players, speech, url, redaction) for line, players in rows
        )
        renderer: Any = request.accepted_renderer
        is_csv = renderer.format == CsvRenderer.format
        texts = report.write_csv(lines) if is_csv else map(to_json_line, lines)
        pieces = (piece.encode() for piece in report.join_chunks(texts))
        return stream(request, pieces, upload.key)


def _include_games(
    rows: Iterator[tuple[ReportLine, Sequence[str]]], viewer: Viewer, include: Inclusion
) -> Iterator[tuple[ReportLine, Sequence[str]]]:
    """Yield each line of a report with the included members of its game, and its players.

    The members are stored values that the viewer may see; null for a line without a game.
    """
    while batch := list(islice(rows, _BATCH)):
        keys = [line.record for line, _players in batch if line.record] if include.names else []
        texts = texts_of(by_keys(keys, viewer), viewer, verdicts=VERDICT in include.names)
        members_by_key = {record.key: include.of(record) for _place, record in texts}
        for line, players in batch:
            for name, value in members_by_key.get(line.record or "", include.nothing).items():
                setattr(line, name, value)
            yield line, players


UploadReportNdjson: Final = make_file_view(
    UploadReport,
    NdjsonRenderer,
    "uploads_report",
    _SUMMARY,
    ReportLine,
    description=_DESCRIPTION,
    parameters=[INCLUDE],
    problems=(404,),
)
UploadReportCsv: Final = make_file_view(
    UploadReport,
    CsvRenderer,
    "uploads_report",
    _SUMMARY,
    description=_DESCRIPTION,
    problems=(404,),
)
