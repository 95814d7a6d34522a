"""Games as a second, naive computation of the statistics sees them.

Plain values from the verdict's JSON (verdict.md), the record itself and the replay's JSON, without
anything of `records.statistics`. What would have been, had a player stopped, is found by writing
that record and judging it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from kafu import cards
from kafu.judging.playthrough import play
from kafu.judging.replay import replay
from kafu.judging.walk import Outcome
from kafu.notation.game import Call, Game, Month, Turn
from kafu.notation.reading.reader import read
from kafu.rules import codes
from kafu.rules.rulesets import RULESETS, machine_of

#: The statuses whose deals count.
LEGAL: Final = ("verified", "consistent", "unfinished", "mismatch")
#: Deals that are dealt again: nobody won or lost.
AGAIN: Final = ("redeal", "void")
#: The words that stop, each with the one that plays on.
GOES_ON: Final = {"shobu": "koikoi", "agari": "sage"}
#: What a hatto card can help to (H12, B10): the cards of each yaku.
HATTO: Final = {
    "hachihachi": ("AIcos", "AIcs", "BFJ", "Vhl", "YkU"),
    "hachihachi-bga": ("AIcos", "AIcs", "BFJ", "Vhl"),
}
#: Dealt-hand yaku with threes that may be jumped into (H15); はねけん has one too.
THREES: Final = {"sanbon", "tatesanbon", "futasanbon", "sanbon-tatesanbon", "futatatesanbon"}


@dataclass
class Choice:
    """A seat that could stop or play on: what it said, and the scores had it stopped."""

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stop: int
    stopped: tuple[int, ...]


@dataclass
class Deal:
    """One deal; what only a record of cards can tell is empty for a sheet.

    ``order`` are the seats in play from the dealer on. ``hands``: seat and the row and column of
    the table of odds that its dealt hand is in. ``opening``: seat, card, what it took, the field
    before. ``thrown``: seat and hatto card; ``paid``: the same, and what was paid for others.
    """

    end: str
    grade: str | None
    bound: str | None
    ledger: list[dict[str, Any]]
    score: list[int]
    order: tuple[int, ...]
    winner: int | None = None
    turns: int = 0
    hands: list[tuple[int, str, str]] = field(default_factory=list)
    captured: list[str] = field(default_factory=list)
    opening: tuple[int, str, str, str] | None = None
    choices: list[Choice] = field(default_factory=list)
    thrown: set[tuple[int, str]] = field(default_factory=set)
    paid: list[tuple[int, str, int]] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether anybody can have won or lost it."""
        return self.end not in AGAIN


@dataclass
class Seen:
    """A game: ``month`` is YYYYMM, YYYY00 or 0 where it is unknown; ``final`` in the small unit."""

    text: str
    verdict: Mapping[str, Any]

    @cached_property
    def game(self) -> Game:
        """The record."""
        found = read(self.text).game
        assert found is not None
        return found

    @property
    def rules(self) -> str:
        """The ruleset."""
        return self.game.rules

    @property
    def profile(self) -> str:
        """The house."""
        return self.game.options.get("profile", self.rules)

    @property
    def date(self) -> str:
        """The date as it is written; "" for none."""
        return self.game.tags.get("Date", "")

    @property
    def month(self) -> int:
        """The month of play."""
        known = re.match(r"(\d{4})-(\d{2}|\?\?)", self.date)
        return int(known[1] + known[2].replace("??", "00")) if known else 0

    @property
    def day(self) -> str:
        """The first day that it may have been played on; "" for none."""
        return self.date.replace("-??", "-01")

    @property
    def event(self) -> str:
        """The event; "" for none."""
        return self.game.tags.get("Event", "")

    def seats(self, player: str) -> list[int]:
        """The seats of a player."""
        return [i for i, name in enumerate(self.game.players, start=1) if name == player]

    @property
    def final(self) -> list[int] | None:
        """The settlement, 88's kan in points; None if the game did not end."""
        final = self.verdict["final"]
        return [sum_ * (12 if self.rules == "hachihachi" else 1) for sum_ in final or ()] or None

    @cached_property
    def deals(self) -> list[Deal]:
        """The deals that ended."""
        judged = self.verdict["deals"]
        if self.game.is_sheet:
            return [_of_sheet(self.rules, deal) for deal in judged]
        shown = replay(self.game)["deals"]
        return [_seen(self.game, number, deal, shown[number]) for number, deal in enumerate(judged)]

    @property
    def graded(self) -> Iterator[tuple[str | None, str]]:
        """What was carried in and the field's grade, where both are certain."""
        for number, deal in enumerate(self.deals):
            before = self.game.months[number - 1].ba if number else "written"
            certain = deal.bound or (before and not before.endswith("2"))
            if deal.grade and (certain or not self.game.is_sheet):
                yield deal.bound, deal.grade.rstrip("2")


def legal(texts: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Seen]:
    """The games that count, each once: of records of one game that of the better status."""
    found: dict[str, Seen] = {}
    for text, verdict in texts:
        if verdict["status"] not in LEGAL or not verdict.get("deals"):
            continue
        one = Seen(text, verdict)
        other = found.get(verdict["identity"])
        if other is None or _rank(one) < _rank(other):
            found[verdict["identity"]] = one
    return list(found.values())


