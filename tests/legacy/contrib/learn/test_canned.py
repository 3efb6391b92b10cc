"""Tests of contrib.learn's canned estimators that the oracle does not cover."""

import pytest
import tensorflow as tf

from legacy.contrib import layers, learn, linear_optimizer

tf1 = tf.compat.v1

X = [layers.real_valued_column("x")]


def input_fn():
    features = {"x": tf.constant([[1.0], [-1.0]]), "id": tf.constant(["1", "2"])}
    return features, tf.constant([[1], [0]])


def test_a_combined_model_without_columns_is_refused_when_it_is_made():
    for kind in (learn.DNNLinearCombinedClassifier, learn.DNNLinearCombinedRegressor):
        with pytest.raises(ValueError, match="must be defined"):
            kind(dnn_hidden_units=[2])


def test_estimators_take_a_head(tmp_path):
    def counted():
        features, labels = input_fn()
        return features, tf.cast(labels, tf.float32)

    head = learn.poisson_regression_head()
    made = [
        learn.DNNEstimator(head, [2], X, str(tmp_path / "dnn")),
        learn.LinearEstimator(X, head, str(tmp_path / "linear")),
        learn.DNNLinearCombinedEstimator(
            head,
            str(tmp_path / "both"),
            linear_feature_columns=X,
            dnn_feature_columns=X,
            dnn_hidden_units=[2],
            fix_global_step_increment_bug=True,
        ),
    ]
    for estimator in made:
        estimator.fit(input_fn=counted, steps=1)
        assert next(iter(estimator.predict(input_fn=input_fn)))["scores"] > 0


def test_sdca_says_what_it_cannot_train(tmp_path, caplog):
    sdca = linear_optimizer.SDCAOptimizer("id")
    with pytest.raises(AssertionError, match="n_classes=3"):
        learn.LinearClassifier(X, n_classes=3, optimizer=sdca)
    with pytest.raises(ValueError, match="does not support SDCA"):
        learn.LinearEstimator(X, learn.regression_head(), optimizer=sdca)
    learn.LinearRegressor(X, str(tmp_path), optimizer=sdca, enable_centered_bias=True)
    assert "SDCA trains no centered bias" in caplog.text


def test_an_svm_separates(tmp_path):
    svm = learn.SVM("id", X, model_dir=str(tmp_path), l2_regularization=1.0)
    svm.fit(input_fn=input_fn, steps=10)
    assert list(svm.predict_classes(input_fn=input_fn)) == [1, 0]
    assert set(next(iter(svm.predict(input_fn=input_fn)))) == {"classes", "logits"}


def test_logistic_regressor_reports_metrics_at_thresholds(tmp_path):
    def model_fn(features, labels, mode):
        weight = tf1.get_variable("w", [], initializer=tf1.ones_initializer())
        predictions = tf.sigmoid(features["x"] * weight)
        loss = tf1.losses.log_loss(labels, predictions)
        step = tf1.train.get_global_step()
        return predictions, loss, tf1.train.GradientDescentOptimizer(0.1).minimize(loss, step)

    regressor = learn.LogisticRegressor(model_fn, [0.2, 0.5], model_dir=str(tmp_path))
    regressor.fit(input_fn=input_fn, steps=1)
    found = regressor.evaluate(input_fn=input_fn, steps=1)
    assert found["accuracy/threshold_0.500000_mean"] == 1
    assert found["precision/positive_threshold_0.200000_mean"] == 0.5
    assert found["labels/actual_label_mean"] == 0.5
