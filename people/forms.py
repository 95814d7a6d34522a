"""Forms of pages for users."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from people.models import ADMIN, READ, Collection, PlayerRequest
from people.shapes import NOTE_LENGTH
from people.tokens import LIFETIME, allowed_scopes
from records.models import Ownership, Visibility

#: The scopes of tokens and applications, in words.
SCOPES: Final = settings.OAUTH2_PROVIDER["SCOPES"]
#: Maximum number of redirect addresses of an application.
MAX_REDIRECTS: Final = 10
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
        labels = SCOPES | {ADMIN: _("everything that the staff can see")}
        field: Any = self.fields["scopes"]
        field.choices = [(scope, labels[scope]) for scope in allowed_scopes(user)]

    def lifetime(self) -> timedelta | None:
        """Return the lifetime of the token, or None for a token that does not expire."""
        days = self.cleaned_data["days"]
        return timedelta(days=days) if days else None


class NewApplicationForm(PlainLabels, forms.Form):
    """An application that the user registers."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("Users see it when they let it in.")
    )
    redirect_uris = forms.CharField(
        label=_("Redirect addresses"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "One per line. An address begins with https://, on your own computer with"
            " http://127.0.0.1 or http://localhost. Leave it empty for a program without a browser."
        ),
    )

    def clean_redirect_uris(self) -> list[str]:
        """Return the addresses, of at most `MAX_REDIRECTS` pages that can receive a code safely."""
        addresses: list[str] = self.cleaned_data["redirect_uris"].split()
        if len(addresses) > MAX_REDIRECTS:
            raise forms.ValidationError(_("At most %(most)d addresses.") % {"most": MAX_REDIRECTS})
        for address in addresses:
            if not _is_redirect(address):
                raise forms.ValidationError(
                    _("%(address)s: expected an address such as https://app.example/back")
                    % {"address": address}
                )
        return addresses


def _is_redirect(address: str) -> bool:
    """Return whether an address is on https or on the user's own computer, without a fragment."""
    try:
        parts = urlsplit(address)
        URLValidator(schemes=["http", "https"])(address)
    except (ValueError, forms.ValidationError):
        return False
    is_local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")
    is_safe = parts.scheme == "https" or is_local
    return is_safe and "#" not in address and "@" not in parts.netloc


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
