"""Forms of pages for users."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from people.models import ADMIN, READ, UPLOAD, Collection, PlayerRequest
from people.shapes import NOTE_LENGTH
from people.tokens import LIFETIME, allowed_scopes
from records.models import Ownership, Visibility

#: The visibilities that an owner can choose.
CHOICES = [
    (int(level), level.label) for level in reversed(Visibility) if level is not Visibility.WITHDRAWN
]


if TYPE_CHECKING:  # generic for the checker only
    RequestForm = forms.ModelForm[PlayerRequest]
else:
    RequestForm = forms.ModelForm


class PlainLabels:
    """A form with labels that end without a colon."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class DeleteAccountForm(PlainLabels, forms.Form):
    """Closing of an account."""

    games = forms.ChoiceField(
        label=_("Your games"),
        widget=forms.RadioSelect,
        choices=[
            ("leave", _("keep them, without your name as uploader; withdraw private ones")),
            ("withdraw", _("withdraw them, unless somebody else uploaded them too")),
        ],
    )


class NewTokenForm(PlainLabels, forms.Form):
    """A new token."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("What it is for."))
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"), widget=forms.CheckboxSelectMultiple, initial=[READ]
    )
    days = forms.TypedChoiceField(
        label=_("Valid until"),
        coerce=int,
        initial=LIFETIME.days,
        choices=[
            (30, _("30 days from now")),
            (LIFETIME.days, _("a year from now")),
            (0, _("until I revoke it")),
        ],
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = {
            READ: _("read, including your private games"),
            UPLOAD: _("upload games"),
            ADMIN: _("everything that the staff can see"),
        }
        field: Any = self.fields["scopes"]
        field.choices = [(scope, labels[scope]) for scope in allowed_scopes(user)]

    def lifetime(self) -> timedelta | None:
        """Return the lifetime of the token, or None for a token that does not expire."""
        days = self.cleaned_data["days"]
        return timedelta(days=days) if days else None


class EditOwnershipForm(PlainLabels, forms.Form):
    """The owner's settings of a game."""

    visibility = forms.TypedChoiceField(label=_("Who can see it"), coerce=int, choices=CHOICES)
    note = forms.CharField(
        label=_("Your note"),
        max_length=NOTE_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Visible to you only."),
    )
    collections = forms.ModelMultipleChoiceField(
        label=_("Collections"),
        queryset=Collection.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    new_collection = forms.CharField(label=_("A new collection"), max_length=80, required=False)

    def __init__(self, ownership: Ownership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["collections"]
        field.queryset = Collection.objects.filter(owner=ownership.owner_id)
        if not field.queryset.exists():
            del self.fields["collections"]


class PlayerRequestForm(PlainLabels, RequestForm):
    """A request about a name."""

    class Meta:
        model = PlayerRequest
        fields = ("kind", "player", "pseudonym", "words")
        widgets = {"words": forms.Textarea(attrs={"rows": 4})}  # noqa: RUF012

    def clean(self) -> dict[str, Any]:
        """Check that a request for a pseudonym has a pseudonym."""
        data: dict[str, Any] = super().clean() or {}
        is_pseudonym = data.get("kind") == PlayerRequest.Kind.PSEUDONYM
        if is_pseudonym and not data.get("pseudonym", "").strip():
            self.add_error("pseudonym", _("Which name should be shown?"))
        return data
