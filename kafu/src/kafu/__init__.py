"""Hanafuda: the notation Kafu, the rules of five games, odds, simulated players, foreign logs.

`cards` is the pack, `notation` reads and writes games, `rules` plays them, `judging` replays a
record and gives its verdict; `odds`, `simulation` and `importers` stand on these. Imports point
down only, and nothing but the standard library is needed.
"""

from typing import Final

from kafu.rules import known as _known  # noqa: F401

__version__: Final = "0.1.0"
