"""Serializers of requests to the game editor and the score sheet editor."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.uploads import NameField, RulesetField
from kafu.editing.sheet_forms import MAX_LINES
from kafu.notation.vocabulary import MAX_DEALS, MAX_GAME_BYTES, SHEET_GRADES
from records.services.editing import split_actions

Serializer = serializers.Serializer[Any]
#: Maximum number of actions in a request, more than a deal can have.
MAX_ACTIONS: Final = 200
#: Maximum length of 48 card names.
_CARDS: Final = 2000
_SEATS: Final = 7
_TAGS: Final = 60
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_OWN_TAG: Final = re.compile(r"Kafu|Rules|Options|Result|Sheet|Termination|Player[0-9]+")


class BoundedListField(serializers.ListField):
    """A list whose length is checked before its items."""

    def run_child_validation(self, data: Any) -> list[Any]:
        """Return the checked items. Raise ValidationError."""
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        checked: list[Any] = super().run_child_validation(data)
        return checked


def unknown_fields(names: Iterable[str]) -> serializers.ValidationError:
    """Return the error for unknown field names."""
    name_list = ", ".join(sorted(names))[:100]
    return serializers.ValidationError(_("Unknown: %(names)s.") % {"names": name_list})


class CardsSerializer(Serializer):
    """The cards of a deal."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_DEALS)
    random = serializers.BooleanField(
        default=False, help_text="Deal at random; the other fields are ignored."
    )
    seed = serializers.IntegerField(
        required=False, min_value=0, max_value=1 << 32, help_text="Seed that repeats a random deal."
    )
    hands = BoundedListField(
        child=serializers.CharField(max_length=_CARDS, allow_blank=True),
        max_length=_SEATS,
        required=False,
        help_text="Card letters or names by seat, `?` for an unknown card.",
    )
    field = serializers.CharField(max_length=_CARDS, allow_blank=True, required=False)
    stock = serializers.CharField(
        max_length=_CARDS,
        allow_blank=True,
        required=False,
        help_text="The next card first; `...` at the end if later cards are unknown. Omitted: "
        "all unknown.",
    )
    dealer = serializers.IntegerField(
        min_value=1, max_value=_SEATS, required=False, help_text="The dealer, if any seat may deal."
    )


class BeginSerializer(Serializer):
    """A new game."""

    ruleset = RulesetField()
    players = BoundedListField(
        child=serializers.CharField(max_length=200), min_length=2, max_length=_SEATS
    )
    options = serializers.DictField(
        child=serializers.CharField(max_length=64), required=False, help_text="House rules by name."
    )
    tags = serializers.DictField(
        child=serializers.CharField(max_length=1000),
        required=False,
        help_text="Other tags, such as `Date` and `Event`; at most 60.",
    )

    def validate_tags(self, tags: dict[str, str]) -> dict[str, str]:
        """Return the tags not implied by the other fields; refuse malformed or excess tags."""
        if len(tags) > _TAGS:
            raise serializers.ValidationError(_("At most %(most)s tags.") % {"most": _TAGS})
        for name, value in tags.items():
            if not _TAG.fullmatch(name) or not value.isprintable():
                text = _("“%(name)s”: expected a name and one line.") % {"name": name[:40]}
                raise serializers.ValidationError(text)
        return {name: value for name, value in tags.items() if not _OWN_TAG.fullmatch(name)}


