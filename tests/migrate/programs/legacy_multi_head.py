"""Three heads on one trunk, weighted examples, and a metric or two for each head."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

params = {"learning_rate": 0.2, "decay_steps": 80, "hidden_units": 16, "price_weight": 0.5}

BATCH_SIZE = 16


def make_data(count, seed):
    """Numbers with a weight, a quarter of the weights zero; labels for three heads."""
    random = np.random.RandomState(seed)
    x = random.normal(size=(count, 10)).astype(np.float32)
    weight = random.choice([0.0, 0.5, 1.0, 2.0], size=count).astype(np.float32)
    labels = {
        "kind": np.argmax(x[:, :3] + random.normal(scale=0.3, size=(count, 3)), axis=1),
        "price": np.sum(x[:, 3:6], axis=1) + 1.0,
        "sale": (x[:, 6] + random.normal(scale=0.5, size=count) > 0).astype(np.float32),
    }
    return {"x": x, "weight": weight}, labels


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(250, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(50, seed=2)).batch(BATCH_SIZE)


def make_loss(labels, kind, price, sale, weight, params):
    # The sum of weighted losses, divided by how many weights are not zero.
    by = {"weights": weight, "reduction": tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS}
    return (
        tf.losses.sparse_softmax_cross_entropy(labels["kind"], kind, **by)
        + params["price_weight"] * tf.losses.mean_squared_error(labels["price"], price, **by)
        + tf.losses.sigmoid_cross_entropy(labels["sale"], sale, **by)
    )


def make_metrics(labels, kind, price, sale, weights):
    kind, sold = tf.argmax(kind, axis=1), tf.sigmoid(sale)
    metrics = tf.metrics
    return {
        "accuracy/kind": metrics.accuracy(labels["kind"], kind, weights),
        "mean_class_accuracy/kind": metrics.mean_per_class_accuracy(
            labels["kind"], kind, 3, weights
        ),
        "rmse/price": metrics.root_mean_squared_error(labels["price"], price, weights),
        "auc/sale": metrics.auc(labels["sale"], sold, weights),
        "precision/sale": metrics.precision(labels["sale"], sold > 0.5, weights),
    }


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], params["hidden_units"], tf.nn.relu, name="trunk")
    kind = tf.layers.dense(net, 3, name="kind/logits")
    price = tf.squeeze(tf.layers.dense(net, 1, name="price/logits"), axis=1)
    sale = tf.squeeze(tf.layers.dense(net, 1, name="sale/logits"), axis=1)
    if mode == tf_estimator.ModeKeys.PREDICT:
        predictions = {"kind": kind, "price": price, "sale": sale}
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=predictions,
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(predictions)},
        )

    weight = features["weight"]
    loss = make_loss(labels, kind, price, sale, weight, params)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = make_metrics(labels, kind, price, sale, weight)
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    step = tf.train.get_global_step()
    rate = tf.train.cosine_decay(params["learning_rate"], step, params["decay_steps"])
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    features = {"x": tf.placeholder(tf.float32, [None, 10], name="x")}
    return tf_estimator.export.ServingInputReceiver(features, features)
