"""Comments and studies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import READING, viewer_of
from api.forms import form_of, read_body, read_fields
from api.paging import PAGE_PARAMETERS, page_of, page_response
from api.problems import FULL, Problem, invalid_parameter
from api.views.account import AccountResource
from api.views.base import MembersResource, document
from api.views.records import get_game
from records.models import Comment, Record, Study, Visibility
from records.privacy.access import mark, may_see, records_for
from records.services import comments, studies
from records.services.studies import has_step
from records.serving.limits import SMALL_BYTES, Limit
from records.shapes.studies import (
    MAX_ENTRIES,
    CommentJson,
    SentComment,
    SentEntry,
    SentReport,
    SentStudy,
    StudyJson,
    WholeStudy,
    step_of,
)
from records.shapes.visibilities import LEVELS

#: The key of the caller's bookmarks.
BOOKMARKS: Final = "bookmarks"
#: Maximum bytes of a study with all notes; JSON escapes a kanji in six bytes.
_BODY: Final = 2 << 20


class Commenting(MembersResource):
    """Base of the resources of comments."""

    write_throttle = "comments"


class RecordComments(Commenting):
    """The comments on a game."""

    @document(
        "records_comments_list",
        "The comments on a game, the oldest first",
        page_of(CommentJson),
        description="Comments are visible to everybody who may see the game, except comments "
        "hidden by the staff.",
        parameters=PAGE_PARAMETERS,
        problems=(404, 410),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return a page of the comments on a game."""
        rows = comments.comments_of(get_game(request, key))
        return page_response(request, rows, partial(comments.show, viewer=viewer_of(request)))

    @document(
        "records_comments_create",
        "Comment on a step",
        {201: CommentJson},
        description=(
            f"Plain text. A game has at most {comments.MAX_PER_GAME} comments, one account's at "
            f"most {comments.MAX_PER_ACCOUNT} of them (`full`)."
        ),
        request=form_of(SentComment),
        problems=(404, 409, 410, 413, 415),
    )
    def post(self, request: Request, key: str) -> Response:
        """Add a comment; return 201 with the comment."""
        record = get_game(request, key)
        sent = read_body(request, SentComment)
        author = request.user.pk
        assert author is not None, "it needs an account"
        try:
            comment = comments.add(record, author, step_of(sent.at), sent.text)
        except comments.NoStep as error:
            raise invalid_parameter("at", _("at: the game has no such step.")) from error
        except comments.TooManyComments as error:
            text = _("There are %(most)d comments, the most there can be.")
            raise Problem(FULL, text % {"most": error.most}, limit=error.most) from error
        return Response(comments.show([comment], viewer_of(request))[0], status=201)


