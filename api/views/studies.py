"""Comments and studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.paging import PARAMETERS
from api.problems import FULL, Problem, invalid_parameter
from api.serializers.me import LEVELS
from api.serializers.studies import (
    CommentSerializer,
    SentCommentSerializer,
    SentEntrySerializer,
    SentReportSerializer,
    SentStudySerializer,
    StudySerializer,
    WholeStudySerializer,
)
from api.views.base import MembersResource, document
from api.views.records import get_game
from records.models import Comment, Record, Study, Visibility
from records.privacy.access import mark, may_see, records_for
from records.services import comments, studies
from records.services.studies import has_step, step_of
from records.serving.limits import SMALL_BYTES, Limit

#: The key of the caller's bookmarks.
BOOKMARKS: Final = "bookmarks"
#: Maximum bytes of a study with all notes; JSON escapes a kanji in six bytes.
_BODY: Final = 2 << 20


class Commenting(MembersResource):
    """Base of the resources of comments."""

    write_throttle = "comments"


class RecordComments(Commenting, ListAPIView[Comment]):
    """The comments on a game."""

    serializer_class = CommentSerializer
    parameters = PARAMETERS

    @document(
        "records_comments_list",
        "The comments on a game, the oldest first",
        CommentSerializer(many=True),
        description=(
            "Comments are visible to everybody who may see the game, except comments "
            "hidden by the staff."
        ),
        problems=(404, 410),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Return a page of the comments on a game."""
        return self.list(request, *args, **kwargs)

    @document(
        "records_comments_create",
        "Comment on a step",
        {201: CommentSerializer},
        description=(
            f"Plain text. A game has at most {comments.MAX_PER_GAME} comments, one account's at "
            f"most {comments.MAX_PER_ACCOUNT} of them (`full`)."
        ),
        request=SentCommentSerializer,
        problems=(404, 409, 410, 413, 415),
    )
    def post(self, request: Request, key: str) -> Response:
        """Add a comment; return 201 with the comment."""
        record = get_game(request, key)
        form = SentCommentSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        author = request.user.pk
        assert author is not None, "it needs an account"
        try:
            comment = comments.add(record, author, step_of(fields["at"]), fields["text"])
        except comments.NoStep as error:
            raise invalid_parameter("at", _("at: the game has no such step.")) from error
        except comments.TooManyComments as error:
            text = _("There are %(most)d comments, the most there can be.")
            raise Problem(FULL, text % {"most": error.most}, limit=error.most) from error
        data = CommentSerializer(comment, context=self.get_serializer_context()).data
        return Response(data, status=201)

    def get_queryset(self) -> QuerySet[Comment]:
        """Return the comments on the game, without comments hidden by the staff."""
        if getattr(self, "swagger_fake_view", False):
            return Comment.objects.none()
        return comments.comments_of(get_game(self.request, self.kwargs["key"]))

    def get_serializer_context(self) -> dict[str, object]:
        """Return the context with the caller's user id."""
        return {**super().get_serializer_context(), "caller": viewer_of(self.request).user}


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
        request=SentReportSerializer,
        problems=(404, 413, 415),
    )
    def post(self, request: Request, key: str) -> HttpResponse:
        """Report the comment. A second report by the same caller replaces the first."""
        comment = _get_comment(request, key)
        form = SentReportSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        caller = request.user.pk
        assert caller is not None, "it needs an account"
        comments.report(comment, caller, form.validated_data["reason"])
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


class StudyList(StudyResource, ListAPIView[Study]):
    """Base of the lists of studies."""

    serializer_class = StudySerializer
    parameters = PARAMETERS

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the context with the caller's user id."""
        return {**super().get_serializer_context(), "caller": viewer_of(self.request).user}


