"""Tests of `migrate.cluster.targets.pods`, the Kubernetes objects that several targets write."""

import contextlib
import socket
import subprocess
import sys
import threading

import pytest

from migrate.cluster import conversion, yaml_files
from tests.migrate.cluster import manifests
from tests.migrate.cluster.targets.pod_environments import main_container

PROGRAM = "[python, -m, modern.train, --strategy=parameter_server]"
OURS = manifests.TFJOB.replace("[python, train.py]", PROGRAM)


def documents(text, way, target="kubernetes"):
    made, written = manifests.written(text, way, target)
    return made, yaml_files.parse(written.text), written.notes


def job_of(found, task_type):
    return next(d for d in found if d["metadata"]["name"].endswith(f"-{task_type}"))


def of_kind(found, kind):
    (document,) = (d for d in found if d["kind"] == kind)
    return document


def selects(selector, labels):
    return selector["matchLabels"].items() <= labels.items()


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE])
@pytest.mark.parametrize("way", conversion.WAYS)
def test_only_pods_of_the_job_reach_its_servers(text, way):
    _, found, notes = documents(text, way)
    # The policy precedes the Jobs, because `kubectl apply` creates the objects in this order.
    kinds = [document["kind"] for document in found]
    assert kinds[:3] == ["Service", "NetworkPolicy", "PodDisruptionBudget"]
    assert set(kinds[3:]) == {"Job"}
    policy = found[1]
    assert policy["metadata"].get("namespace") == found[3]["metadata"].get("namespace")
    # Without "Egress" the pods still reach DNS and storage.
    assert policy["spec"]["policyTypes"] == ["Ingress"]
    ((source,),) = (rule["from"] for rule in policy["spec"]["ingress"])
    # Without a namespaceSelector, a source is in the namespace of the policy.
    assert set(source) == {"podSelector"}
    for job in found[3:]:
        labels = job["spec"]["template"]["metadata"]["labels"]
        assert selects(policy["spec"]["podSelector"], labels)
        assert selects(source["podSelector"], labels)
    stranger = {"app.kubernetes.io/instance": "other", "tier": "train"}
    assert not selects(source["podSelector"], stranger)
    assert not any("NetworkPolicy" in note for note in notes)


def test_a_port_that_the_policy_closes_is_said():
    text = manifests.TFJOB.replace(
        "containerPort: 2222}", "containerPort: 2222}, {containerPort: 6006}"
    )
    _, _, notes = documents(text, "multi_worker_mirrored")
    (told,) = (note for note in notes if "NetworkPolicy" in note)
    assert told.startswith("chief, worker, evaluator: port 6006: the NetworkPolicy admits only")


def test_the_pod_templates_are_as_they_were():
    _, found, _ = documents(manifests.TFJOB, "parameter_server")
    (old,) = yaml_files.parse(manifests.TFJOB)
    before = old["spec"]["tfReplicaSpecs"]["Worker"]["template"]
    after = job_of(found, "worker")["spec"]["template"]
    for extra in ("restartPolicy", "subdomain", "terminationGracePeriodSeconds"):
        after["spec"].pop(extra)
    for label in ("instance", "component"):
        after["metadata"]["labels"].pop(f"app.kubernetes.io/{label}")
    container = after["spec"]["containers"][0]
    container["env"] = container["env"][:-2]
    assert after == before


def test_how_tasks_are_restarted():
    text = manifests.TFJOB.replace(
        "Worker: {replicas: 2, restartPolicy: OnFailure",
        "Worker: {replicas: 2, restartPolicy: Always",
    )
    _, found, notes = documents(text, "parameter_server")
    chief, worker, ps, evaluator = (
        job_of(found, t)["spec"] for t in ("chief", "worker", "ps", "evaluator")
    )
    policies = [s["template"]["spec"]["restartPolicy"] for s in (chief, worker, ps, evaluator)]
    assert policies == ["OnFailure", "OnFailure", "Never", "Never"]
    assert [s["backoffLimit"] for s in (chief, worker, ps, evaluator)] == [3, 3, 3, 0]
    ((rule,),) = (ps["podFailurePolicy"]["rules"],)
    codes = rule["onExitCodes"]["values"]
    assert (rule["action"], codes[0], codes[-1], len(codes)) == ("FailJob", 1, 127, 127)
    assert "podFailurePolicy" not in chief
    assert {s["activeDeadlineSeconds"] for s in (chief, worker, ps)} == {86400}
    assert any("restartPolicy Always is OnFailure" in note for note in notes)


def test_restarts_are_limited_only_where_they_were():
    text = manifests.TFJOB.replace("    backoffLimit: 3\n", "")
    _, found, _ = documents(text, "parameter_server")
    limits = {t: job_of(found, t)["spec"]["backoffLimit"] for t in ("chief", "ps", "evaluator")}
    # Limits for OnFailure, ExitCode and Never. A Job's own default is 6, for all of its pods.
    assert limits == {"chief": 2**31 - 1, "ps": 2**31 - 1, "evaluator": 0}


def test_what_the_manifest_said_of_names_and_tf_config_is_replaced_and_said():
    text = manifests.COLLECTIVE.replace(
        "spec:\n          containers", "spec:\n          hostname: h\n          containers"
    ).replace("image: reg", "env: [{name: TF_CONFIG, value: x}], image: reg")
    _, found, notes = documents(text, "multi_worker_mirrored")
    env = main_container(job_of(found, "worker"))["env"]
    assert [one["name"] for one in env] == ["JOB_COMPLETION_INDEX", "TF_CONFIG"]
    assert "worker: its own TF_CONFIG is replaced." in notes
    assert any("hostname" in note for note in notes)


