"""Settings of the archive, all of them here, read from the environment.

Modes. `HANA_ENV` is one of

- `production`, the default of the WSGI and Celery entry points: `SECRET_KEY` and `ALLOWED_HOSTS`
  have to be given, and cookies go over HTTPS only;
- `development`, the default of `manage.py` while neither `DATABASE_URL` nor `REDIS_URL` is set: a
  key is made once and kept in the var directory, and only this machine is served;
- `text`, set by `manage.py` for the commands that only read and write text (`verify`, `kafu`,
  `simulate`): no key is asked for and no database is there to be touched.

| variable             | meaning                                      | default                   |
|----------------------|----------------------------------------------|---------------------------|
| SECRET_KEY           | signs cookies and forms                      | development: kept in var  |
| ALLOWED_HOSTS        | host names served, by comma                  | development: this machine |
| CSRF_TRUSTED_ORIGINS | origins of forms behind a proxy, by comma    | none                      |
| DATABASE_URL         | `postgres://user:password@host/name`         | SQLite in var             |
| REDIS_URL            | Celery's broker and the cache                | none: the worker polls    |
| HANA_ENV             | the mode, above                              | see above                 |
| HANA_CHUNK_GAMES     | games that a worker takes on at once         | 300                       |
| HANA_DEBUG           | `1`: Django's debug pages                    | off                       |
| HANA_FILE_GAMES      | games that one file may hold                 | 250000                    |
| HANA_HTTPS           | `0`: cookies over plain HTTP in production   | `1` in production         |
| HANA_LEASE_SECONDS   | how long a worker may keep a piece of work   | 360                       |
| HANA_LOG_LEVEL       | DEBUG, INFO, WARNING or ERROR                | INFO                      |
| HANA_PROXIES         | reverse proxies before us, to be believed    | 0                         |
| HANA_UPLOAD_LIMIT    | bytes that one upload may have               | 67108864 (64 MiB)         |
| HANA_VAR             | directory of database, key and uploads       | `var` beside `manage.py`  |
"""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str, default: bool) -> bool:
    """The variable as a yes or no; an empty one counts as not set."""
    value = os.environ.get(name, "").lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if value:
        raise ImproperlyConfigured(f"{name}={value!r}: expected 1 or 0")
    return default


def _number(name: str, default: int, least: int = 1) -> int:
    """The variable as a whole number, not below ``least``."""
    value = os.environ.get(name, "")
    if not value:
        return default
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a whole number from {least}")
    return int(value)


def _one_of(name: str, default: str, *names: str) -> str:
    """The variable as one of these names, in whatever case."""
    value = (os.environ.get(name) or default).upper()
    if value not in names:
        raise ImproperlyConfigured(f"{name}={value!r}: expected {', '.join(names)}")
    return value


def _list(name: str) -> list[str]:
    """The variable as the items between its commas."""
    return [item.strip() for item in os.environ.get(name, "").split(",") if item.strip()]


# --- mode -----------------------------------------------------------------------------------

MODE = os.environ.get("HANA_ENV") or "production"
if MODE not in ("production", "development", "text"):
    raise ImproperlyConfigured(f"HANA_ENV={MODE!r}: expected production or development")
PRODUCTION = MODE == "production"
DEBUG = _flag("HANA_DEBUG", False)
VAR_DIR = BASE_DIR / (os.environ.get("HANA_VAR") or "var")


