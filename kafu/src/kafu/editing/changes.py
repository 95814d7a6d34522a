"""Single changes of a record: an action after a step, the cards of a deal, a comment, an end.

Each function leaves its input unchanged and returns a new record, played through. Text after the
changed position stays as written, even if it no longer fits; the verdict on the new record then
names the first wrong line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from kafu.editing.table_at import ActionPlace, Walked, walk, walk_on
from kafu.facade import rulesets
from kafu.facade.actions import Action, parse
from kafu.facade.errors import BadValue
from kafu.facade.table import check_letters
from kafu.judging.seen_cards import SeenCards
from kafu.notation.game import Call, Game, Month, Show, Turn
from kafu.notation.writer import turn_text
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


def put(walked: Walked, deal: int, step: int, written: str) -> Walked:
    """Write an action after a step.

    The action replaces the next written action of the same kind; otherwise it is inserted between
    the two. ``written`` is Kafu: ``AxD``, ``/B``, ``=koikoi``, ``show 1 aka BFH``, ``bid 2in``.

    Raises BadValue for an unknown step, for text that is no action, and for an action that cannot
    be written at this position (a card from the draw pile without a card from the hand).
    """
    here = walked.at(deal, step)
    if here is None:
        raise _no_step(deal, step)
    action = parse(written, here.state.seat)
    if action is None or action.kind == "begin":
        excerpt = written[:40]
        raise BadValue(f"{excerpt!r} is no action", code="no-action", values={"found": excerpt})
    game, month = _opened(walked, deal)
    positions = [
        played.place for played in walked.steps(deal)[: step + 1] if played.place is not None
    ]
    _Writer(month, positions[-1], walked.next_place(deal, step)).put(action)
    return with_claims(walked, game, deal)


def take_back(walked: Walked, deal: int, step: int) -> Walked:
    """Remove the actions after a step.

    Step 0 retains the cards of the deal, step -1 removes them too, and deal 0, step 0 removes all
    deals. Raises BadValue for an unknown step.
    """
    if (deal, step) == (0, 0):
        return with_claims(walked, replace(walked.game, months=[]), 1)
    if walked.at(deal, max(step, 0)) is None:
        raise _no_step(deal, step)
    game, month = _opened(walked, deal)
    del game.months[deal:]
    if step < 0:
        del game.months[deal - 1 :]
        return with_claims(walked, game, deal)
    positions = [
        played.place for played in walked.steps(deal)[: step + 1] if played.place is not None
    ]
    _Writer(month, positions[-1], walked.next_place(deal, step)).drop_rest()
    return with_claims(walked, game, deal)


def foreseen(walked: Walked, deal: int) -> Walked:
    """Write the cards that the turns of a deal reveal (C9) into its hands and draw pile.

    The cards then stay known when turns are taken back. Raises BadValue for an unknown deal.
    """
    if walked.at(deal, 0) is None:
        raise _no_step(deal, 0)
    seen = SeenCards(walked.machine)
    for step in walked.steps(deal):
        if step.action is not None:
            seen.add(step.action, step.state)
    months = list(walked.game.months)
    months[deal - 1] = seen.complete(months[deal - 1])
    return walk_on(replace(walked.game, months=months), walked, deal)


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
    stock_cards = None if stock is None else stock.removesuffix("...")
    check_letters(hands, field or "", stock_cards or "")
    due = walked.machine.deal(_due(walked, number), Random(0))
    month = Month(
        due.month,
        due.dealer if dealer is None else dealer,
        hands={seat: hand for seat, hand in enumerate(hands, 1) if hand},
        field=field,
        stock=stock_cards,
        stock_cut=stock != stock_cards,
    )
    return _dealt(walked, number, month)


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
    game, month = _opened(walked, deal)
    comments = [text] if text.strip() else []
    match here.place:
        case ActionPlace("hand" | "stock" | "say" | "call", index):
            month.turns[index].comments = comments
        case ActionPlace("deal"):
            month.notes = {**month.notes, "month": comments}
        case ActionPlace("show" | "swap" as kind, index):
            month.notes = {**month.notes, f"{kind}.{index}": comments}
        case ActionPlace(kind):
            month.notes = {**month.notes, kind: comments}
    return walk_on(game, walked, deal)


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
            record.months[i] = replace(month, score=ended.score if ended else None, ba=ba)
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
    assert isinstance(half, Turn)
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
    return replace(walked, game=game, outcome=outcome), turn_text(half)


def _without_last_turn(game: Game, deal: int) -> Game:
    months = list(game.months)
    months[deal - 1] = replace(months[deal - 1], turns=months[deal - 1].turns[:-1])
    return replace(game, months=months)


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
    last = month.turns[-1] if month.turns else None
    return isinstance(last, Turn) and not last.turn and month.played == state.turn


def _no_step(deal: int, step: int) -> BadValue:
    """Return the error for an unknown step."""
    at = f"{deal}.{step}"
    return BadValue(f"the game has no step {at}", code="no-step", values={"at": at})


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
    game = replace(walked.game, months=list(walked.game.months))
    if number > len(game.months):
        game.months.append(month)
    else:
        written = game.months[number - 1]
        names = ("month", "dealer", "draws", "split", "hands", "field", "stock", "stock_cut")
        game.months[number - 1] = replace(written, **{name: getattr(month, name) for name in names})
    return with_claims(walked, game, number)


def _opened(walked: Walked, deal: int) -> tuple[Game, Month]:
    """Return a copy of the game, and of its deal, whose lists may be changed."""
    months = list(walked.game.months)
    month = months[deal - 1]
    months[deal - 1] = month = replace(
        month,
        swaps=list(month.swaps),
        bids=list(month.bids),
        shows=list(month.shows),
        turns=[replace(turn) for turn in month.turns],
    )
    return replace(walked.game, months=months), month


class _Writer:
    """A writer of actions into one month, after the position ``done``.

    ``due`` is the next written position, None at the end of the month.
    """

    def __init__(self, month: Month, done: ActionPlace, due: ActionPlace | None) -> None:
        self.month = month
        self.done = done
        self.due = due
        in_turns = done.kind in ("hand", "stock", "say", "call")
        #: Index of an inserted turn.
        self.turn = done.number + 1 if in_turns else 0

    def put(self, action: Action) -> None:
        """Write an action of any kind."""
        getattr(self, f"_{action.kind}")(action)

    def drop_rest(self) -> None:
        """Remove the next written action and all text after it."""
        month, kinds = self.month, ("deal", "blind", "swap", "bid", "show")
        self._drop_words()
        if self.due is not None and self.due.kind == "stock":
            turn = self._turn(self.due.number)
            turn.say1, turn.say = (), turn.say1
            turn.turn = turn.take2 = ""
        elif self.done.kind == "stock":
            self._turn(self.done.number).say = ()
        del month.turns[self.turn :]
        rank = kinds.index(self.done.kind) if self.done.kind in kinds else len(kinds)
        for name, items in (("swap", month.swaps), ("bid", month.bids), ("show", month.shows)):
            if rank <= kinds.index(name):
                del items[self.done.number + 1 if self.done.kind == name else 0 :]
        if rank < kinds.index("blind"):
            month.blind = None
        month.void = None
        if self.done.kind != "redeal":
            month.redeal = None

    def _turn(self, index: int) -> Turn:
        turn = self.month.turns[index] if 0 <= index < len(self.month.turns) else None
        if not isinstance(turn, Turn):
            raise BadValue("no card was played from a hand before it", code="no-play")
        return turn

    def _drop_words(self) -> None:
        """Remove the declarations or decisions at the next position, so that a card can follow."""
        due = self.due
        if due is not None and due.kind in ("show", "redeal"):
            del self.month.shows[due.number if due.kind == "show" else len(self.month.shows) :]
            self.month.redeal = None
            self.due = ActionPlace("hand") if self.month.turns else None
            return
        if due is None or due.kind != "say":
            return
        turn = self._turn(due.number)
        if due.early:
            turn.say1 = turn.say1[: due.word]
            self.due = ActionPlace("stock", due.number)
        else:
            turn.say = turn.say[: due.word]
            following = due.number + 1
            is_turn = following < len(self.month.turns) and isinstance(
                self.month.turns[following], Turn
            )
            self.due = ActionPlace("hand", following) if is_turn else None

    def _hand(self, action: Action) -> None:
        self._drop_words()
        if self.due is not None and self.due.kind == "hand":
            turn = self._turn(self.due.number)
            turn.play, turn.take = action.card, action.take
            turn.seat = turn.seat and action.seat  # the seat itself may be the fault
        else:
            self.month.turns.insert(self.turn, Turn(action.card, action.take))

    def _stock(self, action: Action) -> None:
        self._drop_words()
        turn = self._turn(
            self.due.number if self.due and self.due.kind == "stock" else self.turn - 1
        )
        if self.done.kind == "stock" and not (self.due and self.due.kind == "stock"):
            raise BadValue("the card of this turn is turned already", code="turned")
        if not turn.turn:
            turn.say1, turn.say = turn.say, ()
        turn.turn, turn.take2 = action.card, action.take

    def _say(self, action: Action) -> None:
        due = self.due
        if due is not None and due.kind == "say":
            turn = self._turn(due.number)
            words = turn.say1 if due.early else turn.say
            words = (*words[: due.word], action.say, *words[due.word + 1 :])
            if due.early:
                turn.say1 = words
            else:
                turn.say = words
            return
        turn = self._turn(self.turn - 1)
        if (
            turn.turn
            and self.done.kind != "stock"
            and (self.done.early or self.done.kind == "hand")
        ):
            turn.say1 = (*turn.say1, action.say)
        else:
            turn.say = (*turn.say, action.say)

    def _show(self, action: Action) -> None:
        show = Show(action.seat, tuple(action.say.split("+")), action.take)
        self._item(self.month.shows, "show", show)

    def _bid(self, action: Action) -> None:
        bids, due = self.month.bids, self.due
        here = due.number if due is not None and due.kind == "bid" else None
        if here is not None and bids[here][0] != action.seat:  # a bid that was written too early
            bids[here:] = [bid for bid in bids[here:] if bid[0] != action.seat]
            self.due = None
        self._item(bids, "bid", (action.seat, action.say == "in"))

    def _swap(self, action: Action) -> None:
        self._item(self.month.swaps, "swap", action.seat)

    def _blind(self, action: Action) -> None:
        self.month.blind = action.seat

    def _call(self, action: Action) -> None:
        self.month.turns.insert(self.turn, Call(action.say, action.seat))

    def _redeal(self, action: Action) -> None:
        self.drop_rest()
        self.month.redeal = action.say

    def _void(self, action: Action) -> None:
        self.drop_rest()
        self.month.void = action.say

    def _item(self, items: list[Any], kind: str, item: object) -> None:
        """Replace the next item of a list, or insert an item after the last position."""
        if self.due is not None and self.due.kind == kind:
            items[self.due.number] = item
        else:
            items.insert(self.done.number + 1 if self.done.kind == kind else 0, item)
