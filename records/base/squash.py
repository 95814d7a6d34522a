"""Tables of a new archive without the history of its migrations."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateTables(Operation):
    """Create the tables that migrations lead to, as the only operation of one that replaces them.

    The models are those that the migrations' operations describe. An empty database needs none of
    their changes of rows. The replaced files stay while databases that lack some of them can be
    updated: the table of stability in CHANGELOG.md says since which release.
    """

    reversible = False

    def __init__(self, replaced: Sequence[tuple[str, str]]) -> None:
        """Take the replaced migrations, in their order."""
        self.replaced = replaced

    def describe(self) -> str:
        """Name the migrations for `migrate --plan`."""
        return f"Create the tables of {len(self.replaced)} migrations"

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models."""
        # Otherwise each operation would rebuild the classes of all related models. Django builds
        # the classes when they are next used.
        state.__dict__.pop("apps", None)
        for app, name in self.replaced:
            for operation in import_module(f"{app}.migrations.{name}").Migration.operations:
                operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the tables. Their foreign keys become constraints when all tables are there."""
        for model in to_state.apps.get_app_config(app_label).get_models():
            schema_editor.create_model(model)
