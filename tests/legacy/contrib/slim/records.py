"""Files of tf.Example records and their description, for the tests of slim's readers."""

import tensorflow as tf

from legacy.contrib import slim


def write(folder, values):
    """Writes a file with a record for each value, and returns its path."""
    path = str(folder / f"part-{values[0]}")
    with tf.io.TFRecordWriter(path) as writer:
        for value in values:
            example = tf.train.Example()
            example.features.feature["label"].int64_list.value.append(value)
            writer.write(example.SerializeToString())
    return path


def dataset(sources, size):
    decoders = slim.tfexample_decoder
    decoder = decoders.TFExampleDecoder(
        {"label": tf.io.FixedLenFeature([], tf.int64)}, {"label": decoders.Tensor("label")}
    )
    return slim.dataset.Dataset(
        sources, tf.compat.v1.TFRecordReader, decoder, size, {"label": "A number."}, split="train"
    )
