"""Keras model in place of the model_fn: layers, compile, fit, evaluate and predict."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

BATCH_SIZE, STEPS, LEARNING_RATE, PENALTY = 16, 20, 0.01, 1e-3
LARGEST_NORM = 0.1  # less than the global norm, so that clipping has an effect
KERNEL = tf.constant_initializer(np.linspace(-0.5, 0.5, 32).reshape(4, 8))
LOGITS = tf.constant_initializer(np.linspace(-0.5, 0.5, 24).reshape(8, 3))


def make_data():
    random = np.random.RandomState(0)
    features = random.normal(size=(80, 4)).astype(np.float32)
    return features, features[:, :3].argmax(axis=1)


def train_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(BATCH_SIZE)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(32)


class BatchMean(tf_keras.metrics.Mean):
    """Cross-entropy as an Estimator reported it: the mean over batches, full or not."""

    def update_state(self, labels, logits, sample_weight=None):
        labels = tf.reshape(labels, [-1])  # Keras passes a column
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        super().update_state(tf.reduce_mean(losses))


def build_model(params):
    penalty = tf_keras.regularizers.L2(PENALTY / 2)
    features = tf_keras.Input([4])
    net = tf_keras.layers.Dense(
        8, "relu", kernel_initializer=KERNEL, kernel_regularizer=penalty, name="dense"
    )(features)
    logits = tf_keras.layers.Dense(3, kernel_initializer=LOGITS, name="logits")(net)
    model = tf_keras.Model(features, logits)
    model.compile(
        optimizer=tf_keras.optimizers.Adam(
            params["learning_rate"], epsilon=1e-8, global_clipnorm=LARGEST_NORM
        ),
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy"), BatchMean("mean")],
    )
    return model


def main(folder):
    model = build_model({"learning_rate": LEARNING_RATE})
    model.fit(train_input_fn(), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    metrics = model.evaluate(eval_input_fn(), verbose=0, return_dict=True)
    probabilities = tf.nn.softmax(model.predict(eval_input_fn(), verbose=0)).numpy()
    return {
        "accuracy": float(metrics["accuracy"]),
        # Keras' own "loss" is the mean over examples plus the penalties.
        "loss": float(metrics["mean"] + sum(model.losses)),
        "global_step": int(model.optimizer.iterations.numpy()),
        "classes": probabilities.argmax(axis=1).tolist(),
        "first_probabilities": probabilities[0].tolist(),
        "kernel_sum": float(np.abs(model.get_layer("dense").kernel).sum()),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
