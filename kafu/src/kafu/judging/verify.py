"""Verification: replay a reading by its rules, compare every claim, and return a `Verdict`."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Final

from kafu.judging import sheets
from kafu.judging.claims import accept_claims
from kafu.judging.facts import GameFacts, collect_facts
from kafu.judging.outcome import Outcome, place_fault
from kafu.judging.playthrough import Playthrough
from kafu.notation.codes import GAME_TOO_LARGE
from kafu.notation.faults import OF_GAME, Fault
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading, read
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import text_and_identity, write
from kafu.rules import codes
from kafu.rules.rulesets import Unsupported, find_ruleset
from kafu.rules.verdict import Verdict

#: Tags about the kind of record rather than about the game.
_RECORD_TAGS: Final = ("Sheet", "Termination")


@dataclass(slots=True)
class Verification:
    """The verdict on a reading, the game with omitted captures filled in, and its canonical text.

    ``game`` is None and ``text`` empty for an unreadable game. ``facts`` are the facts beyond the
    verdict, None if they were not requested or the game has no cards.
    """

    verdict: Verdict
    game: Game | None
    text: str
    facts: GameFacts | None = None

    def canonical(self) -> Verification:
        """Return the verification of the canonical text, as `verify` would, without a replay.

        Lines and columns refer to ``text``; repaired and filled-in places have no warnings.
        """
        if self.game is None:
            return self
        verdict = replace(self.verdict, source="", game=1, line=1)
        if verdict.error or verdict.warnings:
            reading = read(self.text)
            assert reading.game is not None, "canonical text reads"
            verdict.error = verdict.error and place_fault(verdict.error, reading.game)
            verdict.warnings = reading.warnings + [
                place_fault(warning, reading.game)
                for warning in verdict.warnings
                if warning.where and not _is_filled_in(warning, reading.game)
            ]
        return replace(self, verdict=verdict)

    def in_words_of(self, other: Game) -> Verification | None:
        """Return the `canonical` game with the comments and tags of another record of the game.

        Moves, claims and termination stay. Both games have the same identity, and therefore the
        same months and turns. A comment at a claim is lost if this game lacks the claim. Return
        None for a text that would be too long.
        """
        assert self.game is not None
        game = deepcopy(self.game)
        game.tags = {name: value for name, value in other.tags.items() if name not in _RECORD_TAGS}
        game.tags |= {name: self.game.tags[name] for name in _RECORD_TAGS if name in self.game.tags}
        game.notes = deepcopy(other.notes)
        for month, source in zip(game.months, other.months, strict=True):
            source.expand()
            month.notes = {key: item.comments for key, item in source.keyed()}
        text = write(game)
        if len(text.encode()) > MAX_GAME_BYTES:
            return None
        return replace(self, game=game, text=text).canonical()


def verify(
    reading: Reading, *, source: str = "", number: int = 1, line: int = 1, facts: bool = False
) -> Verification:
    """Judge one game in the form of verdict.md. Never raises.

    ``source`` is the name of the file, ``number`` the game's position in it and ``line`` its first
    line, both from 1. ``facts`` requests the facts beyond the verdict, which take time.
    """
    verdict = Verdict("malformed", source, number, line, warnings=list(reading.warnings))
    if reading.game is None:
        verdict.error = reading.fault
        return Verification(verdict, None, "")
    game = reading.game
    verdict.rules = game.rules
    game_facts = None
    try:
        if game.is_sheet:
            outcome = sheets.check(game)
        else:
            playthrough = Playthrough.of(game)
            game_facts = collect_facts(playthrough) if facts else None
            outcome = playthrough.outcome if facts else playthrough.run()
    except Unsupported as error:
        verdict.status = "unsupported"
        values = {"rules": str(error)}
        verdict.error = Fault(codes.UNSUPPORTED, game.line, 1, values=values, where=(OF_GAME,))
        return _conclude(verdict, game)
    judge(verdict, outcome)
    return _conclude(verdict, outcome.game, game_facts)


def verify_played(outcome: Outcome, warnings: Sequence[Fault] = ()) -> Verification:
    """Judge a game that was played, as `verify` judges its reading with ``warnings``."""
    verdict = Verdict("malformed", line=1, warnings=list(warnings), rules=outcome.game.rules)
    judge(verdict, outcome)
    return _conclude(verdict, outcome.game)


def _conclude(verdict: Verdict, game: Game, facts: GameFacts | None = None) -> Verification:
    """Return the verification with the canonical text and the identity of a judged game."""
    text, verdict.identity = text_and_identity(game)
    if len(text) > MAX_GAME_BYTES // 4 and len(text.encode()) > MAX_GAME_BYTES:
        # The canonical text, with more blanks than the original, would be too long to read.
        fault = Fault(GAME_TOO_LARGE, game.line, 1, values={"limit": MAX_GAME_BYTES})
        place = verdict.source, verdict.game, verdict.line
        return Verification(Verdict("malformed", *place, error=fault), None, "")
    return Verification(verdict, game, text, facts)


def _is_filled_in(warning: Fault, game: Game) -> bool:
    """Return whether a warning is about an omitted capture that ``game`` now contains.

    Captures of a turn with a fault are not filled in.
    """
    if warning.code is not codes.CAPTURE_LEFT_OUT or warning.deal is None:
        return False
    actions = (action for turn in game.months[warning.deal - 1].turns for action in turn.value)
    return any(action.card == warning.values["card"] and action.take for action in actions)


def judge(verdict: Verdict, outcome: Outcome) -> None:
    """Fill in a verdict from the results of the playthrough."""
    outcome_claimed, verdict.mismatches, doubts = accept_claims(outcome)
    verdict.deals = outcome_claimed.deals
    verdict.warnings += outcome.warnings + doubts
    verdict.error = outcome.fault
    final, unit = outcome_claimed.state.final, find_ruleset(outcome.game.rules).final_unit
    verdict.final = final and tuple(total // unit for total in final)
    if outcome.fault is not None:
        is_undecided = outcome.fault.code is codes.SHEET_UNDECIDED
        verdict.status = "unsupported" if is_undecided else "illegal"
        verdict.final = None
    elif verdict.mismatches:
        verdict.status = "mismatch"
    elif outcome.stopped:
        verdict.status = "unfinished"
        verdict.warnings += _warn_of_unchecked(outcome)
    else:
        verdict.status = "consistent" if outcome.unknown else "verified"


def _warn_of_unchecked(outcome: Outcome) -> list[Fault]:
    """Return warnings for claims about a game or deal without an end, which cannot be compared."""
    game = outcome.game
    claims = {"final": game.final, "result": game.result}
    for number, month in enumerate(game.months[len(outcome.deals) :], len(outcome.deals) + 1):
        claims[f"score, {number}"] = month.score
    return [
        Fault(codes.NOT_CHECKED, game.line, 1, values={"where": where}, where=(OF_GAME,))
        for where, claim in claims.items()
        if claim is not None
    ]
