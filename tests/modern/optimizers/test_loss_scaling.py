"""Tests of loss scaling: the same training, and a step with an overflow is skipped."""

import numpy as np
import pytest
import tensorflow as tf

from modern.optimizers import chosen, combined, loss_scaling, replica_sums
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)

STRATEGIES = [tf.distribute.get_strategy, lambda: tf.distribute.MirroredStrategy(["CPU:0"])]


class Trained:
    """A weight, which starts at 1, and its optimizer under a strategy."""

    def __init__(self, strategy, optimizer=None, **arguments):
        self._strategy = strategy
        with strategy.scope():
            self.weight = tf.Variable([1.0, 1.0], name="one/weight")
            self.optimizer = optimizer or chosen.SGD(0.5, momentum=0.5)
            self.scale = loss_scaling.LossScale(**arguments)

    @tf.function
    def step(self, slope):
        def of_replica():
            factor = self.scale.factor()
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(self.weight * slope) * factor
            sums = replica_sums.of(tape.gradient(loss, [self.weight]))
            self.scale.apply(self.optimizer, sums, [self.weight], factor)

        self._strategy.run(of_replica)

    def run(self, *slopes):
        for slope in slopes:
            self.step(tf.constant(slope))
        steps = int(self.optimizer.iterations.numpy())
        return self.weight.numpy().tolist(), float(self.scale.factor()), steps


@pytest.mark.parametrize("make", STRATEGIES)
def test_the_factor_does_not_change_the_step(make):
    assert Trained(make()).run(0.5, 0.5) == ([1 - 0.25 - 0.375] * 2, 2.0**15, 2)


@pytest.mark.parametrize("make", STRATEGIES)
@pytest.mark.parametrize("overflow", [np.inf, np.nan])
def test_an_overflow_is_skipped_and_halves_the_factor(make, overflow):
    # The momentum must not move either: the last step moves the weight as if it were the second.
    weights, factor, steps = Trained(make()).run(0.5, overflow, 0.5)
    assert weights == [1 - 0.25 - 0.375] * 2
    assert (factor, steps) == (2.0**14, 3)


def test_good_steps_double_the_factor():
    trained = Trained(tf.distribute.get_strategy(), initial_factor=4.0, growth_steps=3)
    assert trained.run(0.0, 0.0)[1] == 4.0
    assert trained.run(0.0)[1] == 8.0
    # The count begins again after an overflow.
    assert trained.run(0.0, 0.0, np.inf)[1] == 4.0
    assert trained.run(0.0, 0.0)[1] == 4.0
    assert trained.run(0.0)[1] == 8.0


def test_the_factor_stays_between_one_and_its_limit():
    trained = Trained(tf.distribute.get_strategy(), initial_factor=2.0, growth_steps=1)
    assert trained.run(np.inf, np.inf, np.inf)[1] == 1.0
    trained = Trained(tf.distribute.get_strategy(), initial_factor=2.0**64, growth_steps=1)
    assert trained.run(0.0)[1] == 2.0**64


def test_sparse_gradients():
    table = tf.Variable(tf.ones([3, 2]))
    optimizer = chosen.SGD(1.0)
    scale = loss_scaling.LossScale(4.0)
    for value in (4.0, np.inf):
        gradient = tf.IndexedSlices(tf.constant([[value, value]]), tf.constant([1]), [3, 2])
        scale.apply(optimizer, [gradient], [table], scale.factor())
    assert table.numpy().tolist() == [[1, 1], [0, 0], [1, 1]]


def test_all_optimizers_of_a_group_count_a_skipped_step():
    parts = {name: chosen.SGD(0.5) for name in ("one", "two")}
    trained = Trained(tf.distribute.get_strategy(), combined.ByLayer(parts))
    scale, optimizer = trained.scale, trained.optimizer
    other = tf.Variable([1.0], name="two/weight")
    gradients = [tf.constant([np.inf, 0.0]), tf.constant([1.0])]
    scale.apply(optimizer, gradients, [trained.weight, other], scale.factor())
    assert [int(part.iterations) for part in optimizer.optimizers] == [1, 1]
    assert other.numpy().tolist() == [1.0]


def test_the_factor_is_saved_with_the_model_and_is_none_of_its_weights(tmp_path):
    def model():
        made = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
        made.loss_scale = loss_scaling.LossScale(8.0, growth_steps=1)
        return made

    first, second = model(), model()
    optimizer = chosen.SGD(0.0)
    weights = first.trainable_variables
    first.loss_scale.apply(optimizer, [0.0 * w for w in weights], weights, tf.constant(8.0))
    path = tf.train.Checkpoint(model=first).write(str(tmp_path / "ckpt"))
    tf.train.Checkpoint(model=second).read(path).assert_consumed()
    assert float(second.loss_scale.factor()) == 16.0
    assert len(first.weights) == 2
