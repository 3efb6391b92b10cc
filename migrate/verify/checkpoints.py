"""Reads an Estimator's checkpoint as a whole, and hashes its files."""

from __future__ import annotations

import numpy as np

from migrate import loading
from migrate.checkpoint.formats import sources
from modern.process import cli


def read(path: str) -> dict[str, np.ndarray]:
    """Returns all values of a name-based checkpoint by name, with partitioned variables joined.

    Args:
      path: Prefix of a checkpoint, or a folder, whose latest checkpoint is read.

    Raises:
      cli.UsageError: The checkpoint does not exist, is damaged, or is not an Estimator's.
    """
    source = sources.open_source(path)
    if source.convention != "v1":
        raise cli.UsageError(
            f"--checkpoint={path}: is {source.kind}; the model_fn needs one that an Estimator (or "
            "a tf.compat.v1.train.Saver) wrote."
        )
    return {tensor.name: source.read(tensor) for tensor in source.stored}


def hashes(path: str) -> list[dict[str, str]]:
    """Returns each file of a checkpoint with its SHA-256."""
    return [loading.file_hash(file.path) for file in sources.open_source(path).files]
