"""Tests that loops and datasets of a recorded program draw random numbers in one order."""

import os
import subprocess
import sys
import types

import pytest

from migrate.port.in_program import serial, starting
from modern.process import at_start
from tests.migrate.rewrite import tools

# Work of different length, so that calls in parallel overtake each other.
PROGRAM = """
import time
import numpy as np
import tensorflow as tf
tf1 = tf.compat.v1

def wait(x):
    time.sleep(0.002 * (5 - int(x) % 5))
    return np.float32(x)

def noise(x):
    x = tf.numpy_function(wait, [tf.cast(x, tf.float32)], tf.float32)
    x.set_shape([])
    with tf.control_dependencies([x]):
        return x + tf.random.uniform([])

def values(dataset):
    with tf1.Session() as session:
        element = tf1.data.make_one_shot_iterator(dataset).get_next()
        return [session.run(element).tolist() for _ in range(2)]

def show():
    data = tf1.data.Dataset.range(20)
    print("map", values(data.map(noise, num_parallel_calls=8).batch(10)))
    print("map2", values(tf.data.Dataset.range(20).map(noise, 8, deterministic=False).batch(10)))
    both = tf.data.experimental.map_and_batch(noise, 10, num_parallel_batches=4)
    print("map_and_batch", values(data.apply(both)))
    inner = lambda x: tf.data.Dataset.from_tensors(noise(x))
    sloppy = tf.data.experimental.parallel_interleave(inner, 4, sloppy=True)
    print("sloppy", values(data.apply(sloppy).batch(10)))
    print("interleave", values(data.interleave(inner, 4, num_parallel_calls=4).batch(10)))
    options = tf.data.Options()
    options.deterministic = False
    print("options", values(data.interleave(inner, 4).with_options(options).batch(10)))
    with tf1.Session() as session:
        print("loop", session.run(tf.map_fn(noise, tf.range(20.0))).tolist())

for _ in range(2):
    with tf.Graph().as_default():
        show()
"""


@pytest.mark.slow
def test_random_numbers_come_in_one_order(tmp_path):
    work, record = tmp_path / "work", tmp_path / "record"
    work.mkdir()
    record.mkdir()
    (work / "job.py").write_text(PROGRAM)
    argument = starting.argument(str(work), str(record))
    process = subprocess.run(
        [sys.executable, "job.py"],
        cwd=work,
        env=at_start.environment(starting.__name__, argument, {**os.environ, **tools.ENVIRONMENT}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    names = ["map", "map2", "map_and_batch", "sloppy", "interleave", "options", "loop"]
    assert [line.split()[0] for line in lines] == 2 * names
    assert lines[:7] == lines[7:]
    # All of them draw the same numbers in the same order.
    assert len({line.split(" ", 1)[1] for line in lines[:3]}) == 1


def test_arguments_that_allow_any_order_are_ignored():
    def _map_v2(dataset, map_func, num_parallel_calls=None, deterministic=None, name=None):
        return dataset, num_parallel_calls, deterministic, name

    def _init_from_args(self, maximum_iterations, parallel_iterations, name):
        return maximum_iterations, parallel_iterations, name

    context = type("WhileContext", (), {"_init_from_args": _init_from_args})
    module = types.SimpleNamespace(_map_v2=_map_v2, WhileContext=context)
    serial._patch_data(("_map_v2",), module)
    serial._patch_loop("WhileContext", "_init_from_args", module)
    assert module._map_v2("data", len, 8, deterministic=False, name="n") == (
        "data",
        None,
        None,
        "n",
    )
    assert context()._init_from_args(None, 10, name="n") == (None, 1, "n")
