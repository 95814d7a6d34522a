"""An answer as it is written to a connection."""

from __future__ import annotations

from typing import Any

from waitress.task import WSGITask


class AnswerTask(WSGITask):
    """Waitress's task, which keeps the connection after an answer that has no body.

    Waitress takes such an answer for one of unknown length, and closes: each 304 would cost its
    reader a new connection.
    """

    def set_close_on_finish(self) -> None:
        """Close the connection after this answer, if its end could not be seen otherwise."""
        request: Any = self.request
        wants_close = request.headers.get("CONNECTION", "").lower() == "close"
        if self.version == "1.1" and not self.has_body and not wants_close:
            return
        super().set_close_on_finish()
