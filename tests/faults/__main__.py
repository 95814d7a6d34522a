"""`python -m tests.faults`: the storm. See tests.faults.storm."""

import os
import signal
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # before the models are imported

from tests.faults.storm import main  # noqa: E402

signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an orderly end stops all processes
main()
