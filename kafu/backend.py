"""The build backend: setuptools, and mypyc for a compiled wheel.

KAFU_COMPILE=1 pip wheel .
"""

import os

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(settings: object = None) -> list[str]:
    """Return the packages that building a wheel needs, for the frontend to install."""
    packages: list[str] = build_meta.get_requires_for_build_wheel(settings)
    return [*packages, "mypy>=1.18"] if os.environ.get("KAFU_COMPILE") == "1" else packages
