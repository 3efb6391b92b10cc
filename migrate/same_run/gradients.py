"""Reads the norm of the gradients that a training applies in each step.

    norms = gradients.Norms()
    after_import.call(norms.patches())
    norms.take()  # The sum of squares since the last call.

The optimizers of TensorFlow 1 and of Keras are wrapped where they apply gradients, so after any
clipping. In the graph of a session, the sum of squares becomes a tensor of a collection, which a
hook fetches. In a tf.function, an operation adds it to this object.
"""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

STEPS = 10  # Number of steps of a training whose gradients are read.
_COLLECTION = "migrate_same_run_gradients"


class Norms:
    """Gradient norms of the trainings in this process.

    Attributes:
      problem: Reason why some gradients could not be read, or "".
    """

    def __init__(self) -> None:
        self.problem = ""
        self._sum: float | None = None
        self._calls = threading.local()  # `_wrap_own` must not count the calls of other threads.

    def patches(self) -> dict[str, Callable[[types.ModuleType], None]]:
        """Returns the functions that wrap optimizers, by module."""
        return {
            "tensorflow.python.training.optimizer": self._wrap_v1,
            "tf_keras.src.optimizers.legacy.optimizer_v2": functools.partial(
                self._wrap_keras, "OptimizerV2", "_distributed_apply", 1
            ),
            "tf_keras.src.optimizers.optimizer": functools.partial(
                self._wrap_keras, "Optimizer", "_internal_apply_gradients", 0
            ),
            "keras.src.backend.tensorflow.optimizer": self._wrap_keras_3,
        }

    def take(self) -> float | None:
        """Returns the sum of squares since the last call. None if no gradients were applied."""
        total, self._sum = self._sum, None
        return total

    @staticmethod
    def of_graph(graph: Any) -> list[Any]:
        """Returns the tensors with the sums of squares of a session's graph."""
        return graph.get_collection(_COLLECTION)

    def _wrap_v1(self, module: Any) -> None:
        """Wraps `apply_gradients` of `tf.compat.v1.train.Optimizer`.

        A class with its own method is wrapped too. Most of these call the method of the base class,
        which then reads the gradients.
        """
        base = module.Optimizer
        original = base.apply_gradients

        @functools.wraps(original)
        def apply(optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = tuple(grads_and_vars)
            self._read(pairs)
            return original(optimizer, pairs, *args, **kwargs)

        base.apply_gradients = apply
        classes = [*base.__subclasses__()]
        for kind in classes:
            classes += kind.__subclasses__()
            self._wrap_own(kind)

        def wrap_new_class(kind: Any, **kwargs: Any) -> None:
            super(base, kind).__init_subclass__(**kwargs)
            self._wrap_own(kind)

        base.__init_subclass__ = classmethod(wrap_new_class)

    def _wrap_own(self, kind: Any) -> None:
        original = vars(kind).get("apply_gradients")
        if not isinstance(original, types.FunctionType):
            return

        @functools.wraps(original)
        def apply(optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = tuple(grads_and_vars)
            before = self._count
            result = original(optimizer, pairs, *args, **kwargs)
            if self._count == before:
                self._read(pairs)
            return result

        kind.apply_gradients = apply

    def _wrap_keras(self, name: str, method: str, position: int, module: types.ModuleType) -> None:
        kind = getattr(module, name)
        original = getattr(kind, method)

        @functools.wraps(original)
        def apply(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if len(args) > position:
                pairs = tuple(args[position])
                args = (*args[:position], pairs, *args[position + 1 :])
                self._read(pairs)
            return original(optimizer, *args, **kwargs)

        setattr(kind, method, apply)

    def _wrap_keras_3(self, module: Any) -> None:
        kind = module.TFOptimizer
        original = kind._backend_update_step

        @functools.wraps(original)
        def update(optimizer: Any, gradients: Any, *args: Any, **kwargs: Any) -> Any:
            self._read([(gradient, None) for gradient in gradients])
            return original(optimizer, gradients, *args, **kwargs)

        kind._backend_update_step = update

    @property
    def _count(self) -> int:
        return getattr(self._calls, "count", 0)

    def _read(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Reads the gradients of a call. Errors are kept in `problem`, not raised."""
        import tensorflow as tf

        self._calls.count = self._count + 1
        try:
            if tf.distribute.get_strategy().num_replicas_in_sync > 1:
                self.problem = "several replicas train"
                return
            with tf.name_scope("migrate_same_run"):
                squares = [_square(gradient) for gradient, _ in pairs if gradient is not None]
                if not squares:
                    return
                self._keep(tf.add_n(squares))
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _keep(self, total: Any) -> None:
        import tensorflow as tf

        graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        if graph is None or getattr(graph, "outer_graph", None) is not None:
            tf.numpy_function(self._add, [total], [])
        elif graph.is_fetchable(total):
            graph.add_to_collection(_COLLECTION, total)
        else:
            self.problem = "the program applies them inside of a condition"

    def _add(self, total: Any) -> None:
        self._sum = float(total) + (self._sum or 0.0)


def _square(gradient: Any) -> Any:
    """Returns the sum of the squares of a gradient."""
    import tensorflow as tf

    values = gradient
    if isinstance(gradient, tf.IndexedSlices):
        # A row that a batch reads twice has two slices. Keras adds them before this point.
        rows, places = tf.unique(tf.reshape(gradient.indices, [-1]))
        values = tf.math.unsorted_segment_sum(gradient.values, places, tf.size(rows))
    return tf.reduce_sum(tf.square(tf.cast(values, tf.float64)))
