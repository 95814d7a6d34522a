"""The weights of the player of play-outs (`kafu.analysis.policy`), as data of a ruleset.

`bench.policies` fits them. A ruleset without fitted weights has the defaults, by which it can be
played at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from kafu.rules.yaku import total

#: The defaults of `PolicyWeights.play_on`: the promise must exceed the value of stopping.
_PROMISING: Final[Mapping[str, float]] = {"promise": 1.0, "held": -1.3}


def find_held(machine: Any, state: Any) -> tuple[float, ...]:
    """Return the value of the yaku of the seat in turn, in the unit of the ruleset."""
    return (float(total(machine.yaku(state, state.seat))),)


class PolicyWeights(NamedTuple):
    """The weights of the player of a ruleset.

    Chances to capture a further card of a yaku, per turn left: ``chance`` for the player, ``near``
    if a single card lacks, ``threat`` for an opponent; ``ceiling`` is their maximum. ``bonus`` is
    added to the value of each yaku, in the unit of the ruleset.

    Values of cards apart from yaku: ``points`` is the factor of card points; ``brights``,
    ``animals``, ``ribbons`` and ``chaff`` are added in the small unit.

    Factors: ``denied`` of the value of a captured card to opponents, and ``contested`` of the same,
    times the chance that an opponent could capture it; ``safe`` of the value of a captured card,
    times the chance that none could, to be subtracted; ``spent`` of the value of the played card
    with a capture; ``lost`` and ``given`` of the value of a thrown card to the player and to
    opponents; ``preserved`` of the part that a second card of its month preserves. ``pair`` is
    added to this part.

    ``situation`` returns the value of stopping at a decision in the unit of the ruleset, and
    perhaps further features, from a machine and a state. ``play_on`` are weights of the features of
    a decision (`kafu.analysis.policy.FEATURES`), ``situation_weights`` those of the further ones.
    The player plays on if their sum is positive. ``bid`` is the worth of a hand, compared with the
    average hand, from which the player bids.
    """

    chance: float = 0.05
    near: float = 0.05
    threat: float = 0.05
    ceiling: float = 0.85
    bonus: float = 0.0
    points: float = 1.0
    brights: float = 0.3
    animals: float = 0.15
    ribbons: float = 0.12
    chaff: float = 0.0
    denied: float = 0.7
    contested: float = 0.0
    safe: float = 0.0
    spent: float = 1.0
    lost: float = 1.0
    given: float = 1.0
    preserved: float = 0.5
    pair: float = 0.0
    play_on: Mapping[str, float] = _PROMISING
    situation_weights: tuple[float, ...] = ()
    situation: Callable[[Any, Any], tuple[float, ...]] = find_held
    bid: float = 1.0


#: The weights of a ruleset without fitted ones.
NEUTRAL: Final = PolicyWeights()
