"""A game written down in the editor by taps alone, as a person does who has it before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from playwright.sync_api import Page

from kafu.editing.changes import with_claims
from kafu.editing.walked import walk
from kafu.facade.actions import from_engine
from kafu.judging.options import text
from kafu.notation.game import Game, Month
from kafu.notation.writer import write
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    Call,
    Draw,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)


def written_by_taps(
    game: Game, months: int, players: tuple[str, ...], *, piled: bool = False
) -> str:
    """The text that comes of the first months of a game: without the drawing for seats and, unless
    it is ``piled``, without the order of the draw pile, which the table does not see.
    """
    dealt = [replace(one, draws=[], split={}) for one in game.months[:months]]
    if not piled:
        dealt = [replace(one, stock=None) for one in dealt]
    tags = {} if months == len(game.months) else {"Termination": "unfinished"}
    known = replace(game, players=players, tags=tags, months=dealt, result=None, final=None)
    return write(with_claims(walk(known), known, 1).game)


@dataclass
class Tapper:
    """Taps on a page of the editor, and counts: ``taps``, and ``cards`` that came to the table.

    ``piled``: it lays out the draw pile too.
    """

    page: Page
    piled: bool = False
    taps: int = 0
    cards: int = 0

    def tap(self, selector: str) -> None:
        """Tap on what is there, and wait for the answer, if it needs one."""
        self.taps += 1
        self.page.locator(selector).first.click()
        self.wait()

    def wait(self) -> None:
        """Wait until no answer is awaited."""
        ready = "[data-work]:not([aria-busy=true]), [data-work][hidden]"
        self.page.locator(ready).first.wait_for(state="attached")

    def begin(self, rules: str, players: Sequence[str], options: dict[str, str]) -> None:
        """Open the editor and begin a game; names and options are typed."""
        page = self.page
        page.goto("/records/new")
        page.locator("[name=ruleset]").select_option(rules)
        if page.locator("[name=seats]").is_visible():
            page.locator("[name=seats]").select_option(str(len(players)))
        for number, name in enumerate(players):
            page.locator("[name=player]").nth(number).fill(name)
        if options:
            page.locator("[data-house-options] summary").click()
        for name, value in options.items():
            field = page.locator(f"[name='option.{name}']")
            if field.first.get_attribute("type") == "number":
                field.fill(value)
            else:
                page.locator(f"[name='option.{name}'][value='{value}']").check()
        self.tap("[data-setup] [type=submit]")
        page.locator("[data-dealing]").wait_for()

    def month(self, game: Game, number: int) -> None:
        """One month of a game, from 0, from its cards to its end."""
        known = replace(game, months=game.months[: number + 1])
        self.deal(known.months[-1], len(game.players))
        for step in walk(known).deals[-1][1:]:
            if step.place is not None and step.action is not None:
                self.play(step.action, step.seat)

    def deal(self, month: Month, players: int) -> None:
        """Lay out the cards of a month."""
        dealer = f"[data-dealers] [value='{month.dealer}']"
        if self.page.locator(dealer).is_visible() and not self.page.locator(dealer).is_checked():
            self.tap(dealer)
        for seat in range(1, players + 1):
            for letter in month.hands.get(seat, ""):
                self.card(f'[data-pack] [data-letter="{letter}"]')
        for letter in (month.field or "") + (month.stock or "") * self.piled:
            self.card(f'[data-pack] [data-letter="{letter}"]')
        self.tap("[data-dealing] [type=submit]")

    def card(self, selector: str) -> None:
        """Tap on a card that comes to the table."""
        self.cards += 1
        self.tap(selector)

    def play(self, action: Action, seat: int) -> None:
        """Tap what is one action: a card and, where one chooses, its capture; or a word."""
        match action:
            case Draw() if not self.page.locator("[data-pick] .key").count():
                self.cards += 1  # of a known draw pile, by itself
            case Play() | Draw():
                found = from_engine(action, seat)
                self.cards += isinstance(action, Draw)
                self.tap(f'[data-table] .key[data-key="{found.card}"]')
                if self.page.locator("[data-field] .key").count() and found.take:
                    self.tap(f'[data-field] .key[data-key="{found.take[0]}"]')
            case Say(word):
                self.tap(f"[data-moves] [data-do='={word}']")
            case Bid() | Blind() | Call() | Redeal() | Show() | Swap() | Void():
                self.tap(f"[data-moves] [data-do='{text(action)}']")


class Typist(Tapper):
    """The same by keys alone: letters of cards, Enter on buttons, Space on choices."""

    def tap(self, selector: str) -> None:
        """Press the key of what is there, and wait for the answer, if it needs one."""
        self.taps += 1
        place = self.page.locator(selector).first
        place.wait_for()
        letter = place.get_attribute("data-letter") or place.get_attribute("data-key")
        if letter:
            self.page.keyboard.press(letter)
        else:
            place.press("Space" if place.get_attribute("type") == "radio" else "Enter")
        self.wait()
