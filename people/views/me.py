"""The user's own pages: games, results, drafts, notes, collections, uploads, names."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people import follows, results
from people.forms import CHOICES, EditOwnershipForm, PlayerRequestForm
from people.models import Collection, Draft, OwnName, PlayerRequest
from records.base.transient import lock_names
from records.ingest import reports
from records.ingest.ownership import RESTORE_PERIOD, change_visibility, restore, withdrawn_by
from records.models import Listing, Ownership, Player, Status, Upload, Visibility
from records.privacy.access import Viewer, ownerships_of
from records.search import filters
from records.search.games import find as record_of
from records.search.games import records_of, show_own_texts
from records.search.paging import page_of
from records.search.selection import GameSelection, listings
from records.services.quotas import shown_quotas
from records.serving.limits import count_change

PAGE_SIZE: Final = 48
#: Number of drafts above the games, and maximum length of a user's own name.
DRAFTS: Final = 5
NAME_LENGTH: Final = 200
UPLOADS_PAGE_SIZE: Final = 20
#: Verdicts on games that the sender may want to correct.
PROBLEMS: Final = (Status.MISMATCH, Status.ILLEGAL, Status.MALFORMED)
#: Maximum number of collections and open requests of a user.
MAX_COLLECTIONS: Final = 200
MAX_PENDING: Final = 20


@login_required
def show_games(request: HttpRequest) -> HttpResponse:
    """Show the user's games, filtered by ``?player=``, ``?ruleset=``, ``?collection=``.

    The first page without a filter begins with the user's results, opponents and drafts.
    """
    user: Any = request.user
    selected, _faults = filters.read(request.GET)
    # Event and verdict are no filters here: their values may come from another owner's text of the
    # game.
    selection = GameSelection(players=selected.players, ruleset=selected.ruleset, owner=user.pk)
    user_listings = listings(selection)
    collections = Collection.objects.filter(owner=user)
    collection_key = request.GET.get("collection", "").replace("\0", "")
    collection = collections.filter(key=collection_key).first()
    query = QueryDict(mutable=True)
    if selected.players:
        query.setlist("player", list(selected.players))
    if collection is not None:
        user_listings = user_listings.filter(record_id__in=collection.ownerships.values("record"))
        query["collection"] = collection.key
    page = page_of(user_listings, request.GET.dict(), PAGE_SIZE)
    show_own_texts(page.records, Viewer(user.pk))
    ownerships = Ownership.objects.filter(
        owner=user, record__in=[record.pk for record in page.records]
    )
    by_record = {record.record_id: record for record in ownerships.prefetch_related("collections")}
    context = {
        "rows": [
            (record, by_record[record.pk]) for record in page.records if record.pk in by_record
        ],
        "page": page,
        "query": query,
        "part": ", ".join(selected.players),
        "collections": collections,
        "collection": collection,
        "withdrawn": withdrawn_by(user.pk).count(),
        "choices": CHOICES,
        "section": "games",
    }
    if not (query or page.before):
        context |= _results_context(user)
    return render(request, "people/games.html", context)


def _results_context(user: Any) -> dict[str, Any]:
    """Return the results and drafts of a user, and names to choose from if none is the user's."""
    names = list(OwnName.objects.filter(owner=user))
    keys = [name.key for name in names]
    records = results.newest_games(user.pk)
    return {
        "names": names,
        "suggested": [] if names else results.suggest_names(records, user.get_username()),
        "standing": results.standing(records, keys),
        "halfway": results.find_halfway(records, keys),
        "luck": results.find_luck(records, keys),
        "questions": results.list_questions(records, keys),
        "counted": results.GAMES if len(records) == results.GAMES else 0,
        "followed": follows.players_of(user.pk),
        "drafts": Draft.objects.filter(owner=user).defer("state")[:DRAFTS],
        "more_drafts": max(0, Draft.objects.filter(owner=user).count() - DRAFTS),
    }


