"""Zstandard: the standard library's module, or before Python 3.14 its backport if installed."""

from __future__ import annotations

import sys
from types import ModuleType

from kafu.archives.bounds import Broken
from kafu.notation import codes

try:
    if sys.version_info >= (3, 14):
        from compression import zstd as _zstd
    else:
        from backports import zstd as _zstd
except ImportError:
    _ZSTD: ModuleType | None = None
else:
    _ZSTD = _zstd


def zstd_module() -> ModuleType:
    """The module that reads Zstandard. Raises :class:`Broken` where there is none."""
    if _ZSTD is None:
        raise Broken(codes.ARCHIVE_NO_ZSTD)
    return _ZSTD
