"""Targets of a conversion: a template of the new program, or only names.

target = targets.from_model(targets.Model("package.module:build_model"), "keras", folder)
target = sources.open_source("template.keras")
tensors = targets.name_based_tensors(source, {"conv/kernel": "conv2d/kernel"})
"""

from __future__ import annotations

import dataclasses
import os
import re
import sys
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from migrate import loading
from migrate.checkpoint.conversion import partial_files
from migrate.checkpoint.formats import sources
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming import slots
from modern.process import cli

KINDS = ("name-based", "object-based", "SavedModel", "weights.h5", "h5", "keras")


def kind_of(path: str) -> str | None:
    """Returns the kind that a path's extension requests, or None without a known extension."""
    for end in ("weights.h5", "keras", "h5"):
        if path.endswith("." + end):
            return end
    return None


class Model(NamedTuple):
    """The model of the new program, as specified by `--model` and its flags.

    Attributes:
      name: Reference "package.module:build_model" of a function that returns a tf_keras.Model, or
        of a class.
      params: Params of a function that takes them.
      input: Reference "package.module:input_fn". The model is called with the first batch, because
        some models create their variables then.
    """

    name: str
    params: Any = None
    input: str | None = None


def from_model(spec: Model, kind: str, folder: str) -> Source:
    """Builds a model and saves it as a template.

    Args:
      spec: The model.
      kind: Kind of the template, as in `KINDS`.
      folder: Folder of the template.

    Raises:
      cli.UsageError: The function does not exist, fails or returns another object, or the disk is
        full.
    """
    if kind == "name-based":
        raise cli.UsageError(
            "--model is a Keras model, which has no name-based checkpoint: give an Estimator's "
            "with --like."
        )
    import tensorflow as tf

    model = _build(spec)
    _make_slots(model)
    try:
        template = _save(model, kind, folder)
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
    from migrate import keras_models  # Imports TensorFlow.

    metrics = keras_models.metric_attributes(model)
    template.stored = [_as_metric(tensor, metrics) for tensor in template.stored]
    return template


def _as_metric(tensor: Stored, metrics: set[str]) -> Stored:
    """Marks a tensor as that of a metric if the path of its key contains a metric attribute."""
    is_metric = tensor.role is Role.VARIABLE and metrics.intersection(tensor.key.split("/"))
    return dataclasses.replace(tensor, role=Role.METRIC) if is_metric else tensor


def _save(model: Any, kind: str, folder: str) -> Source:
    """Saves a model and opens the saved file."""
    if kind == "object-based":
        import tensorflow as tf

        parts = {"model": model}
        if getattr(model, "optimizer", None) is not None:
            parts["optimizer"] = model.optimizer
        return sources.open_source(
            tf.train.Checkpoint(**parts).save(os.path.join(folder, "template"))
        )
    path = os.path.join(folder, "template" + ("" if kind == "SavedModel" else "." + kind))
    if kind == "weights.h5":
        from migrate.checkpoint.formats import hdf5

        model.save_weights(path)
        return hdf5.Hdf5(path, _optimizer_names(model), _config(model))
    save_format = {"SavedModel": "tf"}.get(kind, kind)
    with warnings.catch_warnings():  # Keras warns of the old .h5 format, which was requested.
        warnings.simplefilter("ignore", UserWarning)
        model.save(path, save_format=save_format)
    return sources.open_source(path)


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
    """Returns the names of a new optimizer's variables by their places in a `.weights.h5`."""
    import tf_keras

    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or isinstance(optimizer, tf_keras.optimizers.legacy.Optimizer):
        return {}  # `.weights.h5` contains no state of legacy optimizers.
    return {
        f"optimizer/vars/{index}": re.sub(r":\d+$", "", variable.name)
        for index, variable in enumerate(optimizer.variables)
    }


def name_based_tensors(
    source: Source, pairs: Mapping[str, str], weights_only: bool = False
) -> list[Stored]:
    """Describes a name-based checkpoint without a template.

    Args:
      source: Checkpoint to convert.
      pairs: Maps names of the source to names of variables. Other variables are left out.
      weights_only: If true, includes only the variables.

    Returns:
      The variables, their slots under v1's names, the step and the powers of Adam.
    """
    if weights_only:
        return [
            _with_name(tensor, pairs[tensor.name])
            for tensor in source.of(Role.VARIABLE)
            if tensor.name in pairs
        ]
    tensors = []
    counts: dict[tuple[str, str], int] = {}
    for tensor in source.of(Role.SLOT):
        counts[tensor.owner, tensor.kind] = counts.get((tensor.owner, tensor.kind), 0) + 1
    for tensor in source.stored:
        right = pairs.get(tensor.owner or tensor.name)
        if tensor.role is Role.VARIABLE and right:
            tensors.append(_with_name(tensor, right))
        elif tensor.role is Role.SLOT and right:
            if tensor.of_keras:
                raise cli.UsageError(
                    f"{tensor.name} is a slot of a Keras optimizer: give a checkpoint of the new "
                    "program with --like, or carry --weights-only."
                )
            end = tensor.name.rpartition("/")[2]
            if source.convention == "keras" and tensor.kind:
                end = _end(tensor, counts[tensor.owner, tensor.kind])
            elif source.convention == "keras":
                end = tensor.slot
            tensors.append(dataclasses.replace(_with_name(tensor, f"{right}/{end}"), owner=right))
        elif tensor.role is Role.AVERAGE and right:
            name = f"{right}/{slots.AVERAGE}"
            tensors.append(dataclasses.replace(_with_name(tensor, name), owner=right))
        elif tensor.role is Role.POWER:
            tensors.append(tensor)
    kinds = {kind for _, kind in counts}
    powers = {tensor.role for tensor in tensors} >= {Role.POWER}
    if "Adam" in kinds and not powers:
        for number in (1, 2):
            name = f"beta{number}_power"
            tensors.append(Stored(name, (), "float32", Role.POWER, key=name, slot=f"beta_{number}"))
    if any(True for _ in source.of(Role.STEP)):
        tensors.append(Stored("global_step", (), "int64", Role.STEP, key="global_step"))
    return tensors


def _end(tensor: Stored, count: int) -> str:
    if tensor.kind == "RMSProp" and count == 1:
        raise cli.UsageError(
            f"{tensor.name}: v1's RMSProp keeps a momentum slot even if momentum is 0: give an "
            "Estimator's checkpoint with --like, and --keep its '*/RMSProp_1'."
        )
    try:
        return slots.v1_suffix(tensor.kind, tensor.slot, count)
    except (KeyError, StopIteration) as error:
        raise cli.UsageError(
            f"{tensor.name}: v1 optimizers have no {tensor.kind} {tensor.slot}; leave it out, or "
            "give an Estimator's checkpoint with --like."
        ) from error


def _with_name(tensor: Stored, name: str) -> Stored:
    return dataclasses.replace(tensor, name=name, key=name, parts=(), partitions=1)
