"""The files of `deploy/` agree with each other, with the application and with what is tested."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import yaml  # type: ignore[import-untyped]

from app import __main__ as command_line
from app.settings import SETTINGS
from benchmarks.replicas import (
    HOST,
    ROOT,
    TEMPLATE,
    command,
    filled,
    free_port,
    on_loopback,
    variables,
)
from engine import __version__
from tests.support.pages import client

DEPLOY = ROOT / "deploy"
TEXT = TEMPLATE.read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text())
OBJECTS: dict[tuple[str, str], dict[str, Any]] = {
    (one["kind"], one["metadata"]["name"]): one
    for path in KUSTOMIZATION["resources"]
    for one in yaml.safe_load_all((DEPLOY / path).read_text())
}
NGINX = COMPOSE["services"]["nginx"]
REPLICAS = [it for name, it in COMPOSE["services"].items() if name.startswith("replica")]


def pod(name: str) -> dict[str, Any]:
    """The pods of a deployment."""
    found: dict[str, Any] = OBJECTS["Deployment", name]["spec"]["template"]["spec"]
    return found


def container(name: str) -> dict[str, Any]:
    """The one container of such a pod."""
    (found,) = pod(name)["containers"]
    return dict(found)


def environment(name: str) -> dict[str, str]:
    """Its variables."""
    return {row["name"]: row["value"] for row in container(name)["env"]}


PLACES: dict[str, dict[str, str]] = {
    "compose": NGINX["environment"],
    "kubernetes": environment("nginx"),
}
PLACE = pytest.mark.parametrize("values", PLACES.values(), ids=PLACES)


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    """How the command starts the server."""
    return command_line.SERVED


# nginx has one configuration


def test_every_place_gives_every_variable(tmp_path: Path) -> None:
    wanted = variables(TEXT)
    assert set(on_loopback(tmp_path, 1, [2])) == wanted
    for values in PLACES.values():
        assert {name for name in values if name.startswith("SEEGRAD_")} == wanted
    for name in wanted:
        assert re.search(rf"^#   {name} ", TEXT, re.MULTILINE), f"{name} is not explained"


def test_every_place_uses_the_template() -> None:
    assert NGINX["volumes"] == ["./nginx.conf.template:/etc/nginx/templates/nginx.conf.template:ro"]
    assert {"name": "nginx", "files": ["nginx.conf.template"]} in KUSTOMIZATION[
        "configMapGenerator"
    ]
    mounted = {it["name"]: it["mountPath"] for it in container("nginx")["volumeMounts"]}
    assert mounted["template"] == "/etc/nginx/templates"
    assert {"name": "template", "configMap": {"name": "nginx"}} in pod("nginx")["volumes"]
    for values, run in (
        (PLACES["compose"], NGINX["command"]),
        (PLACES["kubernetes"], container("nginx")["args"]),
    ):
        made = f"{values['NGINX_ENVSUBST_OUTPUT_DIR']}/nginx.conf"
        assert run == ["nginx", "-c", made, "-g", "daemon off;"]
        assert values["NGINX_ENVSUBST_FILTER"] == "^SEEGRAD_"


@PLACE
def test_nginx_takes_it(nginx: None, values: dict[str, str], tmp_path: Path) -> None:
    """With folder, port and names of this machine; `resolve` is unknown to nginx before 1.27.3."""
    here = {"SEEGRAD_FOLDER": str(tmp_path), "SEEGRAD_LISTEN": f"{HOST}:{free_port()}"}
    text = filled(TEXT, {**values, **here}).replace(" resolve max_fails", " max_fails")
    path = tmp_path / "nginx.conf"
    path.write_text(re.sub(r"[\w.-]+\.cluster\.local", HOST, text))
    done = subprocess.run([*command(path), "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_limits_are_those_of_the_application(served: dict[str, Any]) -> None:
    defaults = {row.name: row.default for row in SETTINGS}
    assert f"client_max_body_size {defaults['max_body']};" in TEXT
    assert f"large_client_header_buffers 4 {int(defaults['head_bytes']) // 1024}k;" in TEXT
    kept = re.search(r"(?<!client_)keepalive_timeout (\d+)s;\n    }", TEXT)
    assert kept is not None
    assert int(kept[1]) < served.get("timeout_keep_alive", uvicorn.Config("").timeout_keep_alive)


# Replicas


def test_nginx_finds_the_replicas_of_compose() -> None:
    port = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    addresses = [it["networks"]["inside"]["ipv4_address"] for it in REPLICAS]
    servers = PLACES["compose"]["SEEGRAD_REPLICAS"]
    wanted = [f"server {address}:{port[0]} max_fails=0;" for address in addresses]
    assert servers == " ".join(wanted)
    assert len(wanted) >= 2
    proxy = NGINX["networks"]["inside"]["ipv4_address"]
    assert all(it["environment"]["FORWARDED_ALLOW_IPS"] == proxy for it in REPLICAS)
    assert not any("ports" in it for it in REPLICAS)
    listening = PLACES["compose"]["SEEGRAD_LISTEN"]
    assert NGINX["ports"] == [f"{listening}:{listening}"]


def test_nginx_finds_the_replicas_of_kubernetes() -> None:
    service = OBJECTS["Service", "replicas"]
    (port,) = service["spec"]["ports"]
    name = f"{service['metadata']['name']}.{KUSTOMIZATION['namespace']}.svc.cluster.local"
    servers = PLACES["kubernetes"]["SEEGRAD_REPLICAS"]
    assert servers == f"server {name}:{port['port']} resolve max_fails=0;"
    assert f"EXPOSE {port['port']}" in DOCKERFILE
    assert container("replicas")["ports"] == [{"name": "http", "containerPort": port["port"]}]
    assert service["spec"]["clusterIP"] == "None"
    listening = int(PLACES["kubernetes"]["SEEGRAD_LISTEN"])
    assert container("nginx")["ports"] == [{"name": "http", "containerPort": listening}]
    assert environment("replicas")["FORWARDED_ALLOW_IPS"] != "*"


def test_the_image_is_the_dockerfiles() -> None:
    assert {"name": "seegrad", "newTag": __version__} in KUSTOMIZATION["images"]
    assert container("replicas")["image"] == "seegrad"
    assert {it["image"] for it in REPLICAS} == {f"seegrad:{__version__}"}
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert pod("replicas")["securityContext"]["runAsUser"] == int(user)
    assert {it["user"] for it in REPLICAS} == {f"{user}:{user}"}


@pytest.mark.parametrize("kind", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_probes_request_existing_paths(kind: str) -> None:
    asked = container("replicas")[kind]["httpGet"]
    assert asked["path"] == ("/healthz" if kind == "livenessProbe" else "/readyz")
    assert client().get(asked["path"]).status_code == 200
    if kind != "startupProbe":
        assert container("nginx")[kind]["httpGet"]["path"] == "/proxyz"
    assert "location = /proxyz {" in TEXT


def test_health_checks_are_those_of_the_dockerfile_and_request_existing_paths() -> None:
    for replica in REPLICAS:
        check = replica["healthcheck"]["test"]
        assert check[:3] == ["CMD", "python", "-c"]
        assert check[3] in DOCKERFILE
        assert "http://127.0.0.1:8000/healthz" in check[3]
        assert "EXPOSE 8000" in DOCKERFILE
    port = PLACES["compose"]["SEEGRAD_LISTEN"]
    assert NGINX["healthcheck"]["test"][-1] == f"http://127.0.0.1:{port}/proxyz"


def test_no_request_goes_on_as_late_as_a_frozen_replica_ends() -> None:
    (silent,) = (row.default for row in SETTINGS if row.name == "silent_seconds")
    (late,) = re.findall(r"proxy_next_upstream_timeout (\d+)s;", TEXT)
    assert int(late) < silent / 2
    assert "non_idempotent" not in TEXT


def test_there_is_time_to_leave(served: dict[str, Any]) -> None:
    graceful = served["timeout_graceful_shutdown"]
    waits = container("replicas")["lifecycle"]["preStop"]["exec"]["command"][-1]
    before = int(re.findall(r"sleep\((\d+)\)", waits)[0])
    assert pod("replicas")["terminationGracePeriodSeconds"] > before + graceful
    assert all(int(it["stop_grace_period"].removesuffix("s")) > graceful for it in REPLICAS)


# What a container may do


@pytest.mark.parametrize("name", ["replicas", "nginx"])
def test_pods_may_do_nothing_that_they_need_not(name: str) -> None:
    assert pod(name)["securityContext"]["runAsNonRoot"] is True
    assert pod(name)["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod(name)["automountServiceAccountToken"] is False
    assert pod(name)["enableServiceLinks"] is False
    assert container(name)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {"memory"} <= set(container(name)["resources"]["limits"])
    assert {"cpu", "memory"} <= set(container(name)["resources"]["requests"])


@pytest.mark.parametrize("service", [NGINX, *REPLICAS])
def test_services_may_do_nothing_that_they_need_not(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"].partition(":")[0] != "0"


def test_user_input_is_not_written_to_disk() -> None:
    for values in PLACES.values():
        assert values["SEEGRAD_FOLDER"] == "/run/seegrad"
    assert NGINX["tmpfs"][0].startswith("/run/seegrad:")
    mounts = {it["mountPath"]: it["name"] for it in container("nginx")["volumeMounts"]}
    (volume,) = [it for it in pod("nginx")["volumes"] if it["name"] == mounts["/run/seegrad"]]
    assert volume["emptyDir"]["medium"] == "Memory"


def test_objects_mean_pods_that_exist() -> None:
    for (kind, name), one in OBJECTS.items():
        if kind == "Deployment":
            assert one["spec"]["selector"]["matchLabels"] == {"app": name}
            assert one["spec"]["template"]["metadata"]["labels"] == {"app": name}
        elif kind == "Service":
            assert one["spec"]["selector"] == {"app": name}
        elif kind == "PodDisruptionBudget":
            assert one["spec"]["selector"]["matchLabels"] == {"app": name}
        elif kind == "NetworkPolicy":
            assert one["spec"]["podSelector"]["matchLabels"] == {"app": name}
        elif kind == "HorizontalPodAutoscaler":
            assert one["spec"]["scaleTargetRef"]["name"] == "replicas"
            assert one["spec"]["minReplicas"] >= 2
    kinds = [kind for kind, _ in OBJECTS]
    assert kinds.count("NetworkPolicy") == kinds.count("PodDisruptionBudget") == 2


def test_replicas_are_reached_by_nginx_and_reach_nothing() -> None:
    policy = OBJECTS["NetworkPolicy", "replicas"]["spec"]
    assert policy["egress"] == []
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    (rule,) = policy["ingress"]
    assert {"podSelector": {"matchLabels": {"app": "nginx"}}} in rule["from"]
    assert rule["ports"] == [{"protocol": "TCP", "port": "http"}]
