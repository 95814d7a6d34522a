"""Zstandard: the standard library's module, or before Python 3.14 its backport if installed."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Final

from kafu.archives.bounds import Broken
from kafu.notation import codes

MODULE: Final = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def zstd_module() -> ModuleType:
    """Return the module that reads Zstandard, loaded when it is needed. Raises :class:`Broken`
    where there is none.
    """
    try:
        return importlib.import_module(MODULE)
    except ImportError:
        raise Broken(codes.ARCHIVE_NO_ZSTD) from None
