"""Tests of strategies with more GPUs than exist, and of the standalone server."""

import json
import logging

import portpicker
import pytest
import tensorflow as tf

from legacy.contrib import distribute


@pytest.fixture
def no_gpu():
    if tf.config.list_physical_devices("GPU"):
        pytest.skip("needs a machine without a GPU")


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(
    "make",
    [
        lambda: distribute.MirroredStrategy(num_gpus=2),
        lambda: distribute.MirroredStrategy(num_gpus_per_worker=2),
        lambda: distribute.CollectiveAllReduceStrategy(num_gpus_per_worker=2),
        lambda: distribute.ParameterServerStrategy(num_gpus_per_worker=2),
        lambda: distribute.OneDeviceStrategy("/gpu:0"),
    ],
)
def test_without_gpus_the_cpu_is_used_with_a_warning(make, caplog):
    with caplog.at_level(logging.WARNING, "tensorflow"), tf.Graph().as_default():
        strategy = make()
    assert strategy.num_replicas_in_sync == 1
    assert "CPU" in strategy.extended.worker_devices[0]
    assert "GPUs are asked for and there are 0: the CPU is used." in caplog.text


@pytest.mark.usefixtures("no_gpu")
def test_adding_up_gradients_without_gpus():
    made = distribute.AllReduceCrossDeviceOps("nccl", num_packs=2)
    assert isinstance(made, distribute.CrossDeviceOps)


def test_server_of_the_task_in_tf_config(monkeypatch):
    address = f"localhost:{portpicker.pick_unused_port()}"
    cluster = {"cluster": {"worker": [address]}, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    server = distribute.run_standard_tensorflow_server()
    with tf.Graph().as_default(), tf.compat.v1.Session(f"grpc://{address}") as session:
        assert session.run(tf.constant(3)) == 3
    assert server.server_def.cluster.job[0].name == "worker"
    leader = server.server_def.default_session_config.experimental.collective_group_leader
    assert leader == "/job:worker/replica:0/task:0"
