"""Trains and evaluates a DNNClassifier, and predicts with it."""

import tempfile

import numpy as np
import tensorflow as tf

BATCH_SIZE, STEPS, LEARNING_RATE = 16, 20, 0.05
HIDDEN_UNITS, CLASSES = 8, 3


def make_data():
    random = np.random.RandomState(0)
    features = random.normal(size=(80, 4)).astype(np.float32)
    return features, features[:, :CLASSES].argmax(axis=1)


def known_weights(shape):
    """Returns fixed weights, so that both programs start from the same values."""
    return np.linspace(-0.5, 0.5, np.prod(shape), dtype=np.float32).reshape(shape)


def train_input_fn():
    features, labels = make_data()
    dataset = tf.data.Dataset.from_tensor_slices(({"x": features}, labels))
    return dataset.repeat().batch(BATCH_SIZE)


def eval_input_fn():
    features, labels = make_data()
    return tf.data.Dataset.from_tensor_slices(({"x": features}, labels)).batch(32)


class KnownStart(tf.train.SessionRunHook):
    def begin(self):
        self._variables = tf.trainable_variables()

    def after_create_session(self, session, coord):
        for variable in self._variables:
            variable.load(known_weights(variable.shape.as_list()), session)


def build_model(folder):
    return tf.estimator.DNNClassifier(
        hidden_units=[HIDDEN_UNITS],
        feature_columns=[tf.feature_column.numeric_column("x", shape=[4])],
        n_classes=CLASSES,
        optimizer=tf.train.AdagradOptimizer(LEARNING_RATE),
        model_dir=folder,
    )


def main(folder):
    estimator = build_model(folder)
    estimator.train(train_input_fn, steps=STEPS, hooks=[KnownStart()])
    metrics = estimator.evaluate(eval_input_fn)
    probabilities = [p["probabilities"] for p in estimator.predict(eval_input_fn)]
    return {
        "accuracy": float(metrics["accuracy"]),
        "average_loss": float(metrics["average_loss"]),
        "global_step": int(metrics["global_step"]),
        "first_probabilities": np.array(probabilities)[0].tolist(),
        "kernel_sum": float(np.abs(estimator.get_variable_value("dnn/logits/kernel")).sum()),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
