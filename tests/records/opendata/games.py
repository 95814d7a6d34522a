"""An archive with a bit of everything, to be dumped."""

from __future__ import annotations

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player, Visibility
from records.store.pseudonyms import give
from tests.people.world import sent, user
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score

SHEET = """[Kafu "1"]
[Rules "hachihachi"]
[Player1 "Aya"]
[Player2 "Ben"]
[Player3 "Chie"]
[Sheet "1"]
[Termination "unfinished"]

month 1 dealer 1
ba small
pay points 1 +60 2 -52 3 -8
stone 1
"""
#: A sheet of which no month is over.
NOT_BEGUN = SHEET.partition("month 1")[0].replace("hachihachi", "hanaawase") + "month 1 dealer 1\n"
#: Names that are no ordinary ones.
HOSTILE = ("'; DROP TABLE games;--", 'a,"b"\t{}', "=HYPERLINK(1)", "../../etc/passwd", "花子\u202e")
TABLES = ("hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")


def fill() -> None:
    """Games of every ruleset, verdict and visibility; one player masked, one not to be named."""
    named = [
        text(seed).replace('"Aya"', _quoted(name)) for seed, name in enumerate(HOSTILE, start=30)
    ]
    ingest(
        joined(
            *(text(seed) for seed in range(1, 5)),
            *(write(simulate(rules, seed=3)) for rules in TABLES),
            *named,
            with_wrong_score(10),
            illegal(11),
            NOT_BEGUN,
            SHEET,
            text(20).replace('"Aya"', '"Hanako Yamada"'),
            text(21).replace('"Ben"', '"Taro Suzuki"').replace('"Aya"', '"Uma"'),
        )
    )
    owner = user("owner")
    for seed, level in ((40, Visibility.PRIVATE), (41, Visibility.UNLISTED)):
        sent(text(seed).replace("Aya", "Secret"), owner=owner, visibility=level)
    give(Player.objects.get(name="Hanako Yamada"), "Wisteria")
    Player.objects.filter(name="Taro Suzuki").update(statistics=False)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
