"""Wraps a model_fn as a callable function: the original's private `export.function`.

>>> import tensorflow as tf
>>> graph = EstimatorWrappedGraph()
>>> add_one = graph.wrap_model_fn(lambda features: features + 1, "infer", [tf.constant(3)])
>>> int(add_one(tf.constant(6)))
7

The class `ModelFunction` is left out: it needs removed classes of TensorFlow, and worked with
TensorFlow 2.0 alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.export.receivers import SINGLE_RECEIVER_DEFAULT_NAME
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_RECEIVER_NAME = "_input_receiver"


class EstimatorWrappedGraph:
    """Wraps a model_fn and receivers as functions that share variables.

    Attributes:
      variables: The variables by name, including the global step.
      model_fn: The wrapped model_fn. None before `wrap_model_fn`.
    """

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.model_fn: Any = None
        self._spec: EstimatorSpec | None = None
        self._global_step: Any = None
        # The first graph creates the global step, which all later graphs share.
        self._read_global_step = self._wrap(lambda: tf.identity(tf1.train.get_global_step()))

    @property
    def global_step(self) -> tf.Tensor:
        """The present value of the global step."""
        return self._read_global_step()

    @property
    def estimator_spec(self) -> EstimatorSpec:
        """The spec that the model_fn returned.

        Raises:
          ValueError: No model_fn has been wrapped.
        """
        if self.model_fn is None:
            raise ValueError("Please wrap a model function first.")
        return self._spec

    def wrap_model_fn(
        self,
        model_fn: Callable[..., Any],
        mode: str,
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> Callable[..., Any]:
        """Wraps a model_fn as a function.

        Args:
          model_fn: The model_fn.
          mode: One of `ModeKeys`.
          args: Its arguments. Tensors, possibly nested, become arguments of the function. All other
            values stay as they are here.
          kwargs: The same by name.

        Returns:
          A function of tensors. It returns `{"predictions": ...}` of the EstimatorSpec, and in
          training also runs the train op. If `model_fn` does not return a spec, the function
          returns its result.

        Raises:
          ValueError: A model_fn has been wrapped already.
        """
        if self.model_fn is not None:
            raise ValueError("`wrap_model_fn` should be only called once per graph.")
        structure = (list(args or ()), dict(kwargs or {}))
        flat = tf.nest.flatten(structure)
        inputs: list[tf.Tensor] = []
        outputs: list[Any] = []

        def body(*tensors: tf.Tensor) -> None:
            # `prune` takes tensors of the traced graph, so the trace keeps its inputs and outputs.
            inputs.extend(tensors)
            remaining_tensors = iter(tensors)
            values = [next(remaining_tensors) if tf.is_tensor(value) else value for value in flat]
            positional, keywords = tf.nest.pack_sequence_as(structure, values)
            outputs.append(self._outputs_of(model_fn(*positional, **keywords)))

        specs = [tf.TensorSpec.from_tensor(value) for value in flat if tf.is_tensor(value)]
        function = self._wrap(body, specs)
        self.model_fn = function.prune(inputs, outputs[0], name=f"model_fn_{mode}")
        return self.model_fn

    def wrap_input_receiver_fn(
        self, input_receiver_fn: Callable[[], Any]
    ) -> list[tuple[Callable[..., Any], str | None]]:
        """Wraps a receiver as functions: one of its tensors, and one for each alternative.

        Args:
          input_receiver_fn: Returns the receiver.

        Returns:
          Functions of receiver tensors that return the features, or features and labels, with the
          names of the alternatives. The first name is None.

        Raises:
          ValueError: A receiver tensor is not a dense tensor, such as a sparse one.
        """
        receivers: list[Any] = []
        function = self._wrap(lambda: receivers.append(input_receiver_fn()))
        (receiver,) = receivers
        labels = getattr(receiver, "labels", None)
        outputs = receiver.features if labels is None else (receiver.features, labels)
        alternatives = getattr(receiver, "receiver_tensors_alternatives", None) or {}
        return [
            (_prune(function, tensors, outputs, name), name)
            for name, tensors in {None: receiver.receiver_tensors, **alternatives}.items()
        ]

    def _wrap(self, function: Callable[..., Any], specs: Sequence[Any] = ()) -> Any:
        """Builds a separate graph for a function. All graphs share the variables."""

        def with_global_step(*tensors: tf.Tensor) -> Any:
            with tf.variable_creator_scope(self._create):
                # Each graph begins with empty collections, in which
                # tf.compat.v1.train.get_global_step looks.
                if self._global_step is None:
                    self._global_step = tf1.train.create_global_step()
                else:
                    tf1.add_to_collection(tf1.GraphKeys.GLOBAL_STEP, self._global_step)
                return function(*tensors)

        return tf1.wrap_function(with_global_step, list(specs))

    def _create(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        variable = next_creator(**kwargs)
        self.variables[variable.name.partition(":")[0]] = variable
        return variable

    def _outputs_of(self, result: Any) -> Any:
        if not isinstance(result, EstimatorSpec):
            return result
        self._spec = result
        outputs = {"predictions": result.predictions}
        if result.mode == ModeKeys.TRAIN:
            outputs["train_op"] = result.train_op
        return outputs


def _prune(function: Any, tensors: Any, outputs: Any, name: str | None) -> Any:
    if not isinstance(tensors, Mapping):
        tensors = {SINGLE_RECEIVER_DEFAULT_NAME: tensors}
    for tensor in tensors.values():
        if not isinstance(tensor, tf.Tensor):
            raise ValueError(
                "All receiver tensors must be tensors (composite tensors are not supported); got "
                f"{tensor!r}."
            )
    specs = {key: tf.TensorSpec(tensor.shape, tensor.dtype, key) for key, tensor in tensors.items()}
    return function.prune(
        dict(tensors),
        outputs,
        name=_RECEIVER_NAME if name is None else f"{_RECEIVER_NAME}_{name}",
        input_signature=((), specs),
    )
