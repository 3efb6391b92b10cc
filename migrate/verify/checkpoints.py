"""Reads an Estimator's checkpoint whole, and hashes its files."""

from __future__ import annotations

import numpy as np

from migrate import loading
from migrate.checkpoint.formats import sources
from modern.process import cli


def read(path: str) -> dict[str, np.ndarray]:
    """All values of a name-based checkpoint by name; partitioned variables are read whole.

    Args:
      path: a prefix, or a folder, whose latest is meant.

    Raises:
      cli.UsageError: there is none, it is damaged, or not an Estimator's.
    """
    source = sources.open_source(path)
    if source.convention != "v1":
        raise cli.UsageError(
            f"--checkpoint={path}: is {source.kind}; the model_fn needs one that an Estimator (or "
            "a tf.compat.v1.train.Saver) wrote."
        )
    return {one.name: source.read(one) for one in source.stored}


def hashes(path: str) -> list[dict[str, str]]:
    """Each file of a checkpoint with its SHA-256."""
    return [loading.file_hash(file.path) for file in sources.open_source(path).files]
