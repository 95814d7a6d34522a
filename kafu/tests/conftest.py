"""The library's tests need pytest, hypothesis and jsonschema, and nothing of the archive."""

from hypothesis import HealthCheck, settings

# How fast the machine is must not decide a test.
settings.register_profile("kafu", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kafu")
