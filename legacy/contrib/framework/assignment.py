"""Assignment of values to variables of a graph, from a checkpoint or from arrays.

restore = assign_from_checkpoint_fn("/tmp/model/model.ckpt-1000", get_model_variables())
with tf.compat.v1.Session() as session:
    restore(session)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def load_checkpoint(filepattern: str) -> Any:
    """Returns a reader of a checkpoint. See `tf.train.load_checkpoint`.

    Args:
      filepattern: The checkpoint, or a folder, whose newest checkpoint is read.
    """
    return tf.train.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> np.ndarray:
    """Returns the value of a variable in a checkpoint.

    Args:
      checkpoint_dir: The checkpoint, or a folder, whose newest checkpoint is read.
      name: Name of the variable, with or without ":0".
    """
    return tf.train.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """Returns the names and shapes of the variables in a checkpoint.

    Args:
      checkpoint_dir: The checkpoint, or a folder, whose newest checkpoint is read.
    """
    return tf.train.list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir: str, assignment_map: Mapping[str, Any]) -> None:
    """Sets a checkpoint's values as the initial values of variables. See `tf.compat.v1.train`.

    Args:
      checkpoint_dir: The checkpoint, or a folder, whose newest checkpoint is read.
      assignment_map: Names or scopes ("scope/") in the checkpoint, mapped to names or scopes in the
        graph, or to variables.
    """
    tf1.train.init_from_checkpoint(checkpoint_dir, assignment_map)


def get_variable_full_name(var: Any) -> str:
    """Returns the name of a variable in a checkpoint.

    A partition has the name of the whole variable.
    """
    part = getattr(var, "_save_slice_info", None)
    return part.full_name if part else var.op.name


def assign_from_values(var_names_to_values: Mapping[str, np.ndarray]) -> tuple[Any, dict[Any, Any]]:
    """Creates an operation that assigns values to variables.

    Args:
      var_names_to_values: Arrays by variable name.

    Returns:
      The operation, and the dict to feed when it runs.

    Raises:
      ValueError: A name does not identify exactly one variable.
    """
    assignments, feeds = [], {}
    for name, value in var_names_to_values.items():
        target = _find_variable(name)
        placeholder = _placeholder_of(target)
        assignments.append(target.assign(placeholder))
        feeds[placeholder] = value.reshape(target.shape)
    return tf.group(*assignments), feeds


def _find_variable(name: str) -> Any:
    candidates = tf1.get_collection(tf1.GraphKeys.GLOBAL_VARIABLES, name)
    if not candidates:
        raise ValueError(f"Variable {name} wasn't found")
    if len(candidates) == 1:
        return candidates[0]
    exact = [variable for variable in candidates if variable.op.name == name]
    if not exact:
        raise ValueError(f"Variable {name} doesn't uniquely identify a variable")
    return exact[0]


def _placeholder_of(target: Any) -> tf.Tensor:
    return tf1.placeholder(target.dtype.base_dtype, target.shape, f"placeholder/{target.op.name}")


def assign_from_values_fn(var_names_to_values: Mapping[str, np.ndarray]) -> Callable[[Any], Any]:
    """Returns a function of a session that assigns values, as `assign_from_values` does."""
    operation, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(operation, feeds)


def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Creates an operation that assigns a checkpoint's values to variables.

    Args:
      model_path: The checkpoint.
      var_list: Variables, or a dict of variables (or lists of them) by their names in the
        checkpoint.
      ignore_missing_vars: If true, variables that the checkpoint lacks keep their values.

    Returns:
      The operation, and the dict to feed when it runs.

    Raises:
      ValueError: The checkpoint lacks a variable, or has it in another shape.
    """
    reader = tf1.train.NewCheckpointReader(model_path)
    assignments, feeds = [], {}
    for name, targets in _by_saved_name(var_list).items():
        if not reader.has_tensor(name):
            message = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(message)
            tf1.logging.warning(message)
            continue
        saved_value = reader.get_tensor(name)
        for target in targets:
            placeholder = _placeholder_of(target)
            assignments.append(target.assign(placeholder))
            feeds[placeholder] = _part_of(saved_value, target, name)
    return tf.group(*assignments), feeds


def _by_saved_name(var_list: Any) -> dict[str, list[Any]]:
    if isinstance(var_list, (list, tuple)):
        by_name: dict[str, list[Any]] = {}
        for variable in var_list:
            by_name.setdefault(get_variable_full_name(variable), []).append(variable)
        return by_name
    return {
        name: list(targets) if isinstance(targets, (list, tuple)) else [targets]
        for name, targets in var_list.items()
    }


def _part_of(value: np.ndarray, target: Any, name: str) -> np.ndarray:
    """Returns the part of a saved value that belongs in a variable, which may be a partition."""
    part = getattr(target, "_save_slice_info", None)
    if part:
        bounds = zip(part.var_offset, part.var_shape, strict=True)
        return value[tuple(slice(start, start + size) for start, size in bounds)]
    if target.shape != value.shape:
        raise ValueError(
            f"Total size of new array must be unchanged for {name} lh_shape: [{value.shape}], "
            f"rh_shape: [{target.shape}]"
        )
    return value


def assign_from_checkpoint_fn(
    model_path: str,
    var_list: Any,
    ignore_missing_vars: bool = False,
    reshape_variables: bool = False,
) -> Callable[[Any], None] | None:
    """Returns a function of a session that restores variables.

    Args:
      model_path: The checkpoint.
      var_list: Variables, or a dict of variables by their names in the checkpoint.
      ignore_missing_vars: If true, variables that the checkpoint lacks keep their values.
      reshape_variables: If true, a variable may have another shape than the saved value, but not
        another number of elements.

    Returns:
      The function, or None if no variable is left to restore.

    Raises:
      ValueError: `var_list` is empty.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        if not isinstance(var_list, dict):
            var_list = {variable.op.name: variable for variable in var_list}
        reader = tf1.train.NewCheckpointReader(model_path)
        for name in [name for name in var_list if not reader.has_tensor(name)]:
            tf1.logging.warning("Variable %s missing in checkpoint %s", name, model_path)
        var_list = {
            name: variable for name, variable in var_list.items() if reader.has_tensor(name)
        }
        if not var_list:
            tf1.logging.warning("No Variables to restore")
            return None
    saver = tf1.train.Saver(var_list, reshape=reshape_variables)
    return lambda session: saver.restore(session, model_path)
