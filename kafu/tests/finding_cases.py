"""Find a small set of legal games that covers everything in the rules.

    python -m finding_cases koikoi 400

The program simulates 400 games with rare deals, in houses with many options, and notes the events
up to each deal. For each option still missing, it tries games with only this option. From these
games and the stored ones it repeatedly chooses the game that adds most for its size, until the
games add nothing more. The chosen games are written as cases ``rare-01.kafu`` and so on; run
`conformance.make` afterwards.
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

#: Rulesets with free numbers of months, and the months of a game.
FREE: Final = ("koikoi", "ten-five-one")
MONTHS: Final = (1, 2, 3, 4)
#: The cost of a record besides its bytes, in favour of a few large records.
COST: Final = 3000
#: Number of games tried for one option, and the other options it needs.
TRIES: Final = 200
COMPANIONS: Final = {
    "akatan-aotan-step": {"akatan-aotan": "9"},
    "akatan-aotan-over": {"akatan-aotan": "9"},
    "kaeriharu": {"nagare": "next"},
}
LEGAL: Final = ("verified", "unfinished")


def due_of_options(rules: str) -> set[str]:
    """Return every option with each of its words, or with a number, except defaults."""
    options = set()
    for name, values in RULES[rules].options.items():
        words = values.expected if set(values.expected) == values.known else ()
        anyway = rules if name == "profile" else ruleset(rules).defaults()[name]
        options |= {f"{name}={word}" for word in words if word != anyway} if words else {name}
    return options


def telling(game: Game, verdict: Verdict) -> set[str]:
    """Return the options of a game that change its verdict."""
    deciding = set()
    for name, value in game.options.items():
        variant = copy(game)
        variant.options = {key: word for key, word in game.options.items() if key != name}
        changed = verify(Reading(variant)).verdict
        if (changed.status, changed.deals, changed.final) != (
            verdict.status,
            verdict.deals,
            verdict.final,
        ):
            deciding |= {name, f"{name}={value}"}
    return deciding


def tells(text: str) -> set[str]:
    """Return everything that occurs in a legal record, and the options that matter in it."""
    game = read(text).game
    assert game is not None
    verdict = verify(Reading(game)).verdict
    assert verdict.status in LEGAL, (verdict, text)
    return occurred(game) | telling(game, verdict)


class Found(NamedTuple):
    """A record and the names of its contents."""

    text: str
    there: frozenset[str]


def houses(rules: str, random: Random) -> Iterator[tuple[dict[str, str], int]]:
    """Yield options and seats without end: proven houses first, then random houses."""
    while True:
        yield from ((dict(options), seats) for options, seats in HOUSES[rules])
        for share in (0.1, 0.3, 0.6):
            options = {
                name: random.choice(sorted(values.known, key=lambda word: (len(word), word))[:60])
                for name, values in RULES[rules].options.items()
                if random.random() < share and name != "months"
            }
            if rules == "koikoi" and random.random() < 0.6:
                options["profile"] = "koikoi"
            yield options, random.choice(RULES[rules].seats)


def candidates(rules: str, games: int) -> Iterator[Found]:
    """Yield simulated games, whole and cut after each of their deals."""
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


def chosen(records: list[Found], missing: set[str]) -> Iterator[tuple[Found, set[str]]]:
    """Yield the records to take, each with the names that it adds."""
    while records:
        best = max(
            records, key=lambda record: len(record.there & missing) / (len(record.text) + COST)
        )
        adds = set(best.there & missing)
        if not adds:
            return
        yield best, adds
        missing -= adds


def with_option(rules: str, option: str) -> Iterator[Found]:
    """Yield the first game in which one option matters, with any number for a numeric option."""
    name, _, word = option.partition("=")
    random = Random(option)
    for seed in range(TRIES):
        value = word or random.choice(sorted(RULES[rules].options[name].known))
        options = {**COMPANIONS.get(name, {}), name: value}
        options |= {"months": str(1 + seed % 2)} if rules in FREE else {}
        text = write(simulate(rules, seed=seed, options=options, rare=seed % 4 > 0))
        there = tells(text)
        if option in there:
            yield Found(text, frozenset(there))
            return


def main(rules: str, games: int) -> None:
    """Add to the records of a ruleset, and print the missing names."""
    missing = due(rules) | due_of_options(rules)
    records = []
    for path in (HERE / rules).glob("*.json"):
        record = path.with_suffix(".kafu")
        text = record.read_text(encoding="utf-8")
        if path.stem.startswith("rare-"):
            records.append(Found(text, frozenset(tells(text))))
            record.unlink()
            path.unlink()
        elif (
            json.loads(path.read_text(encoding="utf-8"))["status"] in LEGAL and "[Sheet" not in text
        ):
            missing -= tells(text)
    records += candidates(rules, games)
    covered = {name for found_record in records for name in found_record.there}
    for option in sorted(missing & due_of_options(rules) - covered):
        records += with_option(rules, option)
    for i, (found_record, adds) in enumerate(chosen(records, missing), 1):
        record = HERE / rules / f"rare-{i:02}.kafu"
        record.write_text(found_record.text, encoding="utf-8")
        about = f"In this game there are: {', '.join(sorted(adds))}."
        record.with_suffix(".json").write_text(json.dumps({"about": about}), encoding="utf-8")
        print(record.name, len(found_record.text), about)
    print("missing:", *sorted(missing))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
