"""The Keras model under comparison: its weights by name, and its computed values.

port = port.Port(build_model)
model = port.build(first_batch)
port.assign({"conv/kernel": kernel})
port.call(batch, training=False)
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from migrate import batches as batches_lib
from migrate import keras_models
from migrate.verify.sides import weight_names
from modern.process import chosen_keras, cli

OUTPUT, BEFORE_ACTIVATION = "output", "before activation"


@dataclasses.dataclass
class Call:
    """Record of a layer's call.

    Attributes:
      layer: Path of the layer in the model, with "#2" at its end in a second call.
      kind: Class of the layer.
      parent: Index of the call that contains this one. None for the model's own call.
      outputs: Pairs of (name, array): the output, preceded by the input of the layer's activation
        function.
      weights: Names of the layer's weights, including those of inner layers.
      inside_loop: True inside of a layer that loops over time.
      inputs, results: Identities of tensors, which link the calls.
    """

    layer: str
    kind: str
    parent: int | None
    outputs: list[tuple[str, np.ndarray]] = dataclasses.field(default_factory=list)
    weights: tuple[str, ...] = ()
    inside_loop: bool = False
    inputs: tuple[int, ...] = ()
    results: tuple[int, ...] = ()


class Port:
    """A model made by the user's function or class.

    Args:
      build_model: Function that returns a model of the chosen Keras, or class of models. It may
        take params.
      params: Params for a function that takes them.
      adapt: Function from (features, labels) to the arguments of the model's `fit`: (x, y) or (x,
        y, sample_weight). None if they are equal.
    """

    def __init__(
        self,
        build_model: Callable[..., Any],
        params: Any = None,
        adapt: Callable[..., Any] | None = None,
    ) -> None:
        self._build_model = build_model
        self._params = params
        self._adapt = adapt
        self.is_keras3 = chosen_keras.version() == 3
        self.keras = chosen_keras.load()

    def build(self, batch: batches_lib.Batch) -> Any:
        """Creates the model, with all of its weights and always under the same names.

        Args:
          batch: Batch with which the model can be called.

        Returns:
          The model. Later calls use it.

        Raises:
          cli.UsageError: The function fails or returns another object, or the model is not compiled
            or does not take the batches of the input_fn.
        """
        self.keras.backend.clear_session()  # Restarts the numbers in names such as dense_1.
        model = keras_models.build(self._build_model, self._params, "--modern")
        if getattr(model, "optimizer", None) is None:
            raise cli.UsageError(
                "--modern: the model is not compiled. Call model.compile(...), or give it a method "
                "make_optimizer()."
            )
        self.model = model
        try:
            self.data(batch)
            model(self.data(batch)[0], training=False)
        except cli.UsageError:
            raise
        except Exception as error:
            raise cli.UsageError(
                "--modern: the model does not take what the input_fn yields: "
                f"{describe_error(error)} (--adapt=MODULE:function can turn (features, labels) "
                "into what it takes)."
            ) from error
        self.weights = (
            weight_names.of_keras3(model)
            if self.is_keras3
            else weight_names.unique(_name_of, keras_models.weights(model))
        )
        self.names = {name: chosen_keras.tf_variable(w) for name, w in self.weights.items()}
        self._of = {id(weight): name for name, weight in self.weights.items()}
        # `fit` computes the loss in a graph. There Keras finds the logits from which a softmax is
        # computed, so the result can differ from eager execution.
        self._losses = tf.function(self._loss_in_graph)
        self._gradients = tf.function(self._gradients_in_graph)
        return model

    def data(self, batch: batches_lib.Batch) -> tuple[Any, Any, Any]:
        """Returns a batch as (x, y, sample_weight) of tensors, with None for missing parts."""
        features, labels = batches_lib.tensors((batch.features, batch.labels))
        if self._adapt is None:
            return features, labels, None
        try:
            parts = tuple(self._adapt(features, labels))
        except Exception as error:
            raise cli.UsageError(
                f"--adapt: the function failed: {type(error).__name__}: {error}"
            ) from error
        if not 1 <= len(parts) <= 3:
            raise cli.UsageError(
                f"--adapt: returned {len(parts)} parts, but it must return 1 to 3."
            )
        return (*parts, None, None)[:3]

    @property
    def trainable(self) -> set[str]:
        """Names of the weights that training changes by gradients."""
        return {self._of[id(weight)] for weight in self.model.trainable_weights}

    def read(self) -> dict[str, np.ndarray]:
        """Returns all weights by name."""
        return {name: weight.numpy() for name, weight in self.names.items()}

    def assign(self, values: Mapping[str, np.ndarray]) -> None:
        """Assigns values to weights by name."""
        for name, value in values.items():
            self.names[name].assign(value)

    def call(self, batch: batches_lib.Batch, training: bool) -> Any:
        """Returns the model's outputs unchanged."""
        return self.model(self.data(batch)[0], training=training)

    def loss(self, batch: batches_lib.Batch, training: bool) -> tuple[float, float]:
        """Returns the loss with regularization, and its part in `model.losses`."""
        total, regularization = self._losses(*self.data(batch), training)
        return float(total), float(regularization)

    def gradients(self, batch: batches_lib.Batch) -> dict[str, np.ndarray | None]:
        """Returns dense gradients of the training loss by weight, and None for an unused weight."""
        dense = self._gradients(*self.data(batch))
        return {name: _dense(dense[name]) if name in dense else None for name in self.names}

    def _loss_in_graph(self, x: Any, y: Any, weight: Any, training: bool) -> tuple[Any, Any]:
        outputs = self.model(x, training=training)
        training_argument = {"training": training} if self.is_keras3 else {}
        total = self.model.compute_loss(x, y, outputs, weight, **training_argument)
        return total, tf.add_n(self.model.losses) if self.model.losses else tf.zeros([])

    def _gradients_in_graph(self, x: Any, y: Any, weight: Any) -> dict[str, Any]:
        weights = {name: w for name, w in self.names.items() if w.dtype.is_floating}
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(list(weights.values()))
            total, _ = self._loss_in_graph(x, y, weight, True)
        gradients = tape.gradient(total, list(weights.values()))
        return {n: g for n, g in zip(weights, gradients, strict=True) if g is not None}

    def step(self, batch: batches_lib.Batch) -> float | None:
        """Takes one training step as `fit` does, and returns the reported loss, if any."""
        x, y, weight = self.data(batch)
        self.model.reset_metrics()
        logs = self.model.train_on_batch(x, y, weight, return_dict=True)
        return float(logs["loss"]) if "loss" in logs else None

    def evaluate(self, items: Any) -> dict[str, float]:
        """Returns the metrics over all batches, as `evaluate` reports them."""
        self.model.reset_metrics()
        logs: dict[str, Any] = {}
        for batch in items:
            x, y, weight = self.data(batch)
            if self.is_keras3:  # Its test_on_batch forgets the batches before.
                data = self.keras.utils.pack_x_y_sample_weight(x, y, weight)
                logs = self.model.test_step(data)
            else:
                logs = self.model.test_on_batch(x, y, weight, reset_metrics=False, return_dict=True)
        return {name: float(np.mean(value)) for name, value in logs.items()}

    def calls(self, batch: batches_lib.Batch, training: bool) -> list[Call]:
        """Runs the model eagerly, and returns the calls of its layers, the model's call first."""
        with _record_calls(self) as calls:
            self.call(batch, training)
        return calls

    def names_of(self, layer: Any) -> tuple[str, ...]:
        """Returns the names of a layer's weights."""
        return tuple(self._of[id(w)] for w in layer.weights if id(w) in self._of)


