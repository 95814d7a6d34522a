"""The decorator `mypyc_attr` for compiled classes, without an effect if mypyc is not used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**settings: bool):
        """Return a decorator that leaves the class unchanged."""
        return lambda cls: cls


__all__ = ["mypyc_attr"]
