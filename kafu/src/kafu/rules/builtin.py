"""The five rulesets of this library, registered when `kafu` is imported.

The registry, `rulesets`, is imported by the five, so it cannot import them.
"""

from __future__ import annotations

from kafu.rules.hachihachi.description import HACHIHACHI
from kafu.rules.hachihachi_bga.description import HACHIHACHI_BGA
from kafu.rules.hanaawase.description import HANAAWASE
from kafu.rules.koikoi.description import KOIKOI
from kafu.rules.rulesets import register
from kafu.rules.ten_five_one.description import TEN_FIVE_ONE


def register_builtin() -> None:
    """Register the five rulesets. Raise ValueError on a second call."""
    for ruleset in (HACHIHACHI, KOIKOI, HACHIHACHI_BGA, HANAAWASE, TEN_FIVE_ONE):
        register(ruleset)
