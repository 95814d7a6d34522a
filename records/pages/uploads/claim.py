"""The form with which an account takes over an anonymous upload."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from records.privacy.access import viewer_of
from records.store import claims


@require_POST
def claim_upload(request: HttpRequest, key: str) -> HttpResponse:
    """Add the upload to the user's account. The field ``words`` is the upload's secret."""
    viewer = viewer_of(request)
    if viewer.user is None:
        return redirect_to_login(reverse("me"))
    secret = request.POST.get("words", "")
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
