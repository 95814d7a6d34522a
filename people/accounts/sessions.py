"""Clean-up of expired sessions."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore


def tidy() -> None:
    """Remove expired sessions; a chore of the sweep."""
    SessionStore.clear_expired()
