"""Columns of a record that are derived from the judged text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kafu.comparing.copies import fingerprint
from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.notation.reading.dates import is_plausible
from kafu.rules import ENGINE_VERSION
from kafu.rules.verdict import Verdict
from records.base.clock import date_range
from records.models import Record

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def fill(record: Record, verification: Verification) -> None:
    """Set the columns of a record derived from game and verdict, except key and identity.

    The verdict must be on the game's canonical text.
    """
    game = verification.game
    assert game is not None
    tags = game.tags
    record.ruleset = game.rules
    record.profile = game.options.get("profile", game.rules)[:32]
    record.options = " ".join(f"{name}={value}" for name, value in sorted(game.options.items()))
    record.sheet = game.is_sheet
    record.event, record.site, record.round, record.source = (
        tags.get(name, "")[:200] for name in ("Event", "Site", "Round", "Source")
    )
    record.date = tags.get("Date", "")[:32]
    record.date_from, record.date_to = date_range(record.date)
    if record.date_from and not is_plausible(record.date_from):
        record.date_from = record.date_to = None
    record.termination = game.termination[:12]
    record.tags = tags
    record.text = verification.text
    fill_verdict(record, verification.verdict)
    record.first_deal = fingerprint(game)
    record.deals_played = len(verification.verdict.deals)
    record.turns_played = sum(turns_of(game, number) for number in range(record.deals_played))


def fill_verdict(record: Record, verdict: Verdict) -> None:
    """Set the columns of a record derived from the verdict on the text."""
    record.verdict = {**to_stored(verdict), "source": f"{record.key}.kafu", "game": 1, "line": 1}
    record.status = verdict.status
    record.error_code = verdict.error.code.id if verdict.error is not None else ""
    record.engine_version = ENGINE_VERSION


def to_stored(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict in stored form, with quotations acceptable to any database.

    Quotations of a faulty text may contain characters unacceptable to PostgreSQL or UTF-8: NUL, and
    halves of surrogate pairs from JSON escapes.
    """
    error, mismatches, warnings = faults(verdict)
    return verdict.to_stored() | {"error": error, "mismatches": mismatches, "warnings": warnings}


def faults(
    verdict: Verdict, most: int | None = None
) -> tuple[dict[str, Any] | None, list[Any], list[Any]]:
    """Return the error, the mismatches and at most ``most`` warnings of a verdict, as stored."""
    return (
        clean(verdict.error.to_stored()) if verdict.error is not None else None,
        [clean(mismatch._asdict()) for mismatch in verdict.mismatches],
        [clean(warning.to_stored()) for warning in verdict.warnings[:most]],
    )


def clean(value: Any) -> Any:
    """Return a JSON value with U+FFFD in the place of unstorable characters."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {clean(name): clean(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


def turns_of(game: Game, number: int) -> int:
    """Return the number of turns played in a deal, ``number`` from 0."""
    return game.months[number].played if number < len(game.months) else 0
