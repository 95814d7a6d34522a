"""Games in a second, naive computation of the statistics.

Plain values from the verdict's JSON (verdict.md), the record itself and the replay's JSON, without
`records.statistics`. The outcome of stopping is found by writing and judging the changed record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from kafu import cards
from kafu.judging.outcome import Outcome
from kafu.judging.playthrough import Playthrough
from kafu.judging.replay import stored_replay
from kafu.notation.actions import Action
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import read
from kafu.rules import codes
from kafu.rules.rulesets import RULESETS

#: The statuses whose deals count.
LEGAL: Final = ("verified", "consistent", "unfinished", "mismatch")
#: Deals that are dealt again, without winner and loser.
AGAIN: Final = ("redeal", "void")
#: The words for stopping, each with the word for playing on.
GOES_ON: Final = {"shobu": "koikoi", "agari": "sage"}
#: Yaku that a hatto card can help to complete (H12, B10): the cards of each yaku.
HATTO: Final = {
    "hachihachi": ("AIcos", "AIcs", "BFJ", "Vhl", "YkU"),
    "hachihachi-bga": ("AIcos", "AIcs", "BFJ", "Vhl"),
}
#: Dealt-hand yaku with threes, subject to 飛込み (H15); はねけん has one too.
THREES: Final = {"sanbon", "tatesanbon", "futasanbon", "sanbon-tatesanbon", "futatatesanbon"}


@dataclass
class Choice:
    """A choice of a seat to stop or play on: the declared word, and the payments had it stopped."""

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stop: int
    stopped: Sequence[Sequence[int]]


@dataclass
class Deal:
    """One deal; values known only from moves are empty for a sheet.

    ``order`` are the seats in play from the dealer on. ``hands``: seat, row and column of a dealt
    hand in the table of odds. ``opening``: seat, card, captured cards, the field before.
    ``thrown``: seat and hatto card; ``paid``: the same, and the payment for others. ``completed``:
    seat, captured yaku, and the seat's own turn.
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
    completed: list[tuple[int, str, int]] = field(default_factory=list)
    thrown: set[tuple[int, str]] = field(default_factory=set)
    paid: list[tuple[int, str, int]] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether the deal can have a winner or a loser."""
        return self.end not in AGAIN

    @property
    def payments(self) -> list[Sequence[int]]:
        """The amounts of the lines that were not struck out."""
        return [line["amounts"] for line in self.ledger if not line["void"]]


def margin(payments: Iterable[Sequence[int]], seat: int) -> int:
    """Return the sum of a seat, less what the opponents got from nobody."""
    total = 0
    for amounts in payments:
        own_amount = amounts[seat - 1]
        total += own_amount - (sum(amounts) - own_amount if sum(amounts) else 0)
    return total


@dataclass
class PlainGame:
    """A game: ``month`` is YYYYMM, YYYY00 or 0 if unknown; ``final`` in the small unit."""

    text: str
    verdict: Mapping[str, Any]

    @cached_property
    def game(self) -> Game:
        """The record."""
        game = read(self.text).game
        assert game is not None
        return game

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
        """The date as written; "" for none."""
        return self.game.tags.get("Date", "")

    @property
    def month(self) -> int:
        """The month of play."""
        match = re.match(r"(\d{4})-(\d{2}|\?\?)", self.date)
        return int(match[1] + match[2].replace("??", "00")) if match else 0

    @property
    def day(self) -> str:
        """The first possible day of play; "" for none."""
        return self.date.replace("-??", "-01")

    @property
    def event(self) -> str:
        """The event; "" for none."""
        return self.game.tags.get("Event", "")

    def seats(self, player: str) -> list[int]:
        """Return the seats of a player."""
        return [i for i, name in enumerate(self.game.players, start=1) if name == player]

    @property
    def final(self) -> list[int] | None:
        """The settlement, 88's kan in points; None for an unfinished game."""
        final = self.verdict["final"]
        return [sum_ * (12 if self.rules == "hachihachi" else 1) for sum_ in final or ()] or None

    @cached_property
    def deals(self) -> list[Deal]:
        """The finished deals."""
        judged = self.verdict["deals"]
        if self.game.is_sheet:
            return [_of_sheet(self.rules, deal) for deal in judged]
        shown = stored_replay(self.game)["deals"]
        return [
            _from_moves(self.game, number, deal, shown[number])
            for number, deal in enumerate(judged)
        ]

    @property
    def graded(self) -> Iterator[tuple[str | None, str]]:
        """The carried-over grade and the field's grade of each deal, if both are certain."""
        for number, deal in enumerate(self.deals):
            before = self.game.months[number - 1].ba if number else "written"
            certain = deal.bound or (before and not before.endswith("2"))
            if deal.grade and (certain or not self.game.is_sheet):
                yield deal.bound, deal.grade.rstrip("2")


