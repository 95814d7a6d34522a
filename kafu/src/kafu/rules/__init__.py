"""The rules of hanafuda as one state machine: a package a ruleset.

`rulesets` lists them, `play` is shared by their deals, and `play.machine` is the interface of each.
"""

from typing import Final

#: Raised whenever a verdict could come out differently; stored with it, so that `manage.py
#: reverify` finds games judged by an older engine.
ENGINE_VERSION: Final = "6"
