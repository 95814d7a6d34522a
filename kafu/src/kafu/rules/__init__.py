"""The rules of hanafuda as state machines, one package for each ruleset.

`rulesets` is the registry, `play` and `sheets` are shared by all rulesets, and `play.machine`
defines the interface of a ruleset.
"""

from typing import Final

#: Increased by every change that can affect a verdict. Each verdict stores this version, and
#: `manage.py reverify` finds games judged by an older engine.
ENGINE_VERSION: Final = "9"
