"""Write a game down in the editor by taps, as a person does who has it before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from playwright.sync_api import Page

from kafu.editing.changes import with_claims
from kafu.editing.table_at import walk
from kafu.judging.actions import from_engine
from kafu.notation.game import Game, Month
from kafu.notation.writer import write
from kafu.rules.play.actions import (
    Action,
    Draw,
    Play,
)
from tests.records.pages.writing.actions import show_letters


def written_by_taps(
    game: Game, months: int, players: tuple[str, ...], *, piled: bool = False
) -> str:
    """Return the text of the first months of a game as the editor writes it.

    It lacks the drawing for seats and, unless it is ``piled``, the order of the draw pile, which
    the table does not see.
    """
    deals = [month.replace(draws=[], split={}) for month in game.months[:months]]
    if not piled:
        deals = [month.replace(stock=None) for month in deals]
    tags = {} if months == len(game.months) else {"Termination": "unfinished"}
    record = replace(game, players=players, tags=tags, months=deals, result=None, final=None)
    return write(with_claims(walk(record), record, 1).game)


def actions_of(game: Game, number: int) -> Iterator[tuple[Action, int]]:
    """Yield what is written of a month (from 0): actions, each with its seat."""
    record = replace(game, months=game.months[: number + 1])
    walked = walk(record)
    for step in walked.steps(walked.deals)[1:]:
        if step.place is not None and step.action is not None:
            yield step.action, step.seat


@dataclass
class Tapper:
    """A hand that taps on a page of the editor and counts its taps.

    ``cards`` counts the cards that came to the table. ``lays_hands``: it lays out the hands, which
    may stay unknown. ``piled``: it lays out the draw pile too. ``types_letters``: it taps the cards
    of the field only, and types the letters of the other places, which takes a fraction of the
    time.
    """

    page: Page
    lays_hands: bool = True
    piled: bool = False
    types_letters: bool = False
    taps: int = 0
    cards: int = 0

    def tap(self, selector: str) -> None:
        """Tap on a control, and wait for the response of the server, if it needs one."""
        self.taps += 1
        self.page.locator(selector).first.click()
        self.wait()

    def wait(self) -> None:
        """Wait until no response is awaited."""
        ready = "[data-work]:not([aria-busy=true]), [data-work][hidden]"
        self.page.locator(ready).first.wait_for(state="attached")

    def begin(self, rules: str, players: Sequence[str]) -> None:
        """Open the editor and begin a game; names are typed."""
        page = self.page
        page.goto("/records/new")
        page.locator("[name=ruleset]").select_option(rules)
        if page.locator("[name=seats]").is_visible():
            page.locator("[name=seats]").select_option(str(len(players)))
        for number, name in enumerate(players):
            page.locator("[name=player]").nth(number).fill(name)
        self.tap("[data-setup] [type=submit]")
        page.locator("[data-dealing]").wait_for()

    def month(self, game: Game, number: int) -> None:
        """Write a month of a game (from 0), from its cards to its end."""
        self.deal(game.months[number], len(game.players))
        for action, seat in actions_of(game, number):
            self.play(action, seat)

    def deal(self, month: Month, players: int) -> None:
        """Lay out the cards of a month."""
        dealer = f"[data-dealers] [value='{month.dealer}']"
        if self.page.locator(dealer).is_visible() and not self.page.locator(dealer).is_checked():
            self.tap(dealer)
        hands = [month.hands.get(seat, "") for seat in range(1, players + 1) if self.lays_hands]
        places = [month.field or "", *hands, (month.stock or "") * self.piled]
        for number, letters in enumerate(places):
            if number and self.types_letters:
                self.page.locator("[data-places] .place").nth(number).click()
                show_letters(self.page).fill(letters)
                continue
            for letter in letters:
                self.card(f'[data-pack] [data-letter="{letter}"]')
        self.tap("[data-dealing] [type=submit]")

    def card(self, selector: str) -> None:
        """Tap on a card that comes to the table."""
        self.cards += 1
        self.tap(selector)

    def play(self, action: Action, seat: int) -> None:
        """Tap an action: a card and, where there is a choice, its capture; or a statement."""
        match action:
            case Play() | Draw():
                move = from_engine(action, seat)
                self.cards += isinstance(action, Draw)
                card = f'[data-table] .key[data-key="{move.card}"]'
                if not self.page.locator(card).count():
                    return  # a forced move plays itself
                self.tap(card)
                if self.page.locator("[data-field] .key").count() and move.take:
                    self.tap(f'[data-field] .key[data-key="{move.take[0]}"]')
            case _:
                self.tap(f"[data-moves] [data-do='{statement_of(action)}']")


def statement_of(action: Action) -> str:
    """Return the text of a decision, a declaration or a bid, as the editor's buttons have it."""
    if not isinstance(action, Play | Draw):
        return str(from_engine(action, 0))
    raise AssertionError(f"{action} is a card")
