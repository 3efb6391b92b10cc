"""Tests of strategies by name, and of the share of examples that each trainer gets."""

import os
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from modern.training import strategies
from tests.cluster.trainings import ENV


def share(trainers, trainer):
    """Returns a dataset that identifies its trainer: (0, trainer), (1, trainer), ..."""
    return tf.data.Dataset.range(6).map(lambda i: (i, trainer, trainers))


def test_single_is_no_strategy():
    strategy = strategies.make("single", None)
    assert strategy is tf.distribute.get_strategy()
    batches = strategies.distribute(strategy, share, 1)
    assert [tuple(map(int, b)) for b in batches][:2] == [(0, 0, 1), (1, 0, 1)]


def test_multi_worker_without_a_cluster_trains_alone():
    strategy = strategies.make("multi_worker_mirrored", None, "ring")
    assert strategy.num_replicas_in_sync == 1
    batches = strategies.distribute(strategy, share, 1)
    assert int(next(iter(batches))[0]) == 0


def test_a_task_with_one_cpu_iterates_over_its_own_share():
    asked = []

    def own(trainers, trainer):
        asked.append((trainers, trainer))
        return share(trainers, trainer)

    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    batches = strategies.distribute(strategy, own, 3, 2)
    assert isinstance(batches, strategies.OwnShare)
    assert isinstance(batches, tf.distribute.DistributedDataset)  # So Keras does not distribute it.
    assert isinstance(iter(batches), tf.data.Iterator)
    assert asked == [(3, 2)]
    assert batches.element_spec == share(3, 2).element_spec


@pytest.mark.parametrize("policy", ["auto", "data"])
def test_autoshard_takes_one_dataset_for_all(policy):
    asked = []

    def whole(trainers, trainer):
        asked.append((trainers, trainer))
        return tf.data.Dataset.range(8).batch(4, drop_remainder=True)

    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    (first, second) = strategies.distribute(strategy, whole, 1, autoshard=policy)
    assert asked == [(1, 0)]
    np.testing.assert_array_equal(tf.concat([first, second], 0), range(8))


# Two devices must be configured before TensorFlow starts.
TWO_REPLICAS = """
from modern.process import quiet_import
quiet_import.import_tensorflow()
import numpy as np
import tensorflow as tf
import tf_keras
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
from modern.tasks import counted_model
from modern.training import strategies
from modern.jobs import linear_regression as job
arrays = job.load_data("synthetic")

def train(strategy, trainers, batch_size):
    tf_keras.utils.set_random_seed(0)
    counters = counted_model.Counters(trainers)
    with strategy.scope():
        model = counted_model.TrainingModel.of(job.build_model(), counters)
        model.compile(job.make_optimizer(0.01), job.make_loss())
    def share(trainers, trainer):
        batches = job.train_input_fn(arrays, batch_size, 0, trainers, trainer)
        return counted_model.tag(batches, trainer)
    model.fit(strategies.distribute(strategy, share, trainers), steps_per_epoch=20, verbose=0)
    return model.get_weights(), counters.read().examples.tolist()

ours, seen = train(tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]), 2, 16)
theirs, seen_alone = train(tf.distribute.get_strategy(), 1, 32)
assert seen == [320, 320], seen
assert seen_alone == [640], seen_alone
difference = max(np.abs(a - b).max() for a, b in zip(ours, theirs))
assert difference < 2e-6, difference
"""


def test_two_replicas_of_one_process_equal_one_with_the_global_batch():
    subprocess.run(
        [sys.executable, "-c", TWO_REPLICAS], env=os.environ | ENV, check=True, timeout=120
    )
