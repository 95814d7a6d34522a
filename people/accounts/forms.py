"""Forms of accounts: django-allauth's with our texts and the effects of a new password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.socialaccount import forms as socialaccount
from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    AdminUserCreationForm,
    UserChangeForm,
)
from django.core.cache import cache
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from people import names
from people.accounts import lifecycle
from people.tokens import has_programs, revoke_all

#: Maximum length of a code as typed, with blanks.
_CODE_LENGTH: Final = 40
#: Seconds for which a code of an app is valid: 30 seconds, and as many before and after.
_CODE_SECONDS: Final = 90

_NEW: Final = {"password1": _("New password"), "password2": _("New password again")}

if TYPE_CHECKING:  # generic for the checker only
    StaffForm = AdminPasswordChangeForm[Any]
    CreationForm = AdminUserCreationForm[Any]
    ChangeForm = UserChangeForm[Any]
else:
    StaffForm = AdminPasswordChangeForm
    CreationForm = AdminUserCreationForm
    ChangeForm = UserChangeForm


class LabelledForm:
    """A form with custom labels and help texts, and without placeholders.

    A new password is explained by its length alone; the other conditions are errors of a password
    that does not meet them.
    """

    labels: dict[str, Any] = {}  # noqa: RUF012
    helps: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, field in fields.items():
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            field.widget.attrs.pop("placeholder", None)
        self.label_suffix = ""
        if "password1" in fields:
            fields["password1"].help_text = _("At least %(count)d characters.") % {
                "count": settings.PASSWORD_LENGTH
            }


class LogIn(LabelledForm, account.LoginForm):
    """User name and password."""

    labels = {"login": _("User name"), "password": _("Password")}  # noqa: RUF012

    def clean_login(self) -> str:
        """Return the name as stored, with full-width letters replaced by normal letters."""
        return get_user_model().normalize_username(super().clean_login())


class RegisterForm(LabelledForm, account.SignupForm):
    """A user name, a password, and optionally an address for password resets."""

    labels = {  # noqa: RUF012
        "username": _("User name"),
        "email": _("E-mail address (optional)"),
        "password1": _("Password"),
        "password2": _("Password again"),
    }
    helps = {  # noqa: RUF012
        "email": _("Without it you cannot set a new password if you forget yours."),
    }


class ChooseName(LabelledForm, socialaccount.SignupForm):
    """A user name, for the first log-in through another site."""

    labels = {"username": _("User name")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["email"]


class ChangeAddress(LabelledForm, account.AddEmailForm):
    """A new address, which is used once it is confirmed."""

    labels = {"email": _("New e-mail address")}  # noqa: RUF012


class ChangePassword(LabelledForm, account.ChangePasswordForm):
    """A new password; users with tokens or applications may revoke all of them too.

    By default the tokens stay valid, because no password is needed to use a token, and programs
    would stop without a visible reason.
    """

    labels = {  # noqa: RUF012
        **_NEW,
        "oldpassword": _("Current password"),
        "tokens": _("Lock out programs that use my account too"),
    }
    helps = {  # noqa: RUF012
        "tokens": _("Tick this if somebody else may know your old password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_programs(self.user):
            del self.fields["tokens"]

    tokens = forms.BooleanField(required=False)

    def save(self) -> None:
        """Save the password, and apply the effects of a new password."""
        with transaction.atomic():
            super().save()
            lifecycle.apply_new_password(self.user, revoke=self.cleaned_data.get("tokens", False))


class SetFirstPassword(LabelledForm, account.SetPasswordForm):
    """A password for an account without a password."""

    labels = _NEW

    def save(self) -> None:
        """Save the password, and apply the effects of a new password."""
        with transaction.atomic():
            super().save()
            lifecycle.apply_new_password(self.user, revoke=False)


class ResetPassword(LabelledForm, account.ResetPasswordForm):
    """The address for a reset link."""

    labels = {"email": _("E-mail address")}  # noqa: RUF012

    def clean_email(self) -> str:
        """Return the address, and select the accounts with this confirmed address."""
        email = super().clean_email()
        addresses = EmailAddress.objects.filter(email=email, verified=True, user__is_active=True)
        self.users = [address.user for address in addresses.select_related("user")]
        return str(email)


class SetPassword(LabelledForm, account.ResetPasswordKeyForm):
    """A new password by the link in a mail.

    Another person may know the old password, so all sessions end and all tokens are revoked.
    """

    labels = _NEW

    def save(self) -> None:
        """Save the password, and apply the effects of a new password."""
        with transaction.atomic():
            super().save()
            lifecycle.apply_new_password(self.user, revoke=True)


class ConfirmPassword(LabelledForm, account.ReauthenticateForm):
    """The password again, before a change to how the account is accessed."""

    labels = {"password": _("Password")}  # noqa: RUF012


class OneTimeCode(LabelledForm):
    """A code of an authenticator or a recovery code; each is valid once.

    The library remembers a used code for 30 seconds, which is too short, because a code is valid a
    little earlier and later too.
    """

    labels = {"code": _("Code")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_code(self)

    def clean_code(self) -> str:
        """Return the code; raise ValidationError for a wrong or used code."""
        code = super().clean_code()  # type: ignore[misc]
        authenticator: Authenticator = self.authenticator  # type: ignore[attr-defined]
        if authenticator.type == Authenticator.Type.TOTP:
            digits = "".join(character for character in code if character.isdigit())
            if not cache.add(f"totp:{authenticator.pk}:{digits}", 1, _CODE_SECONDS):
                raise forms.ValidationError(_("This code was already used: wait for the next one."))
        return str(code)


class EnterCode(OneTimeCode, mfa.AuthenticateForm):
    """The second step of logging in."""


class ConfirmCode(OneTimeCode, mfa.ReauthenticateForm):
    """A code instead of the password, before a change to how the account is accessed."""


class FirstCode(LabelledForm, totp.ActivateTOTPForm):
    """The first code, which proves that the app has the secret."""

    labels = {"code": _("Code that the app shows")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_code(self)


def limit_code(form: Any) -> None:
    """Limit the code's length, and have phones show a numeric keyboard."""
    field = form.fields["code"]
    field.validators.append(MaxLengthValidator(_CODE_LENGTH))
    field.widget.attrs |= {"inputmode": "numeric", "maxlength": _CODE_LENGTH}


class StaffAccount(CreationForm):
    """A new account created by the staff, with the same rules for its name."""

    def clean_username(self) -> str:
        """Return the name; raise ValidationError for a name that is not allowed."""
        name = super().clean_username()  # None for a taken name
        if name:
            names.check_name(name)
        return name


class StaffAccountChange(ChangeForm):
    """An account edited by the staff; an unchanged name is not checked."""

    def clean_username(self) -> str:
        """Return the name; raise ValidationError for a new name that is not allowed."""
        name = str(self.cleaned_data["username"])
        if "username" in self.changed_data:
            names.check_name(name, self.instance)
        return name


class StaffPassword(StaffForm):
    """A password set by the staff, with the effects of a reset."""

    def save(self, commit: bool = True) -> Any:
        """Save the password, and revoke all tokens."""
        revoke_all(self.user)
        return super().save(commit)
