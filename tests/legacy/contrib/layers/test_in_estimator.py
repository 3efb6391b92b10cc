"""Test of contrib layers in a model_fn, with v2 behavior enabled."""

import numpy as np
import tensorflow as tf

from legacy import contrib, estimator

tf1 = tf.compat.v1


def input_fn():
    x = np.random.RandomState(0).standard_normal((8, 4, 4, 1)).astype("float32")
    return tf.data.Dataset.from_tensors(({"x": x}, (x.sum((1, 2, 3)) > 0).astype("int64"))).repeat()


def model_fn(features, labels, mode):
    slim = contrib.slim
    training = mode == estimator.ModeKeys.TRAIN
    with slim.arg_scope(
        [slim.conv2d, slim.fully_connected],
        weights_regularizer=slim.l2_regularizer(1e-3),
        normalizer_fn=slim.batch_norm,
        normalizer_params={"is_training": training, "decay": 0.5},
    ):
        net = slim.flatten(slim.conv2d(features["x"], 2, 3, scope="conv"))
        net = slim.fully_connected(net, 2, activation_fn=None, scope="logits")
    net = slim.batch_norm(
        net, is_training=training, updates_collections=None, decay=0.5, scope="in_place"
    )
    loss = tf1.losses.sparse_softmax_cross_entropy(labels, net)
    loss += tf1.losses.get_regularization_loss()
    train_op = None
    if training:
        train_op = contrib.layers.optimize_loss(loss, None, 0.1, "SGD", clip_gradients=1.0)
    return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def test_layers_train_in_an_estimator(tmp_path):
    made = estimator.Estimator(model_fn, str(tmp_path))
    made.train(input_fn, steps=1)
    first = made.evaluate(input_fn, steps=1)["loss"]
    made.train(input_fn, steps=20)
    assert made.evaluate(input_fn, steps=1)["loss"] < first
    names = made.get_variable_names()
    assert {"conv/weights", "conv/BatchNorm/beta", "logits/BatchNorm/moving_mean"} <= set(names)
    for name in ("conv/BatchNorm/moving_mean", "in_place/moving_variance"):
        assert np.any(made.get_variable_value(name) != (0 if "mean" in name else 1)), name
    assert made.get_variable_value("global_step") == 21
