"""A decorator for classes that may be compiled; where they are not it does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**settings: bool):
        """A decorator that leaves the class as it is."""
        return lambda cls: cls


__all__ = ["mypyc_attr"]
