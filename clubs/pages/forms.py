"""Forms of the pages of clubs: their fields, and refusals beside the field at fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.db.models import Model
from django.utils.translation import gettext as _

from clubs.changes import ChangedMeanwhile, stamp
from clubs.refused import Refused


class ClubForm(forms.Form):
    """A form of a club: labels end without a colon."""

    label_suffix = ""

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
        except Refused as refused:
            self.add_error(refused.field if refused.field in self.fields else None, refused.words)
        except ChangedMeanwhile:
            if row is None:
                raise
            entered: Any = self.data
            self.data = entered = entered.copy()
            entered["was"] = stamp(row)
            text = _(
                "Somebody changed this at the same time. Nothing is saved yet: save again to "
                "replace the other change."
            )
            self.add_error(None, text)
        return not self.errors
