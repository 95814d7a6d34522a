"""The forms on an upload's report by which its sender changes who may see its games."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from records.models import Upload, Visibility
from records.privacy.access import is_sender, viewer_of, with_secret
from records.services import visibility


@require_POST
def change_upload(request: HttpRequest, key: str) -> HttpResponse:
    """Set the ``visibility`` of the sender's upload and all its games.

    ``withdraw`` withdraws the games if it is ``confirmed``, and ``restore`` undoes that. ``words``
    is the secret of an upload without an account.
    """
    words = request.POST.get("words", "")
    viewer = with_secret(viewer_of(request), key, words)
    upload = Upload.objects.filter(key=key).first()
    if upload is None or not is_sender(upload, viewer):
        raise Http404
    answer = redirect("my_report", key, words) if viewer.upload else redirect("report", key)
    fields = [("saved", "1")] if "saved" in request.POST else []
    if fields:
        answer["Location"] += "?saved"
    if "withdraw" in request.POST and "confirmed" not in request.POST:
        games = upload.submissions.filter(record__isnull=False).values("record").distinct().count()
        context = {"words": words, "count": games, "back": answer["Location"], "fields": fields}
        return render(request, "records/withdraw.html", context)
    choice = "withdrawn" if "withdraw" in request.POST else request.POST.get("visibility", "")
    named = {one.name.lower(): one for one in Visibility}
    if upload.owner_id is None:
        del named["private"]  # nobody could see it again but by a secret that gets lost
    try:
        if "restore" in request.POST:
            visibility.restore(upload)
        elif choice in named:
            visibility.request_change(upload, named[choice])
        else:
            messages.error(request, _("Choose who may see them."))
    except visibility.Withdrawn:
        text = _("This upload is withdrawn. To restore its games, upload them again.")
        messages.error(request, text)
    return answer
