"""Models of Keras whose checkpoints a conversion writes or reads.

    template = models.template(models.Model("package.module:build_model"), "keras", folder)
    source = models.open_numbered(models.Model("package.module:build_model"), "model.weights.h5")

A template is the model as it was built, saved: it has the names and the structure of the new
checkpoint, and the values that the old one does not provide.
"""

from __future__ import annotations

import dataclasses
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from migrate import loading
from migrate.checkpoint.cells import layer_settings
from migrate.checkpoint.conversion import partial_files, tagged_names
from migrate.checkpoint.formats import sources
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from modern.process import chosen_keras, cli


class Model(NamedTuple):
    """The model of a program, as specified by `--model` and its flags.

    Attributes:
      name: Reference "package.module:build_model" of a function that returns a model of the chosen
        Keras, or of a class of models.
      params: Params of a function that takes them.
      input: Reference "package.module:input_fn". The model is called with the first batch, because
        some models create their variables then.
    """

    name: str
    params: Any = None
    input: str | None = None


def template(spec: Model, kind: str, folder: str) -> Source:
    """Builds a model and saves it as a template.

    Args:
      spec: The model.
      kind: Kind of the template, as in `targets.KINDS`.
      folder: Folder of the template.

    Raises:
      cli.UsageError: The function does not exist, fails or returns another object, or the disk is
        full.
    """
    if kind == "SavedModel" and chosen_keras.version() == 3:
        raise cli.UsageError(
            "Keras 3 saves no SavedModel that trains: write a .keras file, load it, and call "
            "model.export()."
        )
    import tensorflow as tf

    from migrate import keras_models  # Imports TensorFlow.
    from modern.model_files.errors import CheckpointError

    model = _build(spec)
    _make_slots(model)
    try:
        saved = _save(model, kind, folder)
        metrics = keras_models.metric_attributes(model)
        saved.stored = [_as_metric(tensor, metrics) for tensor in saved.stored]
        saved.unlike_cells = layer_settings.unlike(model)
        if chosen_keras.version() == 3:
            saved.stored = tagged_names.applied(_found(model, kind).fields, saved.stored)
        return saved
    except CheckpointError as error:
        raise cli.UsageError(f"--model={spec.name}: {error}") from error
    except NotImplementedError as error:  # Keras saves no subclassed model as HDF5.
        raise cli.UsageError(
            f"--model={spec.name} cannot be saved as {kind}, as it is subclassed: write a "
            "tf.train.Checkpoint (a path without an extension), or .weights.h5."
        ) from error
    except (tf.errors.OpError, OSError) as error:
        raise cli.UsageError(
            f"--model={spec.name} cannot be saved as a template in {folder}: "
            f"{partial_files.reason(error)}"
        ) from error


def _found(model: Any, kind: str) -> tagged_names.Found:
    """Finds the variables of a Keras 3 model in its file. The values of the model are lost."""
    with tempfile.TemporaryDirectory() as folder:
        return tagged_names.find(model, lambda: _save(model, kind, folder))


def _as_metric(tensor: Stored, metrics: set[str]) -> Stored:
    """Marks a tensor as that of a metric if the path of its key contains a metric attribute."""
    is_metric = tensor.role is Role.VARIABLE and metrics.intersection(tensor.key.split("/"))
    return dataclasses.replace(tensor, role=Role.METRIC) if is_metric else tensor


def _save(model: Any, kind: str, folder: str) -> Source:
    """Saves a model and opens the saved file."""
    if kind == "object-based":
        import tensorflow as tf

        checkpoint = tf.train.Checkpoint(**_objects(model))
        return sources.open_source(checkpoint.save(os.path.join(folder, "template")))
    path = os.path.join(folder, "template" + ("" if kind == "SavedModel" else "." + kind))
    if kind == "weights.h5":
        model.save_weights(path)
        return _opened(path, model)
    with warnings.catch_warnings():  # Keras warns of the old .h5 format, which was requested.
        warnings.simplefilter("ignore", UserWarning)
        if chosen_keras.version() == 3:
            model.save(path)
        else:
            model.save(path, save_format={"SavedModel": "tf"}.get(kind, kind))
    return _opened(path, model) if kind == "keras" else sources.open_source(path)


def _objects(model: Any) -> dict[str, Any]:
    """Returns the objects of a tf.train.Checkpoint of a model."""
    if chosen_keras.version() == 3:
        # A checkpoint of the model itself would lack frozen layers that are in a list.
        from modern.model_files import keras3_objects  # Imports TensorFlow.

        return keras3_objects.of(model)
    optimizer = getattr(model, "optimizer", None)
    return {"model": model} | ({} if optimizer is None else {"optimizer": optimizer})


