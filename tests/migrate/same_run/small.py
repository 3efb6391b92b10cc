"""Trains a few small models. With the argument "planted", all but the first differ a little.

The differences are typical of careless rewrites.
"""

import itertools
import sys

import tensorflow as tf

from legacy.compat.v1 import estimator as tf_estimator

tf1 = tf.compat.v1
PLANTED = sys.argv[1:] == ["planted"]


def input_fn():
    features = {"x": [[0.1, 0.2], [0.3, 0.1], [0.5, 0.9], [0.7, 0.2]]}
    return tf.data.Dataset.from_tensor_slices((features, [0.2, 0.4, 1.1, 0.9])).repeat().batch(2)


def model_fn(features, labels, mode, params):
    name = "renamed" if params == "variable" else "dense"
    first = tf1.glorot_uniform_initializer()  # Uses the seed of the RunConfig.
    dense = tf1.layers.Dense(1, kernel_initializer=first, name=name)
    out = tf.squeeze(dense(features["x"]), axis=1)
    if mode == tf_estimator.ModeKeys.PREDICT:
        factor = [1.0, 1.0002] if params == "digit" else [1.0, 1.0]
        return tf_estimator.EstimatorSpec(mode, {"out": out * factor})
    reduce = tf.reduce_sum if params == "reduction" else tf.reduce_mean
    loss = reduce(tf.square(out - labels))
    rate = 0.1001 if params == "rate" else 0.1
    train_op = tf1.train.GradientDescentOptimizer(rate).minimize(loss, tf1.train.get_global_step())
    metrics = {
        "mae_" if params == "metric" else "mae": tf1.metrics.mean_absolute_error(labels, out)
    }
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op, metrics)


def run(name, predict=False):
    seed = 4 if PLANTED and name == "seed" else 3
    config = tf_estimator.RunConfig(name, tf_random_seed=seed)
    params = name if PLANTED else "nothing"
    job = tf_estimator.Estimator(model_fn, config=config, params=params)
    job.train(input_fn, steps=5)
    if predict:
        [*itertools.islice(job.predict(input_fn), 4)]
    return job


run("unchanged").evaluate(input_fn, steps=2)
run("rate")
run("reduction")
run("seed")
run("variable")
run("digit", predict=True)
run("metric").evaluate(input_fn, steps=2)
last = run("evaluation left out")
if not PLANTED:
    last.evaluate(input_fn, steps=2)
sys.exit(3 if PLANTED else 0)
