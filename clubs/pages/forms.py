"""Forms of the pages of clubs: their fields, and refusals beside the field at fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import invites
from clubs.changes import ChangedMeanwhile, stamp
from clubs.members import MOST_ADDED
from clubs.models import ADDRESS, MEMBER_NAME, NAME, WORDS, Club, Role
from clubs.refused import NOT_ALLOWED, Refused
from kafu.rules.house_rules import HouseOption
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Visibility

#: Who can see a club.
VISIBILITIES: Final = [
    (Visibility.PUBLIC.value, gettext_lazy("everybody: it is in the list of clubs")),
    (Visibility.UNLISTED.value, gettext_lazy("everybody who has the address")),
    (Visibility.PRIVATE.value, gettext_lazy("members only")),
]


class ClubForm(forms.Form):
    """A form of a club: labels end without a colon."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def act(self, action: Callable[[Mapping[str, Any]], object], row: Model | None = None) -> bool:
        """Return whether an action with the checked values succeeded; show its refusal if not.

        ``row`` is the changed row. If somebody else changed it meanwhile, the entered values stay,
        and saving them again replaces the other change.
        """
        if not self.is_valid():
            return False
        try:
            action(self.cleaned_data)
        except ChangedMeanwhile:
            if row is None:
                raise
            self.data = {name: self.data.get(name) for name in self.data} | {"was": stamp(row)}
            text = _(
                "Somebody changed this at the same time. Nothing is saved yet: save again to "
                "replace the other change."
            )
            self.add_error(None, text)
        except Refused as refused:
            if refused.code == NOT_ALLOWED:
                raise
            self.add_error(refused.field if refused.field in self.fields else None, refused.words)
        return not self.errors


def _visibility() -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=gettext_lazy("Who can see it"),
        coerce=int,
        choices=VISIBILITIES,
        initial=Visibility.PUBLIC.value,
        help_text=gettext_lazy("New games of the club are as visible, unless chosen otherwise."),
    )


def _words() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Description"),
        max_length=WORDS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Where and when you play, whom to ask."),
    )


