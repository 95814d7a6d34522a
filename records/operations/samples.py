"""Sample games for a new archive: simulated years, and some games with faults."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Final

from kafu.notation.actions import Action
from kafu.notation.game import Game
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.ingest.receiving import Part, receive
from records.models import Upload

VIA: Final = "samples"
YEARS: Final = 12
PLAYERS: Final = (("Aya", "Ben"), ("Chiyo", "Daiki"), ("Emi", "Aya"), ("Ben", "Chiyo"))
#: Tables of the remaining games.
TABLES: Final = (
    ("hachihachi", ("Aya", "Ben", "Chiyo")),
    ("hachihachi", ("Daiki", "Emi", "Aya")),
    ("hachihachi-bga", ("Ben", "Chiyo", "Emi", "Fumi")),
    ("hachihachi-bga", ("Aya", "Daiki", "Fumi")),
    ("hanaawase", ("Emi", "Fumi", "Ben")),
    ("ten-five-one", ("Aya", "Ben", "Chiyo", "Daiki", "Emi")),
    ("ten-five-one", ("Aya", "Ben", "Chiyo", "Daiki", "Emi", "Fumi", "Gen")),
)


def load() -> Upload | None:
    """Upload the samples; return None if the archive has samples already."""
    if Upload.objects.filter(via=VIA).exists():
        return None
    return receive(
        parts=(
            Part("years.kafu", (joined(years()),)),
            Part("faulty.kafu", (joined(faulty()),)),
        ),
        via=VIA,
    )


def joined(games: list[Game]) -> bytes:
    """Return games as one Kafu file."""
    return "\n".join(map(write, games)).encode()


def years() -> list[Game]:
    """Return years of every ruleset from fixed seeds, most of them koi-koi."""
    pairs = enumerate(islice(cycle(PLAYERS), YEARS), start=1)
    tables = enumerate(TABLES, start=1)
    return [
        *(year(seed, players, ruleset) for seed, (ruleset, players) in tables),
        *(year(seed, players) for seed, players in pairs),
    ]


def year(seed: int, players: tuple[str, ...], ruleset: str = "koikoi") -> Game:
    """Return one simulated year, with the tags of a real record."""
    game = simulate(ruleset, seed=seed, players=len(players))
    game.players = players
    game.tags |= {"Event": "Sample games", "Date": f"2026-01-{seed:02}"}
    game.notes["head"] = [f"Played by the machine, seed {seed}."]
    return game


def faulty() -> list[Game]:
    """Return games with faults: a wrong score, a card not in hand, an unfinished year."""
    wrong_score = year(YEARS + 1, PLAYERS[0])
    wrong_score.notes["head"].append("The score of the first month is claimed wrongly.")
    wrong_score.months[0].score = (99, 0)

    not_in_hand = year(YEARS + 2, PLAYERS[1])
    not_in_hand.notes["head"].append("In the third month the first card is the other player's.")
    month = not_in_hand.months[2]
    opponent = 3 - month.dealer
    first = month.turns[0]
    first.value = (Action("hand", card=month.hands[opponent][0]), *first.value[1:])

    broken_off = year(YEARS + 3, PLAYERS[2])
    broken_off.months = broken_off.months[:5]
    broken_off.tags["Termination"] = "unfinished"
    broken_off.result = broken_off.final = None
    return [wrong_score, not_in_hand, broken_off]
