#!/usr/bin/env python3
"""The command line of the archive: `python manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    """Choose the mode (see hanaarchive/settings.py) and hand over to Django."""
    if not (os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")):
        os.environ.setdefault("HANA_ENV", "development")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # the shell's status for a program ended by Ctrl-C


if __name__ == "__main__":
    main()
