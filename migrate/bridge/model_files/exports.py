"""Exports a bridged model as a SavedModel with the spec's `export_outputs` as signatures.

    model.export("export/1", serving_input_receiver_fn)

The format is that of Estimator.export_saved_model, for TensorFlow Serving. Each signature is stored
under its key, and the default signature also under "serving_default".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from migrate.bridge.errors import BridgeError
from modern.model_files import exports, signatures
from modern.process import files

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

_DEFAULT = "serving_default"


def export(
    model: KerasModelFn, path: str, serving_input_receiver_fn: Callable[[], Any] | None
) -> None:
    """Writes the SavedModel. See KerasModelFn.export."""
    if files.exists(path):
        raise BridgeError(f"{path} is there already: give a new folder.")
    receiver, keys = _prepare(model, serving_input_receiver_fn)
    module = tf.Module()
    module.receiver = receiver.function
    module.model_variables = [*model.variables_by_name.values()]
    signatures = {key: _signature(model, key, receiver) for key in keys}
    module.resources = [*model.resources]
    with exports.whole(path) as folder:
        tf.saved_model.save(module, folder, signatures)


def check(model: KerasModelFn) -> None:
    """Raises BridgeError if a model cannot be exported without a serving_input_receiver_fn."""
    _prepare(model, None)


def _prepare(
    model: KerasModelFn, serving_input_receiver_fn: Callable[[], Any] | None
) -> tuple[_Receiver, list[str]]:
    """Prepares mode "infer", and returns the receiver and the keys of the outputs."""
    receiver = _receiver(model, serving_input_receiver_fn)
    try:
        model.build_predictions(receiver.features_spec)
    except BridgeError:
        raise
    except Exception as error:  # A model_fn that never predicted can raise any error.
        raise BridgeError(
            f"in mode 'infer', which export needs, model_fn raised {type(error).__name__}: {error}"
        ) from error
    keys = _keys_of(model.prediction_spec)
    if not keys:
        raise BridgeError(
            "model_fn has no export_outputs and no predictions in mode 'infer': nothing to export."
        )
    return receiver, keys


class _Receiver:
    """The tensors of a request, and their conversion to features."""

    def __init__(
        self, names: list[str], specs: list[Any], function: Any, features_spec: Any
    ) -> None:
        self.names, self.specs = names, specs
        self.function, self.features_spec = function, features_spec

    def features(self, tensors: dict[str, tf.Tensor]) -> Any:
        """Returns the features for a request's tensors."""
        if self.function is None:
            values = [tensors[name] for name in self.names]
            return tf.nest.pack_sequence_as(self.features_spec, values)
        return self.function(*[tensors[name] for name in self.names])


def _receiver(model: KerasModelFn, function: Callable[[], Any] | None) -> _Receiver:
    if function is None:
        return _features_receiver(model.features_spec)
    serving: tf.types.experimental.PolymorphicFunction = signatures.of_receiver_fn(function)
    concrete_function = serving.get_concrete_function()
    specs = [*concrete_function.structured_input_signature[0]]
    features_spec = tf.nest.map_structure(
        tf.type_spec_from_value, concrete_function.structured_outputs
    )
    return _Receiver([spec.name for spec in specs], specs, serving, features_spec)


def _features_receiver(features_spec: Any) -> _Receiver:
    """Returns a receiver whose requests consist of the features, by their names."""
    if features_spec is None:
        raise BridgeError(
            "the features are not known yet: give serving_input_receiver_fn, or call fit, predict "
            "or build_on first."
        )
    flat = tf.nest.flatten(features_spec)
    is_dict = isinstance(features_spec, dict)
    names = sorted(features_spec) if is_dict else [f"input_{i}" for i in range(len(flat))]
    if len(names) != len(flat) or not all(isinstance(spec, tf.TensorSpec) for spec in flat):
        raise BridgeError(
            "the features are nested or not dense tensors: give serving_input_receiver_fn, which "
            "defines the tensors of a request."
        )
    specs = [
        tf.TensorSpec([None, *spec.shape[1:]] if spec.shape.rank else spec.shape, spec.dtype, name)
        for spec, name in zip(flat, names, strict=True)
    ]
    return _Receiver(names, specs, None, features_spec)


def _signature(model: KerasModelFn, key: str, receiver: _Receiver) -> Any:
    names = _inputs(key, model.prediction_spec, receiver)

    def serve(**tensors: tf.Tensor) -> dict[str, tf.Tensor]:
        request = {
            receiver_name: tensors[name]
            for receiver_name, name in zip(receiver.names, names, strict=True)
        }
        spec = model.predict_spec(receiver.features(request))
        return _outputs(key, spec)

    # A SavedModel calls an input by the name of its spec, not by that of the argument.
    by_name = {
        name: tf.TensorSpec.from_spec(spec, name)
        for name, spec in zip(names, receiver.specs, strict=True)
    }
    return tf.function(serve).get_concrete_function(**by_name)


def _inputs(key: str, spec: Any, receiver: _Receiver) -> list[str]:
    """Returns the names of a signature's inputs.

    An Estimator named the serialized Examples of a classification or a regression "inputs", as
    TensorFlow Serving requires.
    """
    outputs = spec.export_outputs or {}
    output = outputs.get(key, next(iter(outputs.values()), None))
    is_of_examples = output is not None and not hasattr(output, "outputs")
    if is_of_examples and [request_spec.dtype for request_spec in receiver.specs] == [tf.string]:
        return ["inputs"]
    return receiver.names


def _keys_of(spec: Any) -> list[str]:
    """Returns the signatures' names: the `export_outputs`, with a default."""
    outputs = spec.export_outputs or {}
    if not outputs:
        return [_DEFAULT] if spec.predictions is not None else []
    return sorted({*outputs, _DEFAULT} if len(outputs) == 1 else {*outputs})


def _outputs(key: str, spec: Any) -> dict[str, tf.Tensor]:
    """Returns the outputs of a signature under the names that Estimator used."""
    outputs = spec.export_outputs or {}
    if not outputs:
        predictions = spec.predictions
        return predictions if isinstance(predictions, dict) else {"output": predictions}
    output = outputs[key] if key in outputs else next(iter(outputs.values()))
    if hasattr(output, "outputs"):
        return dict(output.outputs)
    if hasattr(output, "value"):
        return {"outputs": output.value}
    return {
        name: getattr(output, name)
        for name in ("scores", "classes")
        if getattr(output, name) is not None
    }
