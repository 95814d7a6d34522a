"""Months of `koikoi`: which captures of the winner, turn by turn, make them.

The winner captures with hand cards and with turned cards, at most eight of each. Cards that lie on
the field for a capture are not modelled: the deal and the opponent's cards can always put them
there. Three of a month lie on the dealt field at most twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from kafu.notation.game import Game, Month
from sheet_model.deal import Bool, Cards, Question, Sum
from sheet_model.koikoi_house import CRANE, House, Yaku
from sheet_model.lines import Impossible
from sheet_model.pack import CARDS, LETTERS, MONTHS, cards_of

TURNS: Final = range(8)
#: The cards of each possible capture: two of a month, or four where three lay on the field.
CAPTURES: Final = tuple(
    cards
    for month in MONTHS
    for cards in (*combinations(cards_of(month), 2), tuple(cards_of(month)))
)
PRIZES: Final = ("kobiki", "obiki")
ADDITIONS: Final = ("koikoi", "bai", "koikoigaeshi")
#: What is carried into a month: whether it is played again.
START: Final = frozenset({False})


def find_cards(month: Month, game: Game, carried: Iterable[bool]) -> dict[bool, Cards]:
    """Return cards that make the month, by whether the next one is the same month again."""
    house = House(game.options)
    (is_again,) = carried
    try:
        cards = _find_cards(month, house, is_again=is_again)
    except Impossible:
        return {}
    is_nagare = not any(any(p.amounts) for p in month.payments if p.label not in PRIZES)
    return {} if cards is None else {is_nagare and house.options["nagare"] == "again": cards}


def _find_cards(month: Month, house: House, *, is_again: bool) -> Cards | None:
    lines = [payment for payment in month.payments if payment.label not in PRIZES]
    labels = [label for line in lines for label in line.label.split("+")]
    if len(set(labels)) < len(labels):
        raise Impossible("a label twice")
    if not lines:
        # A round without a winner pays the dealer, unless it was not played.
        is_paid = house.number("oyaken") and not house.dealt and house.options["nagare"] == "next"
        return None if is_paid else {}
    gains = [_gain(line.amounts, pays=house.is_set("pays")) for line in lines]
    if set(labels) & house.dealt.keys():
        return _check_dealt(labels, gains, house)
    winner, amounts = gains[0][0], [amount for _, amount in gains]
    if any(seat != winner for seat, _ in gains) or min(amounts) < 0:
        raise Impossible("two winners")
    if labels == ["oyaken"]:
        return {} if (winner, amounts[0]) == (month.dealer, house.number("oyaken")) else None
    table = house.table(month.month)
    added = {}
    yaku: dict[tuple[str, ...], int] = {}
    for line, amount in zip(lines, amounts, strict=True):
        if line.label in ADDITIONS:
            added[line.label] = amount
        else:
            yaku[tuple(line.label.split("+"))] = amount
    if not yaku or not {name for names in yaku for name in names} <= table.keys():
        raise Impossible("a label that the house lacks")
    calls = list(house.list_calls(sum(yaku.values()), added))
    floor = house.number("shibori") if is_again else 0
    ends = (True, False) if house.options["exhausted"] == "higher" else (True,)
    # Most months have a solution in which the opponent said nothing, with half of the model.
    quiet = [pair for pair in calls if not pair[1]], [pair for pair in calls if pair[1]]
    for pairs, is_stopped in product(quiet if _pays_opponent(house) else [calls], ends):
        if not pairs:
            continue
        model = _Model(house, table, yaku, pairs, floor=floor, is_stopped=is_stopped)
        if winner == month.dealer:
            model.play_first()
        solver = model.find_solution()
        if solver is not None:
            held = [LETTERS[c] for c in CARDS if solver.value(model.winner.held[c][-1])]
            return {"captured": "".join(held)}
    return None


def _pays_opponent(house: House) -> bool:
    """Return whether a winner gets more for the opponent's calls."""
    return house.options["calls"] == "multiply" or house.is_set("koikoigaeshi")


def _gain(amounts: Sequence[int], *, pays: bool) -> tuple[int, int]:
    """Return the player who gets and the amount, negative for a player who pays for the other."""
    first, second = amounts
    if pays:
        if first + second:
            raise Impossible("the loser pays what the winner gets")
        return (1, first) if first > 0 else (2, second)
    if bool(first) is bool(second):
        raise Impossible("not just one player gets")
    return (1, first) if first else (2, second)