def test_a_container_beside_the_one_that_trains_is_said():
    told = "the containers logger: a Job's pod is done when all of its containers have ended"
    text = manifests.COLLECTIVE.replace("CONFIG]}]", "CONFIG]}, {name: logger, image: l}]")
    _, written = manifests.written(text, "multi_worker_mirrored", "kubernetes")
    assert any(note.startswith(f"worker: {told}") for note in written.notes)
    _, written = manifests.written(manifests.COLLECTIVE, "multi_worker_mirrored", "kubernetes")
    assert not any("containers" in note for note in written.notes)


def test_a_gpu_has_the_name_of_today():
    old = "alpha.kubernetes.io/nvidia-gpu"
    text = manifests.TFJOB.replace("nvidia.com/gpu", old)
    _, found, notes = documents(text, "multi_worker_mirrored")
    limits = main_container(job_of(found, "worker"))["resources"]["limits"]
    assert limits == {"memory": "8Gi", "cpu": "4", "nvidia.com/gpu": 1}
    assert any(note.startswith(f"chief, worker, evaluator: {old} is nvidia") for note in notes)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
            "[{labelSelector: {matchExpressions: [{key: tf-replica-type, operator: In, values: "
            "[worker]}]}, topologyKey: h}]}}",
            "tf-replica-type",
        ),
        (
            "topologySpreadConstraints: [{labelSelector: {matchLabels: "
            "{training.kubeflow.org/job-name: mirrored}}}]",
            "training.kubeflow.org/job-name",
        ),
        (
            "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
            "[{weight: 1, podAffinityTerm: {labelSelector: {matchLabels: {release: x}}}}]}}",
            None,
        ),
    ],
)
def test_a_label_that_only_the_operator_wrote_is_said(rule, said):
    text = manifests.COLLECTIVE.replace("containers: [{", f"{rule}\n          containers: [{{")
    _, written = manifests.written(text, "multi_worker_mirrored", "kubernetes")
    told = [note for note in written.notes if "selects pods" in note]
    assert len(told) == bool(said)
    for note in told:
        assert note.startswith(f"worker: it selects pods by the label {said}, which the TFJob's")
        assert note.endswith(
            "Select by app.kubernetes.io/instance: mirrored, and by app.kubernetes.io/component: "
            "worker."
        )


@pytest.mark.parametrize("target", ["kubernetes", "jobset", "tfjob", "trainjob"])
def test_tasks_that_all_others_need_are_not_evicted(target):
    _, found, _ = documents(manifests.TFJOB, "parameter_server", target)
    budget = of_kind(found, "PodDisruptionBudget")
    key = "app.kubernetes.io/component"
    assert budget["spec"] == {
        "minAvailable": 2,
        "selector": {
            "matchLabels": {"app.kubernetes.io/instance": "mnist"},
            "matchExpressions": [{"key": key, "operator": "In", "values": ["chief", "ps"]}],
        },
    }
    _, found, _ = documents(manifests.COLLECTIVE, "multi_worker_mirrored", target)
    spec = of_kind(found, "PodDisruptionBudget")["spec"]
    assert spec["minAvailable"] == 3
    assert spec["selector"]["matchExpressions"][0]["values"] == ["worker"]


def test_the_budget_selects_pods_by_the_type_of_their_task():
    _, found, _ = documents(manifests.TFJOB, "parameter_server")
    for task_type in ("chief", "worker", "ps", "evaluator"):
        labels = job_of(found, task_type)["spec"]["template"]["metadata"]["labels"]
        assert labels["app.kubernetes.io/component"] == task_type


def test_a_pod_has_time_to_save():
    _, found, _ = documents(manifests.COLLECTIVE, "multi_worker_mirrored")
    spec = job_of(found, "worker")["spec"]["template"]["spec"]
    assert spec["terminationGracePeriodSeconds"] > 30  # Kubernetes' default.
    own = "terminationGracePeriodSeconds: 7\n          containers"
    text = manifests.COLLECTIVE.replace("containers", own)
    _, found, _ = documents(text, "multi_worker_mirrored")
    assert job_of(found, "worker")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] == 7


def test_only_servers_of_this_project_are_probed():
    _, found, _ = documents(OURS, "parameter_server")
    probed = {t: main_container(job_of(found, t)) for t in ("chief", "worker", "ps", "evaluator")}
    # The ps has another program, and the evaluator has no server.
    assert [t for t in probed if "livenessProbe" in probed[t]] == ["chief", "worker"]
    assert [t for t in probed if "startupProbe" in probed[t]] == ["chief", "worker"]


def test_a_probe_of_the_manifest_stays():
    own = "{tcpSocket: {port: 2222}}"
    text = OURS.replace("workingDir: /src", f"livenessProbe: {own}")
    _, found, _ = documents(text, "parameter_server")
    assert main_container(job_of(found, "worker"))["livenessProbe"] == {"tcpSocket": {"port": 2222}}


@contextlib.contextmanager
def listening(answer):
    """Yields the port of a server that sends `answer` to each client."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with contextlib.suppress(OSError):  # The socket is closed at the end.
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(64)
                        connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize(
    ("answer", "code"), [(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]), 0), (b"HTTP/1.1 400", 1)]
)
def test_the_probe_tells_whether_the_server_answers(answer, code):
    with listening(answer) as port:
        text = OURS.replace("containerPort: 2222", f"containerPort: {port}")
        _, found, _ = documents(text, "parameter_server")
        probe = main_container(job_of(found, "worker"))["livenessProbe"]
        interpreter, *words = probe["exec"]["command"]
        assert interpreter == "python"
        assert subprocess.run([sys.executable, *words]).returncode == code
