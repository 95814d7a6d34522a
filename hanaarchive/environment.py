"""The environment variables of the archive: declared once, checked when a process starts.

`python -m hanaarchive.environment` prints the table of docs/operations.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from django.core.exceptions import ImproperlyConfigured
from msgspec import Meta
from msgspec.inspect import IntType, LiteralType, Metadata, StrType, UnionType, type_info

#: The address of `make run`.
LOCAL_URL: Final = "http://127.0.0.1:8000"

Positive = Annotated[int, Meta(ge=1)]
#: The value 0 switches a feature off.
NotNegative = Annotated[int, Meta(ge=0)]


def about(description: str, default: str = "") -> Meta:
    """Return the description of a variable, and a text for a default that is no plain value."""
    return Meta(description=description, extra={"default": default})


class Environment(msgspec.Struct, frozen=True):
    """The variables with their descriptions and defaults. An empty variable counts as not set."""

    # The machine
    HANA_ENV: Annotated[
        Literal["production", "development"],
        about(
            "the mode; `manage.py` means development while no service is named",
            "`production`",
        ),
    ] = "production"
    SECRET_KEY: Annotated[
        str,
        about("signs cookies and forms; needed in production", "in development generated"),
    ] = ""
    ALLOWED_HOSTS: Annotated[
        str,
        about("host names served, by comma; needed in production", "in development this machine"),
    ] = ""
    HANA_URL: Annotated[
        str,
        about(
            "the site's address in mails and API links",
            "`https://` and the first of `ALLOWED_HOSTS`",
        ),
    ] = ""
    HANA_VAR: Annotated[
        str,
        about(
            "directory of the SQLite file, the key, and all files outside a bucket",
            "`var` next to `manage.py`",
        ),
    ] = "var"
    HANA_DEBUG: Annotated[bool, about("`1`: Django's debug pages")] = False

    # Services
    DATABASE_URL: Annotated[
        str, about("`postgres://user:password@host/name`", "SQLite in `HANA_VAR`")
    ] = ""
    HANA_REPLICA_URL: Annotated[
        str,
        about(
            "a replica of the database, read for lists and pages that are up to date there: "
            "[Replica](#replica)",
            "none",
        ),
    ] = ""
    REDIS_URL: Annotated[
        str,
        about(
            "Celery's broker and the counts of requests", "the embedded worker, counts in memory"
        ),
    ] = ""
    HANA_CACHE_URL: Annotated[
        str,
        about(
            "a Redis for cached responses, with `maxmemory`, the policy `allkeys-lru` and no "
            "append-only file",
            "the last 300 in each web process",
        ),
    ] = ""
    HANA_STORAGE_URL: Annotated[
        str,
        about(
            "bucket for all files: [Files in a bucket](#files-in-a-bucket)", "files in `HANA_VAR`"
        ),
    ] = ""
    EMAIL_URL: Annotated[
        str,
        about(
            "mail server: `smtp://user:password@host:587?tls` (or `?ssl`)",
            "in development the console, else no mails",
        ),
    ] = ""
    EMAIL_FROM: Annotated[str, about("sender of mails")] = "HanaArchive <noreply@localhost>"

    # HTTPS and proxies
    HANA_HTTPS: Annotated[
        bool | None,
        about(
            "secure cookies, redirect to HTTPS, HSTS; `0` where there is no HTTPS",
            "1 in production",
        ),
    ] = None
    HANA_HSTS_SECONDS: Annotated[
        NotNegative, about("seconds for which browsers must use HTTPS")
    ] = 2_592_000
    HANA_HSTS_SUBDOMAINS: Annotated[bool, about("`0` where a subdomain has no HTTPS")] = True
    HANA_PROXIES: Annotated[
        NotNegative,
        about(
            "reverse proxies that set `X-Forwarded-For` and `X-Forwarded-Proto`; if too few, pages "
            "with `HANA_HTTPS` redirect to themselves"
        ),
    ] = 0
    CSRF_TRUSTED_ORIGINS: Annotated[
        str, about("origins of forms behind a proxy that changes the host, by comma")
    ] = ""

    # Processes
    HANA_WEB_PROCESSES: Annotated[
        Positive, about("web processes of `manage.py serve`, and replicas in `compose.yaml`")
    ] = 2
    HANA_WORKERS: Annotated[
        NotNegative,
        about(
            "processes of one Celery worker; 4 in `compose.yaml` ([Memory](#memory))", "one a core"
        ),
    ] = 0
    HANA_CHUNK_GAMES: Annotated[
        Positive, about("games that a worker stores in one transaction")
    ] = 300
    HANA_LEASE_SECONDS: Annotated[
        Positive, about("seconds after which another worker may take a job")
    ] = 360
    HANA_METRICS_TOKEN: Annotated[
        str, about("bearers of this token may read `/metrics`", "in production nobody")
    ] = ""
    HANA_LOG_LEVEL: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"] | None,
        about("lowest level that is logged", "`INFO`"),
    ] = None
    HANA_LOG_FORMAT: Annotated[
        Literal["JSON", "LINES"] | None,
        about("`JSON` or `LINES`", "`JSON` in production, else `LINES`"),
    ] = None

    # Statistics and open data
    HANA_FACTS_SECONDS: Annotated[
        NotNegative | None,
        about(
            "seconds between the moments at which new games begin to count in statistics; 0: they "
            "count immediately, and each upload writes its facts",
            "30 in production, else 0",
        ),
    ] = None
    HANA_FACTS_MEMORY_MB: Annotated[Positive, about("megabytes of DuckDB in each process")] = 192
    HANA_FACTS_QUERY_SECONDS: Annotated[
        Positive, about("seconds after which a query is given up")
    ] = 10
    HANA_FACTS_CACHE_BYTES: Annotated[
        Positive,
        about(
            "bytes for copies of a bucket's facts in `HANA_VAR/facts-copies`; choose more than the "
            "facts have"
        ),
    ] = 1_000_000_000
    HANA_STATISTICS_URL: Annotated[
        str,
        about(
            "ClickHouse that computes statistics from the bucket: "
            "[Statistics on a cluster](#statistics-on-a-cluster)",
            "DuckDB in each process",
        ),
    ] = ""
    HANA_DUMPS_KEPT: Annotated[Positive, about("monthly dumps of open data that stay")] = 3
    HANA_PUBLIC_STORAGE_URL: Annotated[
        str,
        about(
            "public bucket or directory for the facts of every hour: "
            "[Facts for everybody](#facts-for-everybody)",
            "no such files",
        ),
    ] = ""
    HANA_PUBLIC_ADDRESS: Annotated[
        str,
        Meta(pattern=r"^(/|[a-z0-9]+://)[!-~]+$"),
        about(
            "where readers find these files, such as `https://facts.example.org`",
            "the directory, or `s3://BUCKET/PREFIX`",
        ),
    ] = ""

    # Limits for senders
    HANA_UPLOAD_LIMIT: Annotated[
        Positive,
        about("bytes of one upload; `deploy/proxy/Caddyfile` must allow more"),
    ] = 64 << 20
    HANA_RESUMABLE_LIMIT: Annotated[Positive, about("bytes of an upload in parts")] = 2 << 30
    HANA_PART_LIMIT: Annotated[Positive, about("bytes of one of its parts")] = 512 << 20
    HANA_QUOTA_BYTES: Annotated[
        NotNegative,
        about("stored bytes of an account in a day (UTC); `0`: unlimited"),
    ] = 8 << 30
    HANA_QUOTA_GAMES: Annotated[NotNegative, about("games of an account in a day")] = 1_000_000
    HANA_QUOTA_MALFORMED: Annotated[
        NotNegative, about("malformed games of an account in a day")
    ] = 20_000
    HANA_QUOTA_ANONYMOUS_BYTES: Annotated[
        NotNegative, about("stored bytes of an address without account in a day")
    ] = 2 << 30
    HANA_QUOTA_ANONYMOUS_GAMES: Annotated[NotNegative, about("games of such an address")] = 250_000
    HANA_QUOTA_ANONYMOUS_MALFORMED: Annotated[
        NotNegative, about("malformed games of such an address")
    ] = 5_000
    HANA_RATES: Annotated[
        str,
        about(
            "changes of the rate limits in `records/serving/limits.py`: "
            "`uploads=60/60,login=10/300`, times in seconds"
        ),
    ] = ""
    HANA_ANALYSIS_DEALS: Annotated[Positive, about("deals sampled to compare two moves")] = 2000
    HANA_ANALYSES_DAILY: Annotated[
        NotNegative, about("new games of an account analysed on a day without a request")
    ] = 20

    # Accounts
    HANA_ANONYMOUS_UPLOAD: Annotated[
        bool | None,
        about("`1`: uploads need no account", "1 in development"),
    ] = None
    HANA_REGISTRATION: Annotated[
        Literal["open", "closed"], about("`closed`: only the staff creates accounts")
    ] = "open"
    HANA_STAFF_MFA: Annotated[
        bool | None, about("`1`: the admin requires two-factor authentication", "1 in production")
    ] = None
    HANA_OPENID_NAME: Annotated[
        str,
        about("name of another site for log-in; set all four or none"),
    ] = ""
    HANA_OPENID_ISSUER: Annotated[str, about("that site's issuer address")] = ""
    HANA_OPENID_CLIENT_ID: Annotated[str, about("the archive's client id there")] = ""
    HANA_OPENID_SECRET: Annotated[str, about("that client's secret")] = ""
    HANA_SECURITY_CONTACT: Annotated[
        str,
        Meta(pattern=r"^(mailto:|https://)[!-~]+$"),
        about("`mailto:` or `https:` address in `/.well-known/security.txt`", "no such file"),
    ] = ""
    HANA_SECURITY_POLICY: Annotated[
        str,
        Meta(pattern=r"^https://[!-~]+$"),
        about("`https:` address of your security policy, there too"),
    ] = ""


def read(variables: Mapping[str, str]) -> Environment:
    """Return the variables of the archive. Raises ImproperlyConfigured for a wrong value."""
    values = {name: variables.get(name, "") for name in Environment.__struct_fields__}
    set_values = {name: value for name, value in values.items() if value}
    try:
        return msgspec.convert(set_values, Environment, strict=False)
    except msgspec.ValidationError as error:
        name = str(error).rpartition("`$.")[2].removesuffix("`")
        text = f"{name}={set_values[name]!r}: expected {_describe_type(name)}"
        raise ImproperlyConfigured(text) from None


def _describe_type(name: str) -> str:
    """Return the allowed values of a variable as text."""
    kind = next(field.type for field in _fields() if field.name == name)
    while isinstance(kind, Metadata):
        kind = kind.type
    if isinstance(kind, UnionType):
        kind = kind.types[0]
    if isinstance(kind, IntType):
        return f"a whole number from {kind.ge}"
    if isinstance(kind, LiteralType):
        return ", ".join(map(str, kind.values))
    if isinstance(kind, StrType):
        return f"text like {kind.pattern}"
    return "1 or 0"


def _fields() -> tuple[Any, ...]:
    described: Any = type_info(Environment)
    return tuple(described.fields)


def table() -> str:
    """Return the Markdown table of all variables."""
    rows = ["| variable | meaning | default |", "|---|---|---|"]
    for field in _fields():
        schema, extra = field.type.extra_json_schema or {}, field.type.extra or {}
        default = extra.get("default") or _format_default(field.default)
        rows.append(f"| `{field.name}` | {schema['description']} | {default} |")
    return "\n".join(rows)


def _format_default(default: object) -> str:
    """Return a readable default: `64 MiB`.

    >>> [_format_default(value) for value in (64 << 20, False, "", 1000)]
    ['64 MiB', '0', '', '1000']
    """
    if isinstance(default, bool):
        return str(int(default))
    for unit, bits in (("GiB", 30), ("MiB", 20)):
        if isinstance(default, int) and default and not default % (1 << bits):
            return f"{default >> bits} {unit}"
    return str(default)


def items(value: str) -> list[str]:
    """Return the items between the commas of a value."""
    return [item.strip() for item in value.split(",") if item.strip()]


def rates(value: str) -> dict[str, tuple[int, int]]:
    """Return times and seconds by name: ``uploads=60/60,verify=240/60``.

    Raises ImproperlyConfigured.
    """
    rates_by_name = {}
    for item in items(value):
        kind, _, written = item.partition("=")
        times, _, seconds = written.partition("/")
        numbers = [
            int(number) for number in (times, seconds) if number.isascii() and number.isdigit()
        ]
        if len(numbers) != 2 or 0 in numbers:
            raise ImproperlyConfigured(f"HANA_RATES: {item!r}: expected name=times/seconds")
        rates_by_name[kind] = (numbers[0], numbers[1])
    return rates_by_name


def openid(env: Environment) -> dict[str, str] | None:
    """Return ``name``, ``issuer``, ``client_id`` and ``secret`` of the OpenID provider.

    Returns None if no variable is set. Raises ImproperlyConfigured if only some are set.
    """
    names = {key: f"HANA_OPENID_{key.upper()}" for key in ("name", "issuer", "client_id", "secret")}
    values = {key: getattr(env, name).strip() for key, name in names.items()}
    missing = [names[key] for key, value in values.items() if not value]
    if len(missing) == len(names):
        return None
    if missing:
        raise ImproperlyConfigured(f"{', '.join(missing)}: not set, though others of OpenID are")
    parts = urlsplit(values["issuer"])
    near = parts.hostname in ("localhost", "127.0.0.1")
    if not parts.hostname or parts.scheme not in ("https", *(("http",) if near else ())):
        raise ImproperlyConfigured(
            f"HANA_OPENID_ISSUER={values['issuer']!r}: expected an address such as https://host"
        )
    return values | {"issuer": values["issuer"].rstrip("/")}


class Mail(NamedTuple):
    """The way of sending mails: Django's settings ``EMAIL_…``."""

    backend: str
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    use_tls: bool = False
    use_ssl: bool = False


