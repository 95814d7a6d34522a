"""The admin site: who may enter."""

from __future__ import annotations

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest

from people.accounts.closing import has_second_factor


class Site(AdminSite):
    """Django's own; with HANA_STAFF_MFA for accounts with a second factor only.

    All sessions of such an account were opened with it: those from before ended when it was set up.
    """

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this request may see any page of the admin."""
        if not super().has_permission(request):
            return False
        return not settings.STAFF_MFA or has_second_factor(request.user)
