"""Builds the library: as it is, or with ``KAFU_COMPILE=1`` with its busy modules compiled by mypyc.

    KAFU_COMPILE=1 pip wheel .

That needs a C compiler; ``backend.py`` requires mypy, whose part mypyc is. Everything else is in
pyproject.toml.
"""

import os
import sys
from pathlib import Path

from setuptools import setup

#: Packages for reading, judging and analysing games. Their modules are compiled as a single group,
#: which makes calls between modules direct.
COMPILED = (
    "analysis/*.py",
    "cards.py",
    "importers/*.py",
    "judging/*.py",
    "notation/*.py",
    "notation/reading/*.py",
    "rules/**/*.py",
)
#: Modules of these packages without compilation: values created, changed and pickled by programs,
#: and rarely used modules; also those of score sheets.
PURE = (
    "__init__.py",
    "actions.py",
    "choices.py",
    "codes.py",
    "description.py",
    "difference.py",
    "faults.py",
    "form.py",
    "game.py",
    "house.py",
    "json_types.py",
    "names.py",
    "partial.py",
    "position.py",
    "profiles.py",
    "progress.py",
    "replay.py",
    "sentences.py",
    "verdict.py",
)

extensions = []
# Metadata are made before mypy is installed.
if os.environ.get("KAFU_COMPILE") == "1" and not {"egg_info", "dist_info"} & set(sys.argv):
    from mypyc.build import mypycify

    os.chdir(Path(__file__).parent)
    package = Path("src/kafu")
    modules = sorted(
        str(path)
        for pattern in COMPILED
        for path in package.glob(pattern)
        if path.name not in PURE and not ("sheet" in path.name or path.parent.name == "sheets")
    )
    # Ignore the archive's configuration, which needs plugins of the archive.
    extensions = mypycify(
        ["--config-file=", "--cache-dir=build/types", *modules], opt_level="3", debug_level="0"
    )

setup(ext_modules=extensions)
