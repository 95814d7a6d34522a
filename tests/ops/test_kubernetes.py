"""The manifests in deploy/kubernetes and deploy/proxy, which run the services of compose.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from django.conf import settings

from hanaarchive.environment import Environment, read
from hanaarchive.http.probes import PROBES
from records.jobs.kinds import WORK, names
from tests.conftest import ROOT
from tests.ops.promql import parse_selectors
from tests.ops.test_compose import (
    MAX_CONNECTIONS,
    OTHER_CONNECTIONS,
    SERVICES,
    default,
    in_bytes,
    worker_processes,
)

FOLDER = ROOT / "deploy" / "kubernetes"
OURS = ("migrate", "web", "worker", "sweep")
VARIABLES = set(Environment.__struct_fields__)


def read_kustomization(folder: Path) -> dict[str, Any]:
    """Return the description of a directory of manifests."""
    description: dict[str, Any] = yaml.safe_load((folder / "kustomization.yaml").read_text())
    return description


def list_folders(folder: Path) -> Iterator[Path]:
    """Yield a directory of manifests and the directories that it includes."""
    yield folder
    for name in read_kustomization(folder)["resources"]:
        if (folder / name).is_dir():
            yield from list_folders((folder / name).resolve())


FOLDERS = list(list_folders(FOLDER / "example"))
MANIFESTS = [
    manifest
    for folder in FOLDERS
    for name in read_kustomization(folder)["resources"]
    if (folder / name).is_file()
    for manifest in yaml.safe_load_all((folder / name).read_text())
]


def list_settings() -> dict[str, str]:
    """Return the variables of the pods: the generated settings and secrets."""
    variables: dict[str, str] = {}
    for folder in FOLDERS:
        description = read_kustomization(folder)
        for generator in ("configMapGenerator", "secretGenerator"):
            for entry in description.get(generator, ()):
                lines = list(entry.get("literals", ()))
                for name in entry.get("envs", ()):
                    lines += (folder / name).read_text().splitlines()
                pairs = [line.partition("=") for line in lines if not line.startswith("#")]
                variables |= {name: value for name, _, value in pairs}
    return variables


def find(kind: str, name: str) -> dict[str, Any]:
    """Return a manifest."""
    return next(m for m in MANIFESTS if (m["kind"], m["metadata"]["name"]) == (kind, name))


def pods() -> dict[str, dict[str, Any]]:
    """Return the descriptions of pods by the name of their deployment or job."""
    return {
        m["metadata"]["name"]: m["spec"]["template"]
        for m in MANIFESTS
        if "template" in m.get("spec", ())
    }


def container(name: str) -> dict[str, Any]:
    """Return the only container of a pod."""
    [only] = pods()[name]["spec"]["containers"]
    description: dict[str, Any] = only
    return description


# The oldest version with all fields that we use, and the newest one.
@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_manifests_have_the_fields_of_kubernetes_only(version: str) -> None:
    for manifest in MANIFESTS:
        if manifest["kind"] != "ScaledObject":
            kubernetes_validate.validate(manifest, version, strict=True)


def test_pods_have_valid_variables_only() -> None:
    variables = list_settings()
    assert set(variables) <= VARIABLES
    values = read(variables)
    assert values.SECRET_KEY and values.ALLOWED_HOSTS and values.HANA_STORAGE_URL


@pytest.mark.parametrize("name", ["HANA_ENV", "HANA_PROXIES", "HANA_VAR", "HANA_WORKERS"])
def test_setting_is_the_one_of_compose(name: str) -> None:
    assert list_settings()[name] == default(SERVICES["web"]["environment"][name])


@pytest.mark.parametrize("name", OURS)
def test_pod_runs_its_service_of_compose(name: str) -> None:
    service = SERVICES[name]
    assert container(name)["command"] == service["command"]
    limit = container(name)["resources"]["limits"]["memory"]
    assert in_bytes(limit.lower().removesuffix("i")) == in_bytes(default(service["mem_limit"]))


@pytest.mark.parametrize("name", ["web", "worker", "sweep"])
def test_pod_has_the_time_to_end_of_its_service(name: str) -> None:
    sleep = container(name).get("lifecycle", {"preStop": {"sleep": {"seconds": 0}}})
    seconds = pods()[name]["spec"]["terminationGracePeriodSeconds"]
    left_to_end = seconds - sleep["preStop"]["sleep"]["seconds"]
    assert f"{left_to_end}s" == SERVICES[name]["stop_grace_period"]


@pytest.mark.parametrize("name", ["web", "worker", "sweep"])
def test_pod_of_a_new_version_waits_for_the_migrations(name: str) -> None:
    [first] = pods()[name]["spec"]["initContainers"]
    assert first["command"] == ["python", "manage.py", "migrate", "--check"]


def list_probes(name: str) -> list[dict[str, Any]]:
    """Return the probes of a container."""
    return [value for key, value in container(name).items() if key.endswith("Probe")]


def test_probes_of_the_web_server_ask_an_existing_address() -> None:
    probes = list_probes("web")
    assert len(probes) == 3
    # Pods would leave the service together if they were ready by other parts' state.
    assert {probe["httpGet"]["path"] for probe in probes} == {"/health/live"} < set(PROBES)


@pytest.mark.parametrize("name", ["worker", "sweep"])
def test_probes_of_a_process_without_address_are_those_of_compose(name: str) -> None:
    probes = list_probes(name)
    assert len(probes) == 2
    for probe in probes:
        assert ["CMD", *probe["exec"]["command"]] == SERVICES[name]["healthcheck"]["test"]


def test_references_lead_to_a_manifest() -> None:
    generated = {
        entry["name"]
        for folder in FOLDERS
        for generator in ("configMapGenerator", "secretGenerator")
        for entry in read_kustomization(folder).get(generator, ())
    }
    for name, pod in pods().items():
        [only] = pod["spec"]["containers"]
        for part in (*pod["spec"].get("initContainers", ()), only):
            for source in part.get("envFrom", ()):
                [reference] = source.values()
                assert reference["name"] in generated
            for variable in part.get("env", ()):
                reference = variable["valueFrom"]["configMapKeyRef"]
                assert reference["name"] in generated and reference["key"] in list_settings()
        ports = {port["name"] for port in only.get("ports", ())}
        for probe in list_probes(name):
            [action] = (probe[key] for key in ("httpGet", "tcpSocket", "exec") if key in probe)
            assert action.get("port", "") in {*ports, ""}
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        assert {mount["name"] for mount in only["volumeMounts"]} == set(volumes)
        for volume in volumes.values():
            if claim := volume.get("persistentVolumeClaim"):
                assert find("PersistentVolumeClaim", claim["claimName"])
            if "configMap" in volume:
                assert volume["configMap"]["name"] in generated


def list_label_selectors(value: Any) -> Iterator[dict[str, str]]:
    """Yield the labels by which manifests find pods of this namespace."""
    if isinstance(value, list):
        for item in value:
            yield from list_label_selectors(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("podSelector", "labelSelector", "selector"):
                yield item.get("matchLabels", item)
            elif key != "namespaceSelector":
                yield from list_label_selectors(item)


def test_every_selector_finds_a_pod() -> None:
    labels = [pod["metadata"]["labels"].items() for pod in pods().values()]
    selectors = list(list_label_selectors(MANIFESTS))
    assert len(selectors) > 12
    for selector in selectors:
        assert any(selector.items() <= pod for pod in labels), selector


def test_every_container_is_confined() -> None:
    containers = [
        (pod["spec"], part)
        for pod in pods().values()
        for part in (*pod["spec"]["containers"], *pod["spec"].get("initContainers", ()))
    ]
    assert len(containers) == 8
    for pod, part in containers:
        assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"]
        context = part["securityContext"]
        assert context["readOnlyRootFilesystem"] and context["capabilities"]["drop"] == ["ALL"]
        assert context["allowPrivilegeEscalation"] is False
        assert {"requests", "limits"} <= part["resources"].keys()
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert "--uid 10001" in dockerfile
    assert {pod["spec"]["securityContext"]["runAsUser"] for pod in pods().values()} == {10001}


def test_proxy_is_the_one_of_compose() -> None:
    assert container("proxy")["image"] == SERVICES["proxy"]["image"]
    volumes = {volume["name"]: volume for volume in pods()["proxy"]["spec"]["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container("proxy")["volumeMounts"]}
    assert volumes["caddyfile"] == {"name": "caddyfile", "configMap": {"name": "caddyfile"}}
    assert (
        f"./deploy/proxy/Caddyfile:{mounts['caddyfile']}/Caddyfile:ro"
        in SERVICES["proxy"]["volumes"]
    )
    assert f"certificates:{mounts['certificates']}" in SERVICES["proxy"]["volumes"]
    caddyfile = (ROOT / "deploy/proxy/Caddyfile").read_text()
    match = re.search(r"name \{\$HANA_WEB:(\w+)\}\s+port (\d+)", caddyfile)
    assert match
    service = find("Service", match[1])["spec"]
    [port] = service["ports"]
    # Without an address of its own, the name leads to the pods.
    assert service["clusterIP"] == "None" and port["port"] == int(match[2])
    assert {p["containerPort"] for p in container("web")["ports"]} == {int(match[2])}


def find_ports(text: str) -> set[int]:
    """Return the ports of the addresses of services in a text."""
    usual = {"postgres": 5432, "redis": 6379, "s3": 443, "clickhouse": 8443}
    addresses = re.findall(rf"\b({'|'.join(usual)})://[^\s`/]*?(?::(\d+))?(?=[\s`/])", text)
    return {int(port or usual[scheme]) for scheme, port in addresses}


def test_network_policies_open_the_ports_of_the_services() -> None:
    """The services of the settings, and those that the operations guide adds to them."""

    def ports(name: str, way: str) -> set[int]:
        rules = find("NetworkPolicy", name)["spec"][way]
        return {port["port"] for rule in rules for port in rule["ports"]}

    added = find_ports((ROOT / "docs/operations.md").read_text())
    assert find_ports(" ".join(list_settings().values())) | added == ports("services", "egress")
    assert 587 in ports("web", "egress")
    web = {port["containerPort"] for port in container("web")["ports"]}
    assert ports("web", "ingress") == web < ports("proxy", "egress")


def test_workers_are_scaled_by_the_jobs_that_they_run() -> None:
    scaling = find("ScaledObject", "worker")["spec"]
    assert scaling["scaleTargetRef"] == {"name": "worker"}
    # A number in the manifest would undo the scaling at each update.
    assert "replicas" not in find("Deployment", "worker")["spec"]
    [trigger] = scaling["triggers"]
    [selector] = parse_selectors(trigger["metadata"]["query"])
    conditions = {condition.label: condition.value for condition in selector.conditions}
    assert selector.metric == "hana_jobs" and conditions["state"] == "waiting"
    assert set(conditions["kind"].split("|")) == set(names(WORK))


def test_connections_of_all_pods_fit_into_postgresql() -> None:
    workers = find("ScaledObject", "worker")["spec"]["maxReplicaCount"] * (1 + worker_processes())
    web = find("Deployment", "web")["spec"]["replicas"] * settings.WEB_THREADS
    assert workers + web + OTHER_CONNECTIONS <= MAX_CONNECTIONS


def test_image_is_the_one_of_the_release() -> None:
    """`scripts/release-notes` compares its tag with the version."""
    [image] = read_kustomization(FOLDER / "archive")["images"]
    assert {container(name)["image"] for name in OURS} == {image["name"]}
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    assert f'docker tag "{image["name"]}:$GITHUB_REF_NAME"' in workflow
