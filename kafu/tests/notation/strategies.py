"""Hypothesis strategies for games of any ruleset and score sheets, right in form but not legal.

The games are as the reader returns them: cards sorted, comments trimmed and only at existing tags
and statements. Writing and reading a game must therefore give an equal game.
"""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from kafu import cards
from kafu.notation.actions import Action
from kafu.notation.game import MOVES, Game, Month, Payment, Statement
from kafu.notation.reading.source import INVISIBLE, collapse
from kafu.notation.reading.tags import compose, note_key
from kafu.notation.vocabulary import (
    CALLS,
    DECISIONS,
    GRADES,
    REDEALS,
    RULES,
    SHEET_GRADES,
    SHOWS,
    VOIDS,
    compound,
)

T = TypeVar("T")
#: Texts in any script, with the notation's own characters more often than by chance.
WORDS = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs", "Cc", "Co")),
        st.sampled_from('{};"\\[]=/.:x 花譜　'),
    ),
    max_size=20,
).map(lambda words: INVISIBLE.sub("", words))
VALUES = WORDS.map(compose)
COMMENTS = st.lists(WORDS.map(collapse).filter(bool), min_size=1, max_size=2)
AMOUNT = st.integers(-2000, 2000)
CARD = st.sampled_from(cards.LETTERS)
HIDDEN = st.integers(1, 8).map(lambda count: "?" * count)
SAYING = st.sampled_from([Action("say", say=word) for word in sorted(set(DECISIONS.values()))])
SAID = st.lists(SAYING, max_size=2).map(tuple)
OPTIONS = {
    "hachihachi": {"ba": "B", "etsunen": "yes"},
    "koikoi": {
        "profile": "koikoi-ai",
        "months": "8",
        "goko": "12",
        "tane-step": "2",
        "dealer": "turns",
    },
    "hachihachi-bga": {"months": "6", "tobikomi-hatto": "yes", "shiso": "ends"},
    "hanaawase": {},
    "ten-five-one": {"nasake": "all-rain", "teshi": "doni", "kaburi": "no", "shiso": "ends"},
}


def some_cards(least: int = 1, most: int = 8) -> st.SearchStrategy[str]:
    """Return a strategy for different cards in card order, including the blank card."""
    pack = st.sampled_from(cards.LETTERS + cards.BLANK)
    return st.lists(pack, min_size=least, max_size=most, unique=True).map(cards.sort)


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    """Return the strategy, or None as a value."""
    return st.none() | strategy


@st.composite
def turns(draw: st.DrawFn, seats: int) -> Statement:
    """Draw a turn, or sometimes a call."""
    comments = draw(st.just([]) | COMMENTS)
    if draw(st.integers(0, 9)) == 0:
        call = Action("call", draw(st.integers(1, seats)), say=draw(st.sampled_from(CALLS)))
        return Statement("call", (call,), comments=comments)
    actions = [Action("hand", 0, draw(CARD), draw(st.just("") | some_cards(1, 3)))]
    if draw(st.integers(0, 9)):
        drawn = Action("stock", 0, draw(CARD), draw(st.just("") | some_cards(1, 3)))
        actions += [*draw(SAID), drawn, *draw(SAID)]
    else:
        actions.append(draw(SAYING))
    turn = Statement("turn", tuple(actions), comments=comments)
    turn.round = draw(st.sampled_from((None, None, 1, 2, 0, 9999)))
    turn.seat = draw(st.just(None) | st.integers(1, seats))
    return turn


