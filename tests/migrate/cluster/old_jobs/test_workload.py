"""Tests of `migrate.cluster.old_jobs.workload`, which describes the pods that run in the tasks."""

import pytest

from migrate.cluster.old_jobs import workload
from migrate.cluster.old_jobs.workload import Template, Workload, expand


def test_a_type_without_a_template_takes_the_nearest():
    chief, worker = (Template(workload.pod(image, [])) for image in ("c", "w"))
    both = Workload("m", templates={"chief": chief, "worker": worker})
    origins = {t: both.origin(t) for t in ("chief", "worker", "ps", "evaluator")}
    assert origins == {"chief": "chief", "worker": "worker", "ps": "worker", "evaluator": "chief"}
    alone = Workload("m", templates={"chief": chief})
    assert alone.template("ps") is alone.template("worker") is chief


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$(A)", "x"), ("$(B)", "$(B)"), ("$$(A)", "$(A)"), ("$$$(A)", "$x"), ("$A $", "$A $"),
        ("$(A)$(A)", "xx"), ("5$", "5$"),
    ],
)  # fmt: skip
def test_references_are_expanded_as_kubernetes_does(text, value):
    assert expand(text, {"A": "x"}) == value


def test_variables_refer_to_those_above():
    env = [
        {"name": "A", "value": "$(B)"}, {"name": "B", "value": "b"},
        {"name": "C", "value": "$(B)c"}, {"name": "S", "valueFrom": {}},
        {"name": "TF_CONFIG", "value": "{}"}, {"name": "E"},
    ]  # fmt: skip
    assert workload.literal_env({"env": env}) == {"A": "$(B)", "B": "b", "C": "bc", "E": ""}


def test_accelerators_are_taken_from_a_copy():
    pod = workload.pod("i", [])
    amounts = {"nvidia.com/gpu": 2, "cpu": "1"}
    pod["spec"]["containers"][0]["resources"] = {"limits": dict(amounts), "requests": dict(amounts)}
    changed, taken = workload.without_accelerators(pod)
    assert taken == ["nvidia.com/gpu: 2"]
    resources = workload.main_container(changed)["resources"]
    assert resources == {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}
    assert workload.main_container(pod)["resources"]["limits"] == amounts


def test_a_command_replaces_arguments_too():
    pod = workload.pod("i", ["a"])
    pod["spec"]["containers"][0]["args"] = ["b"]
    made = Workload("m", templates={"worker": Template(pod)})
    container = workload.with_command(made, ["c"], "j").template("worker").container
    assert (container["command"], container["image"], "args" in container) == (["c"], "j", False)
    container = workload.with_command(made, [], "").template("worker").container
    assert (container["command"], container["image"], container["args"]) == (["a"], "i", ["b"])


def test_what_is_left_is_named_by_field():
    pod = {
        "spec": {"containers": [{"name": "a", "env": []}, {"tty": True}], "dnsPolicy": "None"},
        "metadata": None,
    }
    assert list(workload.remaining_fields(pod)) == [
        "spec.containers[0].name: a", "spec.containers[1].tty: true", "spec.dnsPolicy: None",
    ]  # fmt: skip
