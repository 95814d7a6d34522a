"""The real settings of a site in tests, except for a faster password hash.

With the real hash each login would take half a second.
"""

from hanaarchive.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
