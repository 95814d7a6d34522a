"""The form on an upload's report by which its sender changes who may see its games."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from records.models import Upload, Visibility
from records.store import visibility


@login_required
@require_POST
def change_upload(request: HttpRequest, key: str) -> HttpResponse:
    """Set the ``visibility`` of one's own upload and all its games; ``withdraw`` withdraws them."""
    upload = get_object_or_404(Upload, owner=request.user.pk, key=key)
    choice = "withdrawn" if "withdraw" in request.POST else request.POST.get("visibility", "")
    named = {one.name.lower(): one for one in Visibility}
    if choice not in named:
        messages.error(request, _("Choose who may see them."))
        return redirect("report", key)
    try:
        visibility.request_change(upload, named[choice])
    except visibility.Withdrawn:
        text = _("This upload is withdrawn. To restore its games, upload them again.")
        messages.error(request, text)
    return redirect("report", key)
