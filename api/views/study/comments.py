"""Public comments at steps of a game, and reports of comments."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.paging import PARAMETERS
from api.problems import FULL, Problem, invalid_parameter
from api.serializers.study.comments import (
    CommentSerializer,
    SentCommentSerializer,
    SentReportSerializer,
)
from api.views.base import LANG, MembersResource, problem_responses
from api.views.records import get_game
from records.models import Comment
from records.privacy.access import may_see
from records.services import comments
from records.services.studies import step_of


class Commenting(MembersResource):
    """Base of the resources of comments."""

    write_throttle = "comments"


class RecordComments(Commenting, ListAPIView[Comment]):
    """The comments on a game."""

    serializer_class = CommentSerializer
    filter_backends = ()
    parameters = PARAMETERS

    @extend_schema(
        operation_id="records_comments_list",
        summary="The comments on a game, the oldest first",
        description="Comments are visible to everybody who may see the game, except comments "
        "hidden by the staff.",
        parameters=[LANG],
        responses={200: CommentSerializer(many=True), **problem_responses(400, 404, 410)},
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Return a page of comments."""
        return self.list(request, *args, **kwargs)

    @extend_schema(
        operation_id="records_comments_create",
        summary="Comment on a step",
        description=(
            f"Plain text. A game has at most {comments.MAX_PER_GAME} comments, one account's at "
            f"most {comments.MAX_PER_ACCOUNT} of them (`full`)."
        ),
        parameters=[LANG],
        request=SentCommentSerializer,
        responses={201: CommentSerializer, **problem_responses(400, 404, 409, 410, 413, 415)},
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
        """Return the comments on the game that the staff did not hide."""
        if getattr(self, "swagger_fake_view", False):
            return Comment.objects.none()
        return comments.comments_of(get_game(self.request, self.kwargs["key"]))

    def get_serializer_context(self) -> dict[str, object]:
        """Return the context with the caller's user id."""
        return {**super().get_serializer_context(), "caller": viewer_of(self.request).user}


class CommentDetail(Commenting):
    """A comment."""

    http_method_names = ("delete",)

    @extend_schema(
        operation_id="comments_delete",
        summary="Delete a comment of one's own",
        description="The staff, with a token of the scope `admin`, any.",
        parameters=[LANG],
        responses={
            204: OpenApiResponse(description="The object does not exist any more."),
            **problem_responses(400, 404),
        },
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

    @extend_schema(
        operation_id="comments_report",
        summary="Report a comment to the staff",
        parameters=[LANG],
        request=SentReportSerializer,
        responses={
            204: OpenApiResponse(description="The comment was reported."),
            **problem_responses(400, 404, 413, 415),
        },
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
    """Return a comment on a game that the caller may see, or raise Http404."""
    comment = comments.find(key)
    if comment is None or not may_see(comment.record, viewer_of(request)):
        raise Http404
    return comment
