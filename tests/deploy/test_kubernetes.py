"""The manifests of the comments service: valid to the letter, and with what specs/5 asks of them."""

from pathlib import Path

import kubernetes_validate
import pytest

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


def test_nothing_may_be_done_that_need_not_be(pod, containers):
    assert pod["securityContext"]["runAsNonRoot"]
    assert not pod["automountServiceAccountToken"]
    for container in containers:
        context = container["securityContext"]
        assert context["readOnlyRootFilesystem"]
        assert not context["allowPrivilegeEscalation"]
        assert context["capabilities"] == {"drop": ["ALL"]}


def test_each_container_says_what_it_takes(containers):
    for container in containers:
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "memory" in container["resources"]["limits"]


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
