"""The caller's own data: account, owned games, uploads."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.paging import PARAMETERS
from api.parsers import FieldsParser
from api.serializers.me import LEVELS, ChangeSerializer, MeSerializer, OwnershipSerializer
from api.serializers.uploads import UploadSerializer
from api.views.base import LANG, Resource, problem_responses
from people.models import READ, UPLOAD, Token
from records.ingest.ownership import change_visibility, restore, withdrawn_by
from records.models import Ownership, Upload, Visibility
from records.privacy.access import mark, ownerships_of


class AccountResource(Resource):
    """A resource for callers with an account."""

    def needs_account(self, method: str) -> bool:
        """Return True for every method."""
        return True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Mark the response as private to the caller."""
        super().initial(request, *args, **kwargs)
        mark(request._request, Visibility.PRIVATE)


def list_ownerships(request: Request) -> QuerySet[Ownership]:
    """Return the caller's ownerships, newest game first."""
    caller = viewer_of(request).user
    assert caller is not None, "it needs an account"
    ownerships = ownerships_of(caller).select_related("record")
    ownerships = ownerships.defer("record__text", "record__verdict", "record__tags")
    return ownerships.prefetch_related("collections").order_by("-record_id")


class Me(AccountResource):
    """The caller's account."""

    scopes = ()

    @extend_schema(
        operation_id="me",
        summary="The caller and the scopes of the token",
        parameters=[LANG],
        responses={200: MeSerializer, **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return the account and the scopes of the token."""
        token = request.auth
        scopes = token.scopes.split() if isinstance(token, Token) else None
        user: Any = request.user
        data = {"name": user.get_username(), "staff": user.is_staff, "scopes": scopes}
        return Response(MeSerializer(data).data)


class MyGames(AccountResource, ListAPIView[Ownership]):
    """The caller's games."""

    serializer_class = OwnershipSerializer
    filter_backends = ()
    parameters = PARAMETERS

    @extend_schema(
        operation_id="me_games_list",
        summary="The caller's games, with visibility, note and collections",
        description="The newest of the archive first.",
        parameters=[LANG],
        responses={200: OwnershipSerializer(many=True), **problem_responses(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a page of the caller's games."""
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Ownership]:
        """Return all ownerships of the caller."""
        if getattr(self, "swagger_fake_view", False):
            return Ownership.objects.none()
        return list_ownerships(self.request)


class MyUploads(AccountResource, ListAPIView[Upload]):
    """The caller's uploads."""

    serializer_class = UploadSerializer
    filter_backends = ()
    parameters = PARAMETERS

    @extend_schema(
        operation_id="me_uploads_list",
        summary="The caller's uploads, with their progress",
        description="The newest first.",
        parameters=[LANG],
        responses={200: UploadSerializer(many=True), **problem_responses(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a page of the caller's uploads."""
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Upload]:
        """Return all uploads of the caller, newest first."""
        if getattr(self, "swagger_fake_view", False):
            return Upload.objects.none()
        return Upload.objects.filter(owner=viewer_of(self.request).user).order_by("-id")


class OwnershipDetail(AccountResource):
    """The caller's ownership of a game."""

    http_method_names = ("get", "head", "patch", "delete")
    parser_classes = (FieldsParser,)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (READ,) if request.method in ("GET", "HEAD") else (UPLOAD,)

    @extend_schema(
        operation_id="holding_retrieve",
        summary="The caller's settings of a game",
        parameters=[LANG],
        responses={200: OwnershipSerializer, **problem_responses(400, 404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return visibility, note and collections."""
        return self._respond(request, self._get_ownership(request, key))

    @extend_schema(
        operation_id="holding_change",
        summary="Set who can see a game, or write a note",
        description=(
            "Each game has the most public visibility that an owner chose; other owners' choices"
            " stay as they are. A `visibility` restores a game that was withdrawn less than 7 "
            "days ago."
        ),
        parameters=[LANG],
        request=ChangeSerializer,
        responses={200: OwnershipSerializer, **problem_responses(400, 404, 413, 415)},
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change visibility or note."""
        serializer = ChangeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        if "visibility" in serializer.validated_data:
            self._restore(request, key)
        ownership = self._get_ownership(request, key)
        if "note" in serializer.validated_data:
            Ownership.objects.filter(pk=ownership.pk).update(note=serializer.validated_data["note"])
        if "visibility" in serializer.validated_data:
            level = LEVELS[serializer.validated_data["visibility"]]
            assert ownership.owner_id is not None
            change_visibility(
                owner=ownership.owner_id, records=[ownership.record_id], visibility=level
            )
        return self._respond(request, self._get_ownership(request, key))

    @extend_schema(
        operation_id="holding_delete",
        summary="Withdraw a game",
        description=(
            "The game leaves the archive unless another user owns it too. For 7 days it can be "
            "restored by `PATCH`."
        ),
        parameters=[LANG],
        responses={
            204: OpenApiResponse(description="The game was withdrawn."),
            **problem_responses(400, 404),
        },
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Withdraw the game."""
        ownership = self._get_ownership(request, key)
        assert ownership.owner_id is not None
        change_visibility(
            owner=ownership.owner_id, records=[ownership.record_id], visibility=Visibility.WITHDRAWN
        )
        return HttpResponse(status=204)

    def _get_ownership(self, request: Request, key: str) -> Ownership:
        ownership = list_ownerships(request).filter(record__key=key).first()
        if ownership is None:
            raise Http404
        return ownership

    def _restore(self, request: Request, key: str) -> None:
        caller = viewer_of(request).user
        assert caller is not None
        withdrawn = withdrawn_by(caller).filter(record__key=key)
        restore(owner=caller, records=list(withdrawn.values_list("record", flat=True)))

    def _respond(self, request: Request, ownership: Ownership) -> Response:
        return Response(OwnershipSerializer(ownership, context={"request": request}).data)
