"""The library that draws charts in the browser: Vega, Vega-Lite and Vega-Embed in one module.

It is part of vl-convert, which is installed anyway, and is written into the var directory at the
first request: no CDN, no build step, and no copy in the repository.
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

#: The exports of the module. `vegaEmbed` includes the interpreter of expressions, without which
#: Vega would need `unsafe-eval`.
_EXPORTS: Final = "export { vegaEmbed };"
#: A process of its own: a JavaScript engine writes the library, and a web process would keep its
#: 100 MB.
_MAKE: Final = "import sys, vl_convert; print(vl_convert.javascript_bundle(sys.argv[1]))"
#: Maximum seconds; it takes one or two.
_TIMEOUT_SECONDS: Final = 60


@cache
def name() -> str:
    """The name of this library: another version of vl-convert gives another name."""
    identity = f"{version('vl-convert-python')} {_EXPORTS}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def packed() -> Path:
    """The library as a gzip file, made if it does not exist.

    Raises subprocess.SubprocessError or OSError on failure. Concurrent processes may each make it;
    they write the same file.
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
