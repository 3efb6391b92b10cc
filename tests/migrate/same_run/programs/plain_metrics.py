"""The metrics that most programs have, over a last batch that is smaller, with and without weights."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(53)
X = random.randn(90, 4).astype(np.float32)
Y = (X[:, 0] + 0.5 * random.randn(90) > 0).astype(np.int64)
W = random.uniform(0.0, 2.0, 90).astype(np.float32)


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], params["units"], activation=tf.nn.relu)
    logits = tf.layers.dense(net, 2)
    probabilities = tf.nn.softmax(logits)
    classes = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions={"classes": classes, "probabilities": probabilities}
        )
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels=labels, predictions=classes),
            "weighted": tf.metrics.accuracy(labels, classes, weights=features["w"]),
            "auc": tf.metrics.auc(labels, probabilities[:, 1]),
            "precision": tf.metrics.precision(labels, classes),
            "recall": tf.metrics.recall(labels, classes),
            "mae": tf.metrics.mean_absolute_error(tf.cast(labels, tf.float32), probabilities[:, 1]),
            "mse": tf.metrics.mean_squared_error(tf.cast(labels, tf.float32), probabilities[:, 1]),
            "rmse": tf.metrics.root_mean_squared_error(
                tf.cast(labels, tf.float32), probabilities[:, 1]
            ),
            "iou": tf.metrics.mean_iou(labels, classes, num_classes=2),
            "mean": tf.metrics.mean(probabilities[:, 1]),
            "false_positives": tf.metrics.false_positives(labels, classes),
        }
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.AdamOptimizer(params["rate"], beta1=0.8, epsilon=1e-3)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X, "w": W}, Y)).batch(20)


config = tf.estimator.RunConfig(model_dir="plain_metrics", tf_random_seed=4)
estimator = tf.estimator.Estimator(model_fn, config=config, params={"units": 5, "rate": 0.05})
estimator.train(input_fn)
print(estimator.evaluate(input_fn))
estimator.train(input_fn, steps=3)
print(estimator.evaluate(input_fn, steps=2))
print(len([p["classes"] for p in estimator.predict(input_fn)]))
