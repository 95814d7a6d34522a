"""The main process of a worker loads the code of all jobs, which its pool then shares."""

from __future__ import annotations

from tests import forking
from tests.conftest import bare_env

CODE = """
import sys
import django
django.setup()
from records.jobs import celery_worker, kinds
functions = {kind.run for kind in kinds.kinds(kinds.WORK)}
print({name for name in functions if name.rpartition(".")[0] not in sys.modules})
"""


def test_main_process_of_a_worker_loads_the_code_of_jobs() -> None:
    env = bare_env(DJANGO_SETTINGS_MODULE="hanaarchive.settings", HANA_ENV="development")
    process = forking.start(["-c", CODE], env=env)
    assert process.wait(60) == 0 and process.stdout is not None
    assert process.stdout.read() == "set()\n"
