"""Making variables that collections know, and finding them again: tf.contrib.framework's.

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
    """Returns the global step of a graph, or None; see `tf.compat.v1.train.get_global_step`."""
    return tf1.train.get_global_step(graph)


def create_global_step(graph: tf.Graph | None = None) -> Any:
    """Makes the global step of a graph; see `tf.compat.v1.train.create_global_step`."""
    return tf1.train.create_global_step(graph)


def get_or_create_global_step(graph: tf.Graph | None = None) -> Any:
    """Returns the global step of a graph, made if there is none."""
    return tf1.train.get_or_create_global_step(graph)


def assert_or_get_global_step(graph: tf.Graph | None = None, global_step_tensor: Any = None) -> Any:
    """Returns a global step, checked; by default the graph's."""
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
    """Makes a variable that is neither trained nor saved.

    Args:
      initial_value: Its first value.
      validate_shape: Whether later values must have that shape.
      name: Its name.
      use_resource: Whether it is a resource variable; None is the scope's default.
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
    """Makes a variable that is saved and not trained; arguments as of `local_variable`."""
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
    """Gets or makes a variable in the variable scope; see `tf.compat.v1.get_variable`.

    Args:
      name: Its name in the scope.
      shape: Its shape.
      dtype: Its type.
      initializer: From shape and type to the first value.
      regularizer: From the variable to a loss, which is added to REGULARIZATION_LOSSES.
      trainable: Whether it is trained.
      collections: Where it is added; None is GLOBAL_VARIABLES.
      caching_device: Where reads are cached.
      device: Where it is placed: a device, or a function such as `VariableDeviceChooser`.
      partitioner: How it is divided.
      custom_getter: What is called in place of `get_variable`, and told the scope's `reuse`.
      use_resource: Whether it is a resource variable; None is the scope's default.
      synchronization: Under a strategy, when copies are synchronized.
      aggregation: Under a strategy, how changes of copies are combined.
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
    """Gets or makes a variable that is part of a model; arguments as of `variable`.

    It is added to GLOBAL_VARIABLES and MODEL_VARIABLES, beside `collections`.
    """
    known = [tf1.GraphKeys.GLOBAL_VARIABLES, tf1.GraphKeys.MODEL_VARIABLES]
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or []), *known],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def is_one_of(each: Any, items: Iterable[Any]) -> bool:
    """Says whether an object is among others; `in` would compare variables by value."""
    return any(each is item for item in items)


def add_model_variable(var: tf.Variable) -> None:
    """Adds a variable to MODEL_VARIABLES, once."""
    if not is_one_of(var, tf1.get_collection(tf1.GraphKeys.MODEL_VARIABLES)):
        tf1.add_to_collection(tf1.GraphKeys.MODEL_VARIABLES, var)


def get_variables(
    scope: Any = None,
    suffix: str | None = None,
    collection: str = tf1.GraphKeys.GLOBAL_VARIABLES,
) -> list[tf.Variable]:
    """Finds variables by their names.

    Args:
      scope: What the name begins with, as a regular expression, or a VariableScope.
      suffix: What the name ends with, in front of ":0".
      collection: Where to look.
    """
    if isinstance(scope, tf1.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix if ':' in suffix else suffix + ':'}"
    return tf1.get_collection(collection, scope)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """`get_variables` of MODEL_VARIABLES."""
    return get_variables(scope, suffix, tf1.GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """`get_variables` of LOCAL_VARIABLES."""
    return get_variables(scope, suffix, tf1.GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[tf.Variable]:
    """`get_variables` of TRAINABLE_VARIABLES."""
    return get_variables(scope, suffix, tf1.GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[tf.Variable]:
    """Finds variables whose names end with something."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[tf.Variable]:
    """Finds variables with a name, in any scope, or in the given one."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> tf.Variable:
    """Finds the one variable of a full name.

    Args:
      var_op_name: The name, without ":0".

    Raises:
      ValueError: There is none.
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
    """Lists variables by what their names begin with.

    Args:
      include: Scopes whose variables are wanted; None is all.
      exclude: Scopes whose variables are not.

    Raises:
      TypeError: One of them is not a list.
    """
    for name, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{name} is provided but is not a list or a tuple: {scopes!r}")
    found = [each for scope in (include or [None]) for each in get_variables(scope)]
    if include is not None and not include:
        found = []
    left_out = [each for scope in (exclude or []) for each in get_variables(scope)]
    return [each for each in found if not is_one_of(each, left_out)]


def filter_variables(
    var_list: Iterable[tf.Variable],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[tf.Variable]:
    """Selects variables by regular expressions on their names.

    Args:
      var_list: The variables.
      include_patterns: A variable must match one of these; None is all.
      exclude_patterns: And none of these.
      reg_search: Whether a match may be anywhere; else it is at the beginning.
    """
    matches = re.search if reg_search else re.match

    def match_any(name: str, patterns: Iterable[str]) -> bool:
        return any(matches(pattern, name) for pattern in patterns)

    chosen = list(var_list)
    if include_patterns is not None:
        chosen = [each for each in chosen if match_any(each.name, include_patterns)]
    if exclude_patterns is not None:
        chosen = [each for each in chosen if not match_any(each.name, exclude_patterns)]
    return chosen


def zero_initializer(
    ref: tf.Variable, use_locking: bool = True, name: str = "zero_initializer"
) -> Any:
    """Returns an operation that sets a variable to zeros.

    Args:
      ref: The variable.
      use_locking: Whether the assignment is locked.
      name: The operation's name.
    """
    return tf1.assign(
        ref, tf.zeros(ref.shape, ref.dtype.base_dtype), use_locking=use_locking, name=name
    )


class VariableDeviceChooser:
    """Places variables on parameter servers in turn, for the `device` of `variable`."""

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        """Sets where variables go.

        Args:
          num_tasks: How many tasks there are; 0 places on this process.
          job_name: The tasks' job.
          device_type: The device in the task.
          device_index: Its number.
          replica: The replica, or None.
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
