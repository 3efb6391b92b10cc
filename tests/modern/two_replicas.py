"""Checks that two replicas of one process train and evaluate as one replica with whole batches.

Two devices must be configured before TensorFlow starts.
"""

import tempfile

from modern.process import quiet_import

quiet_import.import_tensorflow()

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

from modern import porting  # noqa: E402
from modern.porting import heads  # noqa: E402
from modern.training.data import batch_limits  # noqa: E402
from tests.modern import generated  # noqa: E402
from tests.modern.porting import streamed_model  # noqa: E402


def close(one, other):
    return all(np.allclose(a, b, rtol=1e-5, atol=2e-6) for a, b in zip(one, other, strict=True))


def trained(strategy, batch, make=generated.compiled, known=True):
    """Returns the weights and metrics after five and a half batches of two replicas."""
    # Two replicas read 11 half batches. The last one has no second half, so it is left out.
    # The last batch of the evaluation has one example, so one replica has none.
    data = generated.data(11 * 8).batch(batch, drop_remainder=True)
    if not known:
        data = data.filter(lambda features, labels: True)
    model = make(strategy)
    with tempfile.TemporaryDirectory() as folder:
        porting.restore(model, folder)
        metrics, _ = porting.train_and_evaluate(
            model, lambda: data, lambda: generated.data(33).batch(16)
        )
    assert metrics.pop("global_step") == 5
    return model.get_weights()[:2], [*metrics.values()]


def head(reduction):
    """Returns a function that makes a model of modern.porting.heads with a regularization loss."""

    def make(strategy):
        with (strategy or tf.distribute.get_strategy()).scope():
            x = tf_keras.Input([4], name="x")
            penalty = tf_keras.regularizers.L2(0.1)
            layer = tf_keras.layers.Dense(
                1, kernel_initializer="ones", kernel_regularizer=penalty, name="out"
            )
            model = heads.Regressor(tf_keras.Model({"x": x}, layer(x)), loss_reduction=reduction)
            model.compile(tf_keras.optimizers.SGD(0.01))
        return model

    return make


def main():
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = porting.strategy("none", tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]))
    for data in (tf.data.Dataset.range(5), tf.data.Dataset.range(5).filter(lambda one: True)):
        assert [*batch_limits.limit_data(data, strategy, None)[0].as_numpy_iterator()] == [
            0,
            1,
            2,
            3,
        ]
        assert [*batch_limits.limit_data(data, strategy, 1)[0].as_numpy_iterator()] == [0, 1]
        with strategy.scope():
            assert [*batch_limits.limit_data(data, strategy, 1)[0].as_numpy_iterator()] == [0, 1]
    expected = trained(None, 16)
    for known in (True, False):
        weights, metrics = trained(strategy, 8, known=known)
        assert close(weights, expected[0]), (known, weights, expected)
        assert close(metrics, expected[1]), (known, metrics, expected)
    with strategy.scope():
        model = streamed_model.Model()
        model.compile("sgd", tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    streamed_model.check_evaluation(model)
    split = generated.compiled(strategy).evaluate(generated.data(33).batch(16), verbose=0)
    assert np.isnan(split).any()  # Keras returns NaN, since the second replica ends without data.

    whole, _ = trained(None, 16, head("sum_over_batch_size"))
    parts, _ = trained(strategy, 8, head("sum_over_batch_size"))
    assert close(parts, whole), (parts, whole)
    sums, _ = trained(strategy, 8, head("sum"))
    assert not close(sums, whole)


if __name__ == "__main__":
    main()
