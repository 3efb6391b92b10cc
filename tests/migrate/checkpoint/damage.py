"""Writes checkpoints of several shards, and damages files."""

import numpy as np
import tensorflow as tf


def write(prefix, shapes):
    rng, parts = np.random.default_rng(0), []
    for number, shape in enumerate(shapes):
        parts.append(f"{prefix}-part{number}")
        value = rng.normal(size=shape).astype(np.float32)
        tf.raw_ops.SaveV2(
            prefix=parts[-1], tensor_names=[f"w{number}"], shape_and_slices=[""], tensors=[value]
        )
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=prefix)
    return prefix


def cut(path, size):
    with open(path, "r+b") as file:
        file.truncate(size)


def flip(path, place):
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 1]))