def _check_dealt(
    labels: Sequence[str], gains: Sequence[tuple[int, int]], house: House
) -> Cards | None:
    """Return nothing known of the cards of one shown hand, or of two of different values (K3)."""
    if not set(labels) <= house.dealt.keys() or len(labels) > 2 or len(labels) != len(gains):
        raise Impossible("a hand beside other payments")
    values = [house.dealt[label] for label in labels]
    best = values.index(max(values))
    for number, (seat, amount) in enumerate(gains):
        if house.is_set("pays") and number != best:
            seat, amount = 3 - seat, -amount
        due = values[number] if number == best else -values[number]
        if seat != gains[best][0] or amount != due or values.count(values[best]) > 1:
            return None
    return {}


class _Player:
    """The captures and yaku of a player, turn by turn."""

    def __init__(self, model: _Model, table: Mapping[str, Yaku]) -> None:
        self.model, self.table = model, table
        self.captures = [[model.new_bool_var("") for _ in CAPTURES] for _ in range(2 * len(TURNS))]
        for slot in self.captures:
            model.add_at_most_one(slot)
        #: Whether a card is held after each hand card and after each turned card.
        self.held: list[list[Bool]] = [[] for _ in CARDS]
        for slot in self.captures:
            for card, row in enumerate(self.held):
                taken = [slot[number] for number, cards in enumerate(CAPTURES) if card in cards]
                now = model.new_bool_var("")
                model.add(now == sum(row[-1:]) + sum(taken))
                row.append(now)
        # Turns without captures come first.
        used = [model.reaches(sum(map(sum, self._turn(turn))), 1) for turn in TURNS]
        for turn in TURNS[1:]:
            model.add_implication(used[turn - 1], used[turn])
        fours = [number for number, cards in enumerate(CAPTURES) if len(cards) == 4]
        most = 2 if model.house.options["shima"] == "4" else 0
        model.add(sum(slot[number] for slot in self.captures for number in fours) <= most)
        self.rained = [self._rains(number) for number in range(2 * len(TURNS))]
        self.made = [self._make(turn) for turn in TURNS]
        self.reasons = [{name: self._gives_right(name, turn) for name in table} for turn in TURNS]
        self.rights = [self._find_right(turn) for turn in TURNS]
        for name, yaku in table.items():
            # The solver does not see by itself that a yaku is made once, and raised card by card.
            more = self._more(yaku, TURNS[-1]) if yaku.step else 0
            complete = model.reaches(self.count(yaku.cards, -1), yaku.need)
            times = model.new_int_var(0, len(TURNS), "")
            model.add(times == sum(reasons[name] for reasons in self.reasons))
            model.add(times <= 1 + more)
            model.add(times == 0).only_enforce_if(~complete)

    def _turn(self, turn: int) -> Sequence[Sequence[Bool]]:
        """Return the captures with the hand card and with the turned card of a turn."""
        return self.captures[2 * turn : 2 * turn + 2]

    def count(self, cards: Iterable[int], slot: int) -> Sum:
        """Return how many of the cards are held after a hand card or turned card."""
        return sum(self.held[card][slot] for card in cards)

    def _rains(self, slot: int) -> Sum:
        """Return whether the sake yaku are void."""
        voiding = self.model.house.voiding
        if not voiding:
            return 0
        rain = self.model.reaches(self.count(voiding, slot), 1)
        if not self.model.house.is_set("hinode"):
            return rain
        return self.model.all_of([rain, 1 - self.count(CRANE, slot)])

    def _make(self, turn: int) -> dict[str, Bool]:
        """Return whether the player has each yaku after a turn, replaced ones left out."""
        slot = 2 * turn + 1
        valid = {}
        for name, yaku in self.table.items():
            parts = [self.model.reaches(self.count(yaku.cards, slot), yaku.need)]
            parts += [self.count(yaku.must, slot)] if yaku.must else []
            parts += [1 - self.rained[slot]] if yaku.sake else []
            valid[name] = self.model.all_of(parts)
        return {
            name: self.model.all_of(
                [has, *(1 - valid[other] for other, row in self.table.items() if name in row.over)]
            )
            for name, has in valid.items()
        }

    def value(self, name: str, turn: int, called: Sum) -> Sum:
        """Return the value of a yaku after a turn, if the player has it."""
        yaku = self.table[name]
        value: Sum = yaku.value
        if yaku.called is not None:
            value = value + (yaku.called - yaku.value) * called
        if not yaku.step:
            return value
        return value + yaku.step * self._more(yaku, turn)

    def _more(self, yaku: Yaku, turn: int) -> Sum:
        """Return the cards that raise a yaku after a turn."""
        more = self.model.new_int_var(0, len(yaku.counted), "")
        self.model.add_max_equality(more, [0, self.count(yaku.counted, 2 * turn + 1) - yaku.base])
        return more

    def total(self, turn: int, called: Sum) -> Sum:
        """Return the total after a turn."""
        total: Sum = 0
        for name, has in self.made[turn].items():
            value = self.model.new_int_var(0, 999, "")
            self.model.add(value == self.value(name, turn, called)).only_enforce_if(has)
            self.model.add(value == 0).only_enforce_if(~has)
            total = total + value
        return total

    def _find_right(self, turn: int) -> Bool:
        """Return whether the turn gives the right to declare (K8, K9)."""
        model = self.model
        right = model.reaches(sum(self.reasons[turn].values()), 1)
        if model.floor:
            right = model.all_of([right, model.reaches(self.total(turn, 0), model.floor)])
        return right

    def _gives_right(self, name: str, turn: int) -> Bool:
        """Return whether the turn made or raised a yaku so that the player may declare."""
        model, yaku, slot = self.model, self.table[name], 2 * turn + 1
        has = self.made[turn][name]
        had = self.made[turn - 1][name] if turn else 0
        new = model.reaches(has - had, 1)
        if yaku.step:
            before = self._more(yaku, turn - 1) if turn else 0
            raised = model.reaches(self._more(yaku, turn) - before, 1)
            new = model.all_of([has, model.reaches(1 - had + raised, 1)])
        if yaku.bare:
            many = model.reaches(self.count(yaku.cards, slot), yaku.need + 1)
            new = model.all_of([new, model.reaches(many + 1 - self.count(yaku.bare, slot), 1)])
        if not yaku.sake:
            return new
        start = self.count(yaku.cards, slot - 2) if turn else 0
        middle = self.count(yaku.cards, slot - 1)
        turned = model.reaches(self.count(yaku.cards, slot) - middle, 1)
        played = model.all_of([model.reaches(middle - start, 1), 1 - self.rained[slot - 1]])
        return model.all_of([new, model.reaches(turned + played, 1)])


