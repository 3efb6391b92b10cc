"""Tests that metrics which a function adds have the values that they have in a graph."""

import numpy as np
import pytest
import tensorflow as tf

from modern import porting
from modern.porting import heads
from modern.process.chosen_keras import keras

# `fit` of Keras 3 says that it does not shuffle a Dataset.
pytestmark = [
    pytest.mark.keras(2, 3),
    pytest.mark.filterwarnings("ignore:.shuffle=True. was passed:UserWarning"),
]

metrics = tf.compat.v1.metrics

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(11, 3)).astype(np.float32)
Y = (RANDOM.uniform(size=11) > 0.5).astype(np.int64)
W = RANDOM.uniform(size=(11, 1)).astype(np.float32)


def metric_fn(features, labels, predictions):
    classes, weights = predictions["class_ids"], features["w"]
    scores = predictions["probabilities"][:, 1]
    labels_float = tf.cast(labels, tf.float32)
    precision, precision_op = metrics.precision(labels, classes)
    recall, recall_op = metrics.recall(labels, classes, weights=weights)
    return {
        "f1": (
            2 * precision * recall / (precision + recall),
            tf.group(precision_op, recall_op),
        ),
        "auc": metrics.auc(labels, predictions["logistic"], weights),
        "pr": metrics.auc(labels, scores, num_thresholds=50, curve="PR"),
        "careful": metrics.auc(
            labels, scores, curve="PR", summation_method="careful_interpolation"
        ),
        "rmse": metrics.root_mean_squared_error(
            tf.cast(labels, tf.float64), tf.cast(predictions["logits"], tf.float64)
        ),
        "accuracy": metrics.accuracy(labels, classes, weights),
        "iou": metrics.mean_iou(labels[:, tf.newaxis], classes, 2),
        "mae": metrics.mean_absolute_error(labels_float, scores, weights),
        "relative": metrics.mean_relative_error(labels_float, scores, labels_float),
        "below": metrics.percentage_below(scores, 0.4),
        "mean": metrics.mean(predictions["logits"], 0.5, name="m"),
        "top": metrics.recall_at_k(labels, predictions["probabilities"], 1),
        "tn": metrics.true_negatives(labels, classes, weights),
        "tp": metrics.true_positives(labels, classes),
        "fn": metrics.false_negatives(labels, classes),
        "fp": metrics.false_positives(labels, classes),
    }


def _data():
    return tf.data.Dataset.from_tensor_slices(({"x": X, "w": W}, Y)).batch(4)


def _model():
    inputs = {"x": keras.Input([3], name="x"), "w": keras.Input([1], name="w")}
    keras.utils.set_random_seed(1)
    body = keras.Model(inputs, keras.layers.Dense(1)(inputs["x"]))
    model = heads.BinaryClassifier(body)
    model.compile(keras.optimizers.SGD(0.1))
    return model


def _in_graph(model):
    """Returns the metrics over the same batches, in a graph and a session."""
    kernel, bias = (variable.numpy() for variable in model.trainable_variables)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        batch = tf.compat.v1.data.make_one_shot_iterator(_data()).get_next()
        logits = batch[0]["x"] @ kernel + bias
        both = tf.concat([tf.zeros_like(logits), logits], -1)
        predictions = {
            "logits": logits,
            "logistic": tf.sigmoid(logits),
            "probabilities": tf.nn.softmax(both),
            "class_ids": tf.argmax(both, -1)[:, tf.newaxis],
        }
        pairs = metric_fn(*batch, predictions)
        session.run(tf.compat.v1.local_variables_initializer())
        for _ in range(3):
            session.run([update for _, update in pairs.values()])
        return session.run({name: value for name, (value, _) in pairs.items()})


def test_metrics_are_those_of_tf_metrics():
    model = _model()
    assert porting.add_metrics(model, metric_fn) is model
    first, again = (model.evaluate(_data(), verbose=0, return_dict=True) for _ in range(2))
    assert first == again
    expected = _in_graph(model)
    assert {"loss", "precision"} <= set(first)
    assert {name: first[name] for name in expected} == pytest.approx(expected, abs=1e-5)


def test_an_added_metric_replaces_one_of_the_same_name():
    model = _model()
    plain = model.evaluate(_data(), verbose=0, return_dict=True)

    def accuracy(features):
        return {"accuracy": tf.compat.v1.metrics.mean(features["w"])}

    porting.add_metrics(model, accuracy)
    replaced = model.evaluate(_data(), verbose=0, return_dict=True)
    assert replaced == {**plain, "accuracy": pytest.approx(float(W.mean()))}


def _mean_of_keras(features):
    metric = keras.metrics.Mean(name="mean")
    metric.update_state(features["w"])
    return {"mean": metric}


@pytest.mark.keras(2)
def test_a_metric_of_keras_is_added():
    model = porting.add_metrics(_model(), _mean_of_keras)
    found = model.evaluate(_data(), verbose=0, return_dict=True)
    assert found["mean"] == pytest.approx(float(W.mean()))


@pytest.mark.keras(3)
def test_a_metric_of_keras_3_is_refused_in_words():
    model = porting.add_metrics(_model(), _mean_of_keras)
    with pytest.raises(TypeError, match="is of Keras 3, .* return a pair of value and update"):
        model.evaluate(_data(), verbose=0)


def test_a_training_reports_no_added_metrics():
    model = porting.add_metrics(_model(), metric_fn)
    assert set(model.fit(_data(), verbose=0).history) == {"loss"}


def test_any_model_computes_its_predictions():
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")

    def largest(labels, predictions):
        return {"sum": metrics.mean(predictions + labels)}

    porting.add_metrics(model, largest)
    data = tf.data.Dataset.from_tensor_slices((X, W)).batch(4)
    results = model.evaluate(data, verbose=0, return_dict=True)
    assert set(results) == {"loss", "sum"}
    assert results["sum"] == pytest.approx(float((X.sum(-1) + W[:, 0]).mean()), abs=1e-6)


def test_a_function_of_other_arguments_is_an_error():
    with pytest.raises(ValueError, match=r"takes \['mode'\], but it may only take features"):
        porting.add_metrics(_model(), lambda labels, mode: {})


def test_the_loss_is_no_added_metric():
    model = porting.add_metrics(_model(), lambda labels: {"loss": metrics.mean(labels)})
    with pytest.raises(ValueError, match="must not have the name 'loss'"):
        model.evaluate(_data(), verbose=0)
