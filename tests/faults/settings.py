"""The real settings, with games that harm workers, and without rate limits."""

from hanaarchive.settings import *  # noqa: F403
from hanaarchive.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.poison.Poison"]
RATES = dict.fromkeys(
    ("read", "uploads", "parts", "verify", "positions", "work", "login", "logins"), (1_000_000, 60)
)