class _Model(Question):
    """The month of a winner with captured yaku.

    ``yaku`` are the amounts of the lines by their labels, ``calls`` the possible numbers of calls
    of the winner and of the opponent.
    """

    def __init__(
        self,
        house: House,
        table: Mapping[str, Yaku],
        yaku: Mapping[tuple[str, ...], int],
        calls: Sequence[tuple[int, int]],
        *,
        floor: int,
        is_stopped: bool,
    ) -> None:
        super().__init__()
        self.house, self.floor, self.is_stopped = house, floor, is_stopped
        self.winner = _Player(self, table)
        self.own = self.new_int_var(0, len(TURNS), "")
        self.others = self.new_int_var(0, len(TURNS), "")
        self.add_allowed_assignments([self.own, self.others], calls)
        called = self.reaches(self.own, 1)
        names = {name for labels in yaku for name in labels}
        for name, has in self.winner.made[-1].items():
            self.add(has == (name in names))
        for labels, amount in yaku.items():
            values = [self.winner.value(name, TURNS[-1], called) for name in labels]
            self.add(sum(values) == amount)
        self.add(sum(self.winner.rights) == self.own + is_stopped)
        if is_stopped:  # with the last turn, after any number of turns without captures
            self.add(self.winner.rights[-1] == 1)
        elif not house.is_set("koikoi-last"):
            self.add(self.winner.rights[-1] == 0)
        self.opponent: _Player | None = None
        if _pays_opponent(house) and any(others for _, others in calls):
            self.opponent = _Player(self, table)
            self._share(sum(yaku.values()))

    def _share(self, total: int) -> None:
        """Divide the pack: the opponent has other cards, and less yaku if the hands ran out."""
        assert self.opponent is not None
        for card in CARDS:
            self.add(self.winner.held[card][-1] + self.opponent.held[card][-1] <= 1)
        self.add(sum(self.opponent.rights) == self.others)
        if not self.house.is_set("koikoi-last"):
            self.add(self.opponent.rights[-1] == 0)
        if not self.is_stopped:
            self.add(self.opponent.total(TURNS[-1], 1) <= total - 1)

    def play_first(self) -> None:
        """Let the winner play before the opponent, who has one turn less if the winner stopped."""
        if self.opponent is not None and self.is_stopped:
            self.add(sum(map(sum, self.opponent.captures[:2])) == 0)
