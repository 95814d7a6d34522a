"""The real settings, with games that hurt, and no pace that a client has to keep."""

from hanaarchive.settings import *  # noqa: F403
from hanaarchive.settings import INSTALLED_APPS, RATES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.poison.Poison"]
RATES = dict.fromkeys(RATES, (1_000_000, 60))
