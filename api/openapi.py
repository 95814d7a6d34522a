"""How the OpenAPI document comes about, where the framework cannot know."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Operation(AutoSchema):
    """One method of a resource."""

    def _get_parameters(self) -> list[dict[str, Any]]:
        """The parameters, with what is known only when it is asked: which rulesets there are."""
        found: list[dict[str, Any]] = super()._get_parameters()
        return [one | {"schema": _asked(one["schema"])} for one in found]

    def get_auth(self) -> list[dict[str, Any]]:
        """Who may call: token, session, and nobody (``{}``) where no account is needed."""
        known: list[dict[str, Any]] = super().get_auth()
        view: Any = self.view
        return known if view.needs_account(self.method) else [*known, {}]


def _asked(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with its callables called."""
    called = {name: value() if callable(value) else value for name, value in schema.items()}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in called.items()
    }
