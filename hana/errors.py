"""What ends a command, in a sentence for whoever gave it."""

from __future__ import annotations


class Failed(Exception):
    """Something that cannot be helped by trying again; the message says what and where."""