def _name_of(weight: tf.Variable) -> str:
    return weight.name.partition(":")[0]


@contextlib.contextmanager
def _record_calls(port: Port) -> Iterator[list[Call]]:
    """Records each call of a layer within the block."""
    calls: list[Call] = []
    stack: list[int] = []
    counts: dict[int, int] = {}
    live_tensors: list[Any] = []  # Keeps the tensors alive, so that no identity is used twice.
    layers = port.keras.layers
    original = layers.Layer.__call__

    loops = 0

    def record_call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal loops
        if isinstance(layer, layers.InputLayer):
            return original(layer, *args, **kwargs)
        counts[id(layer)] = counts.get(id(layer), 0) + 1
        suffix = f"#{counts[id(layer)]}" if counts[id(layer)] > 1 else ""
        call = Call(layer.name + suffix, type(layer).__name__, stack[-1] if stack else None)
        call.weights = port.names_of(layer)
        call.inside_loop = loops > 0
        inputs = [t for t in tf.nest.flatten((args, kwargs)) if isinstance(t, tf.Tensor)]
        call.inputs = tuple(id(t) for t in inputs)
        stack.append(len(calls))
        calls.append(call)
        is_loop = isinstance(layer, layers.RNN)
        loops += is_loop
        try:
            with _record_activation_input(layer, call, layers):
                result = original(layer, *args, **kwargs)
        finally:
            stack.pop()
            loops -= is_loop
        tensors = [t for t in tf.nest.flatten(result) if isinstance(t, tf.Tensor)]
        live_tensors.extend([*inputs, *tensors])
        call.results = tuple(id(t) for t in tensors)
        call.outputs += [(OUTPUT, t.numpy()) for t in tensors if t.dtype.is_floating]
        return result

    layers.Layer.__call__ = record_call
    try:
        yield calls
    finally:
        layers.Layer.__call__ = original


@contextlib.contextmanager
def _record_activation_input(layer: Any, call: Call, layers: Any) -> Iterator[None]:
    """Records the input of the layer's activation function.

    The model_fn may compute the activation in a separate operation.
    """
    activation = vars(layer).get("activation")
    is_plain = callable(activation) and not isinstance(activation, layers.Layer)
    if not is_plain or isinstance(layer, layers.RNN):
        yield
        return

    def record_input(x: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(x, tf.Tensor) and x.dtype.is_floating and hasattr(x, "numpy"):
            call.outputs.append((BEFORE_ACTIVATION, x.numpy()))
        return activation(x, *args, **kwargs)

    layer.activation = record_input
    try:
        yield
    finally:
        layer.activation = activation


def describe_error(error: Exception) -> str:
    """Returns an error's class and reason, without the stack and arguments that Keras adds."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason_lines: list[str] = []
    for previous, line in zip(["", *lines], lines, strict=False):
        if line.startswith("Call arguments"):
            break
        if not line.startswith(("File ", "in user code")) and not previous.startswith("File "):
            reason_lines.append(line)
    return f"{type(error).__name__}: {' '.join(reason_lines[:3])}"


def _dense(gradient: Any) -> np.ndarray | None:
    if gradient is None:
        return None
    if isinstance(gradient, tf.IndexedSlices):
        rows = np.zeros(gradient.dense_shape.numpy(), gradient.dtype.as_numpy_dtype)
        np.add.at(rows, gradient.indices.numpy(), gradient.values.numpy())
        return rows
    return gradient.numpy()
