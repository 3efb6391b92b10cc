"""Tests of standalone client mode: Estimators in this process, TensorFlow servers in another."""

import json
import subprocess
import sys

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.contrib import distribute
from modern.cluster import ports
from tests.legacy.estimator.models import dataset, model_fn

pytestmark = pytest.mark.cluster

tf1 = tf.compat.v1
experimental = tf1.distribute.experimental

# Starts all tasks of some clusters in one process, which ends when its standard input closes.
SERVERS = """
import json, sys
from modern.process import quiet_import
quiet_import.import_tensorflow()
import tensorflow as tf
servers = [
    tf.distribute.Server(cluster, job, index)
    for cluster in json.loads(sys.argv[1])
    for job in cluster
    for index in range(len(cluster[job]))
]
print("ready", flush=True)
sys.stdin.read()
"""

# A strategy's device is in this process unless its name says otherwise.
THERE = "/job:worker/replica:0/task:0/device:CPU:0"


@pytest.fixture(scope="module")
def clusters():
    """Yields two running clusters: one worker alone, and two workers with a ps."""
    alone, *others = (f"localhost:{port}" for port in ports.free_ports(4))
    made = {"worker": [alone]}, {"worker": others[:2], "ps": others[2:]}
    process = subprocess.Popen(
        [sys.executable, "-c", SERVERS, json.dumps(made)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout.readline() == b"ready\n"
        yield made
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)


def new(folder, remote_cluster, train=None, evaluates=None, model_fn=model_fn):
    config = estimator.RunConfig(
        str(folder),
        save_checkpoints_steps=5,
        session_creation_timeout_secs=20,
        experimental_distribute=distribute.DistributeConfig(
            train or tf1.distribute.OneDeviceStrategy(THERE), evaluates, remote_cluster
        ),
    )
    return estimator.Estimator(model_fn, config=config)


class Targets(tf1.train.SessionRunHook):
    """Hook that records the server on which each session is opened."""

    def __init__(self):
        self.seen = []

    def after_create_session(self, session, coord):
        self.seen.append(session.sess_str)


def test_train_and_evaluate_methods_run_on_the_server(clusters, tmp_path):
    alone, _ = clusters
    strategy = tf1.distribute.OneDeviceStrategy(THERE)
    there = new(tmp_path / "there", alone, strategy, strategy)
    hook = Targets()
    assert there.train(dataset, hooks=[hook], max_steps=6) is there
    metrics = there.evaluate(dataset, steps=2, hooks=[hook])
    assert hook.seen == [f"grpc://{alone['worker'][0]}".encode()] * 2
    here = estimator.Estimator(model_fn, str(tmp_path / "here"))
    here.train(dataset, max_steps=6)
    assert metrics == here.evaluate(dataset, steps=2)


def test_without_a_strategy_for_it_evaluation_is_local(clusters, tmp_path):
    estimator.Estimator(model_fn, str(tmp_path)).train(dataset, max_steps=1)
    hook = Targets()
    new(tmp_path, clusters[0]).evaluate(dataset, steps=1, hooks=[hook])
    assert hook.seen == [b""]


def test_parameter_servers_and_an_evaluator(clusters, tmp_path):
    remote = {**clusters[1], "evaluator": ["localhost:1"]}  # The client itself evaluates.
    run = new(tmp_path, remote, experimental.ParameterServerStrategy())
    evaluations = estimator.EvalSpec(
        lambda: dataset(repeat=1), steps=None, start_delay_secs=0, throttle_secs=0
    )
    estimator.train_and_evaluate(run, estimator.TrainSpec(dataset, 20), evaluations)
    assert run.get_variable_value("global_step") >= 20
    (events,) = (tmp_path / "eval").glob("events*")
    assert max(event.step for event in tf1.train.summary_iterator(str(events))) >= 20


def test_a_failed_training_ends_the_evaluator_and_is_what_is_raised(clusters, tmp_path):
    def fails(features, labels, mode):
        raise ZeroDivisionError("my model")

    run = new(tmp_path, {**clusters[0], "evaluator": ["localhost:1"]}, model_fn=fails)
    evaluations = estimator.EvalSpec(dataset, start_delay_secs=0, throttle_secs=0)
    with pytest.raises(ZeroDivisionError, match="my model"):
        estimator.train_and_evaluate(run, estimator.TrainSpec(dataset, 20), evaluations)


@pytest.mark.parametrize(
    ("strategy", "job", "message"),
    [
        (experimental.ParameterServerStrategy, "worker", "not supported for ParameterServer"),
        (tf1.distribute.MirroredStrategy, "worker", "cannot be used on remote_cluster"),
        (None, "evaluator", "'evaluator' job is not supported if you don't use"),
        (None, "ps", "none of them trains"),
    ],
)
@pytest.mark.parametrize("method", ["train", "evaluate"])
def test_what_cannot_be_trained_or_evaluated_there(
    clusters, tmp_path, strategy, job, message, method
):
    made = strategy() if strategy else tf1.distribute.OneDeviceStrategy(THERE)
    run = new(tmp_path, {job: clusters[0]["worker"]}, made, made)
    with pytest.raises(ValueError, match=message):
        getattr(run, method)(dataset, steps=1)


def test_servers_that_do_not_answer(tmp_path):
    (port,) = ports.free_ports(1)
    run = new(tmp_path, {"worker": [f"localhost:{port}"]})
    run._config._session_creation_timeout_secs = 0.5
    with pytest.raises(tf.errors.DeadlineExceededError, match="did not answer within 0.5 s"):
        run.train(dataset, steps=1)
