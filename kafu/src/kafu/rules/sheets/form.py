"""The score sheet of a ruleset while it is checked, month by month (S1–S3).

A ruleset's own sheet says which lines there are, what they are worth, and how a month and the game
end. A violation is a fault; what a sheet cannot disprove is a remark.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, Final, NamedTuple

from kafu import cards
from kafu.notation.faults import Code
from kafu.notation.game import Month, Payment
from kafu.rules import codes, names, sheet_codes
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind, PaymentLine, receiver
from kafu.rules.sheets.offers import Chosen, Offer, Playing, amounts, joined
from kafu.rules.verdict import DealResult, Line

#: Letters of an unknown label that are compared with those of yaku.
_LONGEST_LABEL: Final = 40


class Remark(NamedTuple):
    """What the rules make one expect otherwise, at a statement of the month."""

    code: Code
    where: str
    values: dict[str, Any]
    expected: tuple[str, ...] = ()


class Sheet(ABC):
    """The sheet of one game by the rules of its house, up to the month that is due.

    ``dealer`` is who deals it, 0 where that is open; ``totals`` are the sums so far a seat, in the
    small unit. ``deals`` are the months that are over, ``summed`` says that one of them has only
    its sum (S2), ``remarks`` are those of the month entered last.
    """

    #: How many of the small unit one of the settlement is.
    unit: ClassVar[int] = 1
    #: Whether sums are written in kan.
    kan: ClassVar[bool] = False
    #: Whether ``ba`` belongs on it.
    graded: ClassVar[bool] = False
    #: Whether the next dealer puts a stone in each month.
    stones: bool = False
    #: Whether card points are paid.
    pointed: ClassVar[bool] = True
    #: What all cards count, and what of it makes neither gain nor loss.
    whole: ClassVar[int] = cards.points(cards.ALL)
    even: ClassVar[int] = whole // 3
    #: Whether a month's sum leaves open who deals next.
    sums_hide_next: ClassVar[bool] = False
    #: Whether a month's sums are zero in total.
    sums_to_zero: bool = True
    #: Kinds of yaku of which one player's stand in one line.
    joined: ClassVar[frozenset[PaymentKind]] = frozenset()

    def __init__(self, players: int) -> None:
        """Before the first month: anybody may deal it."""
        self.seats = range(1, players + 1)
        self.number = 1
        self.dealer = 0
        self.totals = (0,) * players
        self.deals: list[DealResult] = []
        self.summed = False
        self.remarks: list[Remark] = []
        self.open_end = False

    # What a ruleset says --------------------------------------------------------------------------

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game is over, so that no month may follow."""

    @property
    def may_be_over(self) -> bool:
        """Whether the record may end here as a whole game."""
        return self.is_over

    @abstractmethod
    def settle(self) -> tuple[int, ...]:
        """The final sums of a game that is over, in the small unit."""

    @abstractmethod
    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """What a label names, None for no payment of this house. ``month`` is known already."""

    @abstractmethod
    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month, and say how it ended; None with ``open_end`` if it is not
        over. Raises Illegal.

        ``following`` is the next month on the sheet, for what only its dealer tells.
        """

    @abstractmethod
    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """What the month that is due may be paid for, at a grade; of one player the yaku stand in a
        line in this order. ``chosen`` is for values that depend on the other lines.
        """

    def grades_due(self) -> tuple[str, ...]:
        """The grades that the month which is due may have, the plainest first; none without
        grades.
        """
        return ()

    def written_grades(self, month: Month) -> list[str]:
        """The possible grades of the month: the written one, if it is one of them (B2). Raises
        Illegal.
        """
        due = self.grades_due()
        if month.ba is None:
            return list(due)
        if month.ba not in due:
            raise Illegal(
                sheet_codes.SHEET_BA,
                where="ba",
                expected=due,
                grade=month.ba,
                due=" / ".join(due),
            )
        return [month.ba]

    def bars(self, offer: Offer, seat: int, other: Offer, other_seat: int) -> bool:
        """Whether a player cannot have an offer in a month because another is taken (S1, S4)."""
        if seat != other_seat:
            return bool(offer.cards & other.cards)
        yaku = offer.kind is not PaymentKind.OTHER and offer.kind is other.kind
        return yaku and self.kind((offer.label, other.label)) is None

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[Offer],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """The lines of a month by what was chosen, each with the choices that made it: yaku in the
        order in which they were entered, then card points.

        Raises KeyError for what is not offered.
        """
        by_label = {offer.label: offer for offer in offers}
        struck = self.strikes([by_label[one.label] for one in chosen], points)
        alone: list[tuple[Payment, tuple[Chosen, ...]]] = []
        parts: list[tuple[Offer, Chosen, Payment]] = []
        for one in chosen:
            offer = by_label[one.label]
            void = offer.struck and struck if one.void is None else one.void
            parts.append((offer, one, Payment(one.label, amounts(offer, one, playing), void)))
        for offer, one, payment in parts:
            if offer.kind not in self.joined:
                alone.append((payment, (one,)))
        lines = joined([one for one in parts if one[0].kind in self.joined], list(by_label))
        first = {id(one): i for i, one in enumerate(chosen)}
        lines = sorted([*lines, *alone], key=lambda line: first[id(line[1][0])])
        if points is not None:
            lines.append((Payment(POINTS, points, self.strikes_points(points)), ()))
        return lines

    def strikes(self, offers: Sequence[Offer], points: tuple[int, ...] | None) -> bool:
        """Whether a month strikes out those of its lines that can be."""
        return any(offer.kind is PaymentKind.SPECIAL for offer in offers)

    def strikes_points(self, points: tuple[int, ...]) -> bool:
        """Whether card points themselves are struck out."""
        return False

    def paid_points(
        self, captured: tuple[int, ...], ba: str | None, playing: Playing
    ) -> tuple[int, ...]:
        """What is paid for card points ``captured``, by seat; those who do not play have none."""
        return self.deviations(captured, playing)

    def deviations(self, captured: tuple[int, ...], playing: Playing) -> tuple[int, ...]:
        """Card points less those of nobody's gain, by seat."""
        return tuple(
            own - self.even if seat in playing.order else 0
            for seat, own in enumerate(captured, start=1)
        )

    def prizes(self, payments: Sequence[Payment]) -> Iterable[Payment]:
        """The lines that follow from the months before, with these ``payments`` of this month."""
        return ()

    def leaves_trace(self, line: Line, ledger: Sequence[Line]) -> bool:
        """Return whether a line of a judged month's ledger stands on its sheet (S10)."""
        return True

    def is_replayed(self, month: Month) -> bool:
        """Whether a month with these lines is played over, under its own number."""
        return False

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return who can put in the stone of a month, no one if its lines do not show it."""
        return ()

    # What all share -------------------------------------------------------------------------------

    def enter(self, month: Month, following: Month | None, *, open_end: bool) -> DealResult | None:
        """Check the next month of the sheet. Raises Illegal.

        None if it is not over yet: with ``open_end`` the last one may lack what closes it.
        """
        self.remarks = []
        if self.is_over:
            raise Illegal(codes.GAME_OVER)
        if month.month != self.number:
            raise Illegal(
                codes.MONTH_DUE,
                expected=(str(self.number),),
                month=month.month,
                due=self.number,
            )
        self.check_dealer(month)
        if month.ba is not None and not self.graded:
            raise Illegal(codes.NO_PLACE, where="ba", statement="ba")
        lines = tuple(self.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments))
        self._check_sums(lines)
        self.open_end = open_end
        result = self.judge(month, lines, following)
        if result is None:
            return None
        self.deals.append(result)
        self.totals = tuple(map(sum, zip(self.totals, result.score, strict=True)))
        self.dealer = self.due_after(result)
        return result

    def due_after(self, result: DealResult) -> int:
        """Who deals the month after one with this result, 0 where that is open."""
        return result.next_dealer or 0

    def check_dealer(self, month: Month) -> None:
        """The dealer must be the one that is due, if that is known (S3)."""
        if self.dealer and month.dealer != self.dealer:
            raise Illegal(
                codes.DEALER_DUE,
                expected=(str(self.dealer),),
                seat=month.dealer,
                due=self.dealer,
            )

    def read(self, payment: Payment, where: str) -> PaymentLine:
        """A payment as a line. Raises Illegal for an unknown label, and for a sum that is not zero
        or that more than one gets.
        """
        yaku = tuple(payment.label.split("+"))
        kind = PaymentKind.OTHER if payment.label == MONTH else self.kind(yaku)
        if kind is None:
            nearest = self._nearest(payment.label)
            raise Illegal(
                sheet_codes.SHEET_LABEL, where=where, expected=nearest, label=payment.label
            )
        seat = self.receiver(payment, kind, where)
        return PaymentLine(kind, yaku, seat, payment.amounts, payment.void, where)

    def _nearest(self, label: str) -> tuple[str, ...]:
        """Return the yaku of this sheet whose ids are like a label that is no yaku's id."""
        if label in names.YAKU:
            return ()
        payable = [id for id in names.YAKU if self.kind((id,)) is not None]
        return tuple(get_close_matches(label[:_LONGEST_LABEL], payable))

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Who gets a payment (S1). Raises Illegal."""
        return receiver(payment, where, kan=self.kan)

    def _check_sums(self, lines: Sequence[PaymentLine]) -> None:
        """A month's sum stands alone, but for what is never part of it (S2)."""
        sums = [line for line in lines if line.label == MONTH]
        if not sums:
            return
        self.summed = True
        besides = [line for line in lines if line is not sums[0] and not self.is_extra(line)]
        if besides or sums[0].void:
            raise Illegal(sheet_codes.SHEET_MONTH_ALONE, where=(besides or sums)[0].where)

    def is_extra(self, line: PaymentLine) -> bool:
        """Whether a line may stand with a month's sum."""
        return False

    def result(
        self,
        month: Month,
        next_dealer: int | None,
        *,
        winner: int | None = None,
        bound: str | None = None,
        first: int = 0,
    ) -> DealResult:
        """The month with its lines as written."""
        ledger = tuple(Line(one.label, one.amounts, one.void) for one in month.payments)
        return DealResult(
            month.month,
            month.dealer,
            month.ba,
            bound,
            ledger,
            score(ledger, len(self.seats)),
            next_dealer,
            "sheet",
            winner,
            first,
        )

    def check_stone(self, month: Month, due: int) -> None:
        """Where a month has no stone of the document's, ``stone`` may say who deals next, and must
        be right (S3). Raises Illegal.
        """
        if month.stone not in (None, due):
            raise Illegal(
                sheet_codes.SHEET_NEXT,
                where="stone",
                expected=(str(due),),
                seat=month.stone,
                due=due,
            )