class CommentDetail(Commenting):
    """A comment."""

    http_method_names = ("delete",)

    @document(
        "comments_delete",
        "Delete a comment of one's own",
        {204: OpenApiResponse(description="The object does not exist any more.")},
        description="The staff, with a token of the scope `admin`, any.",
        problems=(404,),
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete the comment if the caller wrote it or is staff."""
        comment = _get_comment(request, key)
        if not comments.may_delete(comment, viewer_of(request)):
            raise PermissionDenied(_("This comment is somebody else's."))
        comments.delete(comment)
        return HttpResponse(status=204)


class CommentReports(Commenting):
    """Reports of a comment, which the staff reads in the administration."""

    http_method_names = ("post",)

    @document(
        "comments_report",
        "Report a comment to the staff",
        {204: OpenApiResponse(description="The comment was reported.")},
        request=form_of(SentReport),
        problems=(404, 413, 415),
    )
    def post(self, request: Request, key: str) -> HttpResponse:
        """Report the comment. A second report by the same caller replaces the first."""
        comment = _get_comment(request, key)
        reason = read_body(request, SentReport).reason
        caller = request.user.pk
        assert caller is not None, "it needs an account"
        comments.report(comment, caller, reason)
        return HttpResponse(status=204)


def _get_comment(request: Request, key: str) -> Comment:
    """Return a comment on a game visible to the caller, or raise Http404."""
    comment = comments.find(key)
    if comment is None or not may_see(comment.record, viewer_of(request)):
        raise Http404
    return comment


class StudyResource(MembersResource):
    """Base of the resources of studies."""

    write_throttle = "studies"


def _studies_response(request: Request, rows: QuerySet[Study]) -> Response:
    """Return a page of studies with their sizes."""
    viewer = viewer_of(request)

    def show(page: Iterable[Any]) -> Iterator[StudyJson]:
        return (studies.show_study(study, viewer, study.size) for study in page)

    return page_response(request, rows, show)


class Studies(StudyResource):
    """Public studies."""

    body_limit = Limit(lambda: _BODY, more=SMALL_BYTES)

    @document(
        "studies_list",
        "Public studies, the newest first",
        page_of(StudyJson),
        parameters=PAGE_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return one page of studies."""
        return _studies_response(request, studies.public_studies())

    @document(
        "studies_create",
        "Begin a study",
        {201: WholeStudy},
        description=(
            f"An account has at most {studies.MAX_STUDIES} studies, each with at most "
            f"{MAX_ENTRIES} entries (`full`). Without `visibility` a study is private."
        ),
        request=form_of(SentStudy),
        problems=(409, 413, 415),
    )
    def post(self, request: Request) -> Response:
        """Create a study; return 201 with the study."""
        fields, entries = _read_study(request, is_change=False)
        caller = request.user.pk
        assert caller is not None, "it needs an account"
        try:
            study = studies.create(caller, fields, entries or ())
        except studies.StudyFull as error:
            raise _full_problem(error) from error
        return _study_response(request, study, status=201)


class MyStudies(AccountResource):
    """The caller's studies."""

    throttle_scope = READING

    @document(
        "me_studies_list",
        "The caller's studies, the newest first",
        page_of(StudyJson),
        parameters=PAGE_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return one page of studies."""
        assert request.user.pk is not None, "it needs an account"
        return _studies_response(request, studies.studies_of(request.user.pk))


class StudyDetail(StudyResource):
    """A study."""

    http_method_names = ("get", "head", "patch", "delete")
    body_limit = Limit(lambda: _BODY, more=SMALL_BYTES)

    @document(
        "study_retrieve",
        "A study with its entries",
        WholeStudy,
        description=f"`{BOOKMARKS}` is the key of the caller's bookmarks.",
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the study for a caller with access."""
        viewer = viewer_of(request)
        if key == BOOKMARKS and viewer.user is not None:
            return _study_response(request, studies.get_bookmarks(viewer.user))
        study = studies.find(key, viewer)
        if study is None:
            raise Http404
        return _study_response(request, study)

    @document(
        "study_change",
        "Change a study of one's own",
        WholeStudy,
        request=form_of(SentStudy),
        problems=(404, 409, 413, 415),
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change the sent fields."""
        study = _get_own_study(request, key)
        fields, entries = _read_study(request, is_change=True)
        try:
            studies.update(study, fields, entries)
        except studies.StudyFull as error:
            raise _full_problem(error) from error
        return _study_response(request, study)

    @document(
        "study_delete",
        "Delete a study of one's own",
        {204: OpenApiResponse(description="The object does not exist any more.")},
        problems=(404,),
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete the study with its entries."""
        _get_own_study(request, key).delete()
        return HttpResponse(status=204)


class StudyEntries(StudyResource):
    """The entries of a study of the caller."""

    http_method_names = ("post",)

    @document(
        "study_add",
        "Put a step into a study of one's own",
        {201: WholeStudy},
        description=f"At its end. `{BOOKMARKS}` is the key of the caller's bookmarks.",
        request=form_of(SentEntry),
        problems=(404, 409, 413, 415),
    )
    def post(self, request: Request, key: str) -> Response:
        """Add an entry; return 201 with the study."""
        study = _get_own_study(request, key)
        (entry,) = _resolve_records(request, [read_body(request, SentEntry)])
        try:
            studies.add_entry(study, **entry)
        except studies.StudyFull as error:
            raise _full_problem(error) from error
        return _study_response(request, study, status=201)


def _get_own_study(request: Request, key: str) -> Study:
    """Return a study of the caller, or raise Http404."""
    caller = request.user.pk
    assert caller is not None, "it needs an account"
    if key == BOOKMARKS:
        return studies.get_bookmarks(caller)
    study = Study.objects.filter(owner=caller, key=key).select_related("owner").first()
    if study is None:
        raise Http404
    return study


def _study_response(request: Request, study: Study, status: int = 200) -> Response:
    mark(request._request, Visibility(study.visibility))
    return Response(studies.show_whole_study(study, viewer_of(request)), status=status)


def _read_study(
    request: Request, *, is_change: bool
) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
    """Return the sent fields and entries of a study."""
    fields = read_fields(request, SentStudy, is_change=is_change)
    entries = fields.pop("entries", None)
    if "visibility" in fields:
        fields["visibility"] = LEVELS[fields["visibility"]]
    return fields, None if entries is None else _resolve_records(request, entries)


def _resolve_records(request: Request, entries: Sequence[SentEntry]) -> list[dict[str, Any]]:
    """Return the entries with the primary keys of the games; raise 400 for bad steps."""
    keys = {entry.record for entry in entries}
    visible_records = Record.objects.filter(records_for(viewer_of(request)), key__in=keys)
    records_by_key = {record.key: record for record in visible_records}
    if missing_keys := keys - set(records_by_key):
        text = _("record: there is no game %(key)s.") % {"key": min(missing_keys)}
        raise invalid_parameter("record", text)
    for entry in entries:
        if not has_step(records_by_key[entry.record], *step_of(entry.at)):
            values = {"key": entry.record, "at": entry.at}
            raise invalid_parameter("at", _("at: the game %(key)s has no step %(at)s.") % values)
    return [asdict(entry) | {"record": records_by_key[entry.record].pk} for entry in entries]


def _full_problem(error: studies.StudyFull) -> Problem:
    text = _("There are %(most)d already, the most there can be: delete one first.")
    return Problem(FULL, text % {"most": error.most}, limit=error.most)
