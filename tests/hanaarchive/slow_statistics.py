"""An application that makes each query of statistics read a trillion rows."""

from __future__ import annotations

from collections.abc import Sequence

from django.apps import AppConfig


class SlowStatistics(AppConfig):
    """The application."""

    name = "tests.hanaarchive"
    label = "slow_statistics"

    def ready(self) -> None:
        """Multiply the rows of all snapshots."""
        from records.facts.snapshot import Snapshot

        get_source = Snapshot.source

        def multiply(self: Snapshot, table: str, rulesets: Sequence[str] = ()) -> str:
            source = get_source(self, table, rulesets)
            return f"(SELECT facts.* FROM {source} AS facts RIGHT JOIN range({10**12}) ON true)"

        Snapshot.source = multiply  # type: ignore[method-assign]
