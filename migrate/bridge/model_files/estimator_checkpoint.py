"""Reads and writes the checkpoint of an Estimator for a bridged model, with slots and step.

    model.load_estimator_checkpoint("model_dir")         # continues where the Estimator stopped
    model.save_estimator_checkpoint("model_dir/model.ckpt")  # and the Estimator where the model did

The slots of a Keras optimizer are stored under the names of the v1 optimizer's slots
(migrate/checkpoint/naming/slots.py).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs.blueprint import ApplyCall
from migrate.bridge.graphs.variables import shards
from migrate.checkpoint.naming import slots
from modern.model_files import rotation
from modern.process import files

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

tf1 = tf.compat.v1
_STEP = "global_step"
# The recorded v1 optimizer, its Keras equivalent, and the variables.
Optimizer = tuple[ApplyCall, tf_keras.optimizers.legacy.Optimizer, Sequence[tf.Variable]]


class EstimatorCheckpoint:
    """A checkpoint that is open for reading.

    Args:
      path: Prefix of a checkpoint, or a folder, whose latest checkpoint is opened.

    Raises:
      BridgeError: The checkpoint does not exist or cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = tf.train.latest_checkpoint(path) if files.is_folder(path) else path
        if self._path is None:
            raise BridgeError(f"{path} has no checkpoint: give a model_dir, or a prefix.")
        try:
            self._reader = tf.train.load_checkpoint(self._path)
        except (tf.errors.OpError, ValueError, RuntimeError) as error:
            raise BridgeError(
                f"{self._path} cannot be read ({error}): give the prefix of a checkpoint, such as "
                "model_dir/model.ckpt-1000, without .index."
            ) from error
        self._shapes = self._reader.get_variable_to_shape_map()

    def load(
        self,
        variables: Mapping[str, tf.Variable],
        names: Iterable[str],
        keys: Mapping[str, tuple[str, str]],
    ) -> None:
        """Assigns the stored values to variables.

        Args:
          variables: Variables by name.
          names: Names of the variables to load.
          keys: Place of each variable in the checkpoint: its key, and its slice ("" for all).

        Raises:
          BridgeError: A value is missing or has another shape. Nothing was loaded.
        """
        pieces = []
        for name in names:
            key, part = keys.get(name, (name, ""))
            pieces += [(key, piece, shard) for shard, piece in _pieces(variables[name], part)]
        self._assign(pieces)

    def load_optimizers(
        self, optimizers: Sequence[Optimizer], keys: Mapping[str, tuple[str, str]]
    ) -> None:
        """Assigns the stored slots and step counts to Keras optimizers.

        Args:
          optimizers: Optimizers to load.
          keys: Places of their variables, as for `load`.

        Raises:
          BridgeError: A value is missing or has another shape.
        """
        self._assign([slot for optimizer in optimizers for slot in slots_by_key(optimizer, keys)])
        places = _places(optimizers)
        for index, optimizer in enumerate(optimizers):
            optimizer[1].iterations.assign(self._steps_taken(optimizer, places.get(index)))

    def _assign(self, pieces: list[tuple[str, str, tf.Variable]]) -> None:
        missing = sorted({key for key, _, _ in pieces if key not in self._shapes})
        if missing:
            suffix = f" and {len(missing) - 8} more" if len(missing) > 8 else ""
            raise BridgeError(
                f"{self._path} has no {', '.join(missing[:8])}{suffix}. It has: "
                f"{', '.join(sorted(self._shapes)[:12])}, ... It is of another model_fn, of other "
                "params, or of another optimizer."
            )
        values = []
        for key, part, variable in pieces:
            value = self._value(key, part, variable.dtype)
            if tuple(value.shape) != tuple(variable.shape):
                raise BridgeError(
                    f"{self._path}: {key} has the shape {tuple(value.shape)}, the model's is "
                    f"{tuple(variable.shape)}."
                )
            values.append((variable, value))
        for variable, value in values:
            variable.assign(value)

    def _value(self, key: str, part: str, dtype: tf.DType) -> Any:
        """Returns a tensor, or a slice of it.

        For example, the slice "4 6 0,2:0,6" is of a tensor of shape (4, 6), and has the start and
        length in each dimension.
        """
        whole_shape = tuple(int(size) for size in part.split()[:-1])
        if not part:
            return self._reader.get_tensor(key)
        if whole_shape != tuple(self._shapes[key]):
            raise BridgeError(
                f"{self._path}: {key} has the shape {tuple(self._shapes[key])}, the model's is "
                f"{whole_shape}."
            )
        # RestoreV2 can read a slice even if the checkpoint lacks the others. Slots in a scope are
        # stored so.
        return tf.raw_ops.RestoreV2(
            prefix=self._path, tensor_names=[key], shape_and_slices=[part], dtypes=[dtype]
        )[0]

    def _steps_taken(self, record: Optimizer, place: int | None) -> int:
        """Returns the number of times that an optimizer was applied.

        Adam's powers of beta tell the number. For other optimizers it is the global step.
        """
        call, optimizer, _ = record
        step = int(self._reader.get_tensor(_STEP)) if _STEP in self._shapes else 0
        if place is None:
            return step
        for index, beta in enumerate(("beta_1", "beta_2")):
            name = slots.POWERS[index]
            keys = sorted(k for k in self._shapes if k.split("/")[-1].startswith(name))
            key = keys[min(place, len(keys) - 1)] if keys else None
            if call.powers and call.powers[index] in self._shapes:
                key = call.powers[index]
            value = float(self._reader.get_tensor(key)) if key else 0.0
            # A smaller power is lost in float32. The power of beta_2 shrinks more slowly.
            if value > 1e-30:
                base = float(optimizer._serialize_hyperparameter(beta))
                count = round(math.log(value) / math.log(base)) - 1
                # The logarithm of a rounded power is inexact. Close to the step, use the step.
                return step if abs(count - step) <= 1 + 1e-4 * step else count
        return step


