"""Names of uploaded files: `{{ file.name|file_name }}` is the name that the sender knows."""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("file_name", labels.file_name)
