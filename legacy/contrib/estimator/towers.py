"""replicate_model_fn: one model function on the GPUs of a machine, before strategies existed.

    optimizer = TowerOptimizer(tf.compat.v1.train.AdamOptimizer())  # In the model function.
    estimator = tf.estimator.Estimator(replicate_model_fn(model_fn))

Each batch is split among the devices. The devices share the variables, and the gradients of all
devices are summed. Without a GPU, the model runs on one device, and nothing is split. A new program
uses `RunConfig(train_distribute=MirroredStrategy())`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_Reduction = tf1.losses.Reduction


class _Towers:
    """State that the optimizers of a graph share: the number of towers, and their gradients."""

    def __init__(self, count: int = 1, scale: float = 1.0) -> None:
        self.count = count
        self.scale = scale
        self.current = 0
        self.is_used = False
        self.scope: Any = None
        # For each tower, the gradients of each call of apply_gradients.
        self.gradients: list[list[Any]] = [[] for _ in range(count)]


class TowerOptimizer(tf1.train.Optimizer):
    """Collects the gradients of all towers, and applies their sum once.

    Args:
      optimizer_or_optimizer_fn: A `tf.compat.v1.train.Optimizer`, or a function that returns one.
    """

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    def __init__(self, optimizer_or_optimizer_fn: Any) -> None:
        self._optimizer_or_fn = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Returns true if a TowerOptimizer was used in the default graph."""
        return TowerOptimizer._towers().is_used

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the method of the wrapped optimizer."""
        return self._optimizer().get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """Calls the method of the wrapped optimizer."""
        return self._optimizer().get_slot_names(*args, **kwargs)

    def get_name(self, *args: Any, **kwargs: Any) -> str:
        """Calls the method of the wrapped optimizer."""
        return self._optimizer().get_name(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> list[tf.Variable]:
        """Calls the method of the wrapped optimizer."""
        return self._optimizer().variables(*args, **kwargs)

    def compute_gradients(self, loss: tf.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Computes the gradients of this tower's share of the loss.

        Args:
          loss: Loss of the tower.
          *args: Arguments of the wrapped optimizer's `compute_gradients`.
          **kwargs: Arguments of the wrapped optimizer's `compute_gradients`.
        """
        loss = _scale_loss(loss, self._towers().scale)
        return self._optimizer().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: tf.Variable | None = None, **kwargs: Any
    ) -> tf.Operation:
        """Applies the gradients of all towers in the last tower.

        Args:
          grads_and_vars: Pairs (gradient, variable).
          global_step: Variable to increment.
          **kwargs: Arguments of the wrapped optimizer's `apply_gradients`.

        Returns:
          The operation. In the other towers, an operation that only waits for the gradients.
        """
        towers = self._towers()
        pairs = list(grads_and_vars)
        if towers.count == 1:
            return self._optimizer().apply_gradients(pairs, global_step, **kwargs)
        tower_calls = towers.gradients[towers.current]
        tower_calls.append(pairs)
        if towers.current < towers.count - 1:
            with tf.control_dependencies(
                [gradient for gradient, _ in pairs if gradient is not None]
            ):
                return tf.no_op(name="train_op_placeholder")
        # The same call in each tower. A model with several optimizers makes several calls.
        calls = [tower[len(tower_calls) - 1] for tower in towers.gradients]
        # Slots are created in the first tower's scope, because the last tower's scope can only
        # reuse variables.
        with tf1.variable_scope(towers.scope), tf1.name_scope(""):
            return self._optimizer().apply_gradients(_sum_gradients(calls), global_step, **kwargs)

    def _optimizer(self) -> Any:
        if callable(self._optimizer_or_fn):
            self._optimizer_or_fn = self._optimizer_or_fn()
        self._towers().is_used = True
        return self._optimizer_or_fn

    @staticmethod
    def _towers() -> _Towers:
        states = tf1.get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
        if not states:
            states.append(_Towers())
        return states[-1]


