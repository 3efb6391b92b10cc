"""Test of the model functions of the canned estimators with a head."""

import tensorflow as tf

from legacy.contrib import learn
from tests.legacy.contrib.learn.canned.models import X, input_fn


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
