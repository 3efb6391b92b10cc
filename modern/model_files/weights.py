"""Reads and writes the weights of a model by name, under any strategy.

The names are those of a v1 checkpoint, such as "hidden/kernel". So `--init_checkpoint` accepts a
checkpoint of an Estimator as well as one written here by `save`:

>>> import os, tempfile
>>> from modern.model_files import weights
>>> from modern.jobs import linear_regression as job
>>> model = job.build_model()
>>> prefix = os.path.join(tempfile.mkdtemp(), "start")
>>> weights.save(prefix, weights.read(model))
>>> weights.load_into(model, prefix)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import tensorflow as tf

from modern.model_files.errors import CheckpointError
from modern.process import chosen_keras, files
from modern.process.chosen_keras import keras, tf_variable

# ParameterServerStrategy splits a large variable along axis 0 into "name/part_0", "name/part_1" and
# so on.
_PART = re.compile(r"^(?P<name>.*)/part_(?P<index>\d+)$")


def parts_by_name(variables: Iterable[tf.Variable]) -> dict[str, list[tf.Variable]]:
    """Groups variables by name, without ":0". The parts of a split variable form one list."""
    groups: dict[str, list[tf.Variable]] = {}
    for variable in variables:
        name = name_of(variable)
        part = _PART.match(name)
        groups.setdefault(part["name"] if part else name, []).append(tf_variable(variable))
    return groups


def parts_of(model: keras.Model) -> dict[str, list[tf.Variable]]:
    """Groups the weights of a model by name. See `parts_by_name`."""
    groups = parts_by_name(model.weights)
    if chosen_keras.version() == 2:
        return groups
    # The names of the weights of a Sequential model begin with the name of the model.
    return {name.removeprefix(f"{model.name}/"): parts for name, parts in groups.items()}


def name_of(variable: tf.Variable) -> str:
    """Returns the name of a variable in a checkpoint, such as "hidden/kernel"."""
    # In Keras 3, the name is the last part of the path.
    return getattr(variable, "path", variable.name).removesuffix(":0")


def read(model: keras.Model) -> dict[str, np.ndarray]:
    """Returns all weights of a model, name to array.

    Under MultiWorkerMirroredStrategy every worker must call it, because batch-norm statistics are
    averaged over the workers when they are read.
    """
    return {name: value_of(parts) for name, parts in parts_of(model).items()}


def assign(model: keras.Model, values: Mapping[str, np.ndarray], source: str) -> None:
    """Assigns to every weight of a model the value of the same name.

    Args:
      model: The model, built, under any strategy.
      values: Name to array. Names that the model lacks are ignored, such as optimizer slots or a
        global step.
      source: The origin of the values, for the message.

    Raises:
      CheckpointError: A weight is missing in `values` or has another shape there. No weight has
        been changed.
    """
    # All weights are checked before the first one is assigned.
    variables = parts_of(model)
    for name, parts in variables.items():
        if name not in values:
            raise CheckpointError(f"{source} has no {name!r}; it has: {_some(values)}.")
        check_shape(name, parts, values[name], source)
    for name, parts in variables.items():
        assign_parts(parts, values[name])


def check_shape(name: str, parts: Sequence[tf.Variable], value: np.ndarray, source: str) -> None:
    """Checks that a value fits a variable.

    Args:
      name: Name of the variable, for the message.
      parts: The variable, or its parts along the first axis.
      value: The value.
      source: The origin of the value, for the message.

    Raises:
      CheckpointError: The value has another shape.
    """
    rows = sum(part.shape[0] for part in parts) if len(parts) > 1 else None
    shape = tuple(parts[0].shape) if rows is None else (rows, *parts[0].shape[1:])
    if tuple(value.shape) != shape:
        raise CheckpointError(
            f"{source}: {name!r} has shape {tuple(value.shape)}, the model's is {shape}."
        )


def assign_parts(parts: Sequence[tf.Variable], value: np.ndarray) -> None:
    """Assigns a value to a variable, or to its parts along the first axis."""
    start = 0
    for part in parts:
        stop = start + part.shape[0] if len(parts) > 1 else None
        part.assign(value[start:stop] if len(parts) > 1 else value)
        start = stop or 0


def value_of(parts: Sequence[tf.Variable]) -> np.ndarray:
    """Returns the value of a variable, or of its parts along the first axis."""
    return np.concatenate([part.numpy() for part in parts]) if len(parts) > 1 else parts[0].numpy()


def _some(values: Mapping[str, np.ndarray], most: int = 8) -> str:
    names = sorted(values)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if names[most:] else "")


def save(prefix: str, values: Mapping[str, np.ndarray]) -> None:
    """Writes a name-based checkpoint as v1 Savers do: `prefix`.index and .data-..., or no file."""
    prefix = files.absolute(prefix)
    files.make_folder(os.path.dirname(prefix))
    names = sorted(values)
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=names,
        shape_and_slices=[""] * len(names),
        tensors=[tf.constant(values[name]) for name in names],
    )


def load(prefix: str) -> dict[str, np.ndarray]:
    """Returns all tensors of a name-based checkpoint.

    Args:
      prefix: The prefix of the checkpoint, or a folder, for its latest checkpoint.

    Raises:
      CheckpointError: The checkpoint does not exist or is damaged.
    """
    try:
        reader = tf.train.load_checkpoint(prefix)
        return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}
    # A file that is cut off gives an IndexError.
    except (tf.errors.OpError, ValueError, RuntimeError, IndexError) as error:
        raise CheckpointError(
            f"--init_checkpoint={prefix} cannot be read ({error}). Give the prefix of a "
            "checkpoint, such as model_dir/model.ckpt-1000, without .index."
        ) from error


def load_into(model: keras.Model, prefix: str) -> None:
    """Loads a name-based checkpoint into a model. Raises CheckpointError if it does not fit."""
    assign(model, load(prefix), prefix)
