"""Settings of the archive.

`HANA_ENV` is the mode:

- `production`, the default of the WSGI and Celery entry points: `SECRET_KEY` and `ALLOWED_HOSTS`
  are required, and cookies use HTTPS only;
- `development`, the default of `manage.py` while neither `DATABASE_URL` nor `REDIS_URL` is set: a
  key is generated once and stored in the var directory, and only the local machine is served.

The variables are declared in `hanaarchive.environment`; docs/operations.md has their table.
"""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from hanaarchive.environment import (
    LOCAL_URL,
    items,
    mail,
    openid,
    parse_bucket,
    parse_statistics,
    public_files,
    rates,
    read,
    site_url,
)
from hanaarchive.logs import logging_config
from kafu.notation.vocabulary import MAX_GAME_BYTES

BASE_DIR = Path(__file__).resolve().parent.parent

# --- mode -----------------------------------------------------------------------------------

env = read(os.environ)
MODE = env.HANA_ENV
PRODUCTION = MODE == "production"
DEBUG = env.HANA_DEBUG
VAR_DIR = BASE_DIR / env.HANA_VAR


def _load_key() -> str:
    """Return the key of this checkout, generated on first use. Simultaneous processes agree."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=VAR_DIR) as draft:  # mode 0600
            draft.write(secrets.token_urlsafe(50))
            draft.flush()
            try:
                os.link(draft.name, path)  # atomic
            except FileExistsError:
                pass  # Another process was first; its key counts.
    return path.read_text()


SECRET_KEY = env.SECRET_KEY
if not SECRET_KEY and PRODUCTION:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set: production needs a long random one in the environment "
        "(HANA_ENV=development makes and keeps one for this machine)"
    )
if not SECRET_KEY:
    SECRET_KEY = _load_key()

ALLOWED_HOSTS = items(env.ALLOWED_HOSTS)
if not ALLOWED_HOSTS:
    if PRODUCTION:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is not set: name the hosts that this server answers for, by comma"
        )
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = items(env.CSRF_TRUSTED_ORIGINS)

# --- application ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "records",
    # Before people, whose admin replaces allauth's, which would show secrets of second factors.
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    # Before people, whose admin replaces the toolkit's: there an application could skip consent.
    "oauth2_provider",
    "people",
    "clubs",
    "api",
    "rest_framework",
    "corsheaders",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "people.apps.AdminConfig",
    "django.contrib.staticfiles",
    "hanaarchive",
]

# From the outermost to the innermost; each comment states the reason for the position.
MIDDLEWARE = [
    # Measures and logs all requests, sets headers on each response, and serves probes, which know
    # neither our host nor HTTPS.
    "hanaarchive.http.request_log.middleware",
    # Must precede code with access to cookies, such as Django's page about a wrong host.
    "hanaarchive.http.cookies.middleware",
    # Must precede code with access to forms.
    "hanaarchive.http.charset.middleware",
    # Redirects to HTTPS before any response.
    "django.middleware.security.SecurityMiddleware",
    # Lets pages of other sites read responses, including errors.
    "corsheaders.middleware.CorsMiddleware",
    # Covers all errors below /api/: an unknown host or address, a crash.
    "api.problems.middleware",
    # Files need no further middleware.
    "hanaarchive.http.static.CompressedFiles",
    # Before the language, tokens, users and messages, which use the session.
    "django.contrib.sessions.middleware.SessionMiddleware",
    # Before the first translated text.
    "django.middleware.locale.LocaleMiddleware",
    # Checks the length of a body before the CSRF check reads the body; uses the language.
    "hanaarchive.http.refusals.RefusedRequests",
    # Adds slashes to addresses, and lengths, without which Waitress closes a connection.
    "django.middleware.common.CommonMiddleware",
    # Must precede code that acts for a user.
    "django.middleware.csrf.CsrfViewMiddleware",
    # The user of the session.
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # After the session, because anonymous users' messages are stored in the session.
    "django.contrib.messages.middleware.MessageMiddleware",
    # After its dependencies, the user and messages.
    "allauth.account.middleware.AccountMiddleware",
    # Rate limits of forms, by user, and headers of private responses.
    "people.middleware.AccountMiddleware",
    # Around the view, whose marks on framing it reads.
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Redirects addresses copied with the punctuation behind them, with all headers from above.
    "hanaarchive.http.glued.middleware",
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
                "people.middleware.account_context",
            ],
        },
    },
]

# --- database, cache ------------------------------------------------------------------------

SQLITE_OPTIONS = {
    # Take the write lock when a transaction begins: a transaction that began by reading could not
    # wait for the lock later and would fail immediately with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,  # seconds to wait for the write lock
    # With WAL, pages can be read while the worker writes; NORMAL is safe with WAL.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}


def _make_database(name: str, url: str) -> dict[str, Any]:
    """Return the database at the address in a variable."""
    try:
        parsed = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    except ValueError:  # The value is not quoted, since it may contain a password.
        raise ImproperlyConfigured(f"{name}: expected postgres://user:password@host/name") from None
    database: dict[str, Any] = dict(parsed)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["OPTIONS"] = SQLITE_OPTIONS
    return database


DATABASES: dict[str, dict[str, Any]] = {
    "default": _make_database(
        "DATABASE_URL", env.DATABASE_URL or f"sqlite:///{VAR_DIR / 'hana.sqlite3'}"
    )
}
if env.HANA_REPLICA_URL:
    DATABASES["replica"] = _make_database("HANA_REPLICA_URL", env.HANA_REPLICA_URL)
    if DATABASES["replica"]["ENGINE"] == "django.db.backends.postgresql":
        # Then the database is read.
        DATABASES["replica"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 2)
DATABASE_ROUTERS = ["records.serving.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.REDIS_URL


def _make_cache(url: str, name: str) -> dict[str, Any]:
    """Return the definition of a cache in Redis, without a URL in the memory of each process."""
    if not url:
        return {"BACKEND": "hanaarchive.cache.OwnCache", "LOCATION": name}
    options = {
        "serializer": "hanaarchive.cache.JsonSerializer",
        "socket_connect_timeout": 1,  # a request waits
        "socket_timeout": 2,
    }
    return {"BACKEND": "hanaarchive.cache.SharedCache", "LOCATION": url, "OPTIONS": options}


# Counts of requests, and responses (records.serving.cached_responses). The responses are limited by
# Redis, which should evict the least recently used, or by their number in each process.
CACHES = {
    "default": _make_cache(REDIS_URL, "default"),
    "responses": _make_cache(env.HANA_CACHE_URL, "responses") | {"TIMEOUT": 24 * 60 * 60},
}

# --- uploads --------------------------------------------------------------------------------

UPLOAD_LIMIT_BYTES = env.HANA_UPLOAD_LIMIT
# The maximum size of a form without files, in memory: a pasted game with each byte sent as three.
# Each address also has a limit (records.serving.limits).
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * MAX_GAME_BYTES + (64 << 10)
# Users upload a folder of logs with one game per file in a single request.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# An upload in parts (the API's uploads/resumable), and the total of a sender's unfinished uploads.
RESUMABLE_LIMIT_BYTES = env.HANA_RESUMABLE_LIMIT
PART_LIMIT_BYTES = env.HANA_PART_LIMIT
PENDING_LIMIT_BYTES = 8 << 30
# Limits on the unpacked archives of one upload: an archive of a few kB could fill the disk.
UNPACK_FILES = 20_000
UNPACK_FILE_BYTES = 1 << 30
UNPACK_BYTES = 4 << 30
# Deflate can do 1032 to 1; games give some 10 to 1, the same game over and over more.
UNPACK_RATIO = 250
# Games per chunk, hence per job and transaction. A chunk takes a few seconds, so progress shows, a
# killed worker repeats little, and the ledger stays short.
CHUNK_GAMES = env.HANA_CHUNK_GAMES
# Maximum number of games in a file. Even an unreadable game of a few bytes becomes a row: without
# a limit a small file could fill the disk.
FILE_GAMES = 250_000
# Maximum bytes of a chunk, which limit the memory of a job.
CHUNK_BYTES = 2 * 1024 * 1024
# The lease of a worker on a row; afterwards another worker may claim the row.
LEASE_SECONDS = env.HANA_LEASE_SECONDS

# Daily quotas of one sender (UTC); 0: unlimited. The staff has no quotas.
QUOTAS = {
    "account": {
        "bytes": env.HANA_QUOTA_BYTES,
        "games": env.HANA_QUOTA_GAMES,
        "malformed": env.HANA_QUOTA_MALFORMED,
    },
    "anonymous": {
        "bytes": env.HANA_QUOTA_ANONYMOUS_BYTES,
        "games": env.HANA_QUOTA_ANONYMOUS_GAMES,
        "malformed": env.HANA_QUOTA_ANONYMOUS_MALFORMED,
    },
}
# Number of malformed games after which an upload without a readable game is stopped.
UNREADABLE_GAMES = 1000

# Readiness fails if a disk has less space, or if due jobs have not been claimed for this long.
FREE_BYTES = 256 << 20
STUCK_SECONDS = 300

# Buffered bodies and answers, files of forms. Next to the uploads: /tmp may be in memory.
SCRATCH_DIR = VAR_DIR / "tmp"

# --- pages of other sites --------------------------------------------------------------------

# Other sites may call the API and the endpoints of OAuth without cookies; writing requires a token.
CORS_URLS_REGEX = r"^/(api/|oauth/|\.well-known/oauth-)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
CORS_ALLOW_HEADERS = (
    *("accept", "accept-language", "authorization", "content-disposition", "content-type"),
    *("idempotency-key", "if-match", "if-none-match", "last-event-id"),
    *("tus-resumable", "upload-checksum", "upload-length", "upload-metadata", "upload-offset"),
    "upload-secret",
)
CORS_EXPOSE_HEADERS = (
    *("Content-Disposition", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location"),
    *("Missing-Keys", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "X-Request-ID"),
    *("Tus-Resumable", "Upload-Expires", "Upload-Length", "Upload-Offset", "Upload-Result"),
)
CORS_PREFLIGHT_MAX_AGE = 24 * 60 * 60

# --- open data ------------------------------------------------------------------------------

# Monthly dumps of all public games (records.opendata). Later dumps omit withdrawn games, so old
# dumps are removed soon.
DUMPS_KEPT = env.HANA_DUMPS_KEPT

# --- facts for statistics (records.facts) -------------------------------------------------------

# Threads and memory of DuckDB in each process, and the seconds after which a query is given up.
FACTS_THREADS = 1
FACTS_MEMORY_MB = env.HANA_FACTS_MEMORY_MB
FACTS_QUERY_SECONDS = env.HANA_FACTS_QUERY_SECONDS
# New games appear in statistics after at most this many seconds; hidden games vanish immediately.
FACTS_SECONDS = 30 * PRODUCTION if env.HANA_FACTS_SECONDS is None else env.HANA_FACTS_SECONDS
# Local copies of facts that are stored in a bucket.
FACTS_CACHE_BYTES = env.HANA_FACTS_CACHE_BYTES
FACTS_CACHE_DIR = VAR_DIR / "facts-copies"

# --- stored files -------------------------------------------------------------------------------

BUCKET = parse_bucket(env.HANA_STORAGE_URL)
#: The connection to ClickHouse; None: DuckDB computes statistics in each process.
STATISTICS = parse_statistics(env.HANA_STATISTICS_URL, has_bucket=BUCKET is not None)


# The files for everybody: an address, empty without them, and the options of a bucket.
_PUBLIC_FILES = public_files(env.HANA_PUBLIC_STORAGE_URL, env.HANA_PUBLIC_ADDRESS, VAR_DIR, BUCKET)
PUBLIC_ADDRESS = _PUBLIC_FILES.address if _PUBLIC_FILES is not None else ""
PUBLIC_BUCKET = _PUBLIC_FILES.bucket if _PUBLIC_FILES is not None else None


def _make_storage(folder: str, *, packed: bool = False) -> dict[str, Any]:
    """Return the definition of a storage in the bucket, or else in the var directory."""
    if BUCKET is None:
        backend = "packed.PackedDirectory" if packed else "packed.Directory"
        return {"BACKEND": f"records.base.{backend}", "OPTIONS": {"location": VAR_DIR / folder}}
    backend = "PackedBucket" if packed else "Bucket"
    options = BUCKET | {"location": f"{BUCKET['location']}{folder}/"}
    return {"BACKEND": f"records.base.bucket.{backend}", "OPTIONS": options}


# Without a bucket all machines need the same var directory.
STORAGES = {
    "default": _make_storage("uploads", packed=True),
    "partial": _make_storage("partial", packed=True),
    "facts": _make_storage("facts"),
    "dumps": _make_storage("dumps"),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if PUBLIC_BUCKET is not None:
    STORAGES["public"] = {"BACKEND": "records.base.bucket.Bucket", "OPTIONS": PUBLIC_BUCKET}
elif _PUBLIC_FILES is not None:
    STORAGES["public"] = {
        "BACKEND": "records.base.packed.Directory",
        "OPTIONS": {"location": _PUBLIC_FILES.directory},
    }

# --- web server -----------------------------------------------------------------------------

WEB_PROCESSES = env.HANA_WEB_PROCESSES
# Threads of each web process, and its processes for computations on visitors' input.
WEB_THREADS = 20
WEB_COMPUTERS = 2

# --- static files ---------------------------------------------------------------------------

STATIC_URL = "static/"
# kafu.js, for the pages of other programs.
STATICFILES_DIRS = [("kafu", BASE_DIR / "kafu" / "javascript")]
WHITENOISE_MIMETYPES = {".md": "text/plain"}  # shown, not downloaded
# Served from their sources, without a separate collection step.
WHITENOISE_USE_FINDERS = True
#: The documentation site; missing if it is not built (scripts/documentation).
DOCUMENTATION = BASE_DIR / "var/documentation/site"
DOCUMENTATION_URL = "/docs/"
WHITENOISE_INDEX_FILE = True
WHITENOISE_AUTOREFRESH = DEBUG
# Browsers cache a file with a hash in its name for good.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.(js|woff2)$"

# --- language, time -------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ja", _("Japanese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# --- security -------------------------------------------------------------------------------

# The number of reverse proxies before us. Their headers about a client (address, scheme) are used
# only behind a proxy, since otherwise any client could write them.
PROXIES = env.HANA_PROXIES
if PROXIES:
    # Otherwise our links would be http:// behind an HTTPS proxy.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# A single switch for all settings of HTTPS. Behind a proxy with the certificate, set PROXIES:
# otherwise each request looks like plain HTTP and is redirected.
HTTPS = PRODUCTION if env.HANA_HTTPS is None else env.HANA_HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# How long browsers must use HTTPS: a month, after which a mistake is forgiven.
SECURE_HSTS_SECONDS = env.HANA_HSTS_SECONDS if HTTPS else 0
# For hosts below ours too (chess.archive.example), and for the preload lists of browsers.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.HANA_HSTS_SUBDOMAINS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# The site's address, for links in mails and the API. The Host of a request is not used, because
# clients can forge at least its port.
SITE_URL = site_url(
    env.HANA_URL,
    default=f"{'https' if HTTPS else 'http'}://{ALLOWED_HOSTS[0]}" if PRODUCTION else LOCAL_URL,
)

# --- people -----------------------------------------------------------------------------------

# Maximum number of deals of one comparison in an analysis, of waiting games of one account, and of
# new games of an account analysed on a day without a request.
# Accounts younger than a week share the second limit with all accounts of their address, because a
# person can create eleven accounts in seconds, and a household has few accounts.
ANALYSIS_DEALS = env.HANA_ANALYSIS_DEALS
ANALYSES_WAITING = 5
ANALYSES_DAILY = env.HANA_ANALYSES_DAILY
# Whether games can be uploaded without an account.
ANONYMOUS_UPLOAD = (
    not PRODUCTION if env.HANA_ANONYMOUS_UPLOAD is None else env.HANA_ANONYMOUS_UPLOAD
)
# Sign-up is open to everybody, or only the staff creates accounts in the admin.
REGISTRATION_OPEN = env.HANA_REGISTRATION == "open"
# Whether the admin, which can change the whole archive, requires a second factor.
STAFF_MFA = PRODUCTION if env.HANA_STAFF_MFA is None else env.HANA_STAFF_MFA
# The contact for vulnerabilities, and the policy, in /.well-known/security.txt.
SECURITY_CONTACT = env.HANA_SECURITY_CONTACT
SECURITY_POLICY = env.HANA_SECURITY_POLICY
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_LENGTH = 10
AUTH_PASSWORD_VALIDATORS[1]["OPTIONS"] = {"min_length": PASSWORD_LENGTH}
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds for which the link of a mail is valid
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60
# Browsers send no cookie from other sites' frames and forms.
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

# Accounts use django-allauth (docs/decisions/0002-accounts.md) without its limits: its responses
# have no Retry-After, and five wrong passwords by a stranger lock out the owner of an account. See
# people.accounts.limits.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_ADAPTER = "people.accounts.adapter.AccountAdapter"
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
ACCOUNT_FORMS = {
    "login": "people.accounts.forms.LogIn",
    "signup": "people.accounts.forms.RegisterForm",
    "add_email": "people.accounts.forms.ChangeAddress",
    "change_password": "people.accounts.forms.ChangePassword",
    "set_password": "people.accounts.forms.SetFirstPassword",
    "reset_password": "people.accounts.forms.ResetPassword",
    "reset_password_from_key": "people.accounts.forms.SetPassword",
    "reauthenticate": "people.accounts.forms.ConfirmPassword",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_SESSION_REMEMBER = True
# An account has one address, used after confirmation; a confirmed new address replaces it. The
# existence of an account is never revealed: several accounts may enter the same address, and the
# first confirmation assigns it.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_CHANGE_EMAIL = True
# A stolen session is not the account: for a new address the password is required once more.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# A user who sets a password by the link in a mail is the owner, and is logged in.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
MFA_FORMS = {
    "authenticate": "people.accounts.forms.EnterCode",
    "reauthenticate": "people.accounts.forms.ConfirmCode",
    "activate_totp": "people.accounts.forms.FirstCode",
}
MFA_ADAPTER = "people.accounts.adapter.SecondFactorAdapter"
MFA_TOTP_ISSUER = "HanaArchive"
# Half a minute early or late: clocks differ, and people type slowly. (A code is valid once.)
MFA_TOTP_TOLERANCE = 1
# An unconfirmed address cannot be used to log in, so a second factor is permitted.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# Log-in at another site, if configured (docs/decisions/0013-openid-connect.md). The apps are always
# installed: removing tables by a variable would leave rows behind.
OPENID = openid(env)
OPENID_ID = "site"
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {
    "openid_connect": {
        "provider_class": "people.accounts.openid_provider.SiteProvider",
        "OAUTH_PKCE_ENABLED": True,
        # No data that we would have to store: no address, no picture.
        "SCOPE": ["openid", "profile"],
        "APPS": [
            {
                "provider_id": OPENID_ID,
                "name": OPENID["name"],
                "client_id": OPENID["client_id"],
                "secret": OPENID["secret"],
                "settings": {"server_url": OPENID["issuer"], "fetch_userinfo": False},
            }
        ]
        if OPENID
        else [],
    }
}
SOCIALACCOUNT_ADAPTER = "people.accounts.openid.OpenIdAdapter"
SOCIALACCOUNT_FORMS = {"signup": "people.accounts.forms.ChooseName"}
# Users choose their name and connect existing accounts themselves, never by mail address.
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5

# Applications of other makers (docs/decisions/0034-applications.md): public clients with PKCE, or a
# terminal with a code. The toolkit stores hashes of tokens only.
OAUTH2_PROVIDER: dict[str, Any] = {
    # In words for users. The scope of the staff is for tokens alone (people.tokens).
    "SCOPES": {
        "read": _("see your games, uploads, studies and clubs, including private ones"),
        "upload": _("add games, and change your games, studies, comments and clubs"),
    },
    "DEFAULT_SCOPES": ["read"],
    "ACCESS_TOKEN_GENERATOR": "people.applications.generate_access_token",
    "REFRESH_TOKEN_GENERATOR": "people.applications.generate_refresh_token",
    "OAUTH2_VALIDATOR_CLASS": "people.oauth.Validator",
    # The validator finds the user of a terminal's code; the toolkit's function fails on others.
    "OAUTH_PRE_TOKEN_VALIDATION": [],
    "OIDC_ISS_ENDPOINT": SITE_URL,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 60 * 60,
    # Of an application that is not used; each use gives a new refresh token.
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 24 * 60 * 60,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # The recommendations of RFC 9700.
    **{
        f"COMPLIANT_BCP_RFC9700_{name}": True
        for name in (
            *("IMPLICIT_GRANT", "PASSWORD_GRANT", "PKCE_METHOD", "ACCESS_TOKEN_TRANSPORT"),
            *("AUTHZ_RESPONSE_ISS", "TOKEN_STORAGE"),
        )
    },
}
# Programs on the user's own computer have a redirect address of http (people.forms).
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]

# Changes of the rate limits in `records.serving.limits`. The cache counts requests: with Redis over
# all processes, otherwise each process separately.
RATES = rates(env.HANA_RATES)
_mail = mail(env.EMAIL_URL, development=not PRODUCTION)
EMAIL_BACKEND = _mail.backend
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.use_tls, _mail.use_ssl
EMAIL_TIMEOUT = 10
# Without mail no links can be sent.
MAIL = bool(env.EMAIL_URL) or not PRODUCTION
DEFAULT_FROM_EMAIL = env.EMAIL_FROM

# --- API ------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    # The first gives the challenge of 401. Sessions are for our own pages, and need the CSRF token.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.authentication.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["api.authentication.Throttle"],
    "DEFAULT_RENDERER_CLASSES": ["api.renderers.JsonRenderer"],
    # Views with different parsers name them, and the schema follows.
    "DEFAULT_PARSER_CLASSES": ["api.parsers.FieldsParser"],
    "DEFAULT_SCHEMA_CLASS": "api.openapi.Operation",
    "EXCEPTION_HANDLER": "api.problems.handle_exception",
    "URL_FORMAT_OVERRIDE": None,  # Accept chooses the format, not ?format=
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "HanaArchive",
    "DESCRIPTION": "Hanafuda games: upload, verify, browse, replay.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["api.openapi.complete_document"],
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]+",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # uses no foreign server
    # Scripts and styles of the reference come from this server, not from a CDN.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Celery --------------------------------------------------------------------------------- The
# database is the ledger of jobs; a message only wakes a worker. A lost message delays a job, but
# never loses a game, because the sweep finds overdue jobs.

CELERY_IMPORTS = ("records.jobs.celery_worker",)

# Without Redis no message is sent: the embedded worker reads the ledger. The address in memory
# prevents a stray send from looking for a broker on the network.
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True  # Redis may come up after the worker
CELERY_TASK_IGNORE_RESULT = True  # the result is the row
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]  # never unpickle data of a broker
# A message is acknowledged when no job is due, so the message of a killed process wakes another.
# The row counts attempts, to stop a job that kills its process repeatedly.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# Jobs go on without the broker, with our own time limits (records.jobs.children).
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# Reserve a single message: further ones would be unavailable to idle workers.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = env.HANA_WORKERS or None
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # When a process works on one message for longer, another process is woken, without harm.
        "visibility_timeout": 900,
        # A dead or slow broker must not delay a request: the row is saved, and the sweep finds it
        # later. (Workers fetch messages a second at a time, within the timeout.)
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "max_retries": 1,  # kombu's default would take six seconds
        "interval_start": 0.1,
    }
    if REDIS_URL
    else {}
)
# One queue: a message announces a job, and the ledger decides the order (records.jobs.ledger).
CELERY_TASK_DEFAULT_QUEUE = "work"
CELERY_TASK_QUEUES: dict[str, dict[str, Any]] = {"work": {}}
CELERY_TASK_CREATE_MISSING_QUEUES = False  # a misspelt queue is an error, not a silent new one
CELERY_TIMEZONE = TIME_ZONE
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # LOGGING applies to workers too.

# --- logging --------------------------------------------------------------------------------

LOG_LEVEL = env.HANA_LOG_LEVEL or "INFO"
LOG_FORMAT = env.HANA_LOG_FORMAT or ("JSON" if PRODUCTION else "LINES")
LOGGING: dict[str, Any] = logging_config(
    json=LOG_FORMAT == "JSON",
    level=LOG_LEVEL,
    routine_level=LOG_LEVEL if PRODUCTION or env.HANA_LOG_LEVEL else "WARNING",
)
# The bearer token for /metrics; without it /metrics is 404 in production.
METRICS_TOKEN = env.HANA_METRICS_TOKEN
