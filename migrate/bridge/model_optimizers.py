"""Optimizers of a model_fn: Keras optimizers where equivalents exist, else the original ones.

Inside of a trace, `Optimizers.watcher` replaces `tf.compat.v1.train.Optimizer.apply_gradients`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError, line_in
from migrate.bridge.graphs import variable_ops
from migrate.bridge.graphs.blueprint import ApplyCall, Blueprint
from migrate.bridge.graphs.calling import ModelFn
from migrate.bridge.graphs.variables import Finder, shards
from migrate.bridge.optimizers import translation, watching
from modern.optimizers import loss_scaling, replica_sums

tf1 = tf.compat.v1


class Optimizers:
    """All optimizers that a model_fn applies, in the order of their calls.

    Attributes:
      skips_base: For each call of an optimizer's own `apply_gradients`, true if it never called the
        method of the base class.
      keras: The model's optimizer: the only one, or an OptimizerGroup. None before `make`.
      loss_scale: Scales the loss for float16. None for none.
    """

    def __init__(self, function: ModelFn) -> None:
        self._function = function
        self._apply_calls: list[ApplyCall] = []
        self._equivalents: list[tf_keras.optimizers.legacy.Optimizer | None] = []
        self.skips_base: list[bool] = []
        self.keras: tf_keras.optimizers.legacy.Optimizer | None = None
        self.loss_scale: loss_scaling.LossScale | None = None

    def make(self, blueprint: Blueprint, variables: Mapping[str, tf.Variable]) -> None:
        """Creates the Keras optimizers and their slots. Call it in the strategy's scope."""
        self._check_replicas(blueprint, tf.distribute.get_strategy().num_replicas_in_sync)
        self._apply_calls, self.skips_base = blueprint.apply_calls, blueprint.skips_base
        where = functools.partial(line_in, self._function.function)
        for call in blueprint.apply_calls:
            equivalent = None
            if call.runs and translation.is_known(call.optimizer):
                equivalent = translation.keras_optimizer(call.optimizer, where)
                parts = [shard for name in call.names for shard in shards(variables[name])]
                equivalent._create_all_weights(parts)
            self._equivalents.append(equivalent)
        equivalents = [equivalent for equivalent in self._equivalents if equivalent is not None]
        self.keras = (
            equivalents[0]
            if len(equivalents) == 1
            else OptimizerGroup(equivalents, variables["global_step"])
        )

    def at(self, index: int) -> tuple[ApplyCall, tf_keras.optimizers.legacy.Optimizer | None]:
        """Returns a recorded call, and its Keras optimizer if it has an equivalent."""
        if index >= len(self._apply_calls):
            raise BridgeError(
                "model_fn applies gradients more often than in its first call: "
                + line_in(self._function.function)
            )
        return self._apply_calls[index], self._equivalents[index]

    def slots(
        self, variables: Mapping[str, tf.Variable]
    ) -> list[tuple[ApplyCall, tf_keras.optimizers.legacy.Optimizer, Sequence[tf.Variable]]]:
        """Returns each recorded v1 optimizer with its Keras equivalent and its variables."""
        return [
            (call, equivalent, [variables[name] for name in call.names])
            for call, equivalent in zip(self._apply_calls, self._equivalents, strict=True)
            if equivalent is not None
        ]

    def watcher(self, finder: Finder) -> watching.Watcher:
        """Returns the watcher that applies gradients in one trace of one replica."""
        return _ApplyingWatcher(self, finder)

    def check_scale(self, optimizer: Any) -> None:
        """Raises BridgeError if a scaled loss needs a skipped step of this v1 optimizer."""
        if self.loss_scale is not None:
            raise BridgeError(
                f"{type(optimizer).__name__} runs as it is written, so a step that overflows in "
                "float16 could not be skipped: use --mixed_precision=mixed_bfloat16, or none. "
                + line_in(self._function.function)
            )

    def _check_replicas(self, blueprint: Blueprint, replicas: int) -> None:
        """Raises BridgeError if several replicas would each train on their own."""
        if replicas > 1 and blueprint.direct_writes:
            raise BridgeError(
                f"model_fn writes the trainable variable {blueprint.direct_writes[0]!r} itself, "
                f"without an optimizer, and with {replicas} replicas nothing would sum their "
                "gradients: use a tf.compat.v1.train.Optimizer, or one replica. "
                + line_in(self._function.function)
            )


