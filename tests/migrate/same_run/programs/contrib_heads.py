"""tf.contrib.estimator beside tf.estimator: heads, multi-label, metrics that are added."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib.estimator import add_metrics, multi_label_head

random = np.random.RandomState(8)
X = random.rand(48, 5).astype(np.float32)
Y = (X[:, :3] > 0.5).astype(np.int64)


def input_fn():
    ds = tf.data.Dataset.from_tensor_slices(({"x": X}, Y))
    return ds.batch(8).repeat(2).make_one_shot_iterator().get_next()


def eval_input_fn():
    ds = tf.data.Dataset.from_tensor_slices(({"x": X}, Y))
    return ds.batch(12).make_one_shot_iterator().get_next()


estimator = tf.contrib.estimator.DNNEstimator(
    head=multi_label_head(n_classes=3, thresholds=[0.5]),
    feature_columns=[tf.feature_column.numeric_column("x", shape=(5,))],
    hidden_units=[6],
    optimizer=tf.train.AdamOptimizer(0.01),
    model_dir="labels",
    config=tf.estimator.RunConfig(tf_random_seed=2))
estimator = add_metrics(
    estimator,
    lambda labels, predictions: {
        "mean_probability": tf.metrics.mean(predictions["probabilities"])})
estimator.train(input_fn)
print(estimator.evaluate(eval_input_fn))

classifier = tf.estimator.DNNClassifier(
    [4], [tf.feature_column.numeric_column("x", shape=(5,))], model_dir="single",
    config=tf.estimator.RunConfig(tf_random_seed=2))
classifier.train(lambda: (lambda fl: (fl[0], fl[1][:, 0]))(input_fn()))
print(classifier.evaluate(lambda: (lambda fl: (fl[0], fl[1][:, 0]))(eval_input_fn())))