@login_required
@require_POST
def add_own_name(request: HttpRequest) -> HttpResponse:
    """Add ``name`` to the names under which the user plays."""
    user: Any = request.user
    name = request.POST.get("name", "").replace("\0", "").strip()[:NAME_LENGTH]
    if name and not results.add_name(user.pk, name):
        messages.error(
            request, _("At most %(count)d names can be yours.") % {"count": results.MAX_NAMES}
        )
    return redirect("me")


@login_required
@require_POST
def remove_own_name(request: HttpRequest, key: str) -> HttpResponse:
    """Remove a name from the names under which the user plays."""
    user: Any = request.user
    get_object_or_404(OwnName, owner=user, key=key).delete()
    return redirect("me")


@login_required
@require_POST
def change_followed_player(request: HttpRequest, key: str) -> HttpResponse:
    """Follow a player, or with ``follow=0`` stop; ``me`` leads back to the user's own page."""
    user: Any = request.user
    player = get_object_or_404(Player, key=key, games__gt=0)
    if request.POST.get("follow") == "0":
        follows.unfollow(user.pk, player)
    elif not follows.follow(user.pk, player):
        text = _("You follow %(most)d players already: stop following one of them first.")
        messages.error(request, text % {"most": follows.MOST})
    return redirect("me") if "me" in request.POST else redirect("player", key)


@login_required
@require_POST
def change_games(request: HttpRequest) -> HttpResponse:
    """Set ``visibility`` of the games with the keys ``game``; 0 withdraws them."""
    user: Any = request.user
    keys = request.POST.getlist("game")[:PAGE_SIZE]
    level = request.POST.get("visibility", "")
    if level not in {str(int(visibility)) for visibility in Visibility}:
        messages.error(request, _("Choose who can see them."))
        return redirect("me")
    if int(level) == Visibility.WITHDRAWN and "confirmed" not in request.POST:
        fields = [("visibility", level), *(("game", key) for key in keys)]
        return _confirm_withdrawal(request, fields, len(keys), reverse("me"))
    count_change(request)
    ownerships = Ownership.objects.filter(
        owner=user, record__key__in=[k.replace("\0", "") for k in keys]
    )
    count = change_visibility(
        owner=user.pk,
        records=list(ownerships.values_list("record", flat=True)),
        visibility=int(level),
    )
    messages.success(request, _("Games changed: %(count)d.") % {"count": count})
    return redirect("me")


def _confirm_withdrawal(
    request: HttpRequest, fields: list[tuple[str, str]], count: int, back: str
) -> HttpResponse:
    """Ask for a confirmation before games are withdrawn; the form resends the fields."""
    context = {"fields": fields, "count": count, "back": back}
    return render(request, "records/withdraw.html", context)


@login_required
def list_withdrawn(request: HttpRequest) -> HttpResponse:
    """Show recently withdrawn games; on POST restore the games with the keys ``game``."""
    user: Any = request.user
    ownerships = withdrawn_by(user.pk).order_by("-withdrawn_at", "-record_id")
    if request.method == "POST":
        keys = [key.replace("\0", "") for key in request.POST.getlist("game")[:PAGE_SIZE]]
        pks = list(ownerships.filter(record__key__in=keys).values_list("record", flat=True))
        count_change(request)
        count = restore(owner=user.pk, records=pks)
        messages.success(request, _("Games restored: %(count)d.") % {"count": count})
        return redirect("me")
    page = Paginator(ownerships, PAGE_SIZE).get_page(request.GET.get("page"))
    withdrawn_records = records_of(
        list(Listing.objects.filter(pk__in=[ownership.record_id for ownership in page]))
    )
    records = {record.pk: record for record in withdrawn_records}
    rows = [
        (records[ownership.record_id], ownership.withdrawn_at + RESTORE_PERIOD)
        for ownership in page
        if ownership.record_id in records and ownership.withdrawn_at is not None
    ]
    context = {"rows": rows, "page": page, "section": "games"}
    return render(request, "people/withdrawn.html", context)


