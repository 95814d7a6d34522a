"""Games with expected verdicts: the library's, and an independent implementation's."""

from __future__ import annotations

from typing import Final

from kafu.notation.vocabulary import RULES
from tests.conftest import ROOT

OWN: Final = ROOT / "kafu/conformance"
SHARED: Final = ROOT.parent / "shared/conformance"
CASES: Final = [
    case
    for place in (SHARED, OWN)
    for ruleset in RULES
    for case in sorted((place / ruleset).glob("*.json"))
]