def replicate_model_fn(
    model_fn: Callable[..., EstimatorSpec],
    loss_reduction: str = _Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: Sequence[str] | None = None,
) -> Callable[..., EstimatorSpec]:
    """Returns a model function that trains on several devices.

    Args:
      model_fn: The model function. Its optimizers must be `TowerOptimizer`s.
      loss_reduction: Reduction of the model function's losses. SUM sums the losses of the devices.
        Other reductions take their mean.
      devices: Devices to use. None is all GPUs, or the CPU if the machine has no GPU.

    Returns:
      The model function. It evaluates and predicts on the first device alone, with the same result.

    Raises:
      ValueError: `loss_reduction` is NONE. The returned function raises it if an optimizer is not a
        `TowerOptimizer` or the batch cannot be split.
    """
    if loss_reduction == _Reduction.NONE:
        raise ValueError(
            "Tower losses need to be reduced in some way, yet none reduction is specified."
        )
    if not devices:
        gpus = tf.config.list_logical_devices("GPU")
        devices = [f"/device:GPU:{i}" for i in range(len(gpus))] or ["/device:CPU:0"]
    names = arguments.names(model_fn)

    def replicated_model_fn(
        features: Any, labels: Any, mode: str, params: Any = None, config: Any = None
    ) -> EstimatorSpec:
        argument_values = {"mode": mode, "params": params, "config": config}
        other_arguments = {name: value for name, value in argument_values.items() if name in names}
        if len(devices) == 1 or mode != ModeKeys.TRAIN:
            with tf.device(devices[0]):
                return _call(model_fn, names, features, labels, other_arguments)
        scale = 1.0 if loss_reduction == _Reduction.SUM else 1.0 / len(devices)
        with _state(_Towers(len(devices), scale)) as towers:
            inputs = zip(
                *(_shards(batch, len(devices)) for batch in (features, labels)), strict=True
            )
            specs = []
            for i, (shard, device) in enumerate(zip(inputs, devices, strict=True)):
                towers.current = i
                with (
                    tf1.variable_scope("", reuse=i > 0) as scope,
                    tf1.name_scope(f"tower_{i}" if i else ""),
                    tf.device(device),
                ):
                    towers.scope = towers.scope or scope
                    specs.append(_call(model_fn, names, *shard, other_arguments))
            _check(towers)
        loss = tf.add_n([_scale_loss(spec.loss, scale) for spec in specs])
        train_op = tf.group(*[spec.train_op for spec in specs])
        return specs[-1]._replace(loss=loss, train_op=train_op)

    return replicated_model_fn


@contextlib.contextmanager
def _state(towers: _Towers) -> Iterator[_Towers]:
    states = tf1.get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    states.append(towers)
    try:
        yield towers
    finally:
        states.remove(towers)


def _call(
    model_fn: Callable[..., EstimatorSpec],
    names: Sequence[str],
    features: Any,
    labels: Any,
    arguments_by_name: dict[str, Any],
) -> EstimatorSpec:
    if "labels" in names:
        arguments_by_name = {"labels": labels, **arguments_by_name}
    return model_fn(features=features, **arguments_by_name)


def _check(towers: _Towers) -> None:
    if not towers.is_used:
        raise ValueError(
            "Please wrap optimizers with TowerOptimizer in order to use replicate_model_fn with "
            "multiple `devices`."
        )
    if len({len(calls) for calls in towers.gradients}) > 1:
        raise ValueError(
            "Each invocation of model_fn was supposed to make the same optimizer calls."
        )


def _shards(values: Any, count: int) -> list[Any]:
    """Splits a nest of tensors along their first dimension."""
    if values is None:
        return [None] * count
    flat = [_split(value, count) for value in tf.nest.flatten(values)]
    return [tf.nest.pack_sequence_as(values, shard) for shard in zip(*flat, strict=True)]


def _split(value: Any, count: int) -> list[Any]:
    if isinstance(value, tf.SparseTensor):
        return tf1.sparse_split(sp_input=value, num_split=count, axis=0)
    size = value.shape.as_list()[0]
    if size is not None and size % count:
        raise ValueError(
            f"Batch size {size} needs to be divisible by the number of GPUs, which is {count}."
        )
    return tf.split(value, count)


def _scale_loss(loss: tf.Tensor, scale: float) -> tf.Tensor:
    return loss if scale == 1.0 else loss * scale


def _sum_gradients(calls: list[Any]) -> list[Any]:
    """Sums the gradients of each variable over the towers, which share their variables."""
    gradients_by_name: dict[str, tuple[list[Any], Any]] = {}
    for pairs in calls:
        for gradient, variable in pairs:
            if gradient is not None:
                gradients_by_name.setdefault(variable.name, ([], variable))[0].append(gradient)
    new_pairs = []
    for gradients, variable in gradients_by_name.values():
        if all(isinstance(gradient, tf.IndexedSlices) for gradient in gradients):
            values = tf.concat([gradient.values for gradient in gradients], 0)
            indices = tf.concat([gradient.indices for gradient in gradients], 0)
            gradient = tf.IndexedSlices(values, indices, gradients[0].dense_shape)
        else:
            gradient = tf.add_n(
                [tf.convert_to_tensor(gradient_of_tower) for gradient_of_tower in gradients]
            )
        new_pairs.append((gradient, variable))
    return new_pairs
