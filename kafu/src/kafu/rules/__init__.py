"""The rules of hanafuda as one state machine over plain values: a package a ruleset.

`rulesets` lists them, `play` is what their deals share, and `play.machine` says what each offers.
"""

from typing import Final

#: Raised whenever a verdict could come out differently; stored with it, so that `manage.py
#: reverify` finds what an older engine judged.
ENGINE_VERSION: Final = "3"
