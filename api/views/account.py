"""Resources of the caller's account: games, uploads, ownerships, quotas, drafts."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import access_of, viewer_of
from api.forms import form_of, read_body
from api.paging import PAGE_PARAMETERS, page_of, page_response
from api.parsers import FieldsParser
from api.problems import DRAFTS, Problem, invalid_parameter, too_large
from api.views.base import Resource, document
from people import drafts
from people.models import READ, UPLOAD, Draft
from people.shapes import (
    ChangeJson,
    DailyQuotas,
    DraftJson,
    MeJson,
    OwnershipJson,
    QuotaJson,
    QuotaNames,
    SentDraft,
    WholeDraft,
)
from records.base.release import absolute
from records.ingest import quotas, reports
from records.ingest.ownership import change_visibility, restore, withdrawn_by
from records.models import Ownership, Upload, Visibility
from records.privacy.access import mark, ownerships_of
from records.serving.limits import SMALL_BYTES, Limit, count_change
from records.serving.senders import hashed, sender_of
from records.shapes.uploads import UploadJson
from records.shapes.visibilities import LEVELS

#: Maximum length of a key.
_KEY: Final = 44


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


def show_ownership(ownership: Any) -> OwnershipJson:
    """Return an ownership of `list_ownerships`."""
    key = ownership.record.key
    return OwnershipJson.build(
        ownership,
        visibility=Visibility(ownership.visibility).id,
        collections=[collection.name for collection in ownership.collections.all()],
        url=absolute(reverse("api:ownership", args=[key])),
        record=absolute(reverse("api:record", args=[key])),
    )


class Me(AccountResource):
    """The caller's account."""

    scopes = ()

    @document("me", "The caller and the scopes of the token", MeJson)
    def get(self, request: Request) -> Response:
        """Return the account and the scopes of the token."""
        access = access_of(request)
        scopes: Any = list(access.scopes) if access is not None else None
        user: Any = request.user
        return Response(MeJson(user.get_username(), user.is_staff, scopes))


