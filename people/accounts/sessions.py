"""Sessions that are over."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore


def tidy() -> None:
    """Remove sessions that have expired; a chore of the sweep."""
    SessionStore.clear_expired()
