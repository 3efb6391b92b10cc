"""tf.contrib.opt.MovingAverageOptimizer, which saves moving averages instead of variables.

optimizer = MovingAverageOptimizer(tf.compat.v1.train.AdamOptimizer(0.001))
train_op = optimizer.minimize(loss)
scaffold = tf.compat.v1.train.Scaffold(saver=optimizer.swapping_saver())
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.framework.assignment import get_variable_full_name

tf1 = tf.compat.v1


class MovingAverageOptimizer(tf1.train.Optimizer):
    """Optimizer that keeps a moving average of each variable that another optimizer trains."""

    def __init__(
        self,
        opt: Any,
        average_decay: float = 0.9999,
        num_updates: Any = None,
        sequential_update: bool = True,
    ) -> None:
        """Initializes the optimizer.

        Args:
          opt: Optimizer that trains the variables.
          average_decay: Decay of the moving averages.
          num_updates: Step count that reduces the decay in the first steps, or None.
          sequential_update: If true, updates the averages after the variables, else in parallel.
        """
        super().__init__(use_locking=False, name=opt.get_name())
        self._optimizer = opt
        # Tests of programs read the decay from this name.
        self._ema = tf1.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._sequential = sequential_update
        self._counterparts: dict[str, str] | None = None

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the (gradient, variable) pairs of the wrapped optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Returns an operation that updates the variables and the averages.

        Args:
          grads_and_vars: (gradient, variable) pairs.
          global_step: Global step variable to increment, or None.
          name: Name of the wrapped optimizer's operation.
        """
        grads_and_vars = list(grads_and_vars)
        update = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        variables = [variable for gradient, variable in grads_and_vars if gradient is not None]
        with tf.control_dependencies([update] if self._sequential else []):
            average = self._ema.apply(variables)
        self._counterparts = {}
        for variable in variables:
            variable_name, average_name = variable.op.name, self._ema.average(variable).op.name
            self._counterparts.update({variable_name: average_name, average_name: variable_name})
        return tf.group(update, average, name="train_with_avg")

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Any:
        """Returns a saver that swaps the names of variables and their averages.

        A checkpoint then has each average under the name of its variable, ready for evaluation.

        Args:
          var_list: Variables to save, or a dict of variables by name. The default is all global
            variables.
          name: Name of the operations.
          **kwargs: Additional arguments of `tf.compat.v1.train.Saver`.

        Raises:
          RuntimeError: Neither `apply_gradients` nor `minimize` was called yet.
          ValueError: `var_list` has a variable without its average, or an average without its
            variable.
        """
        if self._counterparts is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        if var_list is None:
            var_list = tf1.global_variables()
        variables_by_name = var_list if isinstance(var_list, dict) else _by_saved_name(var_list)
        by_name = {
            part.op.name if hasattr(part, "op") else key: part
            for key, value in variables_by_name.items()
            for part in _parts(value)
        }
        swapped_variables = {}
        for key, value in variables_by_name.items():
            if isinstance(value, list):
                swapped_variables[key] = [
                    self._counterpart_of(by_name, part.op.name, part) for part in value
                ]
            else:
                swapped_variables[key] = self._counterpart_of(by_name, key, value)
        return tf1.train.Saver(swapped_variables, name=name, **kwargs)

    def _counterpart_of(self, by_name: dict[str, Any], name: str, variable: Any) -> Any:
        """Returns the variable to save under a name: the counterpart, or itself if it has none."""
        counterpart = (self._counterparts or {}).get(name)
        if counterpart is None:
            return variable
        if counterpart not in by_name:
            raise ValueError(
                f"Variable to swap {counterpart} is not part of variables to save. This breaks "
                "MovingAverageOptimizer."
            )
        return by_name[counterpart]


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _by_saved_name(variables: Any) -> dict[str, Any]:
    """Returns variables by checkpoint name. The parts of a partitioned variable are a list."""
    variables_by_name: dict[str, Any] = {}
    for variable in variables:
        if getattr(variable, "_save_slice_info", None):
            variables_by_name.setdefault(get_variable_full_name(variable), []).append(variable)
        else:
            variables_by_name[variable.op.name] = variable
    return variables_by_name
