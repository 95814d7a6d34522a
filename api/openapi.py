"""The OpenAPI document, where the framework cannot derive it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Operation(AutoSchema):
    """One method of a resource."""

    def _get_parameters(self) -> list[dict[str, Any]]:
        """The parameters, with values known only at request time, such as the rulesets."""
        found: list[dict[str, Any]] = super()._get_parameters()
        return [one | {"schema": _resolved(one["schema"])} for one in found]

    def get_auth(self) -> list[dict[str, Any]]:
        """Who may call: token, session, and anonymous (``{}``) if no account is needed."""
        known: list[dict[str, Any]] = super().get_auth()
        view: Any = self.view
        return known if view.needs_account(self.method) else [*known, {}]


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with its callables called."""
    called = {name: value() if callable(value) else value for name, value in schema.items()}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in called.items()
    }
