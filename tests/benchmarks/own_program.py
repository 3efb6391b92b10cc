"""A user's job for benchmarks.compare, its port, and ports with a defect."""

import numpy as np
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from legacy.contrib.training import HParams

tf1 = tf.compat.v1
BATCH_SIZE = 16
hparams = HParams(rate=0.05, units=6)


def data(count, seed):
    """Returns examples that tanh units can fit. Without noise, every loss ends near zero."""
    random = np.random.RandomState(seed)
    x = random.randn(count, 4).astype("f")
    return {"x": x}, np.tanh(x[:, :1] - x[:, 1:2]).astype("f")


def input_fn():
    return tf.data.Dataset.from_tensor_slices(data(256, 1)).repeat().batch(BATCH_SIZE)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(data(64, 2)).batch(BATCH_SIZE)


def finite():
    """Returns four batches, the last of which is smaller."""
    return tf.data.Dataset.from_tensor_slices(data(60, 1)).batch(BATCH_SIZE)


def uneven():
    """Returns batches of 16, 16, 16 and 12, repeated."""
    return finite().repeat()


def shuffled(params):
    return input_fn().shuffle(params["buffer"])


def shuffled_by_seed():
    return input_fn().shuffle(8, seed=5)


def random():
    return input_fn().skip(np.random.randint(1000))


def tensors():
    return tf1.data.make_one_shot_iterator(input_fn()).get_next()


def shared(input_context=None):
    whole = tf.data.Dataset.from_tensor_slices(data(256, 1))
    if input_context:
        whole = whole.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
    return whole.repeat().batch(BATCH_SIZE)


def needs_context(input_context):
    return shared(input_context)


def configured(mode, params, config):
    """Takes every argument that an Estimator passes to an input_fn."""
    assert mode in ("train", "eval")
    assert config.tf_random_seed is None or params is not None
    return input_fn()


def model_fn(features, labels, mode, params):
    hidden = tf1.layers.dense(features["x"], params.units, tf.nn.tanh, name="hidden")
    outputs = tf1.layers.dense(hidden, 1, name="outputs")
    loss = tf1.losses.mean_squared_error(labels, outputs)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {"mae": tf1.metrics.mean_absolute_error(labels, outputs)}
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf1.train.GradientDescentOptimizer(params.rate)
    train_op = optimizer.minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def without_params(features, labels, mode):
    """Uses dropout, and a metric whose value is not a scalar."""
    kept = tf1.layers.dropout(features["x"], 0.5, training=mode == tf_estimator.ModeKeys.TRAIN)
    outputs = tf1.layers.dense(kept, 1, name="outputs")
    loss = tf1.losses.mean_squared_error(labels, outputs)
    metrics = {"rows": tf1.metrics.mean_tensor(outputs[0])}
    train_op = tf1.train.AdamOptimizer().minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def build_model(params, activation="tanh", rate=None, names=("hidden", "outputs")):
    model = tf_keras.Sequential(
        [
            tf_keras.layers.Lambda(lambda features: features["x"]),
            tf_keras.layers.Dense(params.units, activation, name=names[0]),
            tf_keras.layers.Dense(1, name=names[1]),
        ]
    )
    model.compile(
        tf_keras.optimizers.SGD(rate or params.rate),
        tf_keras.losses.MeanSquaredError(),
        metrics=[tf_keras.metrics.MeanAbsoluteError(name="mean_absolute_error")],
    )
    return model


def other_activation(params):
    return build_model(params, activation="softsign")


def wrong_rate(params):
    return build_model(params, rate=1.1 * params.rate)


def not_compiled():
    return tf_keras.Sequential([tf_keras.layers.Dense(1)])


def more_layers(params):
    """Returns a port with a layer that the model_fn lacks."""
    model = build_model(params)
    model.add(tf_keras.layers.Dense(1, name="more"))
    model.compile("sgd", "mse")
    return model


class OwnStep(tf_keras.Model):
    """Model with a train_step in the older of Keras' two styles, with `compiled_loss`."""

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True), regularization_losses=self.losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}


class OwnLoss(tf_keras.Model):
    """Model with a train_step whose loss Keras does not see."""

    def train_step(self, data):
        x, y = data
        self.optimizer.minimize(
            lambda: tf.reduce_mean((self(x, training=True) - y) ** 2), self.trainable_variables
        )
        return {}


def _functional(kind):
    inputs = {"x": tf_keras.Input((4,), name="x")}
    model = kind(inputs, tf_keras.layers.Dense(1, name="outputs")(inputs["x"]))
    model.compile(tf_keras.optimizers.SGD(0.1), "mse")
    return model


def own_step():
    return _functional(OwnStep)


def own_loss():
    return _functional(OwnLoss)
