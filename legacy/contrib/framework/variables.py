"""Creation of variables in collections, and their selection: tf.contrib.framework's variables.

kernel = model_variable("kernel", [3, 2], regularizer=layers.l2_regularizer(0.1))
restored = get_variables_to_restore(exclude=["logits"])
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework.arg_scope import add_arg_scope

tf1 = tf.compat.v1
_AUTO = tf.VariableSynchronization.AUTO
_NO_AGGREGATION = tf1.VariableAggregation.NONE

assert_global_step = tf1.train.assert_global_step


def get_global_step(graph: tf.Graph | None = None) -> Any:
    """Returns the global step of a graph, or None. See `tf.compat.v1.train.get_global_step`."""
    return tf1.train.get_global_step(graph)


def create_global_step(graph: tf.Graph | None = None) -> Any:
    """Creates the global step of a graph. See `tf.compat.v1.train.create_global_step`."""
    return tf1.train.create_global_step(graph)


def get_or_create_global_step(graph: tf.Graph | None = None) -> Any:
    """Returns the global step of a graph, and creates it if it does not exist."""
    return tf1.train.get_or_create_global_step(graph)


def assert_or_get_global_step(graph: tf.Graph | None = None, global_step_tensor: Any = None) -> Any:
    """Returns `global_step_tensor` after a check, or the graph's global step if it is None."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


def local_variable(
    initial_value: Any,
    validate_shape: bool = True,
    name: str | None = None,
    use_resource: bool | None = None,
) -> tf.Variable:
    """Creates a variable that is neither trained nor saved.

    Args:
      initial_value: Initial value.
      validate_shape: If true, later values must have the shape of the initial value.
      name: Name of the variable.
      use_resource: If true, creates a resource variable. None is the scope's default.
    """
    return tf1.Variable(
        initial_value,
        trainable=False,
        collections=[tf1.GraphKeys.LOCAL_VARIABLES],
        validate_shape=validate_shape,
        use_resource=use_resource,
        name=name,
    )


def global_variable(
    initial_value: Any,
    validate_shape: bool = True,
    name: str | None = None,
    use_resource: bool | None = None,
) -> tf.Variable:
    """Creates a variable that is saved but not trained, with the arguments of `local_variable`."""
    return tf1.Variable(
        initial_value,
        trainable=False,
        collections=[tf1.GraphKeys.GLOBAL_VARIABLES],
        validate_shape=validate_shape,
        use_resource=use_resource,
        name=name,
    )


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NO_AGGREGATION,
) -> Any:
    """Gets or creates a variable in the variable scope. See `tf.compat.v1.get_variable`.

    Args:
      name: Name in the scope.
      shape: Shape of the variable.
      dtype: Dtype of the variable.
      initializer: Function from shape and dtype to the initial value.
      regularizer: Function from the variable to a loss, which is added to REGULARIZATION_LOSSES.
      trainable: If true, the variable is trainable.
      collections: Collections that the variable is added to. None is GLOBAL_VARIABLES.
      caching_device: Device on which reads are cached.
      device: Device of the variable, or a function that chooses it, such as
        `VariableDeviceChooser`.
      partitioner: Partitioner of the variable.
      custom_getter: Function to call instead of `get_variable`. It also receives the `reuse` of the
        scope.
      use_resource: If true, creates a resource variable. None is the scope's default.
      synchronization: When a strategy synchronizes the copies of the variable.
      aggregation: How a strategy combines the changes of the copies.
    """
    if collections is None:
        collections = [tf1.GraphKeys.GLOBAL_VARIABLES]
    getter = tf1.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=tf1.get_variable_scope().reuse)
    with tf1.device(device or ""):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=list(dict.fromkeys(collections)),
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = tf.float32,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NO_AGGREGATION,
) -> Any:
    """Gets or creates a variable that is part of a model, with the arguments of `variable`.

    It is added to GLOBAL_VARIABLES and MODEL_VARIABLES in addition to `collections`.
    """
    default_collections = [tf1.GraphKeys.GLOBAL_VARIABLES, tf1.GraphKeys.MODEL_VARIABLES]
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or []), *default_collections],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def is_one_of(each: Any, items: Iterable[Any]) -> bool:
    """Returns true if `items` contains the object `each`. `in` would compare variables by value."""
    return any(each is item for item in items)


def add_model_variable(var: tf.Variable) -> None:
    """Adds a variable to MODEL_VARIABLES, unless it is already there."""
    if not is_one_of(var, tf1.get_collection(tf1.GraphKeys.MODEL_VARIABLES)):
        tf1.add_to_collection(tf1.GraphKeys.MODEL_VARIABLES, var)


