"""Forms with which a sender claims an upload or changes the visibility of the games."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from records.models import Upload
from records.privacy.access import is_sender, viewer_of, with_secret
from records.services import claims, visibility
from records.serving.limits import count_change
from records.shapes.visibilities import VISIBILITIES


@require_POST
def claim_upload(request: HttpRequest, key: str) -> HttpResponse:
    """Add the upload to the user's account. The field ``secret`` is that of the upload."""
    viewer = viewer_of(request)
    if viewer.user is None:
        return redirect_to_login(reverse("me"))
    secret = request.POST.get("secret", "")
    count_change(request)
    try:
        claims.claim(key, secret, viewer.user)
    except claims.NotClaimable as error:
        raise Http404 from error
    except claims.Changing:
        text = _("The visibility of these games is being changed. Add them after that.")
        messages.error(request, text)
        return redirect("my_report", key, secret)
    messages.success(request, _("The games are being added to your account."))
    return redirect("report", key)


@require_POST
def change_upload(request: HttpRequest, key: str) -> HttpResponse:
    """Set the ``visibility`` of the sender's upload and all its games.

    ``withdraw`` withdraws the games if it is ``confirmed``, and ``restore`` undoes the withdrawal.
    The field ``secret`` is that of an anonymous upload.
    """
    secret = request.POST.get("secret", "")
    viewer = with_secret(viewer_of(request), key, secret)
    upload = Upload.objects.filter(key=key).first()
    if upload is None or not is_sender(upload, viewer):
        raise Http404
    answer = redirect("my_report", key, secret) if viewer.upload else redirect("report", key)
    fields = [("saved", "1")] if "saved" in request.POST else []
    if fields:
        answer["Location"] += "?saved"
    if "withdraw" in request.POST and "confirmed" not in request.POST:
        games = upload.submissions.filter(record__isnull=False).values("record").distinct().count()
        back = answer["Location"]
        context = {"secret": secret, "count": games, "back": back, "fields": fields}
        return render(request, "records/withdraw.html", context)
    choice = "withdrawn" if "withdraw" in request.POST else request.POST.get("visibility", "")
    levels = dict(VISIBILITIES)
    if upload.owner_id is None:
        del levels["private"]  # nobody but the holder of an easily lost secret could see the upload
    count_change(request)
    try:
        if "restore" in request.POST:
            visibility.restore(upload)
        elif choice in levels:
            visibility.request_change(upload, levels[choice])
        else:
            messages.error(request, _("Choose who can see them."))
    except visibility.Withdrawn:
        text = _("This upload is withdrawn. To restore its games, upload them again.")
        messages.error(request, text)
    return answer
