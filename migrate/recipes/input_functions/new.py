"""Input functions over arrays and data frames, with tf.data."""

import tempfile

import numpy as np
import pandas as pd
import tensorflow as tf

EXAMPLES, BATCH_SIZE, EPOCHS = 10, 4, 2


def make_data():
    x = np.arange(EXAMPLES, dtype=np.float32)
    return x, 10 * x


def numpy_input_fn():
    x, y = make_data()
    dataset = tf.data.Dataset.from_tensor_slices(({"x": x}, y))
    # To shuffle, call .shuffle(EXAMPLES) here, before repeat.
    return dataset.repeat(EPOCHS).batch(BATCH_SIZE)


def pandas_input_fn():
    x, y = make_data()
    frame = pd.DataFrame({"x": x, "twice": 2 * x})
    dataset = tf.data.Dataset.from_tensor_slices((dict(frame), pd.Series(y)))
    return dataset.repeat(EPOCHS).batch(BATCH_SIZE)


def queue_input_fn():
    x, y = make_data()
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.map(lambda example, label: ({"x": example}, label))
    return dataset.repeat(EPOCHS).batch(BATCH_SIZE)


def batches(dataset):
    found = []
    for features, labels in dataset:
        named = {name: value.numpy().tolist() for name, value in features.items()}
        found.append([named, labels.numpy().tolist()])
    return found


def main(folder):
    return {
        "numpy": batches(numpy_input_fn()),
        "pandas": batches(pandas_input_fn()),
        "queue": batches(queue_input_fn()),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
