"""A minimal model_fn, with options that the tests need, and its port."""

import collections

import numpy as np
import tensorflow.compat.v1 as tf
import tf_keras

# A spec of an unrelated class: only its attributes matter.
Spec = collections.namedtuple("Spec", "mode loss train_op eval_metric_ops predictions")
params = {"rate": 0.1}


def input_fn():
    random = np.random.default_rng(5)
    features = random.normal(size=(48, 4)).astype(np.float32)
    labels = (features @ np.arange(8.0).reshape(4, 2)).argmax(axis=1)
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(16)


def model_fn(features, labels, mode, params):
    partitioner = tf.fixed_size_partitioner(2) if params.get("partitioned") else None
    with tf.variable_scope("", partitioner=partitioner):
        logits = tf.layers.dense(features, 2, name="logits")
    if params.get("noise"):
        logits += tf.random.normal(tf.shape(logits))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if params.get("nan"):
        loss = tf.log(-tf.abs(loss))
    optimizer = {
        "adam": tf.train.AdamOptimizer,
        "rmsprop": tf.train.RMSPropOptimizer,
        "momentum": lambda rate: tf.train.MomentumOptimizer(rate, 0.9),
    }[params.get("optimizer", "adam")](params["rate"])
    train_op = optimizer.minimize(loss, tf.train.get_global_step()) if mode == "train" else None
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}
    return Spec(mode, loss, train_op, metrics, logits)


def port(optimizer=None, use_bias=True, metric="accuracy", activation=None):
    model = tf_keras.Sequential(
        [tf_keras.Input((4,)), tf_keras.layers.Dense(2, activation, use_bias, name="logits")]
    )
    loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=activation is None)
    optimizer = optimizer or tf_keras.optimizers.Adam(params["rate"], epsilon=1e-8)
    model.compile(optimizer, loss, [tf_keras.metrics.SparseCategoricalAccuracy(name=metric)])
    return model


class Tracked(tf_keras.Model):
    """Port as a class with params, its own training step, and its own metrics."""

    def __init__(self, params):
        super().__init__()
        self.params = params
        self.logits = tf_keras.layers.Dense(2, name="logits")
        self.loss_tracker = tf_keras.metrics.Mean("loss")
        self.reports = [{"accuracy": tf_keras.metrics.SparseCategoricalAccuracy("accuracy")}]

    def call(self, features, training=False):
        return self.logits(features)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=y_pred)
        return tf.reduce_mean(losses)

    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(features, labels, self(features, training=True))
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def compute_metrics(self, x, y, y_pred, sample_weight):
        self.reports[0]["accuracy"].update_state(y, y_pred)
        return {"accuracy": self.reports[0]["accuracy"].result()}

    def make_optimizer(self):
        return tf_keras.optimizers.Adam(self.params["rate"], epsilon=1e-8)


def without_evaluation(features, labels, mode, params):
    if mode == "infer":
        return Spec(mode, None, None, {}, tf.layers.dense(features, 2, name="logits"))
    return train_only(features, labels, mode, params)


def train_only(features, labels, mode, params):
    return model_fn(features, labels, mode, params) if mode == "train" else None


def changes_features(features, labels, mode, params):
    features["x"] = features["x"] * 2.0
    spec = model_fn(features["x"], labels, mode, params)
    return spec._replace(predictions={"logits": spec.predictions, "halved": features["x"] / 4.0})


def dict_input_fn():
    return input_fn().map(lambda features, labels: ({"x": features}, labels))
