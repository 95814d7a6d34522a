"""Reads environment variables: each is parsed, or raises an error that names it."""

import os
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

#: Where `make run` serves.
LOCAL_URL: Final = "http://127.0.0.1:8000"


def flag(name: str, default: bool) -> bool:
    """The variable as a boolean; an empty one counts as not set."""
    value = os.environ.get(name, "").lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if value:
        raise ImproperlyConfigured(f"{name}={value!r}: expected 1 or 0")
    return default


def number(name: str, default: int, least: int = 1) -> int:
    """The variable as a whole number, not below ``least``."""
    value = os.environ.get(name, "")
    if not value:
        return default
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a whole number from {least}")
    return int(value)


def one_of(name: str, default: str, *names: str) -> str:
    """The variable as one of these names, in any case."""
    value = (os.environ.get(name) or default).upper()
    if value not in names:
        raise ImproperlyConfigured(f"{name}={value!r}: expected {', '.join(names)}")
    return value


def rates(name: str) -> dict[str, tuple[int, int]]:
    """The variable as times and seconds by name: ``uploads=60/60,verify=240/60``."""
    rates_by_name = {}
    for item in items(name):
        kind, _, written = item.partition("=")
        times, _, seconds = written.partition("/")
        numbers = [
            int(number) for number in (times, seconds) if number.isascii() and number.isdigit()
        ]
        if len(numbers) != 2 or 0 in numbers:
            raise ImproperlyConfigured(f"{name}: {item!r}: expected name=times/seconds")
        rates_by_name[kind] = (numbers[0], numbers[1])
    return rates_by_name


def openid() -> dict[str, str] | None:
    """The other site at which people may log in: ``name``, ``issuer``, ``client_id``, ``secret``;
    None where none is named. Some of them, but not all, are an error.
    """
    names = {
        "name": "HANA_OPENID_NAME",
        "issuer": "HANA_OPENID_ISSUER",
        "client_id": "HANA_OPENID_CLIENT_ID",
        "secret": "HANA_OPENID_SECRET",
    }
    found = {key: os.environ.get(name, "").strip() for key, name in names.items()}
    missing = [names[key] for key, value in found.items() if not value]
    if len(missing) == len(names):
        return None
    if missing:
        raise ImproperlyConfigured(f"{', '.join(missing)}: not set, though others of OpenID are")
    parts = urlsplit(found["issuer"])
    near = parts.hostname in ("localhost", "127.0.0.1")
    if not parts.hostname or parts.scheme not in ("https", *(("http",) if near else ())):
        raise ImproperlyConfigured(
            f"HANA_OPENID_ISSUER={found['issuer']!r}: expected an address such as https://host"
        )
    return found | {"issuer": found["issuer"].rstrip("/")}


def mail(url: str, *, development: bool) -> dict[str, Any]:
    """Django's settings for mail, from ``smtp://user:password@host:port``, ``?tls`` or ``?ssl``.

    Without an address mails are printed to the console in development, and discarded otherwise.
    """
    backend = "django.core.mail.backends"
    if not url:
        return {"EMAIL_BACKEND": f"{backend}.{'console' if development else 'dummy'}.EmailBackend"}
    parts = urlsplit(url)
    try:
        port, host = parts.port, parts.hostname
    except ValueError:
        port = host = None
    if parts.scheme != "smtp" or not host or parts.query not in ("", "tls", "ssl"):
        # Not quoted: it may hold a password.
        raise ImproperlyConfigured("EMAIL_URL: expected smtp://user:password@host:587?tls")
    return {
        "EMAIL_BACKEND": f"{backend}.smtp.EmailBackend",
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or {"": 25, "tls": 587, "ssl": 465}[parts.query],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.query == "tls",
        "EMAIL_USE_SSL": parts.query == "ssl",
        "EMAIL_TIMEOUT": 10,
    }


def parse_bucket(name: str) -> dict[str, str] | None:
    """Return the options of the bucket in ``s3://KEY:SECRET@HOST/BUCKET/PREFIX?region=…``.

    ``s3+http`` is S3 without TLS. Without KEY:SECRET, boto3 looks for credentials in its usual
    places. Returns None if the variable is empty. The options are those of django-storages;
    ``location`` is the prefix, empty or with a slash at its end.
    """
    url = os.environ.get(name, "")
    if not url:
        return None
    if find_spec("boto3") is None or find_spec("storages") is None:
        raise ImproperlyConfigured(
            f"{name}: boto3 and django-storages are not installed (uv sync --extra s3)"
        )
    # Not quoted in the error: it may hold a secret.
    error = ImproperlyConfigured(
        f"{name}: expected s3://KEY:SECRET@HOST/BUCKET/PREFIX, and nothing after it but "
        "?region=… and &addressing=path or virtual"
    )
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("s3", "s3+http") and parts.hostname and parts.port != 0
    except ValueError:
        raise error from None
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    scheme = "http" if parts.scheme == "s3+http" else "https"
    bucket_name, _, prefix = unquote(parts.path).strip("/").partition("/")
    options = {
        "endpoint_url": f"{scheme}://{parts.netloc.rpartition('@')[2]}",
        "bucket_name": bucket_name,
        "location": f"{prefix}/" if prefix else "",
        "region_name": query.pop("region", "us-east-1"),
        "addressing_style": query.pop("addressing", "path"),
    }
    has_key, has_secret = bool(parts.username), bool(parts.password)
    has_style = options["addressing_style"] in ("path", "virtual")
    if not (is_plain and bucket_name and has_style) or has_key != has_secret:
        raise error
    if query or parts.fragment:
        raise error
    if has_key:
        options["access_key"] = unquote(parts.username or "")
        options["secret_key"] = unquote(parts.password or "")
    return options


def site_url(given: str, default: str) -> str:
    """``https://host`` or ``http://host:port``, without a path and its slash.

    ``default`` is used if the variable is empty. Raises ImproperlyConfigured for anything else,
    also for a default with a wildcard.
    """
    url = (given or default).rstrip("/")
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or url != f"{parts.scheme}://{parts.netloc}" or set("*@ ") & set(url):
        raise ImproperlyConfigured(f"HANA_URL={url!r}: expected an address such as https://host")
    if parts.hostname and parts.hostname.startswith("."):
        raise ImproperlyConfigured(
            "HANA_URL is not set, and ALLOWED_HOSTS begins with a wildcard: name our own address"
        )
    return url


def contact(name: str, *schemes: str) -> str:
    """The variable as an address with one of these schemes: ``mailto:`` or ``https:``; or empty."""
    value = os.environ.get(name, "")
    scheme, _, rest = value.partition(":")
    is_plain = value.isascii() and value.isprintable() and " " not in value
    if value and not (is_plain and scheme in schemes and rest.strip("/")):
        begins = " or ".join(f"{one}:" for one in schemes)
        raise ImproperlyConfigured(
            f"{name}={value!r}: expected an address that begins with {begins}"
        )
    return value


def items(name: str) -> list[str]:
    """The variable as the items between its commas."""
    return [item.strip() for item in os.environ.get(name, "").split(",") if item.strip()]
