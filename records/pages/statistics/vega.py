"""The library that draws charts in the browser: Vega, Vega-Lite and Vega-Embed in one module.

It comes with vl-convert, which the set-up installs anyway, and is written out once, at the first
request, into the var directory: no CDN, no build step, and nothing of it in the repository.
"""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from django.conf import settings

#: What the module exports. `vegaEmbed` brings the interpreter of expressions, without which Vega
#: would need `unsafe-eval`.
_EXPORTS: Final = "export { vegaEmbed };"
#: A process of its own: the library is written by a JavaScript engine, whose 100 MB a web process
#: would keep.
_MAKE: Final = "import sys, vl_convert; print(vl_convert.javascript_bundle(sys.argv[1]))"
#: Seconds that it may take; it takes one or two.
_TIMEOUT_SECONDS: Final = 60


@cache
def name() -> str:
    """What this library is called: another one, of another vl-convert, has another name."""
    identity = f"{version('vl-convert-python')} {_EXPORTS}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def packed() -> Path:
    """The library as a gzip file, made if it is not there yet.

    Raises subprocess.SubprocessError or OSError where it cannot be made. Processes that come at
    once may each make it; they put the same thing in the same place.
    """
    path = Path(settings.VAR_DIR) / "charts" / f"{name()}.js.gz"
    if path.exists():
        return path
    made = subprocess.run(
        [sys.executable, "-c", _MAKE, _EXPORTS],
        capture_output=True,
        check=True,
        timeout=_TIMEOUT_SECONDS,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft:
        draft.write(gzip.compress(made.stdout, mtime=0))
    return Path(draft.name).replace(path)
