"""Tests of data that each call of `fit` reads on."""

import itertools
import json
import subprocess
import sys

import tensorflow as tf

from modern.training.data import resumable


def test_readers_share_one_iterator():
    batches = tf.data.Dataset.range(5)
    with resumable.resumable(batches, tf.distribute.get_strategy()) as data:
        parts = [[int(x) for x in itertools.islice(data, count)] for count in (2, 3)]
    assert parts == [[0, 1], [2, 3, 4]]
    assert data.element_spec == batches.element_spec


def test_a_worker_goes_on_in_the_next_call_and_other_data_do_not_disturb_it():
    done = subprocess.run(
        [sys.executable, "-m", "tests.modern.training.data.resumed_on_workers"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    sums = [0 + 1 + 2, 100 + 101, 3 + 4]
    assert json.loads(done.stdout) == dict.fromkeys(("creator", "own share", "distributed"), sums)
