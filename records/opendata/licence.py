"""The licence of the open data."""

from __future__ import annotations

from typing import Final

ID: Final = "CC0-1.0"
NAME: Final = "CC0 1.0 Universal"
URL: Final = "https://creativecommons.org/publicdomain/zero/1.0/"
TEXT: Final = (
    "Whoever handed these games in and whoever runs the archive have waived, as far as the law "
    "allows, all rights of their own in them, worldwide: they are dedicated to the public domain "
    "under CC0 1.0 Universal. You may copy, change and use them for any purpose without asking. "
    "They come without any warranty. Names are those under which people let themselves be shown; "
    "CC0 does not touch their rights of personality. To name the archive as a source is welcome, "
    "not required."
)
