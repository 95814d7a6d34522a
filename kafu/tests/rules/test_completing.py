"""The possible cards of hidden hands, compared with an enumeration (C9)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules import codes
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.play import completing, declaring
from kafu.rules.play.actions import Deal, Illegal, ShowAction
from kafu.rules.play.completing import Budget, Hidden
from kafu.rules.ten_five_one.machine import BY_CLASS, TenFiveOneHouse

SEEDS = st.integers(0, 2**32)
HOUSE = TenFiveOneHouse(
    {"nasake": "all-rain", "teshi": "all"}
    | dict.fromkeys(("kuttsuki", "futasanbon", "haneken", "ichinishi", "shiso"), "yes")
)


def of_hachihachi(random: Random, hand: int) -> tuple[int, declaring.HiddenCheck] | None:
    """Return the open cards of a declaration and its check; sometimes the wrong cards."""
    declarations = list(hachihachi_hands.declarations(hand))
    if not declarations:
        return None
    declaration = random.choice(declarations)
    opened = declaration.cards if random.random() < 0.8 else hand & random.getrandbits(48)
    return opened, hachihachi_hands.look(
        ShowAction(1, declaration.yaku, opened, random.random() < 0.2)
    )


def of_ten_five_one(random: Random, hand: int) -> tuple[int, declaring.HiddenCheck] | None:
    """As `of_hachihachi`."""
    declarations = HOUSE.declarations(hand, doni=True, chosen=True)
    if not declarations:
        return None
    due = random.choice(declarations)
    classes = BY_CLASS["nasake"] if "nasake" in due.yaku else ()
    return due.cards, declaring.HiddenCheck(
        lambda hand: due in HOUSE.declarations(hand, doni=True, chosen=True),
        due.yaku != ("nasake",),
        classes,
    )


def dealt(random: Random) -> list[int]:
    """Return a pack, often with few months at its head, so that hands have yaku."""
    pack = list(cards.bits(cards.ALL))
    random.shuffle(pack)
    if random.random() < 0.6:
        months = random.sample(cards.MONTHS[1:], random.randint(4, 6))
        pack.sort(key=lambda card: not card & sum(months))
    return pack


def some(random: Random, group: int, most: int) -> list[int]:
    """Return some cards of a group."""
    choice = list(cards.bits(group))
    return random.sample(choice, random.randint(0, min(most, len(choice))))


@pytest.mark.parametrize("look", [of_hachihachi, of_ten_five_one])
@given(SEEDS)
def test_possible_cards_of_one_hidden_hand_equal_an_enumeration(look, seed: int) -> None:  # type: ignore[no-untyped-def]
    """Every completion is judged, though few are gone through."""
    random = Random(seed)
    pack = dealt(random)
    hand = sum(pack[:7])
    if (declared := look(random, hand)) is None:
        return
    opened, check = declared
    covered = some(random, hand & ~opened, 5)
    pool = sum(covered) | sum(pack[7 : 7 + random.randint(0, 7)])
    pool &= check.among
    visible, slots = hand & ~sum(covered), len(covered)
    judged = completing.outcomes(
        Hidden(visible, slots, pool, check.right, check.by_month, check.classes), Budget(10**6)
    )
    every = combinations(cards.bits(pool), slots)
    assert judged == frozenset(check.right(visible | sum(hidden_cards)) for hidden_cards in every)


@given(SEEDS)
def test_possible_cards_of_two_hidden_hands_equal_an_enumeration(seed: int) -> None:
    """No card goes to both."""
    random = Random(seed)
    pack = dealt(random)
    hands, pool = [], sum(pack[14 : 14 + random.randint(0, 3)])
    for dealt_hand in (pack[:7], pack[7:14]):
        declared = of_hachihachi(random, sum(dealt_hand))
        if declared is None:
            return
        opened, check = declared
        covered = some(random, sum(dealt_hand) & ~opened, 3)
        pool |= sum(covered)
        hands.append((sum(dealt_hand) & ~sum(covered), len(covered), check))
    asked_of = [
        (
            Hidden(visible, slots, pool, look.right, look.by_month, look.classes),
            random.random() < 0.8,
        )
        for visible, slots, look in hands
    ]
    (first, first_check), (second, second_check) = asked_of
    fits = any(
        first.judge(first.known | sum(completion)) == first_check
        and second.judge(second.known | sum(two)) == second_check
        for completion in combinations(cards.bits(pool), first.slots)
        for two in combinations(cards.bits(pool & ~sum(completion)), second.slots)
    )
    completed = completing.complete(asked_of, Budget(10**6))
    assert (completed is not None) is fits
    if completed is not None:
        assert not completed[0] & completed[1]
        for group, (hand, due) in zip(completed, asked_of, strict=True):
            assert not group & ~hand.pool
            assert group.bit_count() == hand.slots
            assert hand.judge(hand.known | group) == due


def test_hands_with_too_many_completions_are_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound: nothing is refused then."""
    rules = Hachihachi({})
    hands = dict.fromkeys((1, 2, 3), "???????")
    state, _ = rules.apply(rules.start(), Deal(1, 1, hands, "klsuPZ", None, True))
    show = ShowAction(2, ("sanbon",), cards.mask("EF"))
    with pytest.raises(Illegal):
        rules.apply(state, show)
    monkeypatch.setattr(completing, "LIMIT", 10)
    assert rules.apply(state, show)[1][-1].kind == "unproved"


def test_two_players_who_need_the_same_unseen_card_are_refused() -> None:
    """C9: each alone may have 十一, but only one animal is unseen."""
    rules = Hachihachi({})
    hand, opened = "CDGHKL", "OPSTWX"
    lying = hand + opened + "kZ"
    stock = "".join(card for card in cards.LETTERS if card not in lying)
    hands = {1: stock[:7], 2: "???????", 3: "???????"}
    state, _ = rules.apply(rules.start(), Deal(1, 1, hands, stock[7:13], stock[13:]))
    first = ShowAction(2, ("toichi",), cards.mask(hand))
    second = ShowAction(3, ("toichi",), cards.mask(opened))
    rules.apply(state, second)
    state, events = rules.apply(state, first)
    assert events[-1].kind == "unproved"
    with pytest.raises(Illegal) as caught:
        rules.apply(state, second)
    assert caught.value.code is codes.SHOW_FALSE
    rules.apply(state, second._replace(yaku=("tanichi",)))
    with pytest.raises(Illegal) as caught:  # a voided declaration must be false (H22)
        rules.apply(state, second._replace(yaku=("tanichi",), disputed=True))
    assert caught.value.code is codes.SHOW_RIGHT