def mail(url: str, *, development: bool) -> Mail:
    """Return how mails are sent, by ``smtp://user:password@host:port``, ``?tls`` or ``?ssl``.

    Without an address mails are printed to the console in development, and discarded otherwise.
    Raises ImproperlyConfigured.
    """
    backend = "django.core.mail.backends.{}.EmailBackend"
    if not url:
        return Mail(backend.format("console" if development else "dummy"))
    parts = urlsplit(url)
    try:
        port, host = parts.port, parts.hostname
    except ValueError:
        port = host = None
    if parts.scheme != "smtp" or not host or parts.query not in ("", "tls", "ssl"):
        # The value is not quoted, since it may contain a password.
        raise ImproperlyConfigured("EMAIL_URL: expected smtp://user:password@host:587?tls")
    return Mail(
        backend.format("smtp"),
        host,
        port or {"": 25, "tls": 587, "ssl": 465}[parts.query],
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        use_tls=parts.query == "tls",
        use_ssl=parts.query == "ssl",
    )


def parse_bucket(url: str, variable: str = "HANA_STORAGE_URL") -> dict[str, str] | None:
    """Return the options of the bucket in ``s3://KEY:SECRET@HOST/BUCKET/PREFIX?region=…``.

    ``s3+http`` is S3 without TLS. Without KEY:SECRET, boto3 looks for credentials in its usual
    places. Returns None for an empty address. The options are django-storages'; ``location`` is the
    prefix, empty or ending with a slash. ``variable`` is named in errors.
    """
    if not url:
        return None
    if find_spec("boto3") is None or find_spec("storages") is None:
        raise ImproperlyConfigured(
            f"{variable}: boto3 and django-storages are not installed (uv sync --extra s3)"
        )
    # The value is not quoted in the error, since it may contain a secret.
    error = ImproperlyConfigured(
        f"{variable}: expected s3://KEY:SECRET@HOST/BUCKET/PREFIX, and nothing after it but "
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


def parse_statistics(url: str, *, has_bucket: bool) -> dict[str, Any] | None:
    """Return the connection in ``clickhouse://USER:PASSWORD@HOST:8443/?cluster=NAME``.

    ``clickhouse+http`` is HTTP without TLS. Without a cluster, the server reads all files itself.
    ``collection`` is the named collection with the address and the keys of the bucket,
    ``memory_mb`` the maximum memory of a query on a machine. Returns None for an empty address.
    """
    if not url:
        return None
    if find_spec("clickhouse_connect") is None or find_spec("sqlglot") is None:
        raise ImproperlyConfigured(
            "HANA_STATISTICS_URL: clickhouse-connect and sqlglot are not installed "
            "(uv sync --extra clickhouse)"
        )
    if not has_bucket:
        raise ImproperlyConfigured(
            "HANA_STATISTICS_URL: the cluster reads facts from a bucket: set HANA_STORAGE_URL too"
        )
    # The value is not quoted in the error, since it may contain a password.
    error = ImproperlyConfigured(
        "HANA_STATISTICS_URL: expected clickhouse://USER:PASSWORD@HOST:8443/, and nothing after it "
        "but ?cluster=…, &collection=… and &memory_mb=…"
    )
    try:
        parts = urlsplit(url)
        port = parts.port
        query = dict(
            parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        )
        memory = int(query.pop("memory_mb", "4000"))
    except ValueError:
        raise error from None
    interface = {"clickhouse": "https", "clickhouse+http": "http"}.get(parts.scheme)
    cluster, collection = query.pop("cluster", ""), query.pop("collection", "hana_facts")
    is_named = bool(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", collection)) and cluster.isprintable()
    is_plain = interface and parts.hostname and parts.username and port != 0 and memory > 0
    if not (is_plain and is_named) or parts.path not in ("", "/") or query or parts.fragment:
        raise error
    return {
        "interface": interface,
        "host": parts.hostname,
        "port": port or {"https": 8443, "http": 8123}[str(interface)],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "cluster": cluster,
        "collection": collection,
        "memory_mb": memory,
    }


class PublicFiles(NamedTuple):
    """The storage of files for everybody: a bucket's options or a directory, and the address."""

    bucket: dict[str, str] | None
    directory: str
    address: str


def public_files(
    url: str, address: str, var: Path, private_bucket: Mapping[str, str] | None
) -> PublicFiles | None:
    """Return the storage of files for everybody, None for an empty ``url``.

    ``address`` is empty or that of readers, ``var`` the directory of the archive. Raises
    ImproperlyConfigured for a storage in which private files are.
    """
    variable = "HANA_PUBLIC_STORAGE_URL"
    if not url:
        return None
    if url.startswith("/"):
        directory, private = Path(url).resolve(), var.resolve()
        if directory.is_relative_to(private) or private.is_relative_to(directory):
            raise ImproperlyConfigured(f"{variable}={url!r}: expected a directory outside HANA_VAR")
        return PublicFiles(None, url, (address or url).rstrip("/"))
    bucket = parse_bucket(url, variable)
    assert bucket is not None, "the address is not empty"
    place = "{endpoint_url}/{bucket_name}"
    if private_bucket and place.format(**private_bucket) == place.format(**bucket):
        raise ImproperlyConfigured(f"{variable}: expected another bucket than HANA_STORAGE_URL")
    default = "s3://{bucket_name}/{location}".format(**bucket)
    return PublicFiles(bucket, "", (address or default).rstrip("/"))


def site_url(value: str, default: str) -> str:
    """Return ``https://host`` or ``http://host:port``, without a path and its slash.

    ``default`` is used if the variable is empty. Raises ImproperlyConfigured for other addresses,
    and for a default with a wildcard.
    """
    url = (value or default).rstrip("/")
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


if __name__ == "__main__":
    print(table())
