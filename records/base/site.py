"""Public addresses of the archive."""

from __future__ import annotations

from django.conf import settings


def absolute(path: str) -> str:
    """Return the absolute URL of a path, by `settings.SITE_URL`: ``absolute("/games/")``."""
    return f"{settings.SITE_URL}{path}"
