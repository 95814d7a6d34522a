"""The library needs the standard library only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"

#: Imports each module of it, and says what came along, by the first part of the name.
IMPORT_ALL = """
import importlib, pkgutil, sys
before = {name.partition(".")[0] for name in sys.modules}
sys.path.insert(0, sys.argv[1])
import kafu
names = [module.name for module in pkgutil.walk_packages(kafu.__path__, "kafu.")]
for name in names:
    importlib.import_module(name)
print(len(names), *{name.partition(".")[0] for name in sys.modules} - before)
"""


def test_every_module_imports_the_standard_library_only() -> None:
    """Also where other packages are installed: whatever is imported is seen."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", IMPORT_ALL, str(SOURCE)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    count, *names = done.stdout.split()
    assert int(count) > 60
    # The second is a name that multiprocessing gives to the program itself.
    assert set(names) - sys.stdlib_module_names - {"__mp_main__"} == {"kafu"}


def test_import_of_the_library_loads_no_module_before_its_use() -> None:
    """So that `import kafu` is quick (`python -X importtime -c "import kafu"`)."""
    asked = "import sys, kafu; print(*(name for name in sys.modules if name.startswith('kafu')))"
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            f"import sys; sys.path.insert(0, sys.argv[1]); {asked}",
            SOURCE,
        ],
        capture_output=True,
        text=True,
    )
    rooms = {name.split(".")[1] for name in done.stdout.split() if name != "kafu"}
    assert rooms == {"cards", "native", "notation", "rules"}, done.stderr
