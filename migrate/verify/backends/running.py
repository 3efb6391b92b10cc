"""Starts the program that computes the values of a port with another backend.

values = running.values(running.Asked("jax", "my_port:build_model", None), inputs)
"""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from migrate.verify.backends import program, recording


class Failed(Exception):
    """The port does not run with the backend. The message has the reason."""


class Asked(NamedTuple):
    """The port that the other process builds.

    Attributes:
      backend: "jax" or "torch".
      modern: Reference of the function or class, as in --modern.
      params: Params as in --params, or None.
    """

    backend: str
    modern: str
    params: str | None


def values(asked: Asked, inputs: recording.Inputs) -> dict[str, np.ndarray]:
    """Returns what `recording.record` returns in a process with the other backend.

    Args:
      asked: The port and its backend.
      inputs: Weights, and batches (x, y, sample_weight) of tensors.

    Raises:
      Failed: The port does not run there.
    """
    arrays = inputs._replace(
        batches=[_arrays(batch) for batch in inputs.batches],
        evaluation=[_arrays(batch) for batch in inputs.evaluation],
    )
    contents = {**asked._asdict(), "inputs": tuple(arrays)}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, program.ASKED).write_bytes(pickle.dumps(contents))
        done = subprocess.run(
            [sys.executable, "-m", program.__name__, folder],
            env={**os.environ, "KERAS_BACKEND": asked.backend},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            hint = (
                " Calls of tf.* in layers fail there. keras.ops has functions for most of them."
                if "tensorflow" in done.stderr
                else ""
            )
            raise Failed(f"{lines[-1].rstrip('.')}.{hint}")
        return pickle.loads(pathlib.Path(folder, program.VALUES).read_bytes())


def _arrays(batch: Any) -> Any:
    """Returns a batch with arrays instead of tensors."""

    def array(tensor: Any) -> Any:
        if tensor is None:  # A missing sample_weight.
            return None
        if not isinstance(tensor, tf.Tensor):
            raise Failed(f"a batch has a {type(tensor).__name__}, which cannot be an array.")
        return tensor.numpy()

    return tf.nest.map_structure(array, batch)