def slots_by_key(
    record: Optimizer, keys: Mapping[str, tuple[str, str]]
) -> list[tuple[str, str, tf.Variable]]:
    """Returns a Keras optimizer's slots with their keys and slices in an Estimator checkpoint.

    Args:
      record: The optimizer.
      keys: Places of its variables. The slots of a variable's slice are slices of whole slots.
    """
    call, optimizer, variables = record
    kind = type(call.optimizer).__name__.removesuffix("Optimizer")
    count = 3 if getattr(optimizer, "centered", False) else None
    entries = []
    for name, variable in zip(call.names, variables, strict=True):
        variable_key, part = keys.get(name, (name, ""))
        for suffix, slot in slots.slot_names(kind, count):
            suffix = call.optimizer.get_name() + suffix.removeprefix(kind)
            key = f"{call.scope}{name}/{suffix}"
            if part:  # tf.compat.v1 names slots so. In a scope they keep the variable's end.
                key = f"{variable_key}/{key[len(name) + 1 :]}"
            for shard, piece in _pieces(variable, part):
                entries.append((key, piece, optimizer.get_slot(shard, slot)))
    return entries


def _pieces(variable: tf.Variable, part: str) -> list[tuple[tf.Variable, str]]:
    """Returns a variable's shards, each with its slice of the whole tensor ("" for all)."""
    parts = shards(variable)
    if len(parts) == 1:
        return [(parts[0], part)]
    shape = " ".join(str(size) for size in variable.shape)
    rest = "".join(":-" for _ in variable.shape[1:])
    pieces, start = [], 0
    for shard in parts:
        pieces.append((shard, f"{shape} {start},{shard.shape[0]}{rest}"))
        start += shard.shape[0]
    return pieces


def save(prefix: str, model: KerasModelFn) -> str:
    """Writes a bridged model as an Estimator would. See KerasModelFn.save_estimator_checkpoint."""
    parts: list[tuple[str, str, tf.Variable]] = []
    values: dict[str, np.float32] = {}
    for name, variable in model.variables_by_name.items():
        key, part = model.checkpoint_keys.get(name, (name, ""))
        parts += [(key, piece, shard) for shard, piece in _pieces(variable, part)]
    optimizers = model.keras_optimizers
    for optimizer in optimizers:
        parts += slots_by_key(optimizer, model.checkpoint_keys)
    for optimizer in optimizers:
        values |= _powers(optimizer)
    tensors = _read([variable for _, _, variable in parts])
    path = f"{prefix}-{int(model.global_step.numpy())}"
    if not model.distribute_strategy.extended.should_checkpoint:
        return path
    absolute_path = files.absolute(path)
    files.make_folder(os.path.dirname(absolute_path))
    tf.raw_ops.SaveV2(
        prefix=path,
        tensor_names=[key for key, _, _ in parts] + [*values],
        shape_and_slices=[part for _, part, _ in parts] + [""] * len(values),
        tensors=tensors + [tf.constant(value, tf.float32) for value in values.values()],
    )
    rotation.register(absolute_path)
    return path


def _places(optimizers: Sequence[Optimizer]) -> dict[int, int]:
    """Returns each Adam's position among the Adams by its index, because powers are so numbered."""
    adams = [index for index, optimizer in enumerate(optimizers) if hasattr(optimizer[1], "beta_1")]
    return {index: place for place, index in enumerate(adams)}


def _powers(record: Optimizer) -> dict[str, np.float32]:
    """Returns the powers of beta, which v1's Adam stores instead of a step count."""
    call, optimizer, _ = record
    steps = int(optimizer.iterations.numpy())
    betas = ("beta_1", "beta_2")[: len(call.powers)]
    return {
        name: np.float32(slots.power(float(optimizer._serialize_hyperparameter(beta)), steps))
        for name, beta in zip(call.powers, betas, strict=True)
    }


def _read(variables: list[tf.Variable]) -> list[tf.Tensor]:
    """Returns the values. Values that each replica keeps separately are aggregated."""

    @tf.function
    def read() -> list[tf.Tensor]:
        return [tf.identity(variable) for variable in variables]

    return read()