@st.composite
def months(draw: st.DrawFn, rules: str, seats: int) -> Month:
    """Draw a month of cards."""
    seat = st.integers(1, seats)
    cut = draw(st.booleans())
    stock = draw(maybe(some_cards(0 if cut else 1, 24)))
    blind = draw(maybe(seat))
    bids = draw(st.lists(st.tuples(seat, st.booleans()), max_size=4, unique_by=lambda b: b[0]))
    month = Month(
        month=draw(st.integers(1, 15)),
        dealer=draw(seat),
        draws=draw(st.lists(st.dictionaries(seat, CARD, min_size=1), max_size=2)),
        split=draw(st.just({}) | st.dictionaries(seat, some_cards(4, 4), min_size=1)),
        hands=draw(st.dictionaries(seat, some_cards() | HIDDEN)),
        field=draw(maybe(some_cards())),
        stock=stock,
        stock_cut=cut and stock is not None,
        ba=draw(maybe(st.sampled_from(GRADES))),
        score=draw(maybe(st.tuples(*[AMOUNT] * seats))),
        turns=draw(st.lists(turns(seats), max_size=7)),
    )
    actions = [Action("blind", blind)] if blind else []
    actions += [Action("swap", swap) for swap in draw(st.lists(seat, max_size=2))]
    for bidder, goes_in in bids:
        if (bidder, goes_in) != (blind, True):  # the writer omits this bid (B14)
            actions.append(Action("bid", bidder, say="in" if goes_in else "out"))
    names = st.lists(st.sampled_from(sorted(SHOWS)), min_size=1, max_size=2)
    yaku = names.map(lambda names: "+".join(compound(names)))
    shown = st.just("") | some_cards()
    show = st.builds(Action, st.just("show"), seat, take=shown, say=yaku)
    actions += draw(st.lists(show, max_size=2))
    for kind, reasons in (("redeal", REDEALS), ("void", VOIDS)):
        if reason := draw(maybe(st.sampled_from(reasons))):
            actions.append(Action(kind, say=reason))  # type: ignore[arg-type]
    for action in actions:
        month.write_down(action)
    return month


@st.composite
def sheet_months(draw: st.DrawFn, seats: int) -> Month:
    """Draw a month of a score sheet."""
    label = st.sampled_from(("points", "nuke", "tanichi+sanbon", "nanatan+aotan"))
    payment = st.builds(Payment, label, st.tuples(*[AMOUNT] * seats), st.booleans())
    return Month(
        month=draw(st.integers(1, 15)),
        dealer=draw(st.integers(1, seats)),
        ba=draw(maybe(st.sampled_from(SHEET_GRADES))),
        payments=draw(st.lists(payment, max_size=3)),
        stone=draw(maybe(st.integers(1, seats))),
        score=draw(maybe(st.tuples(*[AMOUNT] * seats))),
    )


def keys(month: Month) -> list[str]:
    """Return the keys of a month's comments."""
    names = [key for key, item in month.keyed() if item.keyword not in MOVES]
    return [*names, "turns"] if month.turns else names


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draw a game of any ruleset, or a score sheet."""
    rules = RULES[draw(st.sampled_from(sorted(RULES)))]
    seats = draw(st.sampled_from(list(rules.seats)))
    sheet = draw(st.booleans())
    tags = {}
    for name in ("Event", "Site", "Round", "Source", "x-own"):
        if draw(st.booleans()):
            tags[name] = draw(VALUES)
    if draw(st.booleans()):
        tags["Date"] = draw(st.sampled_from(("2026-01-03", "2026-??-??", "2026", "2026-01")))
    if draw(st.booleans()):
        tags["Termination"] = draw(st.sampled_from(("normal", "unfinished", f"resigned {seats}")))
    if sheet:
        tags["Sheet"] = "1"
    values = OPTIONS[rules.id]
    chosen = draw(st.lists(st.sampled_from(sorted(values)), unique=True)) if values else []
    month = sheet_months(seats) if sheet else months(rules.id, seats)
    game = Game(
        rules.id,
        tuple(draw(st.lists(VALUES.map(str.strip), min_size=seats, max_size=seats))),
        options={name: values[name] for name in chosen},
        tags=tags,
        months=draw(st.lists(month, min_size=1, max_size=2)),
        result=draw(maybe(st.tuples(*[AMOUNT] * seats))),
        final=draw(maybe(st.tuples(*[AMOUNT] * seats))),
    )
    allowed_keys = ["head", "Kafu", "Rules", "Player1", *map(note_key, tags)]
    allowed_keys += ["Options"] if game.options else []
    allowed_keys += ["Result"] if game.result is not None else []
    allowed_keys += ["final"] if game.final is not None else []
    game.notes = draw(st.dictionaries(st.sampled_from(allowed_keys), COMMENTS, max_size=2))
    for drawn_month in game.months:
        drawn_month.notes = draw(
            st.dictionaries(st.sampled_from(keys(drawn_month)), COMMENTS, max_size=2)
        )
    return game
