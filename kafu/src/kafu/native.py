"""A decorator for classes that mypyc may compile; without compilation it has no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**settings: bool):
        """Return a decorator that leaves the class unchanged."""
        return lambda cls: cls


__all__ = ["mypyc_attr"]
