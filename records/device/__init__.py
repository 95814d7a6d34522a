"""The archive on a reader's device, without server and database.

`scripts/engine` packs `calls` with the modules that it uses into the JavaScript engine of the site.
No model may be among them.
"""

from pathlib import Path

from django.apps import apps
from django.conf import settings

if not settings.configured:  # no site runs
    catalogues = Path(__file__).resolve().parents[2] / "locale"
    settings.configure(USE_I18N=True, LOCALE_PATHS=[catalogues], STATIC_URL="/static/")
    apps.populate(())