class EditSerializer(Serializer):
    """A game as exactly one of `kafu`, `record` and `new`, and the changes to make to it."""

    kafu = serializers.CharField(
        required=False, max_length=MAX_GAME_BYTES, trim_whitespace=False, help_text="One game."
    )
    record = serializers.CharField(
        required=False, max_length=44, help_text="The key of a game of the archive."
    )
    new = BeginSerializer(required=False)
    at = serializers.CharField(
        required=False,
        max_length=10,
        help_text=("Deal and step as in a replay, `3.14`; by default the last playable step."),
    )
    deal = CardsSerializer(required=False)
    foresee = serializers.BooleanField(
        default=False,
        help_text=(
            "Write the hands and the draw pile of the deal of `at` as far as its turns reveal "
            "them, before turns are taken back."
        ),
    )
    take_back = serializers.BooleanField(
        default=False, help_text="Remove everything after `at`; `3.-1` removes deal 3 too."
    )
    do = BoundedListField(
        child=serializers.CharField(max_length=100),
        required=False,
        max_length=MAX_ACTIONS,
        help_text=(
            "Actions in Kafu, `AxD`, `/B`, `=koikoi`, to follow `at`. Each replaces an existing "
            f"action of its kind. At most {MAX_ACTIONS} in all texts together."
        ),
    )
    comment = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=4000,
        help_text="The comment at `at`; an empty text removes it.",
    )
    instead = serializers.CharField(
        required=False,
        max_length=400,
        help_text=(
            "The `text` of one of `fault.legal`, to replace the fault; or `fault.omit`, to leave"
            " it out."
        ),
    )
    compute = serializers.BooleanField(
        default=False,
        help_text="Replace scores, grades and results by the values computed from the rules.",
    )

    def validate_do(self, turns: list[str]) -> list[str]:
        """Refuse more than `MAX_ACTIONS` actions, counted over all texts."""
        if sum(len(split_actions(turn)) for turn in turns) > MAX_ACTIONS:
            message = _("At most %(most)s actions.") % {"most": MAX_ACTIONS}
            raise serializers.ValidationError(message)
        return turns

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse unknown fields, and requests without exactly one game."""
        sources = [name for name in ("kafu", "record", "new") if name in attrs]
        if len(sources) != 1:
            raise serializers.ValidationError(_("Expected one of kafu, record, new."))
        if unknown := set(self.initial_data) - set(self.fields):
            raise unknown_fields(unknown)
        return attrs


def _seat(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=_SEATS, **options)


def _amounts(**options: Any) -> BoundedListField:
    """Return a field for amounts by seat, in handwritten form (``+5k``)."""
    child = serializers.CharField(max_length=20, allow_blank=True)
    return BoundedListField(child=child, max_length=_SEATS, required=False, **options)


class SheetLineSerializer(Serializer):
    """A payment with its recipient and reason."""

    seat = _seat()
    label = serializers.CharField(max_length=40)  # type: ignore[assignment]
    gain = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        allow_null=True,
        help_text="The amount paid in all, `+8k`; by default the plain value.",
    )
    payer = serializers.IntegerField(
        min_value=0,
        max_value=_SEATS,
        default=0,
        help_text="The only payer; 0 for all seats that have to pay.",
    )
    half = serializers.BooleanField(default=False, help_text="Paid by half.")
    void = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Struck out; by default as the rules say.",
    )


class SheetMonthSerializer(Serializer):
    """A month; omitted values follow from the rules."""

    dealer = _seat(required=False, allow_null=True)
    ba = NameField(choices=SHEET_GRADES, required=False, allow_null=True)
    lines = SheetLineSerializer(many=True, max_length=MAX_LINES, required=False)  # type: ignore[call-arg]
    points = _amounts(help_text="Card points by seat, as paid; one may be left empty.")
    captured = _amounts(help_text="Card points by seat, as captured, instead of `points`.")
    sums = _amounts(help_text="The month's sum by seat, for a month without further entries.")
    stone = _seat(required=False, allow_null=True, help_text="The next dealer.")
    out = BoundedListField(
        child=_seat(), required=False, max_length=_SEATS, help_text="The seats that sit out."
    )
    nothing = serializers.BooleanField(default=False, help_text="Nothing was paid.")


class SheetFormSerializer(BeginSerializer):
    """The form of a score sheet."""

    tags = serializers.DictField(
        child=serializers.CharField(max_length=200, allow_blank=True),
        required=False,
        help_text="`Date`, `Event`, `Site`, `Round`.",
    )
    months = SheetMonthSerializer(many=True, max_length=MAX_DEALS, required=False)  # type: ignore[call-arg]
    at = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DEALS,
        required=False,
        help_text="The month of `form`, from 1; by default the last month.",
    )

    def validate_tags(self, tags: dict[str, str]) -> dict[str, str]:
        """Refuse tags without a field in a score sheet."""
        if unknown := set(tags) - {"Date", "Event", "Site", "Round"}:
            raise unknown_fields(unknown)
        return tags
