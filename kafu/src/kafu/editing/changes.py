"""Single changes of a record: an action after a step, the cards of a deal, a comment, an end.

Each function leaves its input unchanged and returns a new record, played through. Text after the
changed position stays as written, even if it no longer fits; the verdict on the new record then
names the first wrong line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Final

from kafu.editing.table_at import PlayedStep, Walked, WrittenAction, list_written, walk, walk_on
from kafu.facade import rulesets
from kafu.facade.errors import BadValue
from kafu.facade.positions import check_letters, lay_deal
from kafu.judging.seen_cards import SeenCards
from kafu.notation.actions import OF_TURN, Action, parse, turn_text
from kafu.notation.game import ACTIONS, Game, Month
from kafu.rules import codes
from kafu.rules.play.machine import Phase, State
from kafu.simulation.simulate import make_month

#: The Termination tag of a record whose game is not over.
UNFINISHED: Final = "unfinished"


def begun(
    ruleset: str, players: Sequence[str], options: Mapping[str, str], tags: Mapping[str, str]
) -> Walked:
    """Return a record without any deal.

    Raises UnknownRuleset and BadValue.
    """
    _, resolved = rulesets.resolve(ruleset, len(players), options)
    return walk(Game(ruleset, tuple(players), resolved, {**tags, "Termination": UNFINISHED}))


def put(walked: Walked, deal: int, step: int, text: str) -> Walked:
    """Write an action after a step.

    The action replaces the next written action of the same kind; otherwise it is inserted between
    the two. ``text`` is Kafu: ``AxD``, ``/B``, ``=koikoi``, ``show 1 aka BFH``, ``bid 2in``.

    Raises BadValue for an unknown step, for text that is no action, and for an action that cannot
    be written at this position (a card from the draw pile without a card from the hand).
    """
    action = parse(text, _find_step(walked, deal, step).state.seat)
    if action is None or action.kind == "begin":
        excerpt = text[:40]
        raise BadValue(f"{excerpt!r} is no action", code="no-action", values={"found": excerpt})
    written = list_written(walked.game.months[deal - 1])
    _insert(written, walked.count_written(deal, step), action)
    game = _rewrite(walked.game, deal, written)
    return with_claims(walked, game, deal)


def take_back(walked: Walked, deal: int, step: int) -> Walked:
    """Remove the actions after a step.

    Step 0 retains the cards of the deal, step -1 removes them too, and deal 0, step 0 removes all
    deals. Raises BadValue for an unknown step.
    """
    if (deal, step) == (0, 0):
        return with_claims(walked, replace(walked.game, months=[]), 1)
    if step >= 0 or walked.at(deal, 0) is None:
        _find_step(walked, deal, step)
    months = walked.game.months
    if step < 0:
        return with_claims(walked, replace(walked.game, months=months[: deal - 1]), deal)
    written = list_written(months[deal - 1])[: walked.count_written(deal, step)]
    game = _rewrite(replace(walked.game, months=months[:deal]), deal, written)
    return with_claims(walked, game, deal)


def foreseen(walked: Walked, deal: int) -> Walked:
    """Write the cards that the turns of a deal reveal (C9) into its hands and draw pile.

    The cards then stay known when turns are taken back. Raises BadValue for an unknown deal.
    """
    _find_step(walked, deal, 0)
    seen = SeenCards(walked.machine)
    for step in walked.steps(deal):
        if step.action is not None:
            seen.add(step.action, step.state)
    month = seen.complete(walked.game.months[deal - 1])
    return walk_on(_with_month(walked.game, deal, month), walked, deal)


def deal_cards(
    walked: Walked,
    number: int,
    hands: Sequence[str] = (),
    field: str | None = None,
    stock: str | None = None,
    *,
    dealer: int | None = None,
) -> Walked:
    """Write the cards of deal ``number``: append a deal, or replace the cards of a written deal.

    The turns of a written deal stay. ``hands`` are in the order of seats, "" for an unwritten hand;
    ``?`` is an unknown card, and a stock that ends in ``...`` is known in part. Month and dealer
    follow from the game, unless any player may deal. Raises BadValue.
    """
    seats = range(1, walked.machine.players + 1)
    if len(hands) > len(seats) or dealer not in (None, *seats):
        raise BadValue(
            f"there are {len(seats)} seats", code="no-seat", values={"seats": len(seats)}
        )
    check_letters(hands, field, stock)
    deal = lay_deal(walked.machine, _due(walked, number), hands, field, stock, dealer)
    return _dealt(walked, number, make_month(deal._replace(draws=(), split=None)))


def deal_at_random(walked: Walked, number: int, random: Random) -> Walked:
    """Deal ``number`` at random, including the draws before the deal.

    Raises BadValue like `deal_cards`.
    """
    due = walked.machine.deal(_due(walked, number), random)
    return _dealt(walked, number, make_month(due))


def comment(walked: Walked, deal: int, step: int, text: str) -> Walked:
    """Replace the comments at a step with ``text``; "" removes them.

    Raises BadValue for a step without a position in the record.
    """
    here = walked.at(deal, step)
    if here is None or here.place is None:
        at = f"{deal}.{step}"
        raise BadValue(f"nothing is written of step {at}", code="not-written", values={"at": at})
    month = deepcopy(walked.game.months[deal - 1])
    source = list_written(month)[here.place].source
    assert source is not None
    source.comments = [text] if text.strip() else []
    return walk_on(_with_month(walked.game, deal, month), walked, deal)


def with_claims(walked: Walked, game: Game, deal: int) -> Walked:
    """Recompute the claims of a record from a deal on, by its rules.

    Claims are scores, written field grades, the settlement and the Termination tag. ``game`` must
    equal the game of ``walked`` before ``deal``.
    """
    tags = dict(game.tags)
    if game.termination == "normal":
        tags["Termination"] = UNFINISHED
    game = replace(game, tags=tags, months=list(game.months), result=None, final=None)
    walked = walk_on(game, walked, deal)
    outcome = walked.outcome
    is_over = outcome.fault is None and outcome.state.phase is Phase.OVER
    for record in (game, outcome.game):
        for i in range(deal - 1, len(game.months)):
            month, ended = record.months[i], outcome.deals[i] if i < len(outcome.deals) else None
            ba = ended.grade if ended is not None and month.ba is not None else month.ba
            record.months[i] = month.replace(score=ended.score if ended else None, ba=ba)
        if is_over:
            record.result = record.final = outcome.state.final
    if is_over and game.termination == UNFINISHED:
        del game.tags["Termination"]
    return walked


def whole(walked: Walked) -> tuple[Walked, str]:
    """Return a record without a last turn that lacks its stock card, and the text of the turn.

    The notation has no half turns. The outcome has no fault, which is right unless a deal follows.
    """
    if not is_open(walked):
        return walked, ""
    outcome, half = walked.outcome, walked.game.months[walked.deals - 1].turns[-1]
    place = walked.deals, outcome.state.turn
    outcome = replace(
        outcome,
        game=_without_last_turn(outcome.game, walked.deals),
        warnings=[warning for warning in outcome.warnings if (warning.deal, warning.turn) != place],
        fault=None,
        refused=None,
        stopped=True,
    )
    game = _without_last_turn(walked.game, walked.deals)
    return replace(walked, game=game, outcome=outcome), turn_text(half.value)


def _without_last_turn(game: Game, deal: int) -> Game:
    month = game.months[deal - 1]
    return _with_month(game, deal, month.replace(turns=month.turns[:-1]))


def _with_month(game: Game, deal: int, month: Month) -> Game:
    """Return a game with another month as a deal, or with a month after its last one."""
    return replace(game, months=[*game.months[: deal - 1], month, *game.months[deal:]])


def is_open(walked: Walked) -> bool:
    """Return whether a deal ends within a turn, before the stock card or a decision ahead of it.

    A missing stock card is a fault only while no stock card is written.
    """
    state, fault = walked.outcome.state, walked.outcome.fault
    if state.phase not in (Phase.STOCK, Phase.DECIDE) or not walked.deals:
        return False
    if fault is not None and fault.code is not codes.STOCK_MISSING:
        return False
    month = walked.game.months[walked.deals - 1]
    return month.played == state.turn and any(turn.is_half for turn in month.turns[-1:])


def _find_step(walked: Walked, deal: int, step: int) -> PlayedStep:
    """Return a step. Raises BadValue for an unknown step."""
    if (here := walked.at(deal, step)) is None:
        at = f"{deal}.{step}"
        raise BadValue(f"the game has no step {at}", code="no-step", values={"at": at})
    return here


def _due(walked: Walked, number: int) -> State:
    """Return the state before a deal.

    Raises BadValue if the deal cannot be dealt yet.
    """
    count = len(walked.game.months)
    if not 0 < number <= count + 1:
        raise BadValue(f"there is no deal {number}", code="no-deal", values={"deal": number})
    begun = walked.outcome.begun
    state = begun[number - 1] if number <= len(begun) else walked.outcome.state
    if number > walked.deals + 1 or state.phase is not Phase.DEAL:
        raise BadValue(
            f"deal {number} is not to be dealt yet", code="not-due", values={"deal": number}
        )
    return state


def _dealt(walked: Walked, number: int, month: Month) -> Walked:
    """Append a deal, or replace the cards of a written deal."""
    if number <= len(walked.game.months):
        names = ("month", "dealer", "draws", "split", "hands", "field", "stock", "stock_cut")
        dealt = {name: getattr(month, name) for name in names}
        month = walked.game.months[number - 1].replace(**dealt)
    return with_claims(walked, _with_month(walked.game, number, month), number)


def _insert(written: list[WrittenAction], at: int, action: Action) -> None:
    """Write an action at an index, in place of a written one of the same kind."""
    kind = action.kind
    if kind in ("redeal", "void"):
        del written[at:]
    elif kind in ("hand", "stock"):
        # Declarations and words end before a card.
        words = ("say",) if _kind_at(written, at) == "say" else ("show", "redeal")
        while _kind_at(written, at) in words:
            del written[at]
    due, done = _kind_at(written, at), _kind_at(written, at - 1)
    if due == kind == "bid" and written[at].action.seat != action.seat:
        # The written bid is too early.
        written[at:] = [
            item
            for item in written[at:]
            if (item.action.kind, item.action.seat) != ("bid", action.seat)
        ]
    elif due == kind != "call":
        written[at] = WrittenAction(action, written[at].source)
        return
    if kind in ("stock", "say") and done not in OF_TURN:
        raise BadValue("no card was played from a hand before it", code="no-play")
    if kind == "stock" and _last_card(written[:at]) == "stock":
        raise BadValue("the card of this turn is turned already", code="turned")
    if kind in ("hand", "call"):  # behind a turn that is written to its end
        while _kind_at(written, at) not in ("hand", "call", "void", ""):
            at += 1
    elif kind not in OF_TURN and done != kind:
        at = 1
    written.insert(at, WrittenAction(action))


def _kind_at(written: Sequence[WrittenAction], at: int) -> str:
    """Return the kind of the action at an index, "" at the end."""
    return written[at].action.kind if at < len(written) else ""


def _last_card(written: Sequence[WrittenAction]) -> str:
    """Return the kind of the last action that is no word."""
    return next(kind for action, _ in reversed(written) if (kind := action.kind) != "say")


def _rewrite(game: Game, deal: int, written: Sequence[WrittenAction]) -> Game:
    """Return a game with other written actions in a deal."""
    statements = game.months[deal - 1].statements
    month = Month.of([item for item in statements if item.keyword not in ACTIONS])
    for action, source in written[1:]:
        statement = month.write_down(action)
        if source is not None and action.kind not in ("stock", "say"):
            statement.place, statement.comments = source.place, source.comments
            statement.round, statement.card_places = source.round, source.card_places
            # The seat itself may be the fault.
            statement.seat = source.seat and (action.seat or source.seat)
    return _with_month(game, deal, month)
