"""Builds the model_fn of a compiled tf-keras model, for `model_to_estimator`.

>>> import tensorflow as tf
>>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="y")])
>>> model.compile("sgd", "mse")
>>> model_fn = create_keras_model_fn(model)
>>> with tf.Graph().as_default():
...     spec = model_fn(tf.ones([4, 2]), tf.ones([4, 1]), "train")
>>> sorted(spec.predictions)
['y']

Each call clones the model in the current graph, on the input tensors. In a graph, tf-keras uses its
TensorFlow 1 engine, so the clone has a loss tensor and a train op that Estimator can run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.export.outputs import PredictOutput
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec
from modern.process import log_filters

tf1 = tf.compat.v1

_WEIGHTED = {"features", "sample_weights"}


class FormattedKeyError(KeyError):
    """A KeyError with a message of several lines, which KeyError would show in one line."""

    def __str__(self) -> str:
        return str(self.args[0])


def create_keras_model_fn(
    keras_model: Any,
    custom_objects: Mapping[str, Any] | None = None,
    save_object_ckpt: bool = False,
    metric_names_map: Mapping[str, str] | None = None,
    export_outputs: Mapping[str, Any] | None = None,
) -> Callable[..., EstimatorSpec]:
    """Creates a model_fn from a model.

    Args:
      keras_model: A compiled `tf.keras.Model`. If its optimizer works in eager mode only, it is
        replaced by the same optimizer of `tf.keras.optimizers.legacy`.
      custom_objects: Objects by name that the configuration refers to and Keras does not know.
      save_object_ckpt: If true, saves variables by the objects of the model, as
        `tf.train.Checkpoint` does. If false, saves them by name.
      metric_names_map: Names of metrics in the evaluation, by the names that Keras uses.
      export_outputs: Kinds of ExportOutput by the name of the model's output.

    Returns:
      A function of features, labels and mode.

    Raises:
      ValueError: If the optimizer works in eager mode only, in graph mode.
    """
    _use_legacy_optimizer(keras_model)
    optimizer_config = _optimizer_config(keras_model.optimizer)

    def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
        model = clone(keras_model, mode, custom_objects, features, labels, optimizer_config)
        predictions = dict(zip(_output_names(model), model.outputs, strict=True))
        loss = metrics = train_op = None
        if mode == ModeKeys.TRAIN:
            train_op = make_train_function(model).updates_op
        if mode != ModeKeys.PREDICT:
            loss = model.total_loss
            metrics = _metrics(model, metric_names_map or {})
        return EstimatorSpec(
            mode,
            predictions=predictions,
            loss=loss,
            train_op=train_op,
            eval_metric_ops=metrics,
            export_outputs=_export_outputs(predictions, export_outputs or {}),
            scaffold=_object_scaffold(model) if save_object_ckpt else None,
        )

    return model_fn


def clone(
    keras_model: Any,
    mode: str,
    custom_objects: Mapping[str, Any] | None,
    features: Any = None,
    labels: Any = None,
    optimizer_config: Any = None,
) -> Any:
    """Clones a model in the default graph, and compiles the clone unless it is for prediction.

    Args:
      keras_model: The compiled model.
      mode: One of `ModeKeys`.
      custom_objects: Objects by name that the configuration refers to and Keras does not know.
      features: A tensor, a list or a dict of tensors, or
        {"features": ..., "sample_weights": ...}. None creates placeholders.
      labels: A tensor, a list or a dict of tensors. None creates placeholders.
      optimizer_config: Configuration of the optimizer, read in the graph of the model. None if the
        optimizer has no configuration.

    Returns:
      The clone. Its optimizer increments the global step.

    Raises:
      FormattedKeyError: If the names of features or labels differ from those of the model's inputs
        and outputs.
    """
    _hide_advice()
    tf.keras.backend.set_learning_phase(mode == ModeKeys.TRAIN)
    weights = None
    if isinstance(features, dict) and set(features) == _WEIGHTED:
        features, weights = features["features"], features["sample_weights"]
    inputs, targets = _inputs(keras_model, features), _targets(keras_model, labels)
    global_step = None
    if mode != ModeKeys.PREDICT:
        global_step = tf1.train.get_or_create_global_step()
        # Keras initializes only the variables that it tracks.
        tf.keras.__internal__.backend.track_variable(global_step)
    model_clone = tf.keras.__internal__.models.clone_and_build_model(
        keras_model,
        inputs,
        targets,
        custom_objects,
        compile_clone=mode != ModeKeys.PREDICT,
        optimizer_iterations=global_step,
        optimizer_config=optimizer_config,
    )
    if weights is not None:
        weights = _sample_weights(weights, model_clone.output_names)
        model_clone._compile_weights_loss_and_weighted_metrics(weights)
    return model_clone


def make_train_function(model: Any) -> Any:
    """Builds the training step of a compiled clone, including the optimizer's variables.

    Args:
      model: Clone from `clone`.

    Returns:
      A Keras function, whose `updates_op` is the operation of a step.
    """
    _hide_advice()
    model._make_train_function()
    return model.train_function


def _hide_advice() -> None:
    """Hides tf-keras warnings that advise users of TensorFlow 2 against TensorFlow 1 calls."""
    log_filters.hide_warnings(
        ".*set_learning_phase` is deprecated", "`Model.state_updates` will be removed"
    )


def _use_legacy_optimizer(keras_model: Any) -> None:
    if not isinstance(keras_model.optimizer, tf.keras.optimizers.Optimizer):
        return
    name = type(keras_model.optimizer).__name__
    if not tf.executing_eagerly():
        raise ValueError(
            f"The model's optimizer is tf.keras.optimizers.{name}, which does not work in graphs. "
            "Please set your optimizer as an instance of `tf.keras.optimizers.legacy.Optimizer`, "
            f"e.g., tf.keras.optimizers.legacy.{name}."
        )
    tf1.logging.warning(
        "Converting the model's optimizer to tf.keras.optimizers.legacy.%s: the newer one does not "
        "work in graphs.",
        name,
    )
    keras_model.optimizer = tf.keras.__internal__.optimizers.convert_to_legacy_optimizer(
        keras_model.optimizer
    )


def _optimizer_config(optimizer: Any) -> Any:
    """Reads an optimizer's configuration here, because another graph cannot read its variables."""
    try:
        if isinstance(optimizer, (list, tuple)):
            return [part.get_config() for part in optimizer]
        return optimizer.get_config()
    except (AttributeError, NotImplementedError):
        return None  # An optimizer of tf.compat.v1.train, wrapped by Keras.