def legal(texts: Iterable[tuple[str, Mapping[str, Any]]]) -> list[PlainGame]:
    """Return the games that count, each once, with the better status of equal games."""
    games: dict[str, PlainGame] = {}
    for text, verdict in texts:
        if verdict["status"] not in LEGAL or not verdict.get("deals"):
            continue
        plain_game = PlainGame(text, verdict)
        earlier = games.get(verdict["identity"])
        if earlier is None or _rank(plain_game) < _rank(earlier):
            games[verdict["identity"]] = plain_game
    return list(games.values())


def _rank(plain_game: PlainGame) -> int:
    return LEGAL.index(plain_game.verdict["status"])


def _from_verdict(deal: Mapping[str, Any], seats: Iterable[int]) -> Deal:
    playing = sorted(seats)
    later = [seat for seat in playing if seat >= deal["dealer"]]
    order = tuple(later + [seat for seat in playing if seat < deal["dealer"]])
    fields = {name: deal[name] for name in ("end", "grade", "bound", "ledger", "score")}
    return Deal(order=order, **fields)


def _of_sheet(rules: str, judged: Mapping[str, Any]) -> Deal:
    """Return the deal of a sheet's month.

    In koi-koi the winner is the seat with a score, except by 親権; otherwise the next dealer, or
    the seat with 四三, which ends the game. With more than three seats the players are unknown.
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


def _from_moves(
    game: Game, number: int, judged: Mapping[str, Any], shown: Mapping[str, Any]
) -> Deal:
    steps = shown["steps"]
    month = game.months[number]
    first = next(i for i, step in enumerate(steps) if step["kind"] in ("hand", "end"))
    before = steps[first - 1]
    deal = _from_verdict(judged, (i for i, hand in enumerate(before["hands"], 1) if hand))
    deal.winner = steps[-1]["seat"]
    deal.completed = list(_completed(steps))
    deal.turns = month.played
    ends = {end.say for end in (*month.actions("redeal"), *month.actions("void"))}
    if not ends & {"misdeal", "mismatch"}:
        # A hand known only from its play is no fair sample.
        hands = [
            hand if "?" not in month.hands.get(seat, "?") else "?"
            for seat, hand in enumerate(steps[0]["hands"], start=1)
        ]
        deal.hands = list(_dealt(game.rules, hands))
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


def _completed(steps: list[dict[str, Any]]) -> Iterator[tuple[int, str, int]]:
    """Yield each captured yaku when a seat has it for the first time."""
    turns, known = Counter[int](), set[tuple[int, str]]()
    for step in steps:
        seat = step["seat"]
        if step["kind"] not in ("hand", "stock"):
            continue
        turns[seat] += step["kind"] == "hand"
        for yaku in step["yaku"][seat - 1]:
            if (seat, yaku["id"]) not in known:
                yield seat, yaku["id"], turns[seat]
                known.add((seat, yaku["id"]))


def _dealt(rules: str, hands: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    described = RULESETS[rules]
    assert described.dealt
    size, judge = described.hand, described.dealt.judge
    for seat, hand in enumerate(hands, start=1):
        if len(hand) == size and "?" not in hand:
            yield seat, *judge(cards.mask(hand))


# Choices ------------------------------------------------------------------------------------------


def _choices(game: Game, number: int, deal: Deal, steps: list[dict[str, Any]]) -> Iterator[Choice]:
    """Yield the declared words that were real choices."""
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
            instead = _instead(game, number, turn, part, words - 1, stops).deals[number]
            stopped: Sequence[Sequence[int]] = [
                line.amounts for line in instead.ledger if not line.void
            ]
        elif _is_forced(game, number, turn, part, words - 1, GOES_ON[word]):
            continue
        else:
            stopped = deal.payments
        yield Choice(
            seat,
            word,
            tuple(yaku["id"] for yaku in before["yaku"][seat - 1]),
            len(before["hands"][seat - 1]),
            max(
                len(cards_of_seat)
                for i, cards_of_seat in enumerate(before["captured"], 1)
                if i != seat
            ),
            sum(amounts[seat - 1] for amounts in stopped),
            stopped,
        )


def _is_forced(game: Game, number: int, turn: int, part: str, words: int, alternative: str) -> bool:
    """Return whether the declared word was the only legal word."""
    if game.rules == "koikoi" and "profile" not in game.options:
        return False  # K10: both, on the last card too
    fault = _instead(game, number, turn, part, words, alternative).fault
    # The end of the record within the turn is irrelevant.
    return fault is not None and fault.code is not codes.STOCK_MISSING


def _instead(game: Game, number: int, turn: int, part: str, words: int, word: str) -> Outcome:
    """Return the outcome of the record up to a word, with the word replaced."""
    months = game.months[: number + 1]
    turns = months[-1].turns
    place = [i for i, item in enumerate(turns) if item.keyword == "turn"][turn]
    last = copy(turns[place])
    kinds = [action.kind for action in last.value]
    begin = 0 if part == "hand" or last.is_half else kinds.index("stock")
    last.value = (*last.value[: begin + 1 + words], Action("say", say=word))
    months[-1] = months[-1].replace(turns=[*turns[:place], last])
    tags = {**game.tags, "Termination": "unfinished"}
    record = Game(game.rules, game.players, game.options, tags, months)
    return Playthrough.of(record).run()


# Hatto --------------------------------------------------------------------------------------------


def _thrown(
    rules: str,
    threes: list[tuple[int, str, str]],
    steps: list[dict[str, Any]],
    order: tuple[int, ...],
) -> Iterator[tuple[int, str]]:
    """Yield the seats that threw a hatto card, and the card (H12, H14, H15; B10, B15)."""
    for i, step in enumerate(steps):
        if step["kind"] != "hand":
            continue
        seat, card, before = step["seat"], step["card"], steps[i - 1]
        if _lets_go(threes, seat, card, before):
            yield seat, card
        last = not step["hands"][seat - 1]
        exempt = any(later_step["say"] == "menjo" for later_step in steps[i + 1 : i + 2])
        # In hachihachi a card counts as thrown when the turn goes on after it.
        goes_on = rules == "hachihachi-bga" or any(
            later_step["kind"] == "stock" for later_step in steps[i:]
        )
        if step["take"] or last or exempt or not goes_on:
            continue
        helps = any(
            _helps(rules, before["captured"], maker, card) for maker in order if maker != seat
        )
        if helps or _gives(threes, seat, card, before):
            yield seat, card


def _helps(rules: str, captured: list[str], maker: int, card: str) -> bool:
    """Return whether a card is the last card of a yaku for its maker, or may replace it."""
    all_captured = set("".join(captured))
    for yaku in HATTO[rules]:
        lacking = set(yaku) - set(captured[maker - 1])
        if len(lacking) != 1:
            continue
        (last,) = lacking
        if _month_of(last) != _month_of(card):
            continue
        if rules == "hachihachi-bga":
            return True
        other_cards = set(_cards_of(_month_of(last))) - {last, card}
        if last not in all_captured and (last == card or other_cards <= all_captured):
            return True
    return False


def _threes(month: Month) -> Iterator[tuple[int, str, str]]:
    """Yield the declared threes: seat, the three cards, the fourth."""
    void = {call.seat for call in month.actions("call") if call.say == "void-show"}
    for show in month.actions("show"):
        if not {*THREES, "haneken"} & set(show.say.split("+")) or show.seat in void:
            continue
        for number in range(1, 13):
            held = [card for card in show.take if _month_of(card) == number]
            if len(held) == 3:
                (fourth,) = set(_cards_of(number)) - set(held)
                yield show.seat, "".join(held), fourth


def _threes_unsaid(month: Month, order: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    """Yield the threes of the players, which need no declaration.

    A hand with はねけん or a four has none (B6, B11, B15).
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
    """Return whether the fourth card is thrown while the three is whole in hand (H15 a)."""
    return any(
        owner != seat and card == fourth and set(three) <= set(before["hands"][owner - 1])
        for owner, three, fourth in threes
    )


