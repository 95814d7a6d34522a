"""The rules of hanafuda as one state machine over plain values; one module a ruleset.

`machine` says what every ruleset offers, `playthrough` drives a game through it, `verify` makes the
verdict, `replay` the steps a page shows, `simulate` plays by itself. No Django, no I/O.
"""

from typing import Final

#: Raised whenever a verdict could come out differently; stored with it, so that `manage.py
#: reverify` finds what an older engine judged.
ENGINE_VERSION: Final = "2"
