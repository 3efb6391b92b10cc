"""Nearly every kind of tf.metrics in one model_fn."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(9)
X = random.randn(90, 4).astype(np.float32)
Y = (X[:, :3].argmax(axis=1)).astype(np.int64)
W = random.uniform(0.0, 2.0, 90).astype(np.float32)


def model_fn(features, labels, mode):
    logits = tf.layers.dense(features["x"], 3, name="logits")
    probabilities = tf.nn.softmax(logits)
    classes = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"classes": classes, "p": probabilities})
    weights = features["w"]
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits, weights=weights)
    first = tf.equal(labels, 0)
    guess = tf.equal(classes, 0)
    metrics = {
        "accuracy": tf.metrics.accuracy(labels, classes, weights=weights),
        "auc": tf.metrics.auc(first, probabilities[:, 0]),
        "auc_pr": tf.metrics.auc(
            first, probabilities[:, 0], curve="PR", num_thresholds=50,
            summation_method="careful_interpolation"),
        "precision": tf.metrics.precision(first, guess),
        "recall": tf.metrics.recall(first, guess, weights=weights),
        "precision_at_2": tf.metrics.precision_at_k(labels[:, tf.newaxis], logits, 2),
        "recall_at_2": tf.metrics.recall_at_k(labels[:, tf.newaxis], logits, 2),
        "sparse_average_precision": tf.metrics.average_precision_at_k(
            labels[:, tf.newaxis], logits, 2),
        "mean_iou": tf.metrics.mean_iou(labels, classes, num_classes=3),
        "per_class": tf.metrics.mean_per_class_accuracy(labels, classes, num_classes=3),
        "rmse": tf.metrics.root_mean_squared_error(tf.to_float(first), probabilities[:, 0]),
        "mae": tf.metrics.mean_absolute_error(tf.to_float(first), probabilities[:, 0]),
        "relative": tf.metrics.mean_relative_error(
            tf.to_float(labels), tf.to_float(classes), tf.to_float(labels) + 1.0),
        "cosine": tf.metrics.mean_cosine_distance(
            tf.one_hot(labels, 3), tf.nn.l2_normalize(probabilities, 1), dim=1),
        "below": tf.metrics.percentage_below(probabilities[:, 0], 0.3),
        "false_negatives": tf.metrics.false_negatives(first, guess),
        "true_positives_at": tf.metrics.true_positives_at_thresholds(
            first, probabilities[:, 0], [0.2, 0.5]),
        "sensitivity": tf.metrics.sensitivity_at_specificity(first, probabilities[:, 0], 0.5),
        "precision_at": tf.metrics.precision_at_thresholds(first, probabilities[:, 0], [0.3, 0.6]),
        "mean_tensor": tf.metrics.mean_tensor(tf.reduce_mean(probabilities, axis=0)),
        "mean_weighted": tf.metrics.mean(probabilities[:, 1], weights=weights),
    }
    train_op = tf.train.GradientDescentOptimizer(0.2).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, None, loss, train_op, metrics)


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(({"x": X, "w": W}, Y))
    return dataset.batch(20)  # The last batch is smaller.


config = tf.estimator.RunConfig(model_dir="metrics_model", tf_random_seed=4)
estimator = tf.estimator.Estimator(model_fn, config=config)
estimator.train(input_fn)
print(estimator.evaluate(input_fn))
print(estimator.evaluate(input_fn, steps=2, name="part"))
