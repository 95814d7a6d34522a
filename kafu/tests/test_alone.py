"""The library needs the standard library only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"

#: A program that imports each module, and prints the first parts of all imported names.
IMPORT_ALL = """
import importlib, pkgutil, sys
before = {name.partition(".")[0] for name in sys.modules}
sys.path.insert(0, sys.argv[1])
import kafu
names = [module.name for module in pkgutil.walk_packages(kafu.__path__, "kafu.")]
names.remove("kafu.rl")  # needs the extra of the same name
for name in names:
    importlib.import_module(name)
print(len(names), *{name.partition(".")[0] for name in sys.modules} - before)
"""


def test_every_module_imports_the_standard_library_only() -> None:
    """Every import is observed, so installed packages do not matter."""
    process = subprocess.run(
        [sys.executable, "-P", "-c", IMPORT_ALL, str(SOURCE)], capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    count, *names = process.stdout.split()
    assert int(count) > 60
    # multiprocessing gives the second name to the program itself.
    assert set(names) - sys.stdlib_module_names - {"__mp_main__"} == {"kafu"}


def test_import_of_the_library_loads_no_module_before_its_use() -> None:
    """`import kafu` must be quick (`python -X importtime -c "import kafu"`)."""
    command = "import sys, kafu; print(*(name for name in sys.modules if name.startswith('kafu')))"
    process = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            f"import sys; sys.path.insert(0, sys.argv[1]); {command}",
            SOURCE,
        ],
        capture_output=True,
        text=True,
    )
    rooms = {name.split(".")[1] for name in process.stdout.split() if name != "kafu"}
    assert rooms == {"cards", "native", "notation", "rules"}, process.stderr