def open_numbered(spec: Model, path: str) -> Source:
    """Opens a `.weights.h5` file, whose optimizer has only numbers, with the names of its model.

    Args:
      spec: The model that saved the file.
      path: Path of the file.

    Raises:
      cli.UsageError: The file is of another kind, or has another optimizer than the model.
    """
    if not path.endswith(".weights.h5"):
        raise cli.UsageError(
            f"--model={spec.name}: with --like or --kind=name-based, it is the model of OLD, and "
            f"OLD must be a .weights.h5 file, not {path}. Leave out --model. Or leave out --like, "
            "to write a checkpoint of the model."
        )
    model = _build(spec)
    _make_slots(model)
    source = _opened(path, model)
    source.unlike_cells = layer_settings.unlike(model)
    try:
        if chosen_keras.version() == 3:
            found = _found(model, "weights.h5")
            _check_optimizer(spec, source, found.shapes)
            source.stored = tagged_names.applied(found.fields, source.stored)
        else:
            _check_optimizer(spec, source, dict.fromkeys(_optimizer_names(model)))
    except BaseException:
        source.close()
        raise
    return source


def _check_optimizer(
    spec: Model, source: Source, expected: Mapping[str, tuple[int, ...] | None]
) -> None:
    """Checks that the optimizer in a file, if any, is that of a model.

    Args:
      spec: The model.
      source: The file.
      expected: Shapes by key of what the model saves. None for an unknown shape.
    """
    found = {t.key.strip("/"): t.shape for t in source.stored if t.key.startswith("/optimizer/")}
    wanted = {k.strip("/"): s for k, s in expected.items() if k.strip("/").startswith("optimizer/")}
    differing = found.keys() ^ wanted.keys()
    differing |= {k for k in found.keys() & wanted.keys() if wanted[k] not in (None, found[k])}
    if found and differing:
        raise cli.UsageError(
            f"{source.path} has another optimizer than --model={spec.name}: they differ in "
            f"{min(differing)}. Give the model that saved the file."
        )


def _opened(path: str, model: Any) -> Source:
    from migrate.checkpoint.formats import hdf5  # Imports h5py.

    return hdf5.Hdf5(path, _optimizer_names(model), _config(model))


def _build(spec: Model) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    builder = loading.find_function(spec.name, "--model")
    from migrate import keras_models  # Imports TensorFlow.

    model = keras_models.build(builder, spec.params, f"--model={spec.name}")
    if spec.input:
        keras_models.call_once(model, _features(spec), f"--model={spec.name}")
    if not keras_models.weights(model):
        raise cli.UsageError(
            f"--model={spec.name} creates its variables with its first batch: give "
            "--input=MODULE:input_fn."
        )
    return model


def _features(spec: Model) -> Any:
    """Returns the features of the first batch as tensors."""
    from migrate import batches

    input_fn = loading.find_function(spec.input or "", "--input")
    sample = batches.draw(input_fn, 1, {"mode": "train", "params": spec.params})
    return batches.tensors(sample.items[0].features)


def _make_slots(model: Any) -> None:
    """Makes the optimizer create its slots, with unchanged weights and iterations."""
    import tensorflow as tf

    optimizer = getattr(model, "optimizer", None)
    if optimizer is None:
        return
    if hasattr(optimizer, "build"):
        optimizer.build(model.trainable_variables)
        return
    # Legacy optimizers create slots in the first step. No public method creates only the slots.
    # So this takes a step with zero gradients, and then restores weights and iterations.
    weights = model.get_weights()
    pairs = [(tf.zeros_like(variable), variable) for variable in model.trainable_variables]
    optimizer.apply_gradients(pairs)
    optimizer.iterations.assign(0)
    model.set_weights(weights)


def _config(model: Any) -> dict[str, Any]:
    """Returns a config with the layers' names. It is empty for a subclassed model."""
    try:
        return {"class_name": type(model).__name__, "config": model.get_config()}
    except NotImplementedError:
        return {}


def _optimizer_names(model: Any) -> dict[str, str]:
    """Returns the names of a tf_keras optimizer's variables by their places in a `.weights.h5`.

    It is empty for a legacy optimizer, whose state is not in the file.
    """
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or chosen_keras.version() == 3:
        return {}
    if isinstance(optimizer, chosen_keras.load().optimizers.legacy.Optimizer):
        return {}
    return {
        f"optimizer/vars/{index}": re.sub(r":\d+$", "", variable.name)
        for index, variable in enumerate(optimizer.variables)
    }
