"""Embeddings by tf.tpu.experimental.embedding, whose lookups run on a CPU as well."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, BATCH_SIZE, WORDS, DIMENSION, LEARNING_RATE = 10, 8, 12, 2, 0.5
TABLE = np.linspace(-1, 1, WORDS * DIMENSION).reshape(WORDS, DIMENSION).astype(np.float32)


def make_data():
    """Returns pairs of words, with label 1 if the sum of their numbers is large."""
    words = np.random.RandomState(0).randint(0, WORDS, [32, 2])
    return words, (words.sum(axis=1, keepdims=True) > WORDS).astype(np.float32)


def input_fn(batch_size):
    words, labels = make_data()
    dataset = tf.data.Dataset.from_tensor_slices(({"words": words}, labels))
    return dataset.repeat().batch(batch_size, drop_remainder=True)


class Embeddings(tf_keras.layers.Layer):
    """Looks up embeddings as TPUEmbedding does, on any device."""

    def build(self, input_shape):
        words = tf.tpu.experimental.embedding.TableConfig(
            WORDS, DIMENSION, tf.constant_initializer(TABLE), combiner="mean", name="words"
        )
        self.features = {"words": tf.tpu.experimental.embedding.FeatureConfig(words)}
        shape = (words.vocabulary_size, words.dim)
        self.table = self.add_weight("words", shape, initializer=words.initializer)

    def call(self, features):
        ragged = {name: tf.RaggedTensor.from_tensor(words) for name, words in features.items()}
        weights = dict.fromkeys(features)
        return tf.tpu.experimental.embedding.serving_embedding_lookup(
            ragged, weights, {self.features["words"].table: self.table}, self.features
        )["words"]


def build_model():
    features = {"words": tf_keras.Input([2], name="words", dtype=tf.int64)}
    net = Embeddings(name="embeddings")(features)
    logits = tf_keras.layers.Dense(1, kernel_initializer="ones", name="logits")(net)
    model = tf_keras.Model(features, logits)
    model.compile(
        optimizer=tf_keras.optimizers.Adagrad(
            LEARNING_RATE, initial_accumulator_value=0.1, epsilon=0.0
        ),
        loss=tf_keras.losses.BinaryCrossentropy(from_logits=True),
    )
    return model


def main(folder):
    model = build_model()
    model.fit(input_fn(BATCH_SIZE), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    (table,) = model.get_layer("embeddings").get_weights()
    return {
        "table": table.ravel().tolist(),
        "kernel": model.get_layer("logits").kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
