"""Test of contrib.learn's Estimator that is not compared with the original."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import learn

tf1 = tf.compat.v1


def test_input_of_another_shape_is_refused(estimator):
    estimator.fit(x=np.ones([4, 2]), y=np.ones(4), steps=1)
    with pytest.raises(ValueError, match="Features are incompatible"):
        estimator.evaluate(x=np.ones([4, 3]), y=np.ones(4), steps=1)


def test_sparse_predictions_are_divided_by_example(tmp_path):
    x = np.array([[0, 1], [2, 0], [3, 4]], np.float32)

    def model_fn(features, labels, mode):
        step = tf1.train.get_or_create_global_step()
        dense = tf.cast(features, tf.float32) * tf1.get_variable("one", initializer=1.0)
        predictions = {"sparse": tf.sparse.from_dense(dense), "dense": dense}
        return predictions, tf.reduce_sum(dense), tf1.assign_add(step, 1)

    def as_array(value):
        array = np.zeros(value.dense_shape)
        array[tuple(value.indices.T)] = value.values
        return array

    estimator = learn.Estimator(model_fn, str(tmp_path)).fit(x=x, y=np.ones(3), steps=1)
    examples = list(estimator.predict(x=x, as_iterable=True))
    assert [as_array(one["sparse"]).tolist() for one in examples] == x.tolist()
    assert [one["dense"].tolist() for one in examples] == x.tolist()
    whole = learn.SKCompat(estimator).predict(x, batch_size=2)
    assert as_array(whole["sparse"]).tolist() == whole["dense"].tolist() == x.tolist()
