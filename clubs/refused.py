"""The error for a wish that a club does not grant."""

from __future__ import annotations

from typing import Final

#: The reason of a refusal to an account without the necessary role.
NOT_ALLOWED: Final = "not-allowed"


class Refused(Exception):
    """A refusal. ``words`` say in the active language what is wrong and what to do.

    ``code`` names the reason in the API, ``field`` the field at fault.
    """

    def __init__(self, code: str, words: str, field: str = "") -> None:
        super().__init__(words)
        self.code, self.words, self.field = code, words, field