def _rank(seen: Seen) -> int:
    return LEGAL.index(seen.verdict["status"])


def _from_verdict(deal: Mapping[str, Any], seats: Iterable[int]) -> Deal:
    playing = sorted(seats)
    later = [seat for seat in playing if seat >= deal["dealer"]]
    order = tuple(later + [seat for seat in playing if seat < deal["dealer"]])
    told = {name: deal[name] for name in ("end", "grade", "bound", "ledger", "score")}
    return Deal(order=order, **told)


def _of_sheet(rules: str, judged: Mapping[str, Any]) -> Deal:
    """A month of a sheet. In koi-koi who got something won it, but for the dealer's privilege; else
    who deals next, or who made 四三, which ends the game. Of more than three nobody knows who
    played.
    """
    deal = _from_verdict(judged, range(1, len(judged["score"]) + 1))
    if len(deal.score) > 3:
        deal.order = ()
    labels = {name for line in deal.ledger for name in line["label"].split("+")}
    if rules == "koikoi":
        won = max(deal.score) > 0 and "oyaken" not in labels
        deal.winner = deal.score.index(max(deal.score)) + 1 if won else None
        return deal
    shiso = (
        line["amounts"] for line in deal.ledger if "shiso" in line["label"] and not line["void"]
    )
    makers = (sums.index(max(sums)) + 1 for sums in shiso)
    deal.winner = judged["next_dealer"] or next(makers, None)
    return deal


def _seen(game: Game, number: int, judged: Mapping[str, Any], shown: Mapping[str, Any]) -> Deal:
    steps = shown["steps"]
    month = game.months[number]
    first = next(i for i, step in enumerate(steps) if step["kind"] in ("hand", "end"))
    before = steps[first - 1]
    deal = _from_verdict(judged, (i for i, hand in enumerate(before["hands"], 1) if hand))
    deal.winner = steps[-1]["seat"]
    deal.turns = sum(step["kind"] == "hand" for step in steps)
    if month.redeal != "misdeal" and month.void not in ("misdeal", "mismatch"):
        deal.hands = list(_dealt(game.rules, steps[0]["hands"]))
    if steps[first]["kind"] == "hand":
        played = steps[first]
        deal.opening = played["seat"], played["card"], played["take"], before["field"]
        deal.captured = steps[-1]["captured"]
    if deal.counts:
        deal.choices = list(_choices(game, number, deal, steps))
        if game.rules in HATTO:
            threes = list(_threes(month)) if game.rules == "hachihachi" else []
            if game.options.get("tobikomi-hatto") == "yes":
                threes = list(_threes_unsaid(month, deal.order))
            deal.thrown = set(_thrown(game.rules, threes, steps, deal.order))
            deal.paid = list(_paid(deal, steps))
    return deal


