"""The validator of OAuth 2 requests, named in the settings of django-oauth-toolkit."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone
from oauth2_provider.models import DeviceGrant
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2 import InvalidGrantError, InvalidRequestError
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant

from people.applications import hash_code

#: Seconds between two requests of a waiting terminal, and what each early request adds (RFC 8628).
DEVICE_INTERVAL: Final = 5
#: SHA-256 in base64url without padding.
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
#: oauthlib's results by the toolkit's states of a code.
_RESULTS: Final = {
    DeviceGrant.AUTHORIZED: DeviceCodeGrant.DEVICE_CODE_AUTHORIZED,
    DeviceGrant.AUTHORIZATION_PENDING: DeviceCodeGrant.DEVICE_CODE_PENDING,
    DeviceGrant.DENIED: DeviceCodeGrant.DEVICE_CODE_DENIED,
    DeviceGrant.EXPIRED: DeviceCodeGrant.DEVICE_CODE_EXPIRED,
}


class Validator(OAuth2Validator):
    """The toolkit's validator, with stricter PKCE, and device codes for one use by one client."""

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        """Return True. Raise oauthlib's error for a consent page without a challenge by S256.

        The toolkit refuses other methods only after the consent, and accepts any challenge.
        """
        is_s256 = request.code_challenge_method == "S256" and _CHALLENGE.fullmatch(
            request.code_challenge or ""
        )
        if request.response_type and not is_s256:
            raise InvalidRequestError("A code_challenge by S256 is required.", request=request)
        return True

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Store the hash of a code, with which `people.views.applications` compares codes."""
        stored = code | {"code": hash_code(code["code"])}
        super().save_authorization_code(client_id, stored, request, *args, **kwargs)

    def validate_device_code(self, client_id: str, device_code: str, request: Any) -> str | None:
        """Return the result for a terminal that waits, and set user and scopes of the request.

        ``device_code`` is a hash. The toolkit's view compares neither the client nor the times, and
        leaves the code valid.
        """
        code = DeviceGrant.objects.filter(client_id=client_id, device_code=device_code).first()
        if code is None:
            return None
        code.is_expired()  # stores the state
        if code.status == DeviceGrant.AUTHORIZATION_PENDING and _is_early(code):
            return str(DeviceCodeGrant.DEVICE_CODE_SLOW_DOWN)
        if code.status == DeviceGrant.AUTHORIZED:
            request.user, request.scopes = code.user, code.scope.split()
            code.delete()
        return _RESULTS[code.status]

    def save_bearer_token(
        self, token: dict[str, Any], request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Store tokens. Raise oauthlib's error for a locked account."""
        if not request.user.is_active:
            raise InvalidGrantError(request=request)
        super().save_bearer_token(token, request, *args, **kwargs)


def _is_early(code: DeviceGrant) -> bool:
    """Record the request of a waiting terminal; return whether it came before its interval.

    The first request may come immediately: a new code has the interval 0.
    """
    is_early = timezone.now() < code.last_checked + timedelta(seconds=code.interval)
    code.interval = (
        code.interval + DEVICE_INTERVAL if is_early else max(code.interval, DEVICE_INTERVAL)
    )
    code.save(update_fields=["interval", "last_checked"])
    return is_early
