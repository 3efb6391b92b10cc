"""Keras preprocessing layers in place of feature columns, as part of the model."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 10
EDUCATION = ["Bachelors", "HS-grad", "Masters"]
AGES = [30, 45, 60]
WIDTH = 4 + 20 + 3 + 1 + 2  # ages, cross, education, hours, occupation


def make_data():
    random = np.random.RandomState(0)
    features = {
        "age": random.uniform(16, 80, 32).astype(np.float32),
        "hours": random.normal(40, 12, 32).astype(np.float32),
        "education": random.choice(EDUCATION + ["unheard of"], 32).astype(str),
        "occupation": random.choice(["Sales", "Craft", "Farming", "Tech"], 32).astype(str),
    }
    labels = (features["age"] + features["hours"] > 85).astype(np.float32)
    return features, labels[:, np.newaxis]


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(8).repeat()


def build_inputs():
    return {
        "age": tf_keras.Input([1], name="age"),
        "hours": tf_keras.Input([1], name="hours"),
        "education": tf_keras.Input([1], dtype=tf.string, name="education"),
        "occupation": tf_keras.Input([1], dtype=tf.string, name="occupation"),
    }


def build_columns(features):
    layers = tf_keras.layers
    age = layers.Discretization(AGES)(features["age"])
    education = layers.StringLookup(vocabulary=EDUCATION, output_mode="one_hot")
    occupation = layers.Hashing(10)(features["occupation"])
    table = np.linspace(-1, 1, 20).reshape(10, 2)
    embed = layers.Embedding(10, 2, tf.constant_initializer(table), name="occupation_embedding")
    cross = layers.HashedCrossing(20, output_mode="one_hot")
    columns = [  # input_layer sorted them by the old columns' names
        layers.CategoryEncoding(len(AGES) + 1, "one_hot")(age),
        cross([age, features["education"]]),
        # Drop place 0, which is for unknown words. The old column had no place for them.
        education(features["education"])[:, 1:],
        (features["hours"] - 40.0) / 12.0,
        layers.Flatten()(embed(occupation)),
    ]
    return layers.Concatenate(name="inputs")(columns)


def build_model():
    kernel = tf.constant_initializer(np.linspace(-0.5, 0.5, WIDTH).reshape(WIDTH, 1))
    features = build_inputs()
    net = build_columns(features)
    logits = tf_keras.layers.Dense(1, kernel_initializer=kernel, name="logits")(net)
    model = tf_keras.Model(features, logits)
    model.compile(
        optimizer=tf_keras.optimizers.SGD(0.1),
        loss=tf_keras.losses.BinaryCrossentropy(from_logits=True),
    )
    return model


def main(folder):
    model = build_model()
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    inputs_and_logits = tf_keras.Model(
        model.input, [model.get_layer("inputs").output, model.output]
    )
    inputs, logits = inputs_and_logits.predict(input_fn().take(1), verbose=0)
    return {
        "inputs": inputs.tolist(),
        "logits": logits.ravel().tolist(),
        "embeddings": model.get_layer("occupation_embedding").embeddings.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
