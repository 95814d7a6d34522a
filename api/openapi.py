"""How the OpenAPI document comes about, where the framework cannot know."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Operation(AutoSchema):
    """One method of a resource."""

    def get_auth(self) -> list[dict[str, Any]]:
        """Who may call: token, session, and nobody (``{}``) where no account is needed."""
        known: list[dict[str, Any]] = super().get_auth()
        view: Any = self.view
        return known if view.needs_account(self.method) else [*known, {}]