class _ApplyingWatcher:
    """Watcher that applies gradients in one trace of one replica."""

    def __init__(self, optimizers: Optimizers, finder: Finder) -> None:
        self._optimizers, self._finder = optimizers, finder
        self._count = self._own_count = 0

    def compute(self, loss: Any, call: Callable[[Any], Any]) -> Any:
        scale = self._optimizers.loss_scale
        if scale is None:
            return call(loss)
        factor = scale.factor()
        gradients, variables = zip(*call(loss * tf.cast(factor, loss.dtype)), strict=True)
        # model_fn may clip the gradients, so it must get their true values.
        return [*zip(loss_scaling.unscaled_gradients(gradients, factor), variables, strict=True)]

    def apply(self, optimizer: Any, pairs: watching.Pairs, step: Any, name: str | None) -> Any:
        index, self._count = self._count, self._count + 1
        call, equivalent = self._optimizers.at(index)
        if not call.runs:
            return tf.no_op()
        pairs = _average(pairs)
        if equivalent is None:
            self._optimizers.check_scale(optimizer)
            return _as_written(optimizer, pairs, step, name, self._finder)
        pairs = [(g, v) for g, v in pairs if g is not None]
        with translation.at_rate(equivalent, translation.rate_of(optimizer)):
            if self._optimizers.loss_scale is None:
                update = equivalent.apply_gradients(pairs)
            else:
                gradients, variables = zip(*pairs, strict=True)
                sums = replica_sums.of(gradients)
                self._optimizers.loss_scale.apply_if_finite(equivalent, sums, variables)
                update = tf.no_op()
        if step is None:
            return tf.group(update)
        with tf.control_dependencies([update] if update is not None else []):
            return tf.group(tf1.assign_add(step, 1))

    def apply_own(self, optimizer: Any, pairs: watching.Pairs, call: Any) -> Any:
        self._optimizers.check_scale(optimizer)
        index, self._own_count = self._own_count, self._own_count + 1
        return call(_reduce(pairs) if self._optimizers.skips_base[index] else pairs)


def _reduce(pairs: watching.Pairs) -> watching.Pairs:
    """Returns the gradients' means over all replicas, for an optimizer that knows only one."""
    if tf.distribute.get_strategy().num_replicas_in_sync == 1:
        return pairs
    context = tf.distribute.get_replica_context()
    gradients = [tf.convert_to_tensor(g) for g, _ in pairs if g is not None]
    means = iter(context.all_reduce(tf.distribute.ReduceOp.MEAN, gradients))
    return [(None if g is None else next(means), variable) for g, variable in pairs]


def _average(pairs: watching.Pairs) -> watching.Pairs:
    """Divides the gradients by the number of replicas.

    Keras sums the gradients of the replicas when it applies them, and Estimator averaged them.
    """
    replicas = tf.distribute.get_strategy().num_replicas_in_sync
    if replicas == 1:
        return pairs

    def share(gradient: Any) -> Any:
        if isinstance(gradient, tf.IndexedSlices):
            values = gradient.values / replicas
            return tf.IndexedSlices(values, gradient.indices, gradient.dense_shape)
        return None if gradient is None else gradient / replicas

    return [(share(gradient), variable) for gradient, variable in pairs]


def _as_written(
    optimizer: Any, pairs: watching.Pairs, step: Any, name: str | None, finder: Finder
) -> Any:
    """Runs a v1 optimizer itself. The merge call of the replicas finds its variables too."""
    distributed_apply = optimizer._distributed_apply
    variables = [variable for _, variable in pairs]

    def merge(*args: Any, **kwargs: Any) -> Any:
        # The merge call can run in another thread. The names of slots come from `op` of variables.
        with finder.in_merge(), variable_ops.with_ops(variables):
            return distributed_apply(*args, **kwargs)

    optimizer._distributed_apply = merge
    return watching.apply_as_written(optimizer, pairs, step, name)


class OptimizerGroup(tf_keras.optimizers.legacy.Optimizer):
    """Several optimizers in the place of a Keras model's only one.

    Each optimizer applies the gradients that model_fn passes to it.

    Args:
      optimizers: Keras optimizers in model_fn's order. Empty if all v1 optimizers run unchanged.
      step: The global step.
      name: Name of the group.
    """

    def __init__(
        self,
        optimizers: list[tf_keras.optimizers.legacy.Optimizer],
        step: tf.Variable,
        name: str = "OptimizerGroup",
    ) -> None:
        super().__init__(name)
        self.optimizers = optimizers
        self._step = step
        for index, optimizer in enumerate(optimizers):  # A checkpoint of the group has them all.
            self._track_trackable(optimizer, f"optimizer_{index}")

    @property
    def iterations(self) -> tf.Variable:
        """The global step."""
        return self._step

    @property
    def weights(self) -> list[tf.Variable]:
        """The weights of all optimizers."""
        return [weight for optimizer in self.optimizers for weight in optimizer.weights]

    def get_config(self) -> dict[str, Any]:
        """Returns only the name. The model creates the optimizers from the model_fn."""
        return super().get_config()
