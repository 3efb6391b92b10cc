"""Trains and evaluates the network of a DNNClassifier in Keras, and predicts with it."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

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


def build_model():
    inputs = {"x": tf_keras.Input([4], name="x")}
    hidden = tf_keras.layers.Dense(HIDDEN_UNITS, "relu", name="hiddenlayer_0")(inputs["x"])
    logits = tf_keras.layers.Dense(CLASSES, name="logits")(hidden)
    model = tf_keras.Model(inputs, logits)
    model.set_weights([known_weights(weight.shape) for weight in model.get_weights()])
    model.compile(
        optimizer=tf_keras.optimizers.Adagrad(LEARNING_RATE, initial_accumulator_value=0.1),
        # A sum, as in TensorFlow 1. The mean would divide the gradients by 16, the batch size.
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum"),
        metrics=[
            tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
            tf_keras.metrics.SparseCategoricalCrossentropy(name="average_loss", from_logits=True),
        ],
    )
    return model


def main(folder):
    model = build_model()
    model.fit(train_input_fn(), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    metrics = model.evaluate(eval_input_fn(), verbose=0, return_dict=True)
    probabilities = tf.nn.softmax(model.predict(eval_input_fn(), verbose=0))
    return {
        "accuracy": float(metrics["accuracy"]),
        "average_loss": float(metrics["average_loss"]),
        "global_step": int(model.optimizer.iterations.numpy()),
        "first_probabilities": probabilities.numpy()[0].tolist(),
        "kernel_sum": float(np.abs(model.get_layer("logits").kernel).sum()),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
