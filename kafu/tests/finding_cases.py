"""Finds a small set of legal games that covers everything in the rules.

    python -m finding_cases koikoi 400

So many games are simulated, with rare deals, under houses of many options; each gives what occurs
up to each of its deals. For options that are missing then, games are tried with that option alone.
Of all these, and those that were found before, the game is chosen that adds most for its size to
the other cases, until nothing is missing that any of them has. They are written among the cases, as
``rare-01.kafu`` and so on; run `conformance.make` then.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from copy import copy
from random import Random
from typing import Final, NamedTuple

from conformance.run import HERE
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading, read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import ruleset
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from occurring import HOUSES, due, occurred

#: Rulesets whose months are free, and how many a game has.
FREE: Final = ("koikoi", "ten-five-one")
MONTHS: Final = (1, 2, 3, 4)
#: What a record costs beside its bytes, so that a few larger ones are taken rather than many.
COST: Final = 3000
#: How many games are tried for one option, and what it needs beside it.
TRIES: Final = 200
COMPANIONS: Final = {
    "akatan-aotan-step": {"akatan-aotan": "9"},
    "akatan-aotan-over": {"akatan-aotan": "9"},
    "kaeriharu": {"nagare": "next"},
}
LEGAL: Final = ("verified", "unfinished")


def due_of_options(rules: str) -> set[str]:
    """Every option with each of its words, or with a number, that is not what it is anyway."""
    found = set()
    for name, values in RULES[rules].options.items():
        words = values.expected if set(values.expected) == values.known else ()
        anyway = rules if name == "profile" else ruleset(rules).defaults()[name]
        found |= {f"{name}={word}" for word in words if word != anyway} if words else {name}
    return found


def telling(game: Game, verdict: Verdict) -> set[str]:
    """The options of a game without which another verdict were given."""
    found = set()
    for name, value in game.options.items():
        other = copy(game)
        other.options = {key: one for key, one in game.options.items() if key != name}
        changed = verify(Reading(other)).verdict
        if (changed.status, changed.deals, changed.final) != (
            verdict.status,
            verdict.deals,
            verdict.final,
        ):
            found |= {name, f"{name}={value}"}
    return found


def tells(text: str) -> set[str]:
    """All that occurs in a record, and the options that matter in it. It must be legal."""
    game = read(text).game
    assert game is not None
    verdict = verify(Reading(game)).verdict
    assert verdict.status in LEGAL, (verdict, text)
    return occurred(game) | telling(game, verdict)


class Found(NamedTuple):
    """A record, and what there is in it."""

    text: str
    there: frozenset[str]


def houses(rules: str, random: Random) -> Iterator[tuple[dict[str, str], int]]:
    """Options and seats without end: those that are known to reach much, then any."""
    while True:
        yield from ((dict(options), seats) for options, seats in HOUSES[rules])
        for share in (0.1, 0.3, 0.6):
            options = {
                name: random.choice(sorted(values.known, key=lambda one: (len(one), one))[:60])
                for name, values in RULES[rules].options.items()
                if random.random() < share and name != "months"
            }
            if rules == "koikoi" and random.random() < 0.6:
                options["profile"] = "koikoi"
            yield options, random.choice(RULES[rules].seats)


def candidates(rules: str, games: int) -> Iterator[Found]:
    """Simulated games, whole and cut behind each of their deals."""
    random = Random(f"{rules} {games}")
    of_house = houses(rules, random)
    for seed in range(games, 2 * games):
        options, seats = next(of_house)
        if rules in FREE and seed % 8:
            options["months"] = str(random.choice(MONTHS))
        game = simulate(rules, seed=seed, players=seats, options=options, rare=seed % 4 > 0)
        yield Found(write(game), frozenset(tells(write(game))))
        for deals in range(1, len(game.months)):
            part = copy(game)
            part.months, part.final, part.result = game.months[:deals], None, None
            part.tags = {**game.tags, "Termination": "unfinished"}
            yield Found(write(part), frozenset(tells(write(part))))


def chosen(found: list[Found], missing: set[str]) -> Iterator[tuple[Found, set[str]]]:
    """The records to take, each with what it adds."""
    while found:
        best = max(found, key=lambda one: len(one.there & missing) / (len(one.text) + COST))
        adds = set(best.there & missing)
        if not adds:
            return
        yield best, adds
        missing -= adds


def with_option(rules: str, wanted: str) -> Iterator[Found]:
    """The first game found in which one option matters, a number being any."""
    name, _, word = wanted.partition("=")
    random = Random(wanted)
    for seed in range(TRIES):
        value = word or random.choice(sorted(RULES[rules].options[name].known))
        options = {**COMPANIONS.get(name, {}), name: value}
        options |= {"months": str(1 + seed % 2)} if rules in FREE else {}
        text = write(simulate(rules, seed=seed, options=options, rare=seed % 4 > 0))
        there = tells(text)
        if wanted in there:
            yield Found(text, frozenset(there))
            return


def main(rules: str, games: int) -> None:
    """Add to the records of a ruleset, and say what is missing still."""
    missing = due(rules) | due_of_options(rules)
    found = []
    for path in (HERE / rules).glob("*.json"):
        record = path.with_suffix(".kafu")
        text = record.read_text(encoding="utf-8")
        if path.stem.startswith("rare-"):
            found.append(Found(text, frozenset(tells(text))))
            record.unlink()
            path.unlink()
        elif (
            json.loads(path.read_text(encoding="utf-8"))["status"] in LEGAL and "[Sheet" not in text
        ):
            missing -= tells(text)
    found += candidates(rules, games)
    known = {name for one in found for name in one.there}
    for wanted in sorted(missing & due_of_options(rules) - known):
        found += with_option(rules, wanted)
    for i, (one, adds) in enumerate(chosen(found, missing), 1):
        record = HERE / rules / f"rare-{i:02}.kafu"
        record.write_text(one.text, encoding="utf-8")
        about = f"In this game there are: {', '.join(sorted(adds))}."
        record.with_suffix(".json").write_text(json.dumps({"about": about}), encoding="utf-8")
        print(record.name, len(one.text), about)
    print("missing:", *sorted(missing))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
