"""The page for authors of programs that export games: how to use `kafu.js`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from records.serving.cached_responses import cached_page
from records.states import of_release

#: The archive's address in the examples of the package's README.
_EXAMPLE: Final = "https://archive.example"
_BLOCK: Final = re.compile(r"^```(?:js|html)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


@cached_page(of_release)
def programs_page(request: HttpRequest) -> HttpResponse:
    """Show how a program writes its games, with the examples of the package's README."""
    site = f"{request.scheme}://{request.get_host()}"
    loading, playing, storing = (text.replace(_EXAMPLE, site) for text in readme_examples())
    context = {"loading": loading, "playing": playing, "storing": storing}
    return render(request, "records/programs.html", context)


@lru_cache
def readme_examples() -> tuple[str, ...]:
    """Return the code of the README: loading the module, a game, a list of score sheets."""
    readme = settings.BASE_DIR / "kafu" / "javascript" / "README.md"
    return tuple(_BLOCK.findall(readme.read_text(encoding="utf-8")))
