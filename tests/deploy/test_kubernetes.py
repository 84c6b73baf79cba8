"""The manifests of the comments service: valid to the letter, and with what SERVE-22 demands."""

import re
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path

import kubernetes_validate
import pytest

from stithy_comments.tools import ANSWER_SECONDS

BASE = Path(__file__).parents[2] / "deploy" / "kubernetes" / "base"
NAME, VERSION = "mcp-github-comments", "1.34"
LABELS = {"app": NAME}
FILES = ["deployment.yaml", "service.yaml", "disruption.yaml", "network.yaml"]


@pytest.fixture
def read(manifest):
    return lambda name: manifest(f"kubernetes/base/{name}")


@pytest.fixture
def pod(read):
    return read("deployment.yaml")["spec"]["template"]["spec"]


@pytest.fixture
def containers(pod):
    """The service, and the sidecar that gets the token."""
    (service,), (sidecar,) = pod["containers"], pod["initContainers"]
    return service, sidecar


def mounts(container):
    return {mount["name"]: mount for mount in container["volumeMounts"]}


@pytest.mark.parametrize("name", FILES)
def test_a_manifest_is_valid(read, name):
    kubernetes_validate.validate(read(name), VERSION, strict=True)


def test_kustomize_takes_all_of_them(read):
    kustomization = read("kustomization.yaml")
    assert kustomization["resources"] == FILES
    listed = {name for generator in kustomization["configMapGenerator"] for name in generator["files"]}
    assert {path.name for path in BASE.iterdir()} == {*FILES, *listed, "kustomization.yaml"}


def test_there_are_two_labelled_replicas(read):
    spec = read("deployment.yaml")["spec"]
    assert spec["replicas"] == 2
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"] == LABELS


def test_the_service_reaches_them(read, containers):
    spec = read("service.yaml")["spec"]
    (port,) = spec["ports"]
    (open_,) = containers[0]["ports"]
    assert (spec["type"], spec["selector"]) == ("ClusterIP", LABELS)
    assert (port["port"], port["targetPort"]) == (80, 8080)
    assert containers[0]["args"][-1].endswith(f":{port['targetPort']}")
    assert open_["containerPort"] == port["targetPort"]


def test_the_token_is_written_by_the_sidecar_and_read_by_the_service(pod, containers):
    service, sidecar = map(mounts, containers)
    assert service["github-token"]["mountPath"] == sidecar["github-token"]["mountPath"] == "/var/run/github"
    assert (service["github-token"]["readOnly"], "readOnly" in sidecar["github-token"]) == (True, False)
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert volumes["github-token"]["emptyDir"]["medium"] == "Memory"


def test_the_sidecar_starts_first_and_stays(containers):
    assert containers[1]["restartPolicy"] == "Always"


def test_containers_have_minimal_permissions(pod, containers):
    assert pod["securityContext"]["runAsNonRoot"]
    assert not pod["automountServiceAccountToken"]
    for container in containers:
        context = container["securityContext"]
        assert context["readOnlyRootFilesystem"]
        assert not context["allowPrivilegeEscalation"]
        assert context["capabilities"] == {"drop": ["ALL"]}


def test_each_container_says_what_it_takes(containers):
    for container in containers:
        assert container["resources"]["requests"].keys() == {"cpu", "memory", "ephemeral-storage"}
        assert container["resources"]["limits"].keys() == {"memory", "ephemeral-storage"}


def test_probes_ask_what_the_server_has(containers):
    paths = {name: containers[0][f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}
    assert paths == {"startup": "/healthz", "readiness": "/readyz", "liveness": "/healthz"}


def test_one_always_stays_and_only_pods_of_the_namespace_get_in(read):
    assert read("disruption.yaml")["spec"]["minAvailable"] == 1
    network = read("network.yaml")["spec"]
    assert network["podSelector"]["matchLabels"] == LABELS
    (rule,) = network["ingress"]
    assert rule["from"] == [{"podSelector": {}}]
    assert [port["port"] for port in rule["ports"]] == [8080]


def test_an_update_cuts_no_answer_off(pod):
    """The base, the code and the README have the same seconds (FIX-19)."""
    settings = tomllib.loads((BASE / "stithy.toml").read_text("utf-8"))["serve"]["http"]
    drain, grace, until = settings["drain_seconds"], settings["grace_seconds"], pod["terminationGracePeriodSeconds"]
    assert drain >= 10  # two of the readiness probe's periods
    assert grace > ANSWER_SECONDS
    assert until >= drain + grace + 5
    readme = " ".join((BASE.parents[1] / "README.md").read_text("utf-8").split())
    assert f"for {drain} seconds" in readme
    assert f"up to {grace} seconds" in readme
    assert f"after {until} seconds" in readme


def test_the_drain_lasts_until_no_balancer_sends_requests(containers):
    probe = containers[0]["readinessProbe"]
    assert probe["periodSeconds"] * 2 <= 10


def test_every_image_is_named_by_its_digest(read, containers):
    images = {image["name"]: image for image in read("kustomization.yaml")["images"]}
    assert images.keys() == {container["image"] for container in containers}
    for image in images.values():
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", image["digest"])
        assert "newTag" not in image


@pytest.mark.parametrize(
    "address",
    [
        "10.96.0.1",
        "172.20.0.10",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "127.0.0.1",
        "fd00::1",
        "fe80::1",
        "::1",
    ],
)
def test_addresses_inside_the_cluster_and_the_cloud_are_blocked(read, address):
    """But for its name service (FIX-19)."""
    names, forge = read("network.yaml")["spec"]["egress"]
    assert {port["port"] for port in names["ports"]} == {53}
    assert [port["port"] for port in forge["ports"]] == [443]
    for block in (peer["ipBlock"] for peer in forge["to"]):
        allowed = ip_address(address) in ip_network(block["cidr"])
        assert not allowed or any(ip_address(address) in ip_network(each) for each in block["except"])
