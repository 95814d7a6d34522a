import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_migrations_equal_the_models() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
