"""Trains on files of images or of rows, on the real tf.estimator.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_files.py KIND FILES MODEL_DIR OUTPUT_JSON

KIND is "images", of CIFAR-10's size in TFRecord files, or "rows", of Criteo's kind in CSV files: a
label, 13 numbers and 26 categories. FILES is their folder, which is written if it does not exist.
`python -m legacy.run` runs the same file, and the bridge trains its `model_fn`. It does not use
this toolkit.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator

BATCH_SIZE = 128
NUM_FILES, RECORDS_PER_FILE = 8, 2048
NUMBERS = [f"number_{index:02}" for index in range(13)]
CATEGORIES = [f"category_{index:02}" for index in range(26)]


def input_fn(params: Mapping[str, str]) -> tf.data.Dataset:
    """Returns repeated, shuffled batches of the files' records, as the guides of the time do."""
    _write_files(params["kind"], params["files"])
    reads_images = params["kind"] == "images"
    files = tf.data.Dataset.list_files(os.path.join(params["files"], "*"))
    reader = tf.data.TFRecordDataset if reads_images else tf.data.TextLineDataset
    records = files.interleave(reader, cycle_length=4).shuffle(4096).repeat().batch(BATCH_SIZE)
    parsed = _images if reads_images else _rows
    return records.map(parsed, num_parallel_calls=2).prefetch(2)


def eval_input_fn(params: Mapping[str, str]) -> tf.data.Dataset:
    """Returns a few batches of the same data."""
    return input_fn(params).take(2)


def _images(records: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    fields = {
        "image": tf.FixedLenFeature([], tf.string),
        "label": tf.FixedLenFeature([], tf.int64),
    }
    parsed = tf.parse_example(records, fields)
    pixels = tf.reshape(tf.decode_raw(parsed["image"], tf.uint8), [-1, 32, 32, 3])
    images = tf.image.random_flip_left_right(tf.cast(pixels, tf.float32) / 255.0)
    return images, parsed["label"]


def _rows(records: tf.Tensor) -> tuple[dict[str, tf.Tensor], tf.Tensor]:
    defaults = [[0], *([0.0] for _ in NUMBERS), *([""] for _ in CATEGORIES)]
    label, *values = tf.decode_csv(records, defaults)
    return dict(zip([*NUMBERS, *CATEGORIES], values, strict=True)), tf.cast(label, tf.int64)


def model_fn(
    features: Any, labels: Any, mode: str, params: Mapping[str, str]
) -> tf_estimator.EstimatorSpec:
    """Returns the spec of a small model, so that the files are a large part of a step."""
    logits = _of_images(features) if params["kind"] == "images" else _of_rows(features)
    if mode == "infer":
        return tf_estimator.EstimatorSpec(mode, predictions={"logits": logits})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = tf.train.AdagradOptimizer(0.01)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def _of_images(images: tf.Tensor) -> tf.Tensor:
    x = tf.layers.conv2d(images, 16, 3, strides=2, activation=tf.nn.relu)
    return tf.layers.dense(tf.layers.flatten(x), 10)


def _of_rows(features: Mapping[str, tf.Tensor]) -> tf.Tensor:
    column = tf.feature_column
    numbers = [column.numeric_column(name, normalizer_fn=tf.log1p) for name in NUMBERS]
    categories = [
        column.embedding_column(column.categorical_column_with_hash_bucket(name, 10_000), 8)
        for name in CATEGORIES
    ]
    x = column.input_layer(dict(features), [*numbers, *categories])
    return tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 2)


def _write_files(kind: str, folder: str) -> None:
    """Writes the folder, whole, unless it exists. All tasks may do so at once."""
    if os.path.exists(folder):
        return
    rng = np.random.RandomState(0)
    temporary = tempfile.mkdtemp(dir=os.path.dirname(folder))
    for number in range(NUM_FILES):
        path = os.path.join(temporary, f"part-{number}")
        if kind == "images":
            with tf.python_io.TFRecordWriter(path) as writer:
                for _ in range(RECORDS_PER_FILE):
                    writer.write(_image(rng))
        else:
            with open(path, "w") as file:
                file.writelines(_row(rng) for _ in range(RECORDS_PER_FILE))
    try:
        os.rename(temporary, folder)
    except OSError:  # Another task was faster.
        shutil.rmtree(temporary)


def _image(rng: np.random.RandomState) -> bytes:
    pixels = tf.train.BytesList(value=[rng.bytes(32 * 32 * 3)])
    label = tf.train.Int64List(value=[rng.randint(10)])
    features = {
        "image": tf.train.Feature(bytes_list=pixels),
        "label": tf.train.Feature(int64_list=label),
    }
    example = tf.train.Example(features=tf.train.Features(feature=features))
    return example.SerializeToString()


def _row(rng: np.random.RandomState) -> str:
    numbers = rng.zipf(1.5, len(NUMBERS)) % 10_000
    categories = rng.zipf(1.2, len(CATEGORIES)) % 100_000
    values = [rng.randint(2), *numbers, *(f"{value:08x}" for value in categories)]
    return ",".join(map(str, values)) + "\n"


if __name__ == "__main__":
    import original_times

    original_times.train_kind(model_fn, input_fn, BATCH_SIZE, "files")
