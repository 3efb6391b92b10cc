"""model_to_estimator: an Estimator from a compiled tf-keras model.

    from legacy.estimator.keras import keras_model

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("adam", "mse", ["mae"])
    estimator = keras_model.model_to_estimator_v2(model, model_dir="/tmp/model")
    estimator.train(input_fn, steps=100)

This is what stood at `tf.keras.estimator` (v2) and `tf.compat.v1.keras.estimator`. The Estimator
trains clones of the model, beginning with its weights, which are written to the folder "keras" in
the Estimator's own. As in the original, tf-keras switches to its TensorFlow 1 engine for them, and
models that were made before cannot be called any more: make them anew and load their weights.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import Estimator, EstimatorV2
from legacy.estimator.keras.model_fn import FormattedKeyError as FormattedKeyError
from legacy.estimator.keras.model_fn import (
    clone,
    create_keras_model_fn,
    make_train_function,
    track_global_step,
)
from legacy.estimator.loops import warm_start
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_OBJECTS, _NAMES = "checkpoint", "saver"


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    model_dir: str | os.PathLike[str] | None = None,
    config: RunConfig | None = None,
    checkpoint_format: str | None = _NAMES,
    metric_names_map: Mapping[str, str] | None = None,
    export_outputs: Mapping[str, Any] | None = None,
) -> Estimator:
    """Makes a v1 Estimator; see `model_to_estimator_v2`, whose arguments and errors are the same.

    Args:
      keras_model: A compiled `tf.keras.Model`.
      keras_model_path: Instead of it, where it is saved.
      custom_objects: By name, what the model's configuration refers to and Keras does not know.
      model_dir: The Estimator's folder.
      config: Its RunConfig.
      checkpoint_format: Here "saver" by default.
      metric_names_map: By the name that Keras gives a metric, its name in the evaluation.
      export_outputs: By the name of an output, the kind of ExportOutput to make from it.

    Returns:
      The Estimator.

    Raises:
      ValueError: An argument is wrong, or the model is not compiled.
      TypeError: The model is not one of tf-keras.
    """
    return _convert(
        Estimator,
        _model(keras_model, keras_model_path, custom_objects),
        custom_objects,
        model_dir,
        config,
        checkpoint_format,
        metric_names_map,
        export_outputs,
    )


def model_to_estimator_v2(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    model_dir: str | os.PathLike[str] | None = None,
    config: RunConfig | None = None,
    checkpoint_format: str | None = _OBJECTS,
    metric_names_map: Mapping[str, str] | None = None,
    export_outputs: Mapping[str, Any] | None = None,
) -> EstimatorV2:
    """Makes an Estimator from a compiled model.

    Features and labels may be named like the model's inputs and outputs, or come in their order.
    For weighted examples, an input function returns
    `({"features": features, "sample_weights": weights}, labels)`.

    Args:
      keras_model: A compiled `tf.keras.Model`: functional, sequential, or a subclass with
        `get_config` and `from_config`. Its weights are where training begins, except for a
        subclass, whose clones have other variables than the model.
      keras_model_path: Instead of it, where it is saved.
      custom_objects: By name, what the model's configuration refers to and Keras does not know.
      model_dir: The Estimator's folder; None is the config's, else a temporary one.
      config: Its RunConfig; None is the default one.
      checkpoint_format: "saver" names variables in checkpoints, as Estimators do; "checkpoint" (and
        None) finds them by the model's objects, as `model.load_weights` and `tf.train.Checkpoint`
        do, and does not work for a subclass.
      metric_names_map: By the name that Keras gives a metric, its name in the evaluation; None
        keeps the names.
      export_outputs: By the name of an output, the kind of `ExportOutput` to make from it for
        SavedModels, beside the default one of all predictions.

    Returns:
      The Estimator.

    Raises:
      ValueError: An argument is wrong, or the model is not compiled.
      TypeError: The model is not one of tf-keras.
    """
    return _convert(
        EstimatorV2,
        _model(keras_model, keras_model_path, custom_objects),
        custom_objects,
        model_dir,
        config,
        checkpoint_format,
        metric_names_map,
        export_outputs,
    )


def _convert(
    estimator_class: type[Estimator],
    model: Any,
    custom_objects: Mapping[str, Any] | None,
    model_dir: Any,
    config: RunConfig | None,
    checkpoint_format: str | None,
    metric_names_map: Mapping[str, str] | None,
    export_outputs: Mapping[str, Any] | None,
) -> Any:
    by_objects = _saves_objects(model, checkpoint_format)
    if not getattr(model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with "
            "`model.compile()` before calling `model_to_estimator()`."
        )
    model_fn = create_keras_model_fn(
        model, custom_objects, by_objects, metric_names_map, export_outputs
    )
    estimator = estimator_class(model_fn, model_dir, config)
    _share_session_config(model, estimator.config.session_config)
    if model._is_graph_network and estimator.config.is_chief:
        path = _first_checkpoint(model, custom_objects, estimator, by_objects)
        estimator._warm_start_settings = warm_start.settings_of(path)
    elif model.built:
        tf1.logging.warning(
            "The Estimator starts from new weights, not from those of %s: they cannot be carried "
            "over from a subclass of Model.",
            model.name,
        )
    return estimator


def _model(model: Any, path: str | None, custom_objects: Mapping[str, Any] | None) -> Any:
    """Returns the model, read from its file where that is given."""
    if not (model or path):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if model and path:
        raise ValueError("Please specify either `keras_model` or `keras_model_path`, but not both.")
    if not model:
        tf1.logging.info("Loading models from %s", path)
        return tf.keras.models.load_model(path, custom_objects=custom_objects)
    if not isinstance(model, tf.keras.Model):
        raise TypeError(
            f"keras_model is a {type(model).__module__}.{type(model).__qualname__}, which is no "
            "model of tf-keras. Build it with tf.keras while TF_USE_LEGACY_KERAS=1 is set, or with "
            "tf_keras."
        )
    if not (model._is_graph_network or isinstance(model, tf.keras.Sequential)):
        _check_subclass(model, custom_objects)
    return model


def _check_subclass(model: Any, custom_objects: Mapping[str, Any] | None) -> None:
    try:
        with tf.keras.utils.custom_object_scope(dict(custom_objects or {})):
            type(model).from_config(model.get_config())
    except NotImplementedError as error:
        raise ValueError(
            "Subclassed `Model`s passed to `model_to_estimator` must implement "
            f"`Model.get_config` and `Model.from_config`; {type(model).__name__} does not."
        ) from error


def _saves_objects(model: Any, checkpoint_format: str | None) -> bool:
    if checkpoint_format == _NAMES:
        return False
    if checkpoint_format not in (None, _OBJECTS):
        raise ValueError(
            'Checkpoint format must be one of "checkpoint" or "saver". '
            f"Got checkpoint_format={checkpoint_format!r}"
        )
    if not (model._is_graph_network or isinstance(model, tf.keras.Sequential)):
        raise ValueError(
            "Object-based checkpoints are currently not supported with subclassed models. "
            'Use checkpoint_format="saver".'
        )
    return True


def _has_weights(model: Any) -> bool:
    """Says whether the weights have values; in graph mode Keras gives them only when asked."""
    if tf1.executing_eagerly_outside_functions():
        return True
    return any(hasattr(weight, "_keras_initialized") for weight in model.weights)


def _share_session_config(model: Any, session_config: Any) -> None:
    """Makes Keras use the Estimator's session config, where it has no session yet."""
    if not _has_weights(model):
        tf1.keras.backend.set_session(tf1.Session(config=session_config))
    elif session_config.HasField("gpu_options"):
        tf1.logging.warning(
            "Keras has a session already; the gpu_options of the RunConfig's session_config cannot "
            "be applied to it."
        )


def _first_checkpoint(
    keras_model: Any,
    custom_objects: Mapping[str, Any] | None,
    estimator: Estimator,
    by_objects: bool,
) -> str:
    """Writes the model's weights to the folder "keras", unless it has a checkpoint already.

    Returns:
      The checkpoint's path.
    """
    folder = os.path.join(estimator.model_dir, "keras")
    path = tf.train.latest_checkpoint(folder)
    if path:
        return path
    path = os.path.join(folder, "keras_model.ckpt")
    weights = keras_model.get_weights() if _has_weights(keras_model) else None
    tf.io.gfile.makedirs(folder)
    with tf.Graph().as_default():
        tf1.set_random_seed(estimator.config.tf_random_seed)
        tf1.train.create_global_step()
        model = clone(keras_model, ModeKeys.TRAIN, custom_objects)
        make_train_function(model)  # For the optimizer's variables.
        with tf1.Session(config=estimator.config.session_config) as session:
            if weights:
                model.set_weights(weights)
            tf.keras.__internal__.backend.initialize_variables(session)
            if by_objects:
                track_global_step(model)
                model.save_weights(path)
            else:
                tf1.train.Saver().save(session, path)
    return path
