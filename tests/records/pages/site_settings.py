"""The real settings of a site in tests, but for passwords: by the real hash each log-in would take
half a second.
"""

from hanaarchive.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
