"""`kafu analyse`: the worth of each choice, with the costly choices."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kafu.analysis import report
from kafu.cli.sources import Sourced
from kafu.cli.terminal import Progress, printable
from kafu.cli.words import ndjson
from kafu.importers import read_piece
from kafu.notation.faults import Fault, player_name
from kafu.notation.game import Game
from kafu.rules import codes
from kafu.rules.rulesets import RULESETS, Unsupported

_SEAT: Final = {
    "en": "{player}: {analysed} choices, {forced} forced, {costly} costly; lost {loss:.1f} ± "
    "{error:.1f} {unit}; luck of the deal {deal}, of the draw pile {stock}",
    "ja": "{player}: 選択 {analysed}、選べない手 {forced}、損な手 {costly}。損 {loss:.1f} ± "
    "{error:.1f} {unit}。運: 配り {deal}、山札 {stock}",
}
_COSTLY: Final = {
    "en": "deal {deal}, turn {turn}, {player}: {played}; {rival} is better by {better:.1f} ± "
    "{error:.1f}, chance to win the game {chance} ± {chance_error}",
    "ja": "{deal}番目の月 {turn}手目 {player}: {played}。{rival} なら {better:.1f} ± "
    "{error:.1f} 得、対局に勝つ見込み {chance} ± {chance_error}",
}
#: The parts of luck in a result.
_LUCK: Final = ("deal", "stock")
_UNITS: Final = {"en": {True: "mon", False: "points"}, "ja": {True: "文", False: "点"}}


def analyse(
    games: Iterable[Sourced],
    progress: Progress,
    *,
    lang: str,
    objects: bool,
    seed: int = 0,
    most: int | None = None,
) -> bool:
    """Print the analysis of each game, and return whether every game could be analysed.

    The output is text for people or one JSON object per line. At most ``most`` deals are sampled
    for a comparison.
    """
    good = True
    for sourced in games:
        reading = read_piece(sourced.piece)
        fault = reading.fault
        if reading.game is not None:
            try:
                analysis = report.analyse_game(reading.game, seed=seed, most=most)
            except Unsupported as error:
                fault = Fault(codes.UNSUPPORTED, values={"rules": str(error)})
            else:
                place = {"source": sourced.source, "line": sourced.piece.line}
                print_analysis(place, reading.game, analysis, lang, objects=objects)
        if fault is not None:
            good = False
            words = fault.code.text(lang, fault.values)
            progress.report(printable(f"{sourced.source}:{sourced.piece.line}: {words}"))
        progress.step()
    return good


def print_analysis(
    place: dict[str, Any], game: Game, analysis: dict[str, Any], lang: str, *, objects: bool
) -> None:
    """Print the analysis of a game as text, or with ``objects`` as one JSON object.

    ``place`` has the ``source`` and ``line`` of the game.
    """
    if objects:
        sys.stdout.write(f"{ndjson({**place, **analysis})}\n")
        return
    title = f"{place['source']}:{place['line']}  {game.rules}"
    for line in (title, *(f"  {line}" for line in format_lines(game, analysis, lang))):
        sys.stdout.write(f"{printable(line)}\n")


def format_lines(game: Game, analysis: dict[str, Any], lang: str) -> Iterator[str]:
    """Yield an analysis as text: a line per player, and a line per costly choice."""
    unit = _UNITS[lang][RULESETS[game.rules].mon]
    for seat, sums in enumerate(analysis["seats"], 1):
        name = player_name(seat, lang, game.players)
        luck = {part: "{value:+.1f} ± {error:.1f}".format(**sums["parts"][part]) for part in _LUCK}
        yield _SEAT[lang].format(player=name, unit=unit, **sums, **luck)
    for choice in analysis["choices"]:
        if choice["costly"]:
            name = player_name(choice["seat"], lang, game.players)
            chance = choice["chance"]
            shown = {"chance": f"{chance['value']:+.1%}", "chance_error": f"{chance['error']:.1%}"}
            yield _COSTLY[lang].format(**(choice | shown), player=name)