def _member_name(label: Any, help_text: Any = "", *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=MEMBER_NAME,
        required=required,
        help_text=help_text,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class NewClubForm(ClubForm):
    """The founding of a club."""

    name = forms.CharField(label=gettext_lazy("Name of the club"), max_length=NAME)
    key = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=ADDRESS,
        required=False,
        help_text=gettext_lazy(
            "The last part of its address: small letters, digits, and hyphens between. It stays "
            "for ever. Left empty, it is made from a name in Latin letters."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
    )
    player = _member_name(
        gettext_lazy("Your name at the table"), gettext_lazy("As in the games that you record.")
    )
    visibility = _visibility()
    words = _words()


class SettingsForm(ClubForm):
    """Name, description and visibility of a club."""

    was = forms.CharField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(label=gettext_lazy("Name of the club"), max_length=NAME)
    words = _words()
    visibility = _visibility()

    @classmethod
    def of(cls, club: Club, data: Any) -> SettingsForm:
        """Return the form with the values of a club, or the sent ones."""
        names = ("name", "words", "visibility")
        initial = {name: getattr(club, name) for name in names}
        return cls(data, initial=initial | {"was": stamp(club)})


class HouseForm(ClubForm):
    """The house rules of a ruleset: a field for each option, with the values of a house."""

    def __init__(self, ruleset: str, options: Mapping[str, str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["was"] = forms.CharField(widget=forms.HiddenInput, required=False)
        self.description = RULESETS[ruleset]
        self.profile = options.get("profile", "")
        self.defaults = self.description.defaults(self.profile)
        for id, option in self.description.options.items():
            if id != "profile":
                value = options.get(id, self.defaults[id])
                self.fields[id] = _option_field(option, value)

    @property
    def questions(self) -> Iterator[forms.BoundField]:
        """The fields of the options that differ most between houses."""
        return (self[id] for id in self.description.questions)

    @property
    def others(self) -> Iterator[forms.BoundField]:
        """The fields of the other options."""
        ids = ("was", *self.description.questions)
        return (self[id] for id in self.fields if id not in ids)

    @property
    def written(self) -> str:
        """The checked options that differ from the house, as in Kafu."""
        values = ((id, str(self.cleaned_data[id])) for id in self.defaults)
        changed = [f"{id}={value}" for id, value in values if value != self.defaults[id]]
        profile = [f"profile={self.profile}"] if self.profile else []
        return " ".join([*profile, *changed])


def _option_field(option: HouseOption, value: str) -> forms.Field:
    lang = labels.lang()
    label = option.label.label(lang)
    if option.numbers is None:
        choices = [(value, words.label(lang)) for value, words in option.names.items()]
        return forms.ChoiceField(label=label, choices=choices, initial=value)
    meanings = [f"{id}: {words.label(lang)}" for id, words in option.names.items()]
    unit = [option.unit.label(lang)] if option.unit else []
    return forms.IntegerField(
        label=label,
        min_value=option.numbers[0],
        max_value=option.numbers[-1],
        initial=value,
        help_text=" · ".join([*unit, *meanings]),
    )


class AddMembersForm(ClubForm):
    """Names of new members without an account."""

    name = forms.CharField(
        label=gettext_lazy("Names, one on each line"),
        max_length=MOST_ADDED * (MEMBER_NAME + 2),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    guest = forms.BooleanField(
        label=gettext_lazy("They are guests: without a rank"), required=False
    )


class RenameForm(ClubForm):
    """The name under which a member is shown."""

    was = forms.CharField(widget=forms.HiddenInput, required=False)
    name = _member_name(gettext_lazy("Name"))


class RoleForm(ClubForm):
    """The role of a member."""

    role = forms.TypedChoiceField(
        label=gettext_lazy("Role"),
        coerce=int,
        choices=Role.choices,
        help_text=gettext_lazy("A new founder takes the place of the former one."),
    )


class MergeForm(ClubForm):
    """The other name of a member."""

    into = _member_name(
        gettext_lazy("This is the same person as"),
        gettext_lazy("The name of the other member. Games stay as they are."),
    )


class InviteForm(ClubForm):
    """A new invitation."""

    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), coerce=int, initial=7)
    most = forms.TypedChoiceField(
        label=gettext_lazy("How many can join by it"),
        coerce=int,
        initial=20,
        choices=[(number, number) for number in invites.USES],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        days: Any = self.fields["days"]
        days.choices = [
            (number, _("1 day") if number == 1 else _("%(count)d days") % {"count": number})
            for number in invites.DAYS
        ]


class JoinForm(ClubForm):
    """The name of a new member: one of the free names of the club, or another one."""

    claimed = forms.ChoiceField(
        label=gettext_lazy("Who are you?"),
        required=False,
        help_text=gettext_lazy("An officer of the club confirms it."),
    )
    name = _member_name(
        gettext_lazy("Your name at the table"), gettext_lazy("If it is not listed."), required=False
    )

    def __init__(self, names: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        claimed: Any = self.fields["claimed"]
        claimed.choices = [("", _("not listed")), *names]
        if not names:
            del self.fields["claimed"]
            self.fields["name"].help_text = ""


class AddGamesForm(ClubForm):
    """Games to add: of an event, of days, or by links."""

    event = forms.CharField(label=gettext_lazy("Event begins with"), max_length=200, required=False)
    first = forms.DateField(
        label=gettext_lazy("Played from"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    last = forms.DateField(
        label=gettext_lazy("Played until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    player = _member_name(gettext_lazy("Player"), required=False)
    own = forms.BooleanField(
        label=gettext_lazy("only games that I uploaded, private ones too"), required=False
    )
    links = forms.CharField(
        label=gettext_lazy("Or links to games"),
        max_length=50_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    day = forms.DateField(
        label=gettext_lazy("Evening"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=gettext_lazy("If it differs from the day in the games."),
    )
