"""The real settings, with statistics that do not end while a test waits."""

from hanaarchive.settings import *  # noqa: F403
from hanaarchive.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.hanaarchive.slow_statistics.SlowStatistics"]
FACTS_QUERY_SECONDS = 300
