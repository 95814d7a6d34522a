"""Errors that end a command, with a message for its user."""

from __future__ import annotations


class Failed(Exception):
    """A permanent error, with a message for the user."""
