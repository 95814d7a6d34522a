"""The settings of the tests: development mode, with a temporary var directory."""

import atexit
import os
import shutil
import tempfile

# Before the import, since settings read the environment once. The tests ignore the caller's
# services and start their own.
SERVICES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS")
for name in [n for n in os.environ if n in SERVICES or n.startswith("HANA_")]:
    del os.environ[name]
os.environ["HANA_ENV"] = "development"
os.environ["HANA_VAR"] = tempfile.mkdtemp(prefix="hana-test-")
atexit.register(shutil.rmtree, os.environ["HANA_VAR"], ignore_errors=True)

from hanaarchive.settings import *  # noqa: E402, F403

SITE_URL = "http://testserver"  # the address assumed by Django's test client
OAUTH2_PROVIDER["OIDC_ISS_ENDPOINT"] = SITE_URL  # noqa: F405
RATES = RATES | {"work": (10**9, 60)}  # noqa: F405 - tests of this budget set their own
# Passwords of tests need no protection.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
FACTS_SECONDS = 0
# A test whose jobs take two seconds would also analyse a game, which takes ten times as long.
ANALYSES_DAILY = 0
