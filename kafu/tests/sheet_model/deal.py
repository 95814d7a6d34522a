"""The constraint model of one deal: where each card was dealt, and how each month was captured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final

from ortools.sat.python import cp_model

from sheet_model.pack import CARDS, LETTERS, MONTHS, POINTS, cards_of

Bool = cp_model.IntVar
#: A sum of variables. The solver's own types also allow numpy's numbers, which cannot be added up.
Sum = Any
#: The letters of the cards of a solution, by place.
Cards = dict[str, str]
Pair = tuple[int, int]

#: Attempts at one question: the use of linear relaxations, and the limit of the solver's
#: deterministic clock. Which of them is fast differs from month to month.
ATTEMPTS: Final = ((1, 0.5), (0, 0.5), (2, 2.0), (1, 10.0))
#: The pairs of cards of each month.
PAIRS: Final = tuple(tuple(combinations(cards_of(month), 2)) for month in MONTHS)


class Undecided(Exception):
    """The solver reached its limit."""


def other_pair(pair: Pair) -> Pair:
    """Return the other two cards of the pair's month."""
    month = pair[0] // 4
    first, second = (card for card in cards_of(month) if card not in pair)
    return first, second


class Question(cp_model.CpModel):
    """A constraint model with conditions as variables."""

    def reaches(self, total: Sum, least: int) -> Bool:
        """Return a variable that is true if and only if the total is at least ``least``."""
        reached = self.new_bool_var("")
        self.add(total >= least).only_enforce_if(reached)
        self.add(total <= least - 1).only_enforce_if(~reached)
        return reached

    def all_of(self, variables: Sequence[Sum]) -> Bool:
        """Return a variable that is true if and only if all variables are."""
        return self.reaches(sum(variables), len(variables))

    def find_solution(self) -> cp_model.CpSolver | None:
        """Return the solver with a solution, or None if there is none. Raises `Undecided`."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        for linearization, limit in ATTEMPTS:
            solver.parameters.linearization_level = linearization
            solver.parameters.max_deterministic_time = limit
            status = solver.solve(self)
            if status == cp_model.INFEASIBLE:
                return None
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return solver
        raise Undecided


class Deal(Question):
    """A deal among players who are numbered in play order, with the captures of its months.

    A card is dealt into a hand, on the field, or into the pile. ``pairs[pair, player]`` is true if
    the player captured these two cards together, ``fours[month][player]`` if the player captured
    the four cards of the month at once. The order in which cards were played is not modelled.
    """

    def __init__(self, players: int = 3, hand: int = 7, field: int = 6) -> None:
        super().__init__()
        self.players: Final = range(players)
        self.hand_size: Final = hand
        self.hands = [self._cards(f"hand{player}") for player in self.players]
        self.field = self._cards("field")
        self.pile = self._cards("pile")
        self.pairs = {
            (pair, player): self.new_bool_var("")
            for pairs in PAIRS
            for pair in pairs
            for player in self.players
        }
        self.fours = [[self.new_bool_var("") for _ in self.players] for _ in MONTHS]
        for cards in self.hands:
            self.add(sum(cards) == hand)
        self.add(sum(self.field) == field)
        for card in CARDS:
            self.add_exactly_one(place[card] for place in (*self.hands, self.field, self.pile))
        for month in MONTHS:
            self._capture(month)

    def _cards(self, name: str) -> list[Bool]:
        return [self.new_bool_var(f"{name}{letter}") for letter in LETTERS]

    def captures(self, pair: Pair) -> Sum:
        """Return 1 if any player captured the pair."""
        return sum(self.pairs[pair, player] for player in self.players)

    def has_captured(self, card: int, player: int) -> Sum:
        """Return 1 if the player captured the card."""
        month = card // 4
        pairs = [self.pairs[pair, player] for pair in PAIRS[month] if card in pair]
        return sum(pairs) + self.fours[month][player]

    def is_captured(self, card: int) -> Sum:
        """Return 1 if any player captured the card."""
        return sum(self.has_captured(card, player) for player in self.players)

    def _capture(self, month: int) -> None:
        """Restrict the captures of a month to those that C2 allows in some order of play."""
        cards = cards_of(month)
        laid = sum(self.field[card] for card in cards)
        for card in cards:
            self.add(self.is_captured(card) <= 1)
        for pair in PAIRS[month]:
            first, second = pair
            for player in self.players:
                # One of the two cards came from the player's hand, or from the pile.
                hand = self.hands[player]
                self.add_bool_or(
                    hand[first], hand[second], self.pile[first], self.pile[second]
                ).only_enforce_if(self.pairs[pair, player])
                # Three on the field are captured together.
                self.add(laid <= 2).only_enforce_if(self.pairs[pair, player])
            rest = other_pair(pair)
            for card in rest:
                # A first pair takes a card of the dealt field, if one lies there.
                lies = self.field[card] - self.field[first] - self.field[second]
                self.add(lies <= 1 - self.captures(pair) + self.captures(rest))
        for player, four in enumerate(self.fours[month]):
            comes = sum(self.hands[player][card] + self.pile[card] for card in cards)
            self.add(laid >= 3).only_enforce_if(four)
            if player == 0:
                self.add(laid + comes == 4).only_enforce_if(four)
            else:
                self.add(laid == 3).only_enforce_if(four)
                self.add(comes == 1).only_enforce_if(four)
        # Four on the field are captured by the first player before play.
        self.add(laid <= 3 + self.fours[month][0])

    # How the month went.

    def play_out(self) -> None:
        """Require that all hands are played, so that every card is captured."""
        for card in CARDS:
            self.add(self.is_captured(card) == 1)
        for player in self.players:
            self.add(sum(self._turned_captures(player)) <= self.hand_size)

    def _turned_captures(self, player: int) -> Iterable[Bool]:
        """Yield a variable for each capture that only a turned card of the player can make."""
        hand = self.hands[player]
        for month, pairs in enumerate(PAIRS):
            for first, second in pairs:
                turned = self.new_bool_var("")
                self.add(turned >= self.pairs[(first, second), player] - hand[first] - hand[second])
                yield turned
            turned = self.new_bool_var("")
            held = sum(hand[card] + self.field[card] for card in cards_of(month))
            self.add(turned >= 4 * self.fours[month][player] - held)
            yield turned

    def end_after(self, ends: Iterable[int]) -> None:
        """Require that the month ends after one of these numbers of played and turned cards."""
        numbers = {number: self.new_bool_var("") for number in ends}
        self.add_exactly_one(numbers.values())
        count = len(self.players)

        def total(first: int) -> Sum:
            return sum(
                end * max(0, (number - first + 2 * count - 1) // (2 * count))
                for number, end in numbers.items()
            )

        lying = self._lying()
        played = [total(2 * player) for player in self.players]
        turned = [total(2 * player + 1) for player in self.players]
        came = sum(self.is_captured(card) for card in CARDS)
        on_field = [self._both(self.field[card], card) for card in CARDS]
        from_pile = [self._both(self.pile[card], card) for card in CARDS]
        self.add(sum(played) + sum(turned) == came - sum(on_field) + sum(lying))
        self.add(sum(from_pile) <= sum(turned))
        for player, hand in enumerate(self.hands):
            from_hand = [self._both(hand[card], card) for card in CARDS]
            self.add(sum(from_hand) <= played[player])
            self.add(sum(self._turned_captures(player)) <= turned[player])
            pairs = sum(pair for (_, owner), pair in self.pairs.items() if owner == player)
            fours = sum(fours[player] for fours in self.fours)
            laid = [self.laid_out(month) for month in MONTHS] if player == 0 else []
            self.add(pairs + fours - sum(laid) <= played[player] + turned[player])

    def laid_out(self, month: int) -> Bool:
        """Return whether all four cards of a month lie on the dealt field."""
        return self.all_of([self.field[card] for card in cards_of(month)])

    def _both(self, place: Bool, card: int) -> Bool:
        """Return whether a captured card was dealt to a place."""
        both = self.new_bool_var("")
        captured = self.is_captured(card)
        self.add(both >= place + captured - 1)
        self.add(both <= captured)
        self.add_implication(both, place)
        return both

    def _lying(self) -> list[Bool]:
        """Return whether a card that came lies on the field at the end, for each month."""
        lying = []
        for month in MONTHS:
            lies = self.new_bool_var("")
            for card in cards_of(month):
                self.add(self.field[card] <= self.is_captured(card)).only_enforce_if(lies)
            captured = sum(self.is_captured(card) for card in cards_of(month))
            self.add(captured <= 3).only_enforce_if(lies)
            lying.append(lies)
        return lying

    # Captured cards.

    def count(self, player: int, cards: Iterable[int]) -> Sum:
        """Return how many of the cards a player captured."""
        return sum(self.has_captured(card, player) for card in cards)

    def points(self, player: int, values: Sequence[int] = POINTS) -> Sum:
        """Return the card points of a player.

        The number of cards of each value is a variable of its own: remainders of the points rule
        out most of them, which the solver does not see in a sum of cards.
        """
        points: Sum = 0
        captured: Sum = 0
        for value in sorted(set(values)):
            number = self.new_int_var(0, values.count(value), "")
            cards = [card for card in CARDS if values[card] == value]
            self.add(number == self.count(player, cards))
            points += value * number
            captured += number
        self.add(captured == 2 * self.new_int_var(0, 24, ""))
        return points

    # The answer.

    def solve(self) -> Cards | None:
        """Return cards that satisfy the model, by place, or None if there are none.

        Raises `Undecided`.
        """
        solver = self.find_solution()
        return None if solver is None else self._places(solver)

    def _places(self, solver: cp_model.CpSolver) -> Cards:
        places = {"field": self._letters(solver, self.field)}
        for player, hand in enumerate(self.hands):
            places[f"hand {player}"] = self._letters(solver, hand)
            captured = [self.has_captured(card, player) for card in CARDS]
            places[f"captured {player}"] = self._letters(solver, captured)
        return places

    @staticmethod
    def _letters(solver: cp_model.CpSolver, cards: Sequence[Sum]) -> str:
        """Return the letters of the cards whose values are 1 in a solution."""
        return "".join(LETTERS[card] for card in CARDS if solver.value(cards[card]))
