"""Export of a Keras model as a SavedModel whose signatures are tf.functions.

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="age")])
    def serving(age):
        return {"age": age / 100.0}

    signatures.export(model, "export", serving)

`serving` replaces the serving_input_receiver_fn of an Estimator. It takes the tensors of a request,
under the names in its signature, and returns features.
https://www.tensorflow.org/guide/saved_model
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from modern.model_files import exports, restoring
from modern.process import chosen_keras
from modern.process.chosen_keras import keras, tf_variable

_DEFAULT = "serving_default"
# Signatures of an Estimator whose input of serialized Examples is named "inputs", as the APIs
# Classify and Regress of TensorFlow Serving require.
_OF_EXAMPLES = ("classification", "regression")
_REFUSED = (
    "serving must be a tf.function with an input_signature, whose TensorSpecs have the names of "
    "the tensors in a request, or a serving_input_receiver_fn, not {!r}. porting.parsing and "
    "porting.raw create the usual ones."
)


def parsing(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[tf.Tensor], Any]:
    """Returns a tf.function for requests of serialized `tf.train.Example`s, named "examples".

    Args:
      feature_spec: The spec of each feature by name, as `tf.io.parse_example` takes it.
      default_batch_size: The number of examples in a request. None leaves it open.
    """

    @tf.function(input_signature=[tf.TensorSpec([default_batch_size], tf.string, "examples")])
    def serving(examples: tf.Tensor) -> Any:
        return tf.io.parse_example(examples, feature_spec)

    return serving


def raw(
    features: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[..., dict[str, tf.Tensor]]:
    """Returns a tf.function for requests of plain features under their names.

    Args:
      features: `tf.TensorSpec`s or tensors by name, with the shapes and types to serve.
      default_batch_size: The size of the first dimension. None leaves it open.
    """
    first = tf.TensorShape([default_batch_size])
    specs = [
        tf.TensorSpec(first.concatenate(feature.shape[1:]), feature.dtype, name)
        for name, feature in features.items()
    ]

    @tf.function(input_signature=specs)
    def serving(*tensors: tf.Tensor) -> dict[str, tf.Tensor]:
        return dict(zip(features, tensors, strict=True))

    return serving


def of_receiver_fn(receiver_fn: Callable[[], Any]) -> tf.types.experimental.PolymorphicFunction:
    """Returns a tf.function that replaces a serving_input_receiver_fn.

    Args:
      receiver_fn: A function without arguments. It returns an object with `receiver_tensors`,
        placeholders by name, and `features`, which are computed from them.

    Raises:
      TypeError: The function returns another object.
    """
    receivers: list[Any] = []

    def receive() -> Any:
        receivers.append(receiver_fn())
        return getattr(receivers[-1], "features", None)

    # The function creates placeholders, so it needs a v1 graph.
    graph_function = tf.compat.v1.wrap_function(receive, [])
    features = getattr(receivers[-1], "features", None)
    tensors = getattr(receivers[-1], "receiver_tensors", None)
    if features is None or not tensors:
        raise TypeError(_REFUSED.format(receiver_fn))
    serving_function = graph_function.prune([*tensors.values()], features)
    specs = [tf.TensorSpec(tensor.shape, tensor.dtype, name) for name, tensor in tensors.items()]

    @tf.function(input_signature=specs)
    def serving(*request: tf.Tensor) -> Any:
        return serving_function(*request)

    return serving


def export(model: keras.Model, export_dir_base: str, serving: Callable[..., Any]) -> bytes:
    """Writes a SavedModel into a new folder named by the time, as Estimator.export_saved_model did.

    A model may have a method `signatures`, which takes features and returns the outputs of each
    signature: {signature: {output: tensor}}. Otherwise the only signature is "serving_default",
    with the outputs of `predict_step`. A single tensor gets the name "output".

    Args:
      model: The model.
      export_dir_base: The parent of the new folder.
      serving: A tf.function whose input_signature names the tensors of a request, or a
        serving_input_receiver_fn.

    Returns:
      The path of the new folder.

    Raises:
      CheckpointError: The model still waits for its variables, and its checkpoint does not fit.
      TypeError: `serving` is neither.
    """
    has_signature = getattr(serving, "input_signature", None) is not None
    function: tf.types.experimental.PolymorphicFunction = (
        serving if has_signature else of_receiver_fn(serving)
    )
    input_specs = [*function.get_concrete_function().structured_input_signature[0]]
    features = function.get_concrete_function().structured_outputs
    spec = tf.nest.map_structure(tf.type_spec_from_value, features)
    restoring.finish(model, lambda data: _outputs(model, data[0]), (spec,))
    all_outputs = tf.function(
        lambda *request: _outputs(model, function(*request)), input_signature=input_specs
    )
    names = all_outputs.get_concrete_function().structured_outputs
    # A SavedModel contains only objects that its root references.
    module = tf.Module()
    module.serving = function
    module.variables_of_model = [tf_variable(variable) for variable in model.variables]
    module.resources = [*_resources(model)]
    path = exports.new_version(export_dir_base)
    with exports.whole(path) as folder:
        signatures = {
            name: _signature(all_outputs, name, _inputs(name, names, input_specs)) for name in names
        }
        tf.saved_model.save(module, folder, signatures)
    return path.encode()


def _outputs(model: keras.Model, features: Any) -> dict[str, dict[str, tf.Tensor]]:
    """Returns the outputs of each signature. A single signature is also the default."""
    if callable(getattr(model, "signatures", None)):
        outputs = dict(model.signatures(features))
    else:
        predictions = model.predict_step((features,))
        outputs = {
            _DEFAULT: predictions if isinstance(predictions, dict) else {"output": predictions}
        }
    if len(outputs) == 1:
        outputs[_DEFAULT] = next(iter(outputs.values()))
    return outputs


def _inputs(
    name: str, outputs: Mapping[str, Mapping[str, Any]], input_specs: list[tf.TensorSpec]
) -> list[tf.TensorSpec]:
    """Returns the inputs of a signature, under the names that an Estimator used."""
    kinds = [kind for kind in _OF_EXAMPLES if kind in outputs]
    is_default = name == _DEFAULT and any({*outputs[name]} == {*outputs[kind]} for kind in kinds)
    if (name in kinds or is_default) and [spec.dtype for spec in input_specs] == [tf.string]:
        return [tf.TensorSpec(input_specs[0].shape, tf.string, "inputs")]
    return input_specs


def _signature(all_outputs: Callable[..., Any], name: str, input_specs: list[tf.TensorSpec]) -> Any:
    return tf.function(lambda *request: all_outputs(*request)[name], input_signature=input_specs)


def _resources(model: keras.Model) -> Iterator[tf.saved_model.experimental.TrackableResource]:
    """Yields tables and other resources, which the variables of the layers do not include."""
    for part in _parts(model):
        yield from _within(list(vars(part).values()), tf.saved_model.experimental.TrackableResource)


def _parts(model: keras.Model) -> list[Any]:
    """Returns a model and all objects that are its parts. In Keras 3, those are layers."""
    if chosen_keras.version() == 2:
        return [model, *model.submodules]
    parts = [model]
    for part in parts:  # The list grows during the loop.
        for layer in _within(list(vars(part).values()), keras.layers.Layer):
            if not any(layer is one for one in parts):
                parts.append(layer)
    return parts


def _within(value: Any, kind: type) -> Iterator[Any]:
    """Yields the objects of a class in a structure."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, Mapping):  # Tables of feature columns are in nested mappings.
        yield from _within(list(value.values()), kind)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _within(item, kind)
