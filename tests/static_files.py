"""Static files that are found and compressed once per process."""

from __future__ import annotations

from typing import Any

import pytest

from hanaarchive.http.static import CompressedFiles


def gather_once(patch: pytest.MonkeyPatch) -> None:
    """Let all clients of this process share the static files that the first one gathers.

    Each of thousands of `Client` objects builds the middleware anew, for which finding the files
    takes 20 ms of CPU time, and compressing them half a second.
    """
    gather = CompressedFiles.add_files_from_finders
    gathered: dict[str, Any] = {}

    def once(middleware: CompressedFiles) -> None:
        if not gathered:
            gather(middleware)
            gathered.update(middleware.files)
        middleware.files.update(gathered)

    patch.setattr(CompressedFiles, "add_files_from_finders", once)
