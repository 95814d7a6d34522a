"""Names of everything that can occur in a game of each ruleset, and of the events of one game.

Possible events come from the tables of the engine, so that a new yaku, payment, word or end is
required without a change here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kafu import cards
from kafu.judging.outcome import Step
from kafu.judging.playthrough import Playthrough
from kafu.notation.game import Game
from kafu.notation.vocabulary import CALLS, VOIDS
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.hanaawase import payments as hanaawase_payments
from kafu.rules.koikoi.yaku import TEYAKU
from kafu.rules.names import GRADES
from kafu.rules.play.actions import CallAction, PlayEvent, Say
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import find_ruleset, machine_of
from kafu.rules.ten_five_one import payments as ten_five_one_payments
from turns import spoken

#: Houses and seats, tried in sequence.
HOUSES: Final[Mapping[str, tuple[tuple[Mapping[str, str], int], ...]]] = {
    "hachihachi": (({}, 3), ({"etsunen": "yes", "ba": "F"}, 3)),
    "koikoi": (
        ({}, 2),
        ({"profile": "koikoi-ai"}, 2),
        ({"profile": "koikoi-nintendo"}, 2),
        ({"obiki": "9", "nagare": "next", "akatan-aotan": "3", "sakazuki": "yes"}, 2),
        ({"tsukifuda": "4", "calls": "multiply", "first-to": "50", "exhausted": "higher"}, 2),
    ),
    "hachihachi-bga": (
        ({}, 3),
        ({}, 4),
        (
            {
                **{"months": "6", "etsunen": "yes", "torikeshi": "yes", "tobikomi-hatto": "yes"},
                **{"tsukifuda": "yes", "shiso": "ends"},
            },
            6,
        ),
    ),
    "hanaawase": (({}, 3),),
    "ten-five-one": (
        ({}, 3),
        (
            {
                **dict.fromkeys(("kuttsuki", "futasanbon", "haneken", "ichinishi"), "yes"),
                **{"tobikomi": "yes", "teshi": "all", "shiso": "ends", "nasake": "all-rain"},
            },
            5,
        ),
        ({"shiso": "yes", "kaburi": "no", "teshi": "doni", "nasake": "chosen-doni"}, 7),
    ),
}
#: Payments without a yaku, and ends, by ruleset.
PAYMENTS: Final = {
    "hachihachi": {"points"},
    "koikoi": {"kobiki", "obiki", "oyaken", "koikoi", "bai", "koikoigaeshi"},
    "hachihachi-bga": {"points", "ori", "oikomi", "mizuten"},
    "hanaawase": {"points"},
    "ten-five-one": {"points"},
}
COMMON_ENDS: Final = {"redeal", "void"}
OWN_ENDS: Final = {
    "hachihachi": {"agari", "torikeshi", "played-out", "special", "shiso"},
    "koikoi": {"shobu", "nagare", "teyaku", "played-out"},
    "hachihachi-bga": {"agari", "torikeshi", "played-out", "special", "shiso", "nagare"},
    "hanaawase": {"played-out", "fuke"},
    "ten-five-one": {"played-out", "shiso"},
}
REASONS: Final = {
    "hachihachi": {"misdeal"},
    "koikoi": {"misdeal", "shima"},
    "hachihachi-bga": {"misdeal"},
    "hanaawase": {"misdeal", "teshi", "tsukisante"},
    "ten-five-one": {"misdeal", "ba4"},
}
#: Names without a table.
CASES: Final = {
    "hachihachi": {
        *("tied draw", "all equal", "two shiso", "nine ribbons", "sage twice", "forced torikeshi"),
        *("hatto", "paid for sage", "struck out", "month 13", "four on the field", "nimai sage"),
    },
    "koikoi": {"tied draw", "new split", "month 13", "two calls", "difference", "played over"},
    "hachihachi-bga": {
        *("tied draw", "all equal", "sage twice", "sage of two", "silent sage", "hatto"),
        *("paid for sage", "struck out", "month 7", "shut out", "four on the field"),
    },
    "hanaawase": {"tied draw", "all equal", "two fuke", "four on the field"},
    "ten-five-one": {"tied draw", "shut out", "two swaps", "three tobikomi"},
}


def dealt_hands(rules: str) -> set[str]:
    """Return the dealt-hand yaku of a ruleset, from its tables."""
    return {
        "koikoi": {row.id for row in TEYAKU},
        "hachihachi": {*hachihachi_hands.COUNT, *hachihachi_hands.CHAFF},
        "hachihachi-bga": {*hachihachi_bga_hands.COUNT, *hachihachi_hands.CHAFF},
        "hanaawase": {*hanaawase_payments.VALUES, *(row.id for row in hanaawase.AGAIN)},
        "ten-five-one": {"nasake", *(row.id for row in ten_five_one_payments.TEYAKU)},
    }[rules]


def due(rules: str) -> set[str]:
    """Return the names of everything that can occur in a ruleset."""
    machines = [machine_of(rules, options, seats) for options, seats in HOUSES[rules]]
    yaku = {row.id for machine in machines for row in machine.captured_yaku}
    yaku |= set(find_ruleset(rules).monthly)
    if rules in ("hachihachi", "hachihachi-bga"):
        yaku |= {*SPECIALS, "tobikomi", "nuke"}
    names = {f"pays {id}" for id in yaku | PAYMENTS[rules]}
    names |= {f"shows {id}" for id in dealt_hands(rules)}
    if rules != "hanaawase":
        names |= {f"pays {id}" for id in dealt_hands(rules)}
    else:
        names |= {f"pays {id}" for id in hanaawase_payments.VALUES}
    names |= {f"says {word}" for machine in machines for word in machine.words}
    names |= {f"writes {word}" for machine in machines for word in machine.statements}
    names |= {f"ends {end}" for end in OWN_ENDS[rules] | COMMON_ENDS}
    names |= {f"redeal {reason}" for reason in REASONS[rules]}
    names |= {f"void {reason}" for reason in VOIDS}
    if rules == "hachihachi":
        names |= {f"calls {word}" for word in CALLS}
    elif rules == "hachihachi-bga":
        names.add("calls torikeshi")
    if "ba" in machines[0].statements:
        names |= {f"grade {grade}" for grade in GRADES}
        names |= {"bound large", "bound absolute"}
    return names | CASES[rules]


# Events of a game ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Seen:
    """The events of one game."""

    found: set[str] = field(default_factory=set)
    sages: list[int] = field(default_factory=list)
    lowered: Counter[int] = field(default_factory=Counter)
    called: int = 0
    tobikomi: int = 0

    def add(self, step: Step) -> None:
        """Note the names of an action and its events."""
        state: Any = step.state
        match step.action:
            case Say(word):
                self.found.add(f"says {word}")
                self.lowered[step.deal] += word == "sage"
                if word == "nimai" and getattr(state, "locked", False):
                    self.found.add("nimai sage")
                if word == "sage" and step.events:
                    self.sages.append(step.events[0].seat)
            case CallAction(word):
                self.found.add(f"calls {word}")
                self.called += word == "torikeshi"
        for event in step.events:
            self.found |= set(self._of(event))
        if state.phase in (Phase.DEAL, Phase.OVER) and state.result is not None:
            self._close(state)

    def _of(self, event: PlayEvent) -> Iterator[str]:
        if event.kind == "show":
            yield from (f"shows {name}" for name in event.label.split("+"))
        if event.why == "hatto":
            yield "hatto"
        if event.why == "sage":
            yield "paid for sage"
        if event.kind == "yaku" and event.label == "nanatan" and event.amount >= 12:
            yield "nine ribbons"

    def _close(self, state: Any) -> None:
        """Note the end of a deal."""
        result = state.result
        self.found.add(f"ends {result.end}")
        for line in result.ledger:
            self.found |= {f"pays {name}" for name in line.label.split("+")}
            if line.void and result.end == "special":
                self.found.add("struck out")
            if min(line.amounts) < 0 < len(state.totals) == 2:
                self.found.add("difference")
            if line.label == "sanbon" and max(line.amounts) == 40:
                self.found.add("three tobikomi")
        for kind, grade in (("grade", result.grade), ("bound", result.bound)):
            if grade:
                self.found.add(f"{kind} {grade}")
        if result.end == "torikeshi" and not self.called:
            self.found.add("forced torikeshi")
        if len(self.sages) > len(set(self.sages)):
            self.found.add("sage twice")
        if len(set(self.sages)) > 1:
            self.found.add("sage of two")
        if max(getattr(state, "calls", (0,))) > 1:
            self.found.add("two calls")
        shown = [line for line in result.ledger if "shiso" in line.label.split("+")]
        if result.end == "shiso" and len(shown) > 1:
            self.found.add("two shiso")
        if result.end == "fuke":
            poor = [cards.points(captured) <= hanaawase.FUKE for captured in state.table.captured]
            self.found |= {"two fuke"} if sum(poor) == 2 else set()
        self.sages, self.called = [], 0


def occurred(game: Game) -> set[str]:
    """Return the names of everything that occurs in a legal game with all its cards."""
    observer = Seen()
    machine = machine_of(game.rules, game.options, len(game.players))
    playthrough = Playthrough(game, machine)
    for step in playthrough.steps():
        observer.add(step)
    outcome = playthrough.outcome
    names = observer.found
    for number, month in enumerate(game.months, start=1):
        before = game.months[number - 2] if number > 1 else None
        written = ("draw", "split", "blind", "swap", "bid", "ba")
        names |= {f"writes {name}" for name in written if month.find(name)}
        names |= {str(end) for kind in ("redeal", "void") for end in month.actions(kind)}
        names.add(f"month {month.month}")
        if len(month.draws) > 1:
            names.add("tied draw")
        if before and before.month == month.month:
            names.add("played over")
            names |= {"new split"} if month.split else set()
        if len(month.actions("swap")) > 1:
            names.add("two swaps")
        bids = month.actions("bid")
        if sum(bid.say == "in" for bid in bids) == 3:
            names |= {"shut out"} if len(bids) < len(game.players) else set()
        field = month.field or ""
        if any(set(cards.letters(group)) <= set(field) for group in cards.MONTHS[1:]):
            names.add("four on the field")
        sage_count = sum(word == "sage" for turn in month.turns for word in spoken(turn))
        if game.rules == "hachihachi-bga" and sage_count < observer.lowered[number]:
            names.add("silent sage")
    final = outcome.state.final
    if final is not None and len(set(final)) == 1 and outcome.deals[-1].end != "shiso":
        names.add("all equal")
    return names
