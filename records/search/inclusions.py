"""Optional members of a game's line in an export: verdict, moves and facts.

Moves and facts are computed from the text of each game while the file is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils import translation
from msgspec import UNSET

from kafu.cards import letters
from kafu.judging.facts import DealFacts, GameFacts
from kafu.judging.verify import verify
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from records.base import labels
from records.models import Record
from records.shapes.records import DealFactsJson, DecisionJson, Opening

VERDICT, MOVES, FACTS = NAMES = ("verdict", "moves", "facts")


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The requested members (`NAMES`), and the language of messages."""

    names: tuple[str, ...] = ()
    lang: str = "en"

    def of(self, record: Record) -> dict[str, Any]:
        """Return the members of a game's line, as far as requested. The record must be masked."""
        make = {VERDICT: self._verdict, MOVES: _make_moves, FACTS: _make_facts}
        return {
            name: function(record) if name in self.names else UNSET
            for name, function in make.items()
        }

    @property
    def nothing(self) -> dict[str, Any]:
        """The members of a line without a game."""
        return dict.fromkeys(self.names)

    def _verdict(self, record: Record) -> dict[str, Any]:
        with translation.override(self.lang):
            return labels.verdict(record.verdict, record.players)


NONE: Final = Inclusion()


def _make_moves(record: Record) -> Mapping[str, Any]:
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return to_json(game)


def _make_facts(record: Record) -> list[DealFactsJson] | None:
    facts = verify(read(record.text), facts=True).facts
    return None if facts is None else [_make_deal(facts, deal) for deal in facts.deals]


def _make_deal(facts: GameFacts, deal: DealFacts) -> DealFactsJson:
    return DealFactsJson(
        hands=[letters(hand) for hand in deal.hands],
        field=letters(deal.laid),
        opening=deal.opening and Opening(*map(letters, deal.opening)),
        decisions=[
            DecisionJson.build(decision, stop=decision.stopped[decision.seat - 1])
            for decision in facts.decisions(deal)
        ],
        captured=[letters(cards) for cards in deal.captured] if deal.ended else None,
    )
