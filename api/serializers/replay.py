"""The schema of a replay, and of an analysis. The library makes them; these classes describe them.

Cards are letters (`A`–`Z`, `a`–`v`; `?` unknown); lists are in the order of seats.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import RulesetField
from api.serializers.verdict import FaultSerializer, LineSerializer, amounts
from kafu.comparing.situations import Aspect, Match
from kafu.notation.vocabulary import GRADES
from kafu.rules.names import ENDS

Serializer = serializers.Serializer[Any]


class YakuSerializer(Serializer):
    """A yaku that a seat has at this moment."""

    id = serializers.CharField()
    value = serializers.IntegerField()


class EventSerializer(Serializer):
    """An effect of a step."""

    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    yaku = serializers.CharField(required=False)
    amount = serializers.IntegerField(
        required=False,
        help_text="In a yaku: what it is worth. In a payment for calls of koi-koi: how many.",
    )
    amounts = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="In a payment: one sum a seat.",
    )
    why = serializers.ChoiceField(
        choices=["share", "hatto", "sage", "calls"],
        required=False,
        help_text=(
            "Who pays: each other player their share, or `payer` for all, and for what reason; "
            "`calls`: a total is multiplied by the calls of koi-koi."
        ),
    )
    payer = serializers.IntegerField(required=False)
    turn = serializers.IntegerField(required=False, help_text="When the payer threw, or said sage.")
    card = serializers.CharField(required=False, help_text="The hatto card that the payer threw.")


#: Of steps.
STEP_KINDS = (
    *("deal", "blind", "swap", "bid", "show", "hand", "stock", "say", "call"),
    *("redeal", "void", "end"),
)


class StepSerializer(Serializer):
    """One step, and the whole table after it."""

    kind = serializers.ChoiceField(choices=STEP_KINDS)
    turn = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    card = serializers.CharField(help_text="The card played or turned.")
    take = serializers.CharField(help_text="Cards captured with it, or laid open.")
    say = serializers.CharField(help_text="What was said, or how the deal ended.")
    hands = serializers.ListField(child=serializers.CharField())
    known = serializers.ListField(
        child=serializers.CharField(), help_text="Cards of the hands that all have seen."
    )
    field = serializers.CharField()
    captured = serializers.ListField(child=serializers.CharField())
    stock = serializers.IntegerField(help_text="Cards left.")
    yaku = serializers.ListField(child=YakuSerializer(many=True))
    events = EventSerializer(many=True)
    comments = serializers.ListField(child=serializers.CharField())


class ReplayDealSerializer(Serializer):
    """One deal; `end` and `score` are null if it did not end."""

    number = serializers.IntegerField()
    month = serializers.IntegerField()
    dealer = serializers.IntegerField()
    grade = serializers.ChoiceField(choices=GRADES, allow_null=True)
    end = serializers.ChoiceField(choices=list(ENDS), allow_null=True)
    score = amounts(allow_null=True)
    before = amounts()
    totals = amounts()
    ledger = LineSerializer(many=True)
    steps = StepSerializer(many=True)


class ReplaySerializer(Serializer):
    """A game step by step, up to its end or first fault."""

    ruleset = RulesetField()
    options = serializers.DictField(child=serializers.CharField())
    players = serializers.ListField(child=serializers.CharField())
    status = serializers.CharField()
    final = amounts(allow_null=True)
    error = FaultSerializer(allow_null=True)
    deals = ReplayDealSerializer(many=True)


ASPECTS = [one.name.lower() for one in Aspect]


class ComparedStepSerializer(Serializer):
    """A step of the game whose situation is compared: the table after it is what the seat sees."""

    at = serializers.CharField(
        help_text="Deal (from 1) and step (from 0), as in the replay: `3.14`."
    )
    aspect = serializers.ChoiceField(ASPECTS, help_text="What is compared.")
    seat = serializers.IntegerField(help_text="Whose turn it is.")


class SituationChoiceSerializer(Serializer):
    """A choice, in the cards of this game: where others had other suits they are translated."""

    card = serializers.CharField(help_text="The card played from the hand; empty for a word.")
    take = serializers.CharField(
        help_text="A card that it captures from a dealt field; empty for none."
    )
    word = serializers.CharField(help_text="The decision; empty for a card.")
    is_own = serializers.BooleanField(help_text="Whether this game has it.")
    n = serializers.IntegerField(help_text="How often it was made.")
    share = serializers.FloatField()
    share_low = serializers.FloatField()
    share_high = serializers.FloatField()
    margin = serializers.FloatField(
        help_text="Mean of what the deal brought from there on, in the small unit: in koi-koi less "
        "what it brought the opponent."
    )
    margin_low = serializers.FloatField(
        allow_null=True,
        help_text="95 % interval of the mean; null for fewer than ten cases, or equal ones.",
    )
    margin_high = serializers.FloatField(allow_null=True)
    score = serializers.FloatField(help_text="The same of own points alone.")
    score_low = serializers.FloatField(allow_null=True)
    score_high = serializers.FloatField(allow_null=True)


class ThreatSerializer(Serializer):
    """The yaku that an opponent is nearest to."""

    yaku = serializers.CharField()
    lacking = serializers.IntegerField(help_text="Cards that the opponent lacks: 1 or 2.")


class SituationSerializer(ComparedStepSerializer):
    """The situation at a step: `field`, `captured`, or what decides, from `yaku` to `threat`, by
    what is compared.
    """

    field = serializers.CharField(help_text="The dealt field.")
    captured = serializers.ListField(
        child=serializers.CharField(), help_text="Captured cards, from the seat in turn on."
    )
    yaku = serializers.ListField(
        child=serializers.CharField(), help_text="The captured yaku of the seat."
    )
    stop = serializers.IntegerField(
        allow_null=True, help_text="What stopping brings from here on, in the small unit."
    )
    left = serializers.IntegerField(allow_null=True, help_text="Cards in hand.")
    calls = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="How often the seat, and the others, went on before in this deal.",
    )
    grade = serializers.CharField(allow_null=True, help_text="The field grade.")
    carried = serializers.CharField(
        allow_null=True,
        help_text="What was carried over: a grade, or `replay` for a month that is played over.",
    )
    threat = ThreatSerializer(
        allow_null=True, help_text="Null where opponents lack more cards of every yaku."
    )
    match = serializers.ChoiceField([match.value for match in Match])
    fixed = serializers.ListField(
        child=serializers.CharField(), help_text="The parts that are the same in all cases."
    )
    n = serializers.IntegerField(help_text="How often it occurred in public games.")
    games = serializers.IntegerField(help_text="In how many of them.")
    choices = SituationChoiceSerializer(many=True)


class SituationPlaceSerializer(Serializer):
    """A public game with the situation, and the step of it; `choice` is a row of `choices`."""

    key = serializers.CharField()
    at = serializers.CharField()
    choice = serializers.IntegerField(help_text="Row of `choices`, from 0.")
    margin = serializers.IntegerField(help_text="What the deal brought, as in `choices`.")
    score = serializers.IntegerField(help_text="Own points alone.")


class SituationsSerializer(Serializer):
    """The games that share a situation."""

    key = serializers.CharField()
    complete = serializers.BooleanField(
        help_text="False while games that were stored lately are still to be counted."
    )
    as_of = serializers.DateTimeField(
        allow_null=True, help_text="When what was counted last changed; null for nothing."
    )
    steps = ComparedStepSerializer(many=True, help_text="All steps of this game that are compared.")
    situation = SituationSerializer(
        allow_null=True, help_text="Null without `at`, and at a step that is not compared."
    )
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = SituationPlaceSerializer(many=True, help_text="Where it occurred, newest game first.")


# Its analysis ----------------------------------------------------------------------------------

#: How far an analysis is.
STATES = ("none", "waiting", "running", "failed", "done")
_SMALL = "In the small unit."
_ERROR = "The standard error."


class WinningSerializer(Serializer):
    """A chance to win the game, or a difference of two; a tie for the first place is shared."""

    value = serializers.FloatField()
    error = serializers.FloatField(help_text=_ERROR)


class ActionSerializer(Serializer):
    """An action that a choice offered, and what it was worth to its seat."""

    move = serializers.CharField(
        help_text=(
            "As Kafu writes it: `AxC`, a word, or a declaration and its cards; `in`, `out` and "
            "`blind` of bids; `-` for saying nothing."
        )
    )
    mean = serializers.FloatField(help_text=f"Mean result of the deal. {_SMALL}")
    error = serializers.FloatField(help_text="Its standard error.")
    deals = serializers.IntegerField(help_text="Deals that it was tried on.")
    chance = WinningSerializer(help_text="The chance that the seat wins the game.")


class ChoiceSerializer(Serializer):
    """A choice of a seat that was not forced."""

    deal = serializers.IntegerField(help_text="From 1.")
    step = serializers.IntegerField(help_text="Of the replay's deal, from 0.")
    turn = serializers.IntegerField()
    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=["hand", "stock", "say", "bid", "show"])
    played = serializers.CharField(help_text="The action that was chosen.")
    options = ActionSerializer(many=True, help_text="Empty where there is a reason.")
    rival = serializers.CharField(allow_blank=True, help_text="The best other action.")
    better = serializers.FloatField(help_text=f"How much more the rival is worth. {_SMALL}")
    error = serializers.FloatField(help_text="The standard error of that.")
    deals = serializers.IntegerField(help_text="Deals of that comparison, used for nothing else.")
    exact = serializers.BooleanField(help_text="All deals that fit were counted.")
    sought = serializers.BooleanField(help_text="The rival led where it was looked for.")
    loss = serializers.FloatField(help_text="`better` if above two standard errors, else 0.")
    chance = WinningSerializer(
        help_text="How much likelier the seat wins the game with the rival, on the same deals."
    )
    costly = serializers.BooleanField(help_text="Costly beyond its error (Holm over the game).")
    reason = serializers.ChoiceField(
        choices=["", "hand", "count", "rare"], help_text="Why it cannot be analysed."
    )


class AmountsSerializer(Serializer):
    """Measured sums, a seat each."""

    value = serializers.ListField(child=serializers.FloatField(), help_text=_SMALL)
    error = serializers.ListField(child=serializers.FloatField(), help_text=_ERROR)


class AmountSerializer(Serializer):
    """A measured sum."""

    value = serializers.FloatField(help_text=_SMALL)
    error = serializers.FloatField(help_text=_ERROR)


def _parts(name: str, form: type[Serializer]) -> type[Serializer]:
    """A form of the parts of a result."""
    texts = {
        "start": "What is to be expected of any deal.",
        "deal": "The luck of the cards dealt.",
        "stock": "The luck of the draw pile.",
        "own": "What the seat's own choices brought it, the hands being what they were.",
        "others": "What the choices of the others brought it.",
        "rest": "The result less all that: noise, within its error.",
    }
    fields: dict[str, Any] = {part: form(help_text=text) for part, text in texts.items()}
    return type(name, (Serializer,), fields | {"__doc__": "The parts of a result."})


DealPartsSerializer = _parts("DealPartsSerializer", AmountsSerializer)
SeatPartsSerializer = _parts("SeatPartsSerializer", AmountSerializer)


class ExpectedSerializer(AmountsSerializer):
    """What the seats could expect of the deal after a step, all hands being known."""

    step = serializers.IntegerField(help_text="Of the replay's deal, from 0.")


class DealAccountSerializer(Serializer):
    """What a deal brought; null and empty where it is not measured."""

    deal = serializers.IntegerField(help_text="From 1.")
    result = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    parts = DealPartsSerializer(allow_null=True)
    course = ExpectedSerializer(many=True, help_text="Steps at which it changed.")


class SeatSumsSerializer(Serializer):
    """What the choices of a seat come to."""

    analysed = serializers.IntegerField()
    forced = serializers.IntegerField()
    costly = serializers.IntegerField()
    loss = serializers.FloatField()
    error = serializers.FloatField()
    result = serializers.IntegerField(help_text="Of the deals that were measured.")
    parts = SeatPartsSerializer()


class EffortSerializer(Serializer):
    """How much was done for a choice."""

    error = serializers.FloatField(help_text="The standard error aimed at.")
    most = serializers.IntegerField(help_text="Deals of a comparison at the most.")
    games = serializers.IntegerField(help_text="Simulated games behind the chances to win.")


class ReportSerializer(Serializer):
    """A whole analysis."""

    ruleset = RulesetField()
    effort = EffortSerializer()
    choices = ChoiceSerializer(many=True)
    seats = SeatSumsSerializer(many=True)
    deals = DealAccountSerializer(many=True)


class AnalysisSerializer(Serializer):
    """How far the analysis of a game is, and the analysis."""

    state = serializers.ChoiceField(choices=STATES)
    progress = serializers.IntegerField(help_text="Choices and deals that are done.")
    total = serializers.IntegerField(allow_null=True, help_text="All of them, once counted.")
    engine = serializers.CharField(help_text="The version that makes it.")
    made = serializers.DateTimeField(allow_null=True)
    analysis = ReportSerializer(allow_null=True)
