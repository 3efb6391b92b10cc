"""Tests of `migrate.cluster.old_jobs.tfjob_shapes`, which checks the types of a TFJob's fields."""

import copy
import math

import pytest

from migrate.cluster import conversion, yaml_files
from migrate.cluster.old_jobs import tfjob, tfjob_shapes
from migrate.cluster.targets import base
from modern.process import cli
from tests.migrate.cluster import manifests


@pytest.mark.parametrize("text", [manifests.TFJOB, manifests.COLLECTIVE, manifests.FIRST_VERSION])
def test_a_manifest_that_kubernetes_takes(text):
    (document,) = yaml_files.parse(text)
    assert tfjob_shapes.problem(document) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[printenv, TF_CONFIG]", "printenv", 'command is "printenv", and must be a list'),
        ("[printenv, TF_CONFIG]", "[sleep, 1]", "command[1] is 1, and must be text"),
        ("name: tensorflow, ", "", "containers[0] has no name, which it must have"),
        ("tfReplicaSpecs", "runPolicy: {backoffLimit: true}\n  tfReplicaSpecs",
         "spec.runPolicy.backoffLimit is true, and must be a whole number"),
        ("name: tensorflow", "env: [{name: A, value: [x]}], name: tensorflow",
         'env[0].value is ["x"], and must be text or a whole number'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old, new, said):
    job = manifests.read(manifests.COLLECTIVE.replace(old, new))
    assert said in job.errors[0]


def test_an_empty_field_is_as_none():
    text = manifests.COLLECTIVE.replace("command: [printenv, TF_CONFIG]", "args: null")
    assert manifests.read(text).errors == ()


def paths(value, path=()):
    """Yields the path of each item in a nested value."""
    if not isinstance(value, dict | list):
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from paths(item, (*path, key))


def changed(document, path, value):
    made = copy.deepcopy(document)
    place = made
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return made


@pytest.mark.parametrize("value", [None, "text", [{}], {"a": None}, math.inf], ids=str)
@pytest.mark.parametrize("target", base.NAMES)
def test_whatever_stands_in_a_field_is_converted_or_refused(value, target):
    (document,) = yaml_files.parse(manifests.TFJOB)
    refused = 0
    for path in paths(document):
        if path == ("kind",):
            continue
        job = tfjob.read(changed(document, path, value), "mnist.yaml")
        refused += bool(job.errors)
        if job.errors:
            continue
        named = base.address_fn(target, job.workload)
        try:
            made = conversion.convert(job, "parameter_server", address_of=named)
            base.write(target, made, job.workload)
        except cli.UsageError:
            refused += 1
    assert refused > 5
