"""Errors that end a command, with a message for its user."""

from __future__ import annotations


class Failed(Exception):
    """An error that another try would not help; the message says what and where."""
