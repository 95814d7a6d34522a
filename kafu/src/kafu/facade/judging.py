"""Verifying games by their rules, replaying them, and their score sheets and settlement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kafu.facade import rulesets
from kafu.facade.errors import IllegalAction, NotPlayable, place_of, wrong_type
from kafu.facade.reading import Record, check_game, report_unwritable
from kafu.facade.table import Table
from kafu.judging import verify as judging
from kafu.judging.playthrough import Playthrough
from kafu.judging.sheets import make_sheet
from kafu.notation.actions import Action
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading
from kafu.rules.rulesets import find_ruleset
from kafu.rules.verdict import Verdict
from kafu.settlement_steps import SettlementStep, compute_steps


def verify(game: Game | Record) -> Verdict:
    """Return the verdict on a game: replay it by its rules and compare every claim.

    ``status`` is ``verified``, ``consistent`` (as far as the cards are known), ``unfinished``,
    ``mismatch`` (a wrong claim, see ``mismatches``), ``illegal`` (see ``error``) or
    ``unsupported``; a `Record` can also be ``malformed``. ``final`` is the settlement, ``deals``
    are the results of the deals. Raises WrongType, and for a game built by hand UnknownRuleset,
    BadValue (players or options that the ruleset lacks) and NotKafu (values that no text can have).

    >>> import kafu
    >>> game = kafu.simulate("hanaawase", seed=1)
    >>> verdict = kafu.verify(game)
    >>> verdict.status, verdict.final == game.final, len(verdict.deals)
    ('verified', True, 12)
    """
    if isinstance(game, Record):
        verification = judging.verify(game.reading(), number=game.number, line=game.line)
        return verification.verdict
    if not isinstance(game, Game):
        raise wrong_type("game", game, "Game", "Record")
    rulesets.resolve(check_game(game).rules, _count_players(game), game.options)
    with report_unwritable(game):
        return judging.verify(Reading(game), line=game.line).verdict


def _count_players(game: Game) -> int:
    """Return the number of players. Raises WrongType."""
    if not isinstance(game.players, tuple):
        raise wrong_type("players", game.players, "tuple")
    return len(game.players)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay.

    ``action`` is the action or deal, ``table`` the table after it with its effects in
    ``table.events``, ``comments`` are the record's comments there. ``deal`` counts from 1.

    >>> import kafu
    >>> step = next(kafu.replay(kafu.simulate("koikoi", seed=1)))
    >>> step.deal, step.action.kind, step.table.left
    (1, 'deal', 24)
    """

    deal: int
    action: Action
    table: Table
    comments: tuple[str, ...]


def replay(game: Game) -> Iterator[Step]:
    """Replay a game step by step.

    At an illegal action IllegalAction is raised after the last legal step, with deal, turn, and the
    place in the text. Raises the errors of `verify`, and NotPlayable for a score sheet.

    >>> import kafu
    >>> steps = list(kafu.replay(kafu.simulate("koikoi", seed=1)))
    >>> [step.action.kind for step in steps[:4]], steps[-1].table.finished
    (['deal', 'begin', 'hand', 'stock'], True)
    """
    game = check_game(game)
    if game.is_sheet:
        raise NotPlayable("a score sheet has no steps", code="no-steps")
    return _replay_steps(
        game, Table(game.rules, players=_count_players(game), options=game.options)
    )


def _replay_steps(game: Game, table: Table) -> Iterator[Step]:
    playthrough, steps = Playthrough(game, table._machine), list[Step]()
    with report_unwritable(game):
        for step in playthrough.steps():
            table = table.make_next(step.action, step.state.copy(), step.events)
            assert table.action is not None
            steps.append(Step(step.deal, table.action, table, tuple(step.comments)))
    yield from steps
    fault = playthrough.outcome.fault
    if fault is not None:
        legal = table.legal_actions
        place = place_of(fault)
        place["expected"] = fault.expected or map(str, legal)
        raise IllegalAction(fault.message(), legal=legal, **place)


def sheet_of(game: Game | Record) -> Game:
    """Return the score sheet (記入式) of a game: its payments without its cards (S10).

    Its months are the scored deals; a score sheet is returned unchanged. Raises the errors of
    `verify`, and NotPlayable for an illegal game.

    >>> import kafu
    >>> sheet = kafu.sheet_of(kafu.simulate("koikoi", seed=1))
    >>> sheet.months[0].payments
    (Payment(label='sanko', amounts=(0, 6), void=False),)
    >>> kafu.verify(sheet).status
    'verified'
    """
    played = check_game(game)
    verdict = verify(game)
    if verdict.error is not None:
        raise NotPlayable("a game with a fault has no sheet", code="no-sheet")
    if played.is_sheet:
        return played
    unit = find_ruleset(played.rules).final_unit
    final = verdict.final and tuple(unit * sum_ for sum_ in verdict.final)
    return make_sheet(played, verdict.deals, final)


def settlement(game: Game | Record, verdict: Verdict | None = None) -> list[SettlementStep]:
    """Return the settlement of a game or score sheet, from the sums of its months to its result.

    Each step has its kind, its amount per seat, and the sums after it, in the small unit (S11).
    ``verdict`` saves judging a game again. Without a final result only the first step is returned.
    Raises the errors of `verify`.

    >>> import kafu
    >>> for step in kafu.settlement(kafu.simulate("hanaawase", seed=1)):
    ...     print(*step)
    total (-175, 63, 112) (-175, 63, 112)
    ginmi (-70, -10, 80) (-245, 53, 192)
    """
    return compute_steps(check_game(game), (verdict or verify(game)).to_stored())
