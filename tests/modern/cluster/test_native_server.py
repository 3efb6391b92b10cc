"""Tests of the server of a task that does not import TensorFlow's Python package."""

import os
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.cluster import native_server, plan, tf_config

SERVE = """
import sys
from modern.cluster import native_server, tf_config
{first}
native_server.start(tf_config.load())
print("tensorflow" in sys.modules, flush=True)
sys.stdin.read()
"""


def test_the_definition_is_the_one_that_tensorflow_makes():
    cluster = {"ps": [f"{'long-' * 40}host-{index}.example:2222" for index in range(300)]}
    config = tf_config.TFConfig({name: tuple(cluster[name]) for name in cluster}, "ps", 299)
    found = tf.train.ServerDef.FromString(native_server.server_def(config))
    expected = tf.train.ServerDef(
        cluster=tf.train.ClusterSpec(cluster).as_cluster_def(),
        job_name="ps",
        task_index=299,
        protocol="grpc",
    )
    assert found == expected


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["tensorflow/libtensorflow_cc.so.2"], True),
        (["tensorflow/libtensorflow_cc.2.dylib"], True),
        (["tensorflow/libtensorflow_cc.lib"], False),
        (["tensorflow/libtensorflow_cc.so.2", "tensorflow-plugins/one.so"], False),
        (["tensorflow/libtensorflow_cc.so.2", "tensorflow/core/kernels/one.so"], False),
    ],
)
def test_the_library_is_used_if_it_is_all_that_python_would_load(tmp_path, files, found):
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    path = native_server.library([str(tmp_path / "tensorflow")])
    assert path == (str(tmp_path / files[0]) if found else None)


@pytest.mark.parametrize(
    ("first", "imports"),
    [
        pytest.param("", "False", id="library"),
        pytest.param("native_server.library_pages._LIBRARIES = ()", "True", id="package"),
    ],
)
def test_a_process_serves(first, imports):
    task = plan.assign({"chief": 1, "worker": 1, "ps": 1}, "chief", evaluator=False)[-1]
    with subprocess.Popen(
        [sys.executable, "-c", SERVE.format(first=first)],
        env=os.environ | {"TF_CONFIG": task.tf_config},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline().strip() == imports
            with (
                tf.Graph().as_default(),
                tf.device("/job:ps/task:0"),
                # It would wait for the other tasks.
                tf.compat.v1.Session(
                    f"grpc://{task.address}",
                    config=tf.compat.v1.ConfigProto(device_filters=["/job:ps"]),
                ) as session,
            ):
                assert session.run(tf.constant(20) + 1) == 21
        finally:
            process.kill()


def test_a_server_that_cannot_start_names_its_port():
    task = plan.assign({"chief": 1, "worker": 1, "ps": 1}, "chief", evaluator=False)[-1]
    config = tf_config.parse(task.tf_config)
    native_server.start(config)
    with (
        pytest.raises(tf_config.TFConfigError, match=task.address.split(":")[-1]),
        tf_config.server_start("ps-0", config.address),
    ):
        native_server.start(config)