def _inputs(model: Any, features: Any) -> Any:
    """Returns the tensors for the inputs of a model, in the structure that the model expects."""
    if isinstance(features, dict):
        if isinstance(model.inputs, dict):
            return {name: _tensor(features[name]) for name in model.inputs}
        if model.inputs is None:
            return {name: _tensor(value) for name, value in features.items()}
    return _in_order(model, features, "input", "features")


def _targets(model: Any, labels: Any) -> Any:
    return _in_order(model, labels, "output", "labels")


def _in_order(model: Any, value: Any, kind: str, argument: str) -> list[Any] | None:
    """Returns features or labels as a list in the model's order, or None for None."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [_tensor(part) for part in value]
    if not isinstance(value, dict):
        return [_tensor(value)]
    if model._is_graph_network:
        names = getattr(model, f"{kind}_names")
    else:
        names = [f"{kind}_{i}" for i in range(1, len(value) + 1)]
    _check_keys(argument, value, f"{kind}s", names)
    return [_tensor(value[name]) for name in names]


def _check_keys(argument: str, keys: Any, of_model: str, names: Any) -> None:
    missing = set(names) - set(keys)
    if missing:
        raise FormattedKeyError(
            f"The dictionary passed into {argument} does not cover requested {of_model} keys "
            f"defined in the keras model.\n\tExpected keys: {set(names)}\n\t{argument} keys: "
            f"{set(keys)}\n\tMissed keys: {missing}"
        )


def _tensor(value: Any) -> Any:
    return value if tf.is_tensor(value) else tf1.convert_to_tensor_or_sparse_tensor(value)


def _sample_weights(weights: Any, names: list[str]) -> list[Any]:
    """Returns the sample weights of each output, in the order of the outputs."""
    if isinstance(weights, (list, tuple)):
        if weights and len(weights) != len(names) and len(names) > 1:
            raise ValueError(
                f"Provided `sample_weights` was a list of {len(weights)} elements, but the model "
                f"has {len(names)} outputs. Give one per output, in the order {names}."
            )
        single = len(names) == 1 and len(weights) > 1
        return [weights] if single else list(weights) or [None] * len(names)
    if not isinstance(weights, Mapping):
        if len(names) > 1:
            raise TypeError(
                "The model has multiple outputs, so `sample_weights` should be either a list or a "
                f"dict. Provided `sample_weights` type not understood: {weights}"
            )
        return [weights]
    unknown = set(weights) - set(names)
    if unknown:
        raise ValueError(
            f"Unknown entries in sample_weights dictionary: {sorted(unknown)}. Only expected "
            f"following keys: {names}"
        )
    return [weights.get(name) for name in names]


def _output_names(model: Any) -> list[str]:
    if not tf.distribute.has_strategy():
        return model.output_names
    # The clones of replicas have numbered layers, but their predictions must have the same names.
    return [re.sub(r"_\d$", "", name) for name in model.output_names]


def _metrics(model: Any, names: Mapping[str, str]) -> dict[str, Any] | None:
    """Returns the metrics of the compiled model by their names in the evaluation."""
    if not model._compile_metrics:
        return None
    metrics = {metric.name: metric for metric in model._compile_metric_functions}
    if not names:
        return metrics
    unknown = set(metrics) - set(names)
    if unknown:
        raise ValueError(
            "Invalid `metric_names_map`. The following keras model metric names: "
            f"{sorted(unknown)} do not exist in the `metric_names_map` dictionary {dict(names)}."
        )
    extra = set(names) - set(metrics)
    if extra:
        raise ValueError(
            "Invalid `metric_names_map`. There are unexpected keys in the `metric_names_map` "
            f"dictionary: {sorted(extra)}. Expected keys: {list(metrics)}"
        )
    return {names[name]: metric for name, metric in metrics.items()}


def _export_outputs(predictions: dict[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(kinds) - set(predictions)
    if unknown:
        raise FormattedKeyError(
            "The names in export_outputs are not all names of the keras model's outputs.\n\t"
            f"Expected keys: {set(predictions)}\n\texport_outputs keys: {set(kinds)}\n\t"
            f"Missed keys: {unknown}"
        )
    outputs = {tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(predictions)}
    return {**outputs, **{name: kind(predictions[name]) for name, kind in kinds.items()}}


def track_global_step(model: Any) -> None:
    """Adds the global step to the model's object-based checkpoints."""
    # Keras tracks attributes of a model in its object-based checkpoints.
    model.estimator_global_step = tf1.train.get_global_step()


def _object_scaffold(model: Any) -> Any:
    track_global_step(model)
    objects = tf.__internal__.tracking.ObjectGraphView(model).frozen_saveable_objects()
    return tf1.train.Scaffold(saver=tf1.train.Saver(objects, sharded=True))