class MyGames(AccountResource):
    """The caller's games."""

    @document(
        "me_games_list",
        "The caller's games, with visibility, note and collections",
        page_of(OwnershipJson),
        description="The newest of the archive first.",
        parameters=PAGE_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return a page of the caller's games."""
        return page_response(request, list_ownerships(request), partial(map, show_ownership))


class MyUploads(AccountResource):
    """The caller's uploads."""

    @document(
        "me_uploads_list",
        "The caller's uploads, with their progress",
        page_of(UploadJson),
        description="The newest first.",
        parameters=PAGE_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return a page of the caller's uploads."""
        rows = Upload.objects.filter(owner=viewer_of(request).user).order_by("-id")
        return page_response(request, rows, partial(map, reports.show_upload))


class OwnershipDetail(AccountResource):
    """The caller's ownership of a game."""

    http_method_names = ("get", "head", "patch", "delete")
    parser_classes = (FieldsParser,)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (READ,) if request.method in ("GET", "HEAD") else (UPLOAD,)

    @document("holding_retrieve", "The caller's settings of a game", OwnershipJson, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        """Return visibility, note and collections."""
        return Response(show_ownership(self._get_ownership(request, key)))

    @document(
        "holding_change",
        "Set who can see a game, or write a note",
        OwnershipJson,
        description=(
            "Each game has the most public visibility that an owner chose; other owners' choices"
            " stay as they are. A `visibility` restores a game that was withdrawn less than 7 "
            "days ago."
        ),
        request=form_of(ChangeJson),
        problems=(404, 413, 415),
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change visibility or note."""
        change = read_body(request, ChangeJson)
        if change.visibility is not None:
            count_change(request)
            self._restore(request, key)
        ownership = self._get_ownership(request, key)
        if change.note is not None:
            Ownership.objects.filter(pk=ownership.pk).update(note=change.note)
        if change.visibility is not None:
            assert ownership.owner_id is not None
            change_visibility(
                owner=ownership.owner_id,
                records=[ownership.record_id],
                visibility=LEVELS[change.visibility],
            )
        return Response(show_ownership(self._get_ownership(request, key)))

    @document(
        "holding_delete",
        "Withdraw a game",
        {204: OpenApiResponse(description="The game was withdrawn.")},
        description=(
            "The game leaves the archive unless another user owns it too. For 7 days it can be "
            "restored by `PATCH`."
        ),
        problems=(404,),
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Withdraw the game."""
        ownership = self._get_ownership(request, key)
        assert ownership.owner_id is not None
        count_change(request)
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


class OwnQuota(Resource):
    """The quotas of the caller's account, or of the caller's address without an account."""

    scopes = ()

    @document(
        "quota",
        "Daily upload quotas and today's usage",
        DailyQuotas,
        description=(
            "The quotas of your account with all its tokens, or of your address without a token."
        ),
    )
    def get(self, request: Request) -> Response:
        """Return all quotas with today's usage."""
        mark(request._request, Visibility.PRIVATE)
        usage_by_quota = quotas.standing(hashed(sender_of(request)), viewer_of(request).user)
        names = QuotaNames(
            **{
                name: QuotaJson.build(quota, limit=quota.limit or None)
                for name, quota in usage_by_quota.items()
            }
        )
        return Response(DailyQuotas(quotas.reset(), names))


class Drafts(AccountResource):
    """The caller's drafts."""

    @document(
        "drafts_list",
        "The caller's drafts, the newest first",
        list[DraftJson],
        description=f"At most {drafts.MAX_DRAFTS}, without their states.",
    )
    def get(self, request: Request) -> Response:
        """Return all drafts without states."""
        stored_drafts = Draft.objects.filter(owner=request.user.pk).defer("state")[
            : drafts.MAX_DRAFTS
        ]
        return Response([DraftJson.build(draft) for draft in stored_drafts])


class DraftDetail(AccountResource):
    """A draft of the caller."""

    http_method_names = ("get", "head", "put", "delete")
    parser_classes = (FieldsParser,)
    # JSON escapes may double the size: a kanji of three bytes takes six.
    body_limit = Limit(lambda: 2 * drafts.MAX_BYTES, more=SMALL_BYTES)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (READ,) if request.method in ("GET", "HEAD") else (UPLOAD,)

    @document("draft_retrieve", "A draft with its state", WholeDraft, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        """Return the whole draft."""
        draft = Draft.objects.filter(owner=request.user.pk, key=key).first()
        if draft is None:
            raise Http404
        return Response(WholeDraft.build(draft, state=json.loads(draft.state)))

    @document(
        "draft_keep",
        "Store a draft",
        DraftJson,
        description=(
            "Returns the stored draft. A newer stored draft stays, and is returned with its later "
            f"`changed`. An account has at most {drafts.MAX_DRAFTS} drafts; none is dropped for a "
            "new draft (`too-many-drafts`)."
        ),
        request=form_of(SentDraft),
        problems=(404, 409, 413, 415),
    )
    def put(self, request: Request, key: str) -> Response:
        """Store the draft unless a newer version is stored."""
        if len(key) > _KEY:
            raise invalid_parameter(
                "key", _("A key has at most %(most)d characters.") % {"most": _KEY}
            )
        sent = read_body(request, SentDraft)
        owner = request.user.pk
        assert owner is not None, "it needs an account"
        try:
            draft = drafts.store(owner, key, sent)
        except drafts.DraftTooLarge as error:
            raise too_large(drafts.MAX_BYTES) from error
        except drafts.TooManyDrafts as error:
            text = _(
                "You have %(most)d drafts on the server, the most there can be: delete one first."
            )
            raise Problem(
                DRAFTS, text % {"most": drafts.MAX_DRAFTS}, limit=drafts.MAX_DRAFTS
            ) from error
        return Response(DraftJson.build(draft))

    @document(
        "draft_delete",
        "Delete a draft",
        {204: OpenApiResponse(description="The object does not exist any more.")},
        problems=(404,),
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete the draft; deleting a missing draft has no effect."""
        Draft.objects.filter(owner=request.user.pk, key=key).delete()
        return HttpResponse(status=204)
