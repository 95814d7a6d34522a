"""The admin site with an access rule for staff."""

from __future__ import annotations

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest

from people.accounts.lifecycle import has_second_factor


class Site(AdminSite):
    """Django's admin site, limited by HANA_STAFF_MFA to accounts with a second factor.

    Every session of such an account was opened with the second factor, because setting up the
    factor ends all earlier sessions.
    """

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether this request may see any page of the admin."""
        if not super().has_permission(request):
            return False
        return not settings.STAFF_MFA or has_second_factor(request.user)
