"""Tests of the original package on today's TensorFlow, in new processes: it changes TensorFlow."""

import importlib.util
import json
import os
import subprocess
import sys
import types

import pytest

from legacy import original
from tests.oracle import compare, record

needs_wheel = pytest.mark.skipif(
    importlib.util.find_spec("tensorflow_estimator") is None,
    reason=f"the original is not installed: {original.INSTALL}",
)


def python(*arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=record.ROOT,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_wheel
def test_whole_api_is_there_and_unchanged():
    code = """
from legacy import original
from tests.legacy import api_table
for key, api in (("tf.estimator", "v2"), ("tf.compat.v1.estimator", "v1")):
    module = original.load(api)
    for name, fact in api_table.FACTS[key].items():
        for line in api_table.differences(fact, api_table.find(module, name)):
            print(key, name, line)
"""
    done = python("-c", code)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@needs_wheel
def test_trains_as_on_its_own_tensorflow(tmp_path):
    output = tmp_path / "facts.json"
    command = ["-m", "tests.oracle.observe", "--api=v2", "--engine=original"]
    done = python(*command, f"--output={output}", "linear_regression")
    assert done.returncode == 0, done.stderr
    recorded = json.loads(record.path_of("v2", "linear_regression").read_text())["facts"]
    assert not compare.differences(recorded, json.loads(output.read_text())["linear_regression"])


def test_without_the_package_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow_estimator", None)
    with pytest.raises(ImportError, match="pip install --no-deps tensorflow-estimator==2.15.0"):
        original.load()


def test_unknown_api():
    with pytest.raises(ValueError, match="api='v3'"):
        original.load("v3")


def test_tpus_are_refused_when_used():
    make = original._MISSING["tensorflow.python.tpu.tpu_embedding"]()
    with pytest.raises(NotImplementedError, match="use_tpu=False"):
        make["TPUEmbedding"]()


@pytest.mark.parametrize(
    ("mode", "cluster", "expected"),
    [
        ("independent_worker", {"worker": ["a:1"]}, True),
        ("standalone_client", {"worker": ["a:1"]}, True),
        ("independent_worker", {}, False),
        (None, {"worker": ["a:1"]}, False),
    ],
)
def test_the_coordinator_runs_only_in_a_cluster(mode, cluster, expected):
    config = types.SimpleNamespace(_distribute_coordinator_mode=mode, cluster_spec=cluster)
    assert original.should_run_distribute_coordinator(config) is expected


def test_train_and_evaluate_alone_need_a_standalone_client():
    config = types.SimpleNamespace(
        _distribute_coordinator_mode="independent_worker", _eval_distribute=None
    )
    estimator = types.SimpleNamespace(config=config)
    with pytest.raises(ValueError, match="Estimator.evaluate in a cluster works from a standalone"):
        original.estimator_evaluate(estimator, None, [])
