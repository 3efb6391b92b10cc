"""Runs the same optimizers in Keras, and computes the same metrics."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 10


class RMSprop(tf_keras.optimizers.legacy.RMSprop):
    """Begins with mean squares of one, as tf.train.RMSPropOptimizer. Keras begins with zero."""

    def _create_slots(self, var_list):
        for variable in var_list:
            self.add_slot(variable, "rms", "ones")
        super()._create_slots(var_list)  # keeps existing slots


OPTIMIZERS = {
    "GradientDescent": lambda: tf_keras.optimizers.SGD(0.1),
    "Momentum": lambda: tf_keras.optimizers.SGD(0.1, 0.9),
    "Nesterov": lambda: tf_keras.optimizers.SGD(0.1, 0.9, nesterov=True),
    "Adagrad": lambda: tf_keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.1, epsilon=0.0),
    "Adadelta": lambda: tf_keras.optimizers.Adadelta(1.0, rho=0.95, epsilon=1e-8),
    "Adam": lambda: tf_keras.optimizers.Adam(0.1, epsilon=1e-8),
    "RMSProp": lambda: RMSprop(0.1, rho=0.9, epsilon=1e-10),
    "Ftrl": lambda: tf_keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01),
}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(20, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def make_scores():
    """Returns labels and scores in batches of 8, 8 and 4."""
    random = np.random.RandomState(1)
    labels = random.randint(0, 2, 20)
    scores = np.clip(0.3 * labels + random.uniform(0, 0.7, 20), 0, 1).astype(np.float32)
    return [(labels[i : i + 8], scores[i : i + 8]) for i in range(0, 20, 8)]


def trained_weights(make_optimizer, scale=1.0):
    x, y = make_data()
    weights = tf.Variable([[0.5], [0.4], [0.3]], name="weights")
    optimizer = make_optimizer()
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = scale * tf.reduce_mean(tf.square(y - tf.matmul(x, weights)))
        optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
    return weights.numpy().ravel().tolist()


def evaluated():
    metrics = {
        "accuracy": tf_keras.metrics.BinaryAccuracy(),
        "precision": tf_keras.metrics.Precision(),
        "recall": tf_keras.metrics.Recall(),
        "auc": tf_keras.metrics.AUC(),
        "mean_score": tf_keras.metrics.Mean(),
        "mean_of_batches": tf_keras.metrics.Mean(),
        "rmse": tf_keras.metrics.RootMeanSquaredError(),
    }
    for labels, scores in make_scores():
        for name in ("accuracy", "precision", "recall", "auc", "rmse"):
            metrics[name].update_state(labels, scores)
        metrics["mean_score"].update_state(scores)
        metrics["mean_of_batches"].update_state(tf.reduce_mean(scores))
    return {name: float(metric.result()) for name, metric in metrics.items()}


def main(folder):
    weights = {name: trained_weights(make) for name, make in OPTIMIZERS.items()}
    # Tiny gradients show a wrong epsilon: with 1e-7 instead of 1e-8, the first weight would move a
    # fifth as far.
    weights["small gradients"] = trained_weights(OPTIMIZERS["Adam"], scale=1e-7)
    return dict(weights, **evaluated())


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