def _dealt(rules: str, hands: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    described = RULESETS[rules]
    assert described.dealt
    size, judge = described.hand, described.dealt.judge
    for seat, hand in enumerate(hands, start=1):
        if len(hand) == size and "?" not in hand:
            yield seat, *judge(cards.mask(hand))


# Choices ------------------------------------------------------------------------------------------


def _choices(game: Game, number: int, deal: Deal, steps: list[dict[str, Any]]) -> Iterator[Choice]:
    """Of the words said those in whose place another could have been."""
    turn, part, words = -1, "", 0
    for before, step in pairwise(steps):
        if step["kind"] in ("hand", "stock"):
            turn += step["kind"] == "hand"
            part, words = step["kind"], 0
        if step["kind"] != "say":
            continue
        words += 1
        word, seat = step["say"], step["seat"]
        if (
            word not in {*GOES_ON, *GOES_ON.values()}
            or before["say"] == "nimai"
            or before["kind"] == "end"
        ):
            continue
        stops = "shobu" if word in ("shobu", "koikoi") else "agari"
        if word != stops:
            stopped = _instead(game, number, turn, part, words - 1, stops).deals[number].score
        elif _is_forced(game, number, turn, part, words - 1, GOES_ON[word]):
            continue
        else:
            stopped = tuple(deal.score)
        yield Choice(
            seat,
            word,
            tuple(one["id"] for one in before["yaku"][seat - 1]),
            len(before["hands"][seat - 1]),
            max(len(taken) for i, taken in enumerate(before["captured"], 1) if i != seat),
            stopped[seat - 1],
            tuple(stopped),
        )


def _is_forced(game: Game, number: int, turn: int, part: str, words: int, other: str) -> bool:
    """Whether the word said was the only one, so that nothing was chosen."""
    if game.rules == "koikoi" and "profile" not in game.options:
        return False  # K10: both, on the last card too
    fault = _instead(game, number, turn, part, words, other).fault
    # That the record stops within a turn is no matter.
    return fault is not None and fault.code is not codes.STOCK_MISSING


def _instead(game: Game, number: int, turn: int, part: str, words: int, word: str) -> Outcome:
    """What comes of the record up to this word, which stands in the place of the one said."""
    months = game.months[: number + 1]
    turns = months[-1].turns
    place = [i for i, one in enumerate(turns) if isinstance(one, Turn)][turn]
    last = copy(turns[place])
    assert isinstance(last, Turn)
    if part == "hand" and last.turn:
        last.say, last.say1, last.turn, last.take2 = last.say1, (), "", ""
    last.say = (*last.say[:words], word)
    months[-1] = replace(months[-1], turns=[*turns[:place], last])
    tags = {**game.tags, "Termination": "unfinished"}
    record = Game(game.rules, game.players, game.options, tags, months)
    return play(record, machine_of(game.rules, game.options, len(game.players)))


# Hatto --------------------------------------------------------------------------------------------


def _thrown(
    rules: str,
    threes: list[tuple[int, str, str]],
    steps: list[dict[str, Any]],
    order: tuple[int, ...],
) -> Iterator[tuple[int, str]]:
    """The seats that threw a hatto card, and the card (H12, H14, H15; B10, B15)."""
    for i, step in enumerate(steps):
        if step["kind"] != "hand":
            continue
        seat, card, before = step["seat"], step["card"], steps[i - 1]
        if _lets_go(threes, seat, card, before):
            yield seat, card
        last = not step["hands"][seat - 1]
        exempt = any(one["say"] == "menjo" for one in steps[i + 1 : i + 2])
        # In 88 a card is thrown when the turn goes on after it.
        goes_on = rules == "hachihachi-bga" or any(one["kind"] == "stock" for one in steps[i:])
        if step["take"] or last or exempt or not goes_on:
            continue
        helps = any(
            _helps(rules, before["captured"], maker, card) for maker in order if maker != seat
        )
        if helps or _gives(threes, seat, card, before):
            yield seat, card


def _helps(rules: str, captured: list[str], maker: int, card: str) -> bool:
    """Whether a card is the one that the maker lacks of a yaku, or may stand for it."""
    taken = set("".join(captured))
    for yaku in HATTO[rules]:
        lacking = set(yaku) - set(captured[maker - 1])
        if len(lacking) != 1:
            continue
        (last,) = lacking
        if _month_of(last) != _month_of(card):
            continue
        if rules == "hachihachi-bga":
            return True
        others = set(_cards_of(_month_of(last))) - {last, card}
        if last not in taken and (last == card or others <= taken):
            return True
    return False


def _threes(month: Month) -> Iterator[tuple[int, str, str]]:
    """The declared threes: seat, the three cards, the fourth."""
    void = {one.seat for one in month.turns if isinstance(one, Call) and one.word == "void-show"}
    for show in month.shows:
        if not {*THREES, "haneken"} & set(show.yaku) or show.seat in void:
            continue
        for number in range(1, 13):
            held = [card for card in show.cards if _month_of(card) == number]
            if len(held) == 3:
                (fourth,) = set(_cards_of(number)) - set(held)
                yield show.seat, "".join(held), fourth


def _threes_unsaid(month: Month, order: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    """The threes of those who play, which nobody need declare: none in はねけん or beside a four
    (B6, B11, B15).
    """
    for seat in order:
        hand = month.hands[seat]
        counts = Counter(map(_month_of, hand))
        if 4 in counts.values() or sorted(counts.values()) == [2, 2, 3]:
            continue
        for number, count in counts.items():
            if count == 3:
                held = [card for card in hand if _month_of(card) == number]
                (fourth,) = set(_cards_of(number)) - set(held)
                yield seat, "".join(held), fourth


def _gives(
    threes: list[tuple[int, str, str]], seat: int, card: str, before: dict[str, Any]
) -> bool:
    """H15 (a): the fourth card is thrown while the three is whole in hand."""
    return any(
        owner != seat and card == fourth and set(three) <= set(before["hands"][owner - 1])
        for owner, three, fourth in threes
    )


def _lets_go(
    threes: list[tuple[int, str, str]], seat: int, card: str, before: dict[str, Any]
) -> bool:
    """H15 (b): the first of the three lies on the field, and is not taken with the fourth."""
    return any(
        owner != seat
        and fourth in before["hands"][seat - 1]
        and card != fourth
        and len(set(three) & set(before["hands"][owner - 1])) == 2
        and set(three) & set(before["field"])
        for owner, three, fourth in threes
    )


def _paid(deal: Deal, steps: list[dict[str, Any]]) -> Iterator[tuple[int, str, int]]:
    """What was paid for the others because of a hatto card, where the payment stood."""
    due = [(line["label"], line["amounts"]) for line in deal.ledger if not line["void"]]
    for event in (event for step in steps for event in step["events"]):
        if event["kind"] == "pay" and event["why"] == "hatto":
            if (event["yaku"], event["amounts"]) not in due:
                continue
            gets, payer = max(event["amounts"]), event["payer"]
            # Each of the others would have paid the same.
            yield payer, event["card"], gets - gets // (len(deal.order) - 1)


def _month_of(card: str) -> int:
    return cards.CARD[card].month


def _cards_of(month: int) -> str:
    return "".join(card.letter for card in cards.PACK if card.month == month)
