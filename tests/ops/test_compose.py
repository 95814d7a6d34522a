"""compose.yaml, Dockerfile and the contents of the image, as far as possible without Docker."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class

from hanaarchive import supervisor
from hanaarchive.environment import Environment
from records.jobs.celery_worker import FINISH_SECONDS
from records.serving.computing import MEMORY_BYTES
from tests.conftest import ROOT
from tests.services import answers, free_port, wait_until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name, service in SERVICES.items() if "build" in service)
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
#: Memory under load, rounded up (measured: docs/operations.md): the first process of a worker, and
#: each process of its pool with the child; a web process with its computing processes.
MAIN_PROCESS_BYTES = 160 * 10**6
WORKER_PROCESS_BYTES = 170 * 10**6
WEB_PROCESS_BYTES = 350 * 10**6
#: PostgreSQL's default without reserved connections; sweep, migrations, backup and health checks.
MAX_CONNECTIONS = 97
OTHER_CONNECTIONS = 8


#: The variables that the archive reads.
KNOWN = set(Environment.__struct_fields__)


def given() -> set[str]:
    """Return the variables of .env.example."""
    return set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.M))


def test_code_reads_declared_variables_only() -> None:
    """Only the settings read them, and modules that run before the settings."""
    code = "\n".join(path.read_text() for path in (ROOT / "hanaarchive").rglob("*.py"))
    read = set(re.findall(r'environ(?:\.get)?[(\[]\s*"([A-Z_]+)"', code))
    of_others = {"DJANGO_SETTINGS_MODULE", "PROMETHEUS_MULTIPROC_DIR", "REQUEST_METHOD"}
    assert read - of_others <= KNOWN
    settings_code = (ROOT / "hanaarchive" / "settings.py").read_text()
    assert {name for name in KNOWN if not re.search(rf"env\.{name}\b", settings_code)} == {
        *("HANA_OPENID_NAME", "HANA_OPENID_ISSUER", "HANA_OPENID_CLIENT_ID", "HANA_OPENID_SECRET")
    }


def test_services_that_store_files_have_a_way_to_a_bucket() -> None:
    """The exception is migrate."""
    extra = yaml.safe_load((ROOT / "deploy" / "bucket.yaml").read_text())
    assert set(extra["services"]) == {"web", "worker", "sweep", "backup"} < set(SERVICES)
    for service in extra["services"].values():
        assert service == {"networks": ["bucket"]}
    assert set(extra["networks"]) == {"bucket"} and not extra["networks"]["bucket"]


@pytest.mark.parametrize("name", OURS)
def test_own_service_sets_known_variables_only(name: str) -> None:
    assert set(SERVICES[name]["environment"]) <= KNOWN


def test_example_environment_has_required_and_known_variables_only() -> None:
    needed = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "compose.yaml").read_text()))
    assert needed | {"SECRET_KEY"} <= given()
    assert given() - needed <= KNOWN


@pytest.mark.parametrize("name", OURS)
def test_own_service_runs_an_existing_command(name: str) -> None:
    command = SERVICES[name]["command"]
    if command[0] == "python":
        app = get_commands()[command[2]]
        assert isinstance(app, str)
        parser = load_command_class(app, command[2]).create_parser("manage.py", command[2])
        parser.parse_args(command[3:])
    else:
        assert command == ["python", "manage.py", "web", "--host=0.0.0.0"]
        assert f"CMD {command}".replace("'", '"') in DOCKERFILE


def test_proxy_alone_has_open_ports() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_redis_without_the_password_is_refused(tmp_path: Path) -> None:
    """Run the unchanged command, with another port and directory."""
    shell, option, line = SERVICES["redis"]["command"]
    port = free_port()
    line = line.replace("$$", "$").replace("/tmp/", f"{tmp_path}/")
    line += f" --port {port} --bind 127.0.0.1 --dir {tmp_path}"
    env = {"REDISCLI_AUTH": "word7", "PATH": os.environ["PATH"]}
    with subprocess.Popen([shell, option, line], env=env, stdout=subprocess.DEVNULL) as server:
        try:
            # Clients of addresses make one attempt, the others wait seconds between several.
            authorized = redis.Redis.from_url(f"redis://:word7@127.0.0.1:{port}")
            wait_until(lambda: answers(authorized), "Redis answers")
            with pytest.raises(redis.AuthenticationError):
                redis.Redis.from_url(f"redis://127.0.0.1:{port}").get("x")
        finally:
            server.terminate()


def test_databases_are_on_an_internal_network_only() -> None:
    assert COMPOSE["networks"]["inside"]["internal"]
    for name in ("postgres", "redis", "cache", "worker", "sweep"):
        assert SERVICES[name]["networks"] == ["inside"], name
    assert "inside" not in SERVICES["proxy"]["networks"]


def ways_out(name: str) -> set[str]:
    """Return the networks of a service that lead to other hosts."""
    networks = set(SERVICES[name].get("networks", ["default"]))
    return {
        network for network in networks if not (COMPOSE["networks"][network] or {}).get("internal")
    }


def test_only_proxy_and_web_server_have_a_way_out() -> None:
    assert {name for name in SERVICES if ways_out(name)} == {"proxy", "web"}


def test_every_service_has_a_memory_limit() -> None:
    assert [name for name, service in SERVICES.items() if "mem_limit" not in service] == []


def default(text: str) -> str:
    """Return the value of ``${NAME:-value}`` in an environment without the variable."""
    match = re.fullmatch(r"\$\{[A-Z_]+:-([^}]+)\}", text)
    return match[1] if match else text


def in_bytes(size: str) -> int:
    """Return a size of compose.yaml, such as ``512m``, in bytes."""
    return int(size[:-1]) << {"m": 20, "g": 30}[size[-1]]


def worker_processes() -> int:
    """Return the processes of a worker if .env omits the variable or leaves it empty."""
    assert ":-" in SERVICES["worker"]["environment"]["HANA_WORKERS"]
    return int(default(SERVICES["worker"]["environment"]["HANA_WORKERS"]))


def test_worker_processes_fit_into_their_memory_limit() -> None:
    """A process per core may not fit: six are too many."""
    needed = MAIN_PROCESS_BYTES + worker_processes() * WORKER_PROCESS_BYTES
    assert needed <= in_bytes(default(SERVICES["worker"]["mem_limit"]))
    assert f"HANA_WORKERS={worker_processes()}\n" in EXAMPLE


def test_web_processes_fit_into_their_memory_limit() -> None:
    """Each computing process may take `MEMORY_BYTES` more; an eighth is left for requests."""
    needed = WEB_PROCESS_BYTES + settings.WEB_COMPUTERS * MEMORY_BYTES
    assert needed <= in_bytes(default(SERVICES["web"]["mem_limit"])) * 7 // 8


def test_connections_of_all_processes_fit_into_postgresql() -> None:
    """Count one web server and five workers; more need PgBouncer (docs/operations.md)."""
    command = shlex.join(SERVICES["postgres"].get("command", []))
    assert "max_connections" not in command, "then it is not the default any more"
    replicas = int(default(SERVICES["web"]["deploy"]["replicas"]))
    assert replicas == settings.WEB_PROCESSES
    web = replicas * settings.WEB_THREADS
    workers = 5 * (1 + worker_processes())
    assert web + workers + OTHER_CONNECTIONS <= MAX_CONNECTIONS


def test_grace_period_is_longer_than_the_end_of_processes() -> None:
    for name in ("web", "worker", "sweep"):
        grace = int(SERVICES[name]["stop_grace_period"].removesuffix("s"))
        assert grace > max(FINISH_SECONDS, supervisor.GRACE_SECONDS)


def test_image_does_not_run_as_root_and_has_no_build_tools() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.M)[1:]
    assert len(stages) == 2 and "AS build" in stages[0]
    assert re.search(r"^USER hana$", stages[1], re.M)
    assert stages[1].index("USER hana") < stages[1].index("\nCMD")
    assert not re.search(r"build-essential|gcc|-dev\b|pip install|\buv\b", stages[1])


def test_library_is_installed_into_the_image() -> None:
    """The library is not linked to its folder in the discarded stage."""
    build, image = re.split(r"^FROM ", DOCKERFILE, flags=re.M)[1:]
    assert build.index("COPY kafu kafu") < build.index("RUN uv sync")
    assert re.search(r"^RUN uv sync --frozen --no-dev --no-editable \$EXTRAS$", build, re.M)
    assert 'ARG EXTRAS="--extra s3 --extra clickhouse"' in build
    assert "COPY --from=build /opt/hana /opt/hana" in image


def ignored(path: str) -> bool:
    """Return whether .dockerignore excludes a path: the last matching pattern decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = Path(path).parts
        prefixes = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        if any(fnmatch(p, pattern) for p in (*prefixes, *parts)):
            out = not line.startswith("!")
    return out


@pytest.mark.parametrize(
    "path",
    [
        *(".env", ".git/config", "var/hana.sqlite3", "backups/x", ".venv/a"),
        *("tests/conftest.py", "kafu/tests/conftest.py", "kafu/docs/kafu.md"),
    ],
)
def test_secrets_and_development_files_are_not_in_the_image(path: str) -> None:
    assert ignored(path)


def test_every_needed_file_is_in_the_image() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    # The client is for other machines; the image needs only the library's build inputs.
    packages = set(project["tool"]["importlinter"]["root_packages"]) - {"hana", "kafu"}
    library = ("kafu/src/**/*.py", "kafu/src/**/*.json", "kafu/pyproject.toml", "kafu/README.md")
    folders = (*(f"{p}/**" for p in packages), *library)
    for pattern in ("manage.py", "uv.lock", "templates/**/*.html", *folders):
        for path in ROOT.glob(pattern):
            if "__pycache__" not in path.parts:
                assert not ignored(path.relative_to(ROOT).as_posix())
    for path in ROOT.glob("locale/*/LC_MESSAGES/*.mo"):
        assert not ignored(path.relative_to(ROOT).as_posix())