def _kept_key() -> str:
    """The key of this checkout, made at first use. Processes that start together agree on one."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=VAR_DIR) as draft:  # mode 0600
            draft.write(secrets.token_urlsafe(50))
            draft.flush()
            try:
                os.link(draft.name, path)  # whole, or not at all
            except FileExistsError:
                pass  # another process was first: its key is the one
    return path.read_text()


SECRET_KEY = os.environ.get("SECRET_KEY", "")
if not SECRET_KEY and PRODUCTION:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set: production needs a long random one in the environment "
        "(HANA_ENV=development makes and keeps one for this machine)"
    )
if not SECRET_KEY:
    SECRET_KEY = secrets.token_urlsafe(50) if MODE == "text" else _kept_key()

ALLOWED_HOSTS = _list("ALLOWED_HOSTS")
if not ALLOWED_HOSTS:
    if PRODUCTION:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is not set: name the hosts that this server answers for, by comma"
        )
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = _list("CSRF_TRUSTED_ORIGINS")

# --- application ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "records",
    "api",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
if MODE == "text":
    INSTALLED_APPS = ["records"]  # where the commands are; the others only cost time

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "hanaarchive.security.content_security_policy",
    "api.problems.middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "hanaarchive.urls"
WSGI_APPLICATION = "hanaarchive.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- database, cache ------------------------------------------------------------------------

SQLITE_OPTIONS = {
    # The write lock is taken when a transaction begins: one that began by reading could not wait
    # for it later and would fail with "database is locked" at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,  # seconds to wait for that lock
    # WAL lets pages be read while the worker writes; NORMAL is safe with it.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}


def _database() -> dict[str, Any]:
    """The database of DATABASE_URL, else SQLite in the var directory."""
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'hana.sqlite3'}"
    try:
        parsed = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    except ValueError:  # not quoted: it may hold a password
        raise ImproperlyConfigured(
            "DATABASE_URL: expected postgres://user:password@host/name"
        ) from None
    database: dict[str, Any] = dict(parsed)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["OPTIONS"] = SQLITE_OPTIONS
    return database


DATABASES: dict[str, dict[str, Any]] = {} if MODE == "text" else {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}

# --- uploads --------------------------------------------------------------------------------

UPLOAD_LIMIT_BYTES = _number("HANA_UPLOAD_LIMIT", 64 * 1024 * 1024)
# Django's own limit is for bodies without files, that is for pasted text: the same one holds.
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT_BYTES
# A folder of logs, a game a file, goes in at once.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# Games a chunk, hence a task and a transaction: some seconds of work, so that progress shows,
# a killed worker repeats little, and the ledger stays short.
CHUNK_GAMES = _number("HANA_CHUNK_GAMES", 300)
# Games a file may hold. Some bytes make a game that cannot be read, and that makes a row: without
# a limit a small file could fill the disk.
FILE_GAMES = _number("HANA_FILE_GAMES", 250_000)
# A chunk also ends after this many bytes, so that a task's memory is bounded.
CHUNK_BYTES = 2 * 1024 * 1024
# How long a worker's claim on a row holds; then another may take it. Above Celery's hard limit.
LEASE_SECONDS = _number("HANA_LEASE_SECONDS", 360)

STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "uploads"},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# --- static files ---------------------------------------------------------------------------

STATIC_URL = "static/"
# Served by this process from where they lie: no step that collects them can be forgotten.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# --- language, time -------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ja", _("Japanese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# --- security -------------------------------------------------------------------------------

# How many reverse proxies stand before us. What they say of a caller (address, scheme) counts only
# where there are some: without, anybody could write it.
PROXIES = _number("HANA_PROXIES", 0, least=0)
if PROXIES:
    # Else the addresses that we give out would be http:// behind a proxy that speaks HTTPS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Redirects to HTTPS and HSTS are for the proxy that holds the certificate.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _flag("HANA_HTTPS", PRODUCTION)
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# --- API ------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    # Nobody signs in yet: without sessions there is no cookie to forge a request with.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    # Views that take something else say so, and the schema follows them.
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "api.paging.Cursor",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.problems.handler",
    "URL_FORMAT_OVERRIDE": None,  # Accept chooses the form, not ?format=
    # Requests an address of a caller. Counted in the cache: with Redis over all processes, without
    # it each process counts for itself.
    "DEFAULT_THROTTLE_RATES": {"uploads": "60/min", "verify": "240/min"},
    "NUM_PROXIES": PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "HanaArchive",
    "DESCRIPTION": "Hanafuda games: upload, verify, browse, replay.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]+",
    "ENUM_NAME_OVERRIDES": {
        "StatusEnum": "records.models.Status.choices",
        "RulesetEnum": "records.kafu.vocabulary.RULES",
    },
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # asks no foreign server
    # Scripts and styles of the reference come from this server, not from a CDN.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Celery ---------------------------------------------------------------------------------
# The database is the ledger of chunks. A message only wakes a worker early, so every setting
# here may cost a message but never a game: the sweep finds whatever waits too long.

# Without Redis no message is sent: the embedded worker reads the ledger. The address in memory
# keeps a stray send from looking for a broker on the network.
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True  # Redis may come up after the worker
CELERY_TASK_IGNORE_RESULT = True  # the result is the row
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]  # never unpickle what a broker hands over
# A message is done when the work is: a killed worker's message is delivered again. The task is
# idempotent, and the attempts counted in the row stop one that kills its worker each time.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# One message at a time: a worker that reserves more would keep them from idle ones.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A chunk takes seconds; the hard limit ends a worker that hangs. (Pool prefork only: neither
# fires in the solo and threads pools.)
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # Must exceed the hard limit: a message out for longer is delivered a second time, while
        # the first run is still going on.
        "visibility_timeout": 900,
        # A dead broker must not hold a request: the row is saved, and the sweep will find it.
        "socket_connect_timeout": 2,
        "max_retries": 1,  # kombu's own would take six seconds
        "interval_start": 0.1,
    }
    if REDIS_URL
    else {}
)
# Two queues, so that a person's small upload does not wait behind a bulk import. (Priorities on
# Redis are only several lists read in turn.)
CELERY_TASK_DEFAULT_QUEUE = "interactive"
CELERY_TASK_QUEUES: dict[str, dict[str, Any]] = {"interactive": {}, "bulk": {}}
CELERY_TASK_CREATE_MISSING_QUEUES = False  # a misspelt queue is an error, not a silent new one
CELERY_TIMEZONE = TIME_ZONE
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # LOGGING below holds for workers too

# --- logging --------------------------------------------------------------------------------

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s [%(process)d] %(message)s"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        # A line for each chunk says nothing that its row does not.
        "celery.app.trace": {"level": "WARNING"},
    },
    "root": {
        "handlers": ["console"],
        "level": _one_of("HANA_LOG_LEVEL", "INFO", "DEBUG", "INFO", "WARNING", "ERROR"),
    },
}
