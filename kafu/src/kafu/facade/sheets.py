"""Score sheets of games, and the steps of the settlement."""

from __future__ import annotations

from kafu.facade.errors import NotPlayable
from kafu.facade.judging import verify
from kafu.facade.reading import Record, check_game
from kafu.judging.as_sheet import make_sheet
from kafu.notation.game import Game
from kafu.rules.rulesets import ruleset
from kafu.rules.verdict import Verdict
from kafu.settlement_steps import SettlementStep, compute_steps


def sheet_of(game: Game | Record) -> Game:
    """Return the score sheet (記入式) of a game: its payments without its cards (S10).

    Its months are the scored deals; a score sheet is returned unchanged. Raises the errors of
    `verify`, and NotPlayable for an illegal game, or rules without sheets.

    >>> import kafu
    >>> sheet = kafu.sheet_of(kafu.simulate("koikoi", seed=1))
    >>> sheet.months[0].payments
    [Payment(label='sanko', amounts=(0, 6), void=False)]
    >>> kafu.verify(sheet).status
    'verified'
    """
    played = check_game(game)
    verdict = verify(game)
    if verdict.error is not None:
        raise NotPlayable("a game with a fault has no sheet", code="no-sheet")
    if played.is_sheet:
        return played
    rules = ruleset(played.rules)
    if rules.sheet is None:
        raise NotPlayable(f"{played.rules} has no score sheets", code="no-sheet")
    final = verdict.final and tuple(rules.final_unit * sum_ for sum_ in verdict.final)
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