@login_required
def edit_game(request: HttpRequest, key: str) -> HttpResponse:
    """Show and change a game of the user; the field ``withdraw`` withdraws the game."""
    user: Any = request.user
    ownership = get_object_or_404(ownerships_of(user.pk), record__key=key)
    record = record_of(key, Viewer(user.pk))
    if request.method == "POST" and "withdraw" in request.POST:
        if "confirmed" not in request.POST:
            return _confirm_withdrawal(request, [], 1, request.path)
        count_change(request)
        change_visibility(
            owner=user.pk, records=[ownership.record_id], visibility=Visibility.WITHDRAWN
        )
        messages.success(request, _("The game is withdrawn."))
        return redirect("me")
    form = EditOwnershipForm(
        ownership,
        request.POST if request.method == "POST" else None,
        initial={
            "visibility": ownership.visibility,
            "note": ownership.note,
            "collections": ownership.collections.all(),
        },
    )
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["visibility"] != ownership.visibility:
            count_change(request)
        _save_settings(ownership, form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("my_game", key)
    context = {"record": record, "ownership": ownership, "form": form, "section": "games"}
    return render(request, "people/game.html", context)


def _save_settings(ownership: Ownership, data: dict[str, Any]) -> None:
    Ownership.objects.filter(pk=ownership.pk).update(note=data["note"])
    if data["visibility"] != ownership.visibility:
        assert ownership.owner_id is not None
        change_visibility(
            owner=ownership.owner_id, records=[ownership.record_id], visibility=data["visibility"]
        )
    collections = set(data.get("collections", ()))
    if name := data["new_collection"].strip():
        collections.update(_get_collection(ownership.owner_id, name))
    ownership.collections.set(collections)


@transaction.atomic
def _get_collection(owner: int | None, name: str) -> list[Collection]:
    """Return the user's collection with a name, created if missing.

    Return no collection if the user has the maximum number of collections.
    """
    lock_names(f"collections of {owner}")
    collections = Collection.objects.filter(owner=owner)
    return (
        [collections.get_or_create(owner_id=owner, name=name)[0]]
        if collections.count() < MAX_COLLECTIONS
        else []
    )


@login_required
@require_POST
def delete_collection(request: HttpRequest, key: str) -> HttpResponse:
    """Delete the collection; its games stay."""
    user: Any = request.user
    get_object_or_404(Collection, owner=user, key=key).delete()
    return redirect("me")


@login_required
def list_uploads(request: HttpRequest) -> HttpResponse:
    """Show the user's uploads, newest first."""
    user: Any = request.user
    user_uploads = Upload.objects.filter(owner=user).order_by("-id")
    page = Paginator(user_uploads, UPLOADS_PAGE_SIZE).get_page(request.GET.get("page"))
    rows = []
    for upload in page:
        counts = (progress := upload.progress())["games"]
        problems = sum(counts[status] for status in PROBLEMS)
        rows.append((upload, progress, problems, reports.title(upload, Viewer(user.pk))))
    context = {
        "rows": rows,
        "page": page,
        "quotas": shown_quotas(request),
        "section": "settings",
    }
    return render(request, "people/uploads.html", context)


@login_required
def request_about_name(request: HttpRequest) -> HttpResponse:
    """Show and accept requests about names: pseudonyms, statistics, removal of games."""
    user: Any = request.user
    requests = PlayerRequest.objects.filter(owner=user)
    form = PlayerRequestForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            lock_names(f"player requests of {user.pk}")
            if requests.filter(state=PlayerRequest.State.PENDING).count() >= MAX_PENDING:
                messages.error(request, _("You have too many undecided requests."))
            else:
                form.instance.owner = user
                form.save()
                messages.success(request, _("Request sent. The staff will decide."))
        return redirect("my_names")
    context = {"form": form, "requests": requests[:MAX_COLLECTIONS], "section": "settings"}
    return render(request, "people/names.html", context)
