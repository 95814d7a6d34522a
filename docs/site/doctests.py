"""Lets the reference of the library show doctests as code, wherever they are in a docstring."""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

_DOCTEST: Final = re.compile(r"^>>> .*(?:\n.+)*", re.M)


class Doctests(griffe.Extension):
    """Fences the doctests of all docstrings: Markdown would take brackets for references."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the doctests of an object's docstring."""
        if obj.docstring is not None:
            obj.docstring.value = _DOCTEST.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