class Studies(StudyList):
    """Public studies."""

    body_limit = Limit(lambda: _BODY, more=SMALL_BYTES)

    @document("studies_list", "Public studies, the newest first", StudySerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page of studies."""
        return self.list(request, *args, **kwargs)

    @document(
        "studies_create",
        "Begin a study",
        {201: WholeStudySerializer},
        description=(
            f"An account has at most {studies.MAX_STUDIES} studies, each with at most "
            f"{studies.MAX_ENTRIES} entries (`full`). Without `visibility` a study is private."
        ),
        request=SentStudySerializer,
        problems=(409, 413, 415),
    )
    def post(self, request: Request) -> Response:
        """Create a study; return 201 with the study."""
        fields, entries = _read_study(request, partial=False)
        caller = request.user.pk
        assert caller is not None, "it needs an account"
        try:
            study = studies.create(caller, fields, entries or ())
        except studies.StudyFull as error:
            raise _full_problem(error) from error
        return _study_response(request, study, status=201)

    def get_queryset(self) -> QuerySet[Study]:
        """Return all public studies."""
        return studies.public_studies()


class MyStudies(StudyList):
    """The caller's studies."""

    http_method_names = ("get", "head")

    def needs_account(self, method: str) -> bool:
        """Return True for every method."""
        return True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Mark the response as private to the caller."""
        super().initial(request, *args, **kwargs)
        mark(request._request, Visibility.PRIVATE)

    @document(
        "me_studies_list", "The caller's studies, the newest first", StudySerializer(many=True)
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page of studies."""
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Study]:
        """Return all studies of the caller."""
        if getattr(self, "swagger_fake_view", False):
            return Study.objects.none()
        assert self.request.user.pk is not None, "it needs an account"
        return studies.studies_of(self.request.user.pk)


class StudyDetail(StudyResource):
    """A study."""

    http_method_names = ("get", "head", "patch", "delete")
    body_limit = Limit(lambda: _BODY, more=SMALL_BYTES)

    @document(
        "study_retrieve",
        "A study with its entries",
        WholeStudySerializer,
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
        WholeStudySerializer,
        request=SentStudySerializer,
        problems=(404, 409, 413, 415),
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change the sent fields."""
        study = _get_own_study(request, key)
        fields, entries = _read_study(request, partial=True)
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
        {201: WholeStudySerializer},
        description=f"At its end. `{BOOKMARKS}` is the key of the caller's bookmarks.",
        request=SentEntrySerializer,
        problems=(404, 409, 413, 415),
    )
    def post(self, request: Request, key: str) -> Response:
        """Add an entry; return 201 with the study."""
        study = _get_own_study(request, key)
        form = SentEntrySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        (entry,) = _resolve_records(request, [form.validated_data])
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
    viewer = viewer_of(request)
    mark(request._request, Visibility(study.visibility))
    context = {"caller": viewer.user, "entries": studies.show_entries(study, viewer)}
    return Response(WholeStudySerializer(study, context=context).data, status=status)


def _read_study(
    request: Request, *, partial: bool
) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
    """Return the sent fields and entries of a study."""
    form = SentStudySerializer(data=request.data, partial=partial)
    form.is_valid(raise_exception=True)
    fields = dict(form.validated_data)
    entries = fields.pop("entries", None)
    if "visibility" in fields:
        fields["visibility"] = LEVELS[fields["visibility"]]
    return fields, None if entries is None else _resolve_records(request, entries)


def _resolve_records(
    request: Request, entries: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the entries with the primary keys of the games; raise 400 for bad steps."""
    keys = {entry["record"] for entry in entries}
    visible_records = Record.objects.filter(records_for(viewer_of(request)), key__in=keys)
    records_by_key = {entry.key: entry for entry in visible_records}
    if missing_keys := keys - set(records_by_key):
        text = _("record: there is no game %(key)s.") % {"key": min(missing_keys)}
        raise invalid_parameter("record", text)
    for entry in entries:
        if not has_step(records_by_key[entry["record"]], *step_of(entry["at"])):
            values = {"key": entry["record"], "at": entry["at"]}
            raise invalid_parameter("at", _("at: the game %(key)s has no step %(at)s.") % values)
    return [{**entry, "record": records_by_key[entry["record"]].pk} for entry in entries]


def _full_problem(error: studies.StudyFull) -> Problem:
    text = _("There are %(most)d already, the most there can be: delete one first.")
    return Problem(FULL, text % {"most": error.most}, limit=error.most)
