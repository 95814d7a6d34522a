"""The analysis of a game on a reader's device: computed in parts, and shown as on its page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.template import Engine

from kafu.analysis.partial import PartialReport
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from records.base import labels
from records.pages.analysis.curve import describe
from records.pages.game.replayed_game import ReplayedGame

#: Seconds of a part, after which the reader may cancel.
SECONDS: Final = 2
TEMPLATE: Final = "records/_analysis.html"
FOLDER: Final = Path(__file__).resolve().parents[2] / "templates"
_LIBRARIES: Final = {name: f"django.templatetags.{name}" for name in ("i18n", "static")}


def analyse_part(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Analyse more of a stored game ``kafu`` after its analysed ``choices`` and ``deals``.

    Returns both, the number that is ``done`` of the ``total``, and at the end the ``report`` and
    its ``html``, with links to the ``page`` of the game.
    """
    reading = read(fields["kafu"])
    game = reading.game
    assert game is not None, "canonical text reads"
    work = PartialReport(game, choices=fields["choices"], deals=fields["deals"])
    work.advance(SECONDS)
    part: dict[str, Any] = {"choices": work.choices, "deals": work.deals}
    part |= {"done": work.done, "total": work.total}
    if not work.is_complete:
        return part
    report = work.make_report()
    replay = ReplayedGame(fields["page"], stored_replay(game), labels.people(game.players))
    shown = describe(replay, verify(reading).verdict.to_stored(), report)
    context = {"stage": {"state": "done"}, "page": fields["page"], **shown}
    engine = Engine(dirs=[str(FOLDER)], libraries=_LIBRARIES)
    # A stripped text is plain: JSON cannot have Django's safe texts.
    html = engine.render_to_string(TEMPLATE, context).strip()
    return part | {"report": report, "html": html}
