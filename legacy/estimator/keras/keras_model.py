"""model_to_estimator, which creates an Estimator from a compiled tf-keras model.

    from legacy.estimator.keras import keras_model

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("adam", "mse", ["mae"])
    estimator = keras_model.model_to_estimator_v2(model, model_dir="/tmp/model")
    estimator.train(input_fn, steps=100)

These are the functions of `tf.keras.estimator` (v2) and `tf.compat.v1.keras.estimator`. The
Estimator trains clones of the model. They start with the weights of the model, which are written to
the subdirectory "keras" of the Estimator's `model_dir`. As in the original, tf-keras switches to
its TensorFlow 1 engine for the clones, and models created before that can no longer be called.
Create such a model again and load its weights.
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
    """Creates a v1 Estimator from a compiled model. See `model_to_estimator_v2` for details.

    Args:
      keras_model: A compiled `tf.keras.Model`.
      keras_model_path: Path of a saved model, instead of `keras_model`.
      custom_objects: Objects by name that the configuration refers to and Keras does not know.
      model_dir: Directory of the Estimator.
      config: RunConfig of the Estimator.
      checkpoint_format: "saver" or "checkpoint". Here the default is "saver".
      metric_names_map: Names of metrics in the evaluation, by the names that Keras uses.
      export_outputs: Kinds of ExportOutput by the name of the model's output.

    Returns:
      The Estimator.

    Raises:
      ValueError: If an argument is invalid, or if the model is not compiled.
      TypeError: If the model is not a tf-keras model.
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
    """Creates an Estimator from a compiled model.

    Features and labels either have the names of the model's inputs and outputs, or come in their
    order. For weighted examples, an input function returns
    `({"features": features, "sample_weights": weights}, labels)`.

    Args:
      keras_model: A compiled `tf.keras.Model`: functional, sequential, or a subclass with
        `get_config` and `from_config`. Training starts with its weights. For a subclass it starts
        with new weights, because the variables of its clones differ from those of the model.
      keras_model_path: Path of a saved model, instead of `keras_model`.
      custom_objects: Objects by name that the configuration refers to and Keras does not know.
      model_dir: Directory of the Estimator. Defaults to that of the config, or to a temporary
        directory.
      config: RunConfig of the Estimator. Defaults to `RunConfig()`.
      checkpoint_format: "saver" saves variables by name, as Estimators do. "checkpoint" (and None)
        saves them by the objects of the model, as `model.save_weights` and `tf.train.Checkpoint`
        do. It does not work for a subclass.
      metric_names_map: Names of metrics in the evaluation, by the names that Keras uses. None keeps
        the names.
      export_outputs: Kinds of `ExportOutput` by the name of the model's output. SavedModels get
        them in addition to the default output of all predictions.

    Returns:
      The Estimator.

    Raises:
      ValueError: If an argument is invalid, or if the model is not compiled.
      TypeError: If the model is not a tf-keras model.
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
    # Only the chief writes the weights to disk and initializes variables from them.
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
    """Returns the model, which is loaded from its path if there is one."""
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
    """Returns True if the weights have values. In graph mode, Keras initializes them on demand."""
    if tf1.executing_eagerly_outside_functions():
        return True
    return any(hasattr(weight, "_keras_initialized") for weight in model.weights)


def _share_session_config(model: Any, session_config: Any) -> None:
    """Makes Keras use the Estimator's session config, unless Keras already has a session."""
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
    """Writes the model's weights to the subdirectory "keras", unless it has a checkpoint already.

    Returns:
      The path of the checkpoint.
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
        make_train_function(model)  # Creates the variables of the optimizer.
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
