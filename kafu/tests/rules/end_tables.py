"""Small tables for rulesets scored at the end: the last turn of a deal from what each captured."""

from __future__ import annotations

from kafu import cards
from kafu.rules.play.actions import Draw, Play
from kafu.rules.play.at_end import AtEnd, AtEndState, Claim
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards


def counted(
    rules: AtEnd,
    captured: dict[int, str],
    *,
    order: tuple[int, ...] = (1, 2, 3),
    dealer: int = 1,
    claims: tuple[Claim, ...] = (),
    month: int = 1,
) -> AtEndState:
    """Return the state after a played-out deal with the given captured cards.

    The last seat of ``order`` takes its last two pairs in the turn that ends the deal.
    """
    assert sorted("".join(captured.values())) == sorted(cards.LETTERS)
    last = order[-1]
    last_cards = cards.mask(captured[last])
    pairs: list[list[int]] = []
    for group in cards.MONTHS[1:]:
        two = list(cards.bits(last_cards & group))[:2]
        if len(two) == 2 and len(pairs) < 2:
            pairs.append(two)
    (played, met), (turned, under) = pairs
    held = [cards.mask(captured.get(seat, "")) for seat in range(1, rules.players + 1)]
    held[last - 1] &= ~(played | met | turned | under)
    hands = [0] * rules.players
    hands[last - 1] = played
    table = TableCards(
        hands=tuple(hands),
        hidden=(0,) * rules.players,
        field=met | under,
        captured=tuple(held),
        stock=(turned,),
        left=1,
        seen=cards.ALL,
    )
    state = rules.start().replace(
        phase=Phase.HAND,
        month=month,
        dealer=dealer,
        deals=month,
        order=order,
        table=table,
        seat=last,
        turn=20,
        claims=claims,
    )
    state, _ = rules.apply(state, Play(played, met))
    state, _ = rules.apply(state, Draw(turned, under))
    assert state.result is not None
    return state


def ledger(state: AtEndState) -> dict[str, tuple[int, ...]]:
    """Return the payments of the ended deal, by label."""
    assert state.result is not None
    return {line.label: line.amounts for line in state.result.ledger}


def remaining_cards(*used: str) -> str:
    """Return all cards that are not in ``used``."""
    return "".join(card for card in cards.LETTERS if card not in "".join(used))
