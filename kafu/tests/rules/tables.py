"""Small tables for engine tests of koi-koi: positions in card letters, and their houses."""

from __future__ import annotations

from kafu import cards
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.machine import HAND, Koikoi
from kafu.rules.koikoi.profiles import PROFILES, Profile, find_profile
from kafu.rules.play.actions import Draw, Play, Say
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult

MACHINE = Koikoi(PROFILES["koikoi"])


def position(
    captured: str = "",
    other: str = "",
    *,
    hand: str,
    field: str = "",
    stock: str,
    turn: int = 0,
    replayed: bool = False,
    machine: Koikoi = MACHINE,
) -> KoikoiState:
    """Seat 1 is to play ``hand``; the yaku it holds already are taken as made in earlier turns."""
    table = TableCards(
        hands=(cards.mask(hand), 0),
        hidden=(0, 8),
        field=cards.mask(field),
        captured=(cards.mask(captured), cards.mask(other)),
        stock=tuple(cards.BIT[card] for card in stock),
        left=24,
        seen=cards.mask(hand + field + captured + other + stock),
    )
    state = KoikoiState().replace(
        phase=Phase.HAND,
        dealer=1,
        settling=False,
        replayed=replayed,
        deals=1,
        table=table,
        seat=1,
        turn=turn,
    )
    return state.replace(made=(machine.yaku(state, 1), machine.yaku(state, 2)))


def after(state: KoikoiState, text: str, machine: Koikoi = MACHINE) -> KoikoiState:
    """Return the state after a turn in Kafu, like ``BxA/GxH``."""
    hand, _, stock = text.partition("/")
    for part, action in ((hand, Play), (stock, Draw)):
        card, _, take = part.partition("x")
        state, _ = machine.apply(state, action(cards.BIT[card], cards.mask(take)))
    return state


def yaku(state: KoikoiState, machine: Koikoi = MACHINE) -> dict[str, int]:
    """Return the yaku of seat 1 with their values."""
    return {made_yaku.id: made_yaku.value for made_yaku in machine.yaku(state, 1)}


def make_profile(**options: str) -> Profile:
    chosen = find_profile({name.replace("_", "-"): value for name, value in options.items()})
    assert chosen is not None
    return chosen


def make_machine(**options: str) -> Koikoi:
    return Koikoi(make_profile(**options))


def result(state: KoikoiState) -> DealResult:
    assert state.result is not None
    return state.result


def exhausted(machine: Koikoi, *, month: int = 1, dealer: int = 1) -> KoikoiState:
    """Return a month whose last hand card is played by seat 1 and makes nothing."""
    state = position("", hand="b", stock="G", turn=2 * HAND - 1, machine=machine)
    table = state.table.replace(hidden=(0, 0))
    return after(state.replace(table=table, month=month, dealer=dealer), "b/G", machine)


def played(machine: Koikoi, winners: str) -> KoikoiState:
    """Return a game whose months were won by the seats with 三光 (0: hands played out)."""
    state = machine.start()
    for month, seat in enumerate(winners, start=1):
        before = state
        table = position("AI", hand="c", field="e", stock="R", machine=machine).replace(
            month=month, totals=before.totals, winners=before.winners, deals=month
        )
        if seat == "0":
            table = table.replace(turn=2 * HAND - 1)
            table = table.replace(
                table=table.table.replace(
                    captured=(0, 0), hands=(cards.mask("b"), 0), hidden=(0, 0)
                )
            )
            state, _ = machine.apply(table, Play(cards.BIT["b"]))
            state, _ = machine.apply(state, Draw(cards.BIT["R"]))
            continue
        if seat == "2":
            laid = table.table.replace(
                hands=table.table.hands[::-1],
                hidden=table.table.hidden[::-1],
                captured=(0, cards.mask("AI")),
            )
            table = table.replace(table=laid, seat=2)
        state, _ = machine.apply(after(table, "cxe/R", machine), Say("shobu"))
    return state