def _lets_go(
    threes: list[tuple[int, str, str]], seat: int, card: str, before: dict[str, Any]
) -> bool:
    """Return whether a card of the three on the field is not taken with the fourth (H15 b)."""
    return any(
        owner != seat
        and fourth in before["hands"][seat - 1]
        and card != fourth
        and len(set(three) & set(before["hands"][owner - 1])) == 2
        and set(three) & set(before["field"])
        for owner, three, fourth in threes
    )


def _paid(deal: Deal, steps: list[dict[str, Any]]) -> Iterator[tuple[int, str, int]]:
    """Yield seat, card and payment for others because of a hatto card, if the payment counts."""
    due = [(line["label"], line["amounts"]) for line in deal.ledger if not line["void"]]
    for event in (event for step in steps for event in step["events"]):
        if event["kind"] == "pay" and event["why"] == "hatto":
            if (event["yaku"], event["amounts"]) not in due:
                continue
            gets, payer = max(event["amounts"]), event["payer"]
            # Each opposing seat would have paid the same.
            yield payer, event["card"], gets - gets // (len(deal.order) - 1)


def _month_of(card: str) -> int:
    return cards.CARD[card].month


def _cards_of(month: int) -> str:
    return "".join(card.letter for card in cards.PACK if card.month == month)
