"""Tests of process-wide settings, each in a new process."""

import os
import subprocess
import sys

from tests.cluster.trainings import ENV

TRY = """
from modern.process import quiet_import
quiet_import.import_tensorflow()
import tensorflow as tf
from modern.process import runtime
runtime.configure(seed=3, deterministic=True, intra_op_threads=1, inter_op_threads=2)
print(tf.config.threading.get_intra_op_parallelism_threads())
print(tf.config.threading.get_inter_op_parallelism_threads())
print(tf.random.uniform([2]).numpy().tolist())
import numpy, random
print(numpy.random.random(), random.random())
"""


def test_threads_and_seed():
    outputs = [
        subprocess.run(
            [sys.executable, "-c", TRY],
            env=os.environ | ENV,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert outputs[0][:2] == ["1", "2"]
    assert len(outputs[0]) == 4
    assert outputs[0] == outputs[1]