def get_variables(
    scope: Any = None,
    suffix: str | None = None,
    collection: str = tf1.GraphKeys.GLOBAL_VARIABLES,
) -> list[tf.Variable]:
    """Returns the variables of a collection whose names match.

    Args:
      scope: Regular expression that matches the beginning of the name, or a VariableScope.
      suffix: End of the name, without ":0".
      collection: Name of the collection.
    """
    if isinstance(scope, tf1.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix if ':' in suffix else suffix + ':'}"
    return tf1.get_collection(collection, scope)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """Returns the variables of MODEL_VARIABLES, selected as by `get_variables`."""
    return get_variables(scope, suffix, tf1.GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """Returns the variables of LOCAL_VARIABLES, selected as by `get_variables`."""
    return get_variables(scope, suffix, tf1.GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """Returns the variables of TRAINABLE_VARIABLES, selected as by `get_variables`."""
    return get_variables(scope, suffix, tf1.GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[tf.Variable]:
    """Returns the variables whose names end with a suffix."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[tf.Variable]:
    """Returns the variables of a name, in all scopes or in `scope`."""
    # The name after a scope, or the whole name.
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> tf.Variable:
    """Returns the variable of a full name.

    Args:
      var_op_name: Full name of the variable, without ":0".

    Raises:
      ValueError: No variable has that name.
    """
    candidates = get_variables(scope=var_op_name)
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    if candidates:
        raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")
    raise ValueError(f"Couldn't find variable {var_op_name}")


def get_variables_to_restore(
    include: Sequence[str] | None = None, exclude: Sequence[str] | None = None
) -> list[tf.Variable]:
    """Returns the variables of some scopes.

    Args:
      include: Scopes whose variables are returned. None is all scopes.
      exclude: Scopes whose variables are left out.

    Raises:
      TypeError: An argument is not a list.
    """
    for name, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{name} is provided but is not a list or a tuple: {scopes!r}")
    variables = [candidate for scope in (include or [None]) for candidate in get_variables(scope)]
    if include is not None and not include:
        variables = []
    left_out = [candidate for scope in (exclude or []) for candidate in get_variables(scope)]
    return [candidate for candidate in variables if not is_one_of(candidate, left_out)]


def filter_variables(
    var_list: Iterable[tf.Variable],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[tf.Variable]:
    """Selects variables by regular expressions on their names.

    Args:
      var_list: Variables to select from.
      include_patterns: Patterns, at least one of which must match. None selects all variables.
      exclude_patterns: Patterns, none of which may match.
      reg_search: If true, a pattern may match anywhere in the name. Otherwise only at the
        beginning.
    """
    matches = re.search if reg_search else re.match

    def match_any(name: str, patterns: Iterable[str]) -> bool:
        return any(matches(pattern, name) for pattern in patterns)

    variables = list(var_list)
    if include_patterns is not None:
        variables = [
            candidate for candidate in variables if match_any(candidate.name, include_patterns)
        ]
    if exclude_patterns is not None:
        variables = [
            candidate for candidate in variables if not match_any(candidate.name, exclude_patterns)
        ]
    return variables


def zero_initializer(
    ref: tf.Variable, use_locking: bool = True, name: str = "zero_initializer"
) -> Any:
    """Returns an operation that sets a variable to zeros.

    Args:
      ref: The variable.
      use_locking: If true, the assignment is locked.
      name: Name of the operation.
    """
    return tf1.assign(
        ref, tf.zeros(ref.shape, ref.dtype.base_dtype), use_locking=use_locking, name=name
    )


class VariableDeviceChooser:
    """Places variables on parameter servers in turn, for the `device` argument of `variable`."""

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        """Sets the devices of the variables.

        Args:
          num_tasks: Number of tasks. 0 places variables on this process.
          job_name: Name of the tasks' job.
          device_type: Type of the device in the task.
          device_index: Index of the device.
          replica: Index of the replica, or None.
        """
        self._job = f"/job:{job_name}"
        self._replica = "" if replica is None else f"/replica:{replica}"
        self._device = f"/device:{device_type}:{device_index}"
        self._num_tasks = num_tasks
        self._next_task = 0

    def __call__(self, op: Any) -> str:
        """Returns the device of the next variable."""
        if not self._num_tasks:
            return f"{self._replica}{self._device}"
        task, self._next_task = self._next_task, (self._next_task + 1) % self._num_tasks
        return f"{self._job}{self._replica}/task:{task}{self._device}"
