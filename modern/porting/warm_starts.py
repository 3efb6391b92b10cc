"""Initial weights from another checkpoint, as `warm_start_from` of an Estimator.

    porting.restore(model, "tuned", save_secs=600)
    porting.warm_start(model, porting.WarmStartSettings("trained", "dense.*"))

The checkpoint may be one of an Estimator, or one that a Keras model of the program has written.
Weights are read by the names of an Estimator's variables: see `named_weights`.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

from modern.model_files import checkpoints, model_dirs, restoring, weights
from modern.model_files.errors import CheckpointError
from modern.porting import named_weights
from modern.porting.named_weights import GLOBAL_STEP, NamedValues
from modern.porting.training import program_log
from modern.process.chosen_keras import keras


@dataclasses.dataclass(frozen=True)
class WarmStartSettings:
    """The weights to initialize, and the checkpoint to read them from.

    Attributes:
      ckpt_to_initialize_from: Path of a checkpoint, or of a folder with checkpoints.
      vars_to_warm_start: Regular expression for the beginnings of the names of trainable weights.
        A list of regular expressions also selects weights that are not trained, and "global_step".
      var_name_to_vocab_info: None. Changed vocabularies are not supported.
      var_name_to_prev_var_name: Names in the checkpoint by name, for renamed weights.
    """

    ckpt_to_initialize_from: str
    vars_to_warm_start: str | Sequence[str] | None = ".*"
    var_name_to_vocab_info: None = None
    var_name_to_prev_var_name: Mapping[str, str] | None = None


def warm_start(model: keras.Model, settings: Any) -> None:
    """Initializes a model from a checkpoint, unless `restore` has found one in its own folder.

    Like an Estimator, the model reads the checkpoint when it is first used. The program may still
    have to write it.

    Args:
      model: The compiled model, after `restore`.
      settings: A path, `WarmStartSettings`, or an object with the same attributes. None initializes
        nothing.

    Raises:
      CheckpointError: The first batch raises it if the checkpoint is missing, or does not fit.
      ValueError: The settings are not supported, or the first batch shows that they name a weight
        which they do not select.
    """
    folder = model_dirs.of(model)
    if settings is None or (folder and checkpoints.newest(folder)):
        return
    if isinstance(settings, (str, bytes, os.PathLike)):
        settings = WarmStartSettings(os.fsdecode(settings))
    if getattr(settings, "var_name_to_vocab_info", None):
        raise ValueError("var_name_to_vocab_info is not supported: convert the checkpoint first.")
    restoring.restore_when_built(model, _WarmStart(model, settings))


class _WarmStart:
    """The initial values of a model.

    Args:
      model: The model.
      settings: Settings as for `warm_start`.
    """

    def __init__(self, model: keras.Model, settings: Any) -> None:
        self._model, self._settings = model, settings

    def restore(self, partly: bool = False) -> int:
        """Assigns the values, and returns the step of the model."""
        del partly  # The model has not been trained.
        program_log.info("Warm-starting with WarmStartSettings: %s", self._settings)
        stored = NamedValues(self._settings.ckpt_to_initialize_from)
        variables = named_weights.variables(self._model)
        names = [*self._selected(variables)]
        old_names = self._settings.var_name_to_prev_var_name or {}
        unused = sorted(set(old_names) - {*names})
        if unused:
            raise ValueError(
                f"var_name_to_prev_var_name names variables that vars_to_warm_start does not "
                f"select: {', '.join(unused)}."
            )
        source = stored.path
        pairs = {name: old_names.get(name, name) for name in names}
        missing = sorted(set(pairs.values()) - {*stored})
        if missing:
            raise CheckpointError(
                f"{source} has no {missing[0]!r}; it has: {', '.join(sorted(stored))}."
            )
        values = {name: stored[old_name] for name, old_name in pairs.items()}
        for name, value in values.items():
            if name in variables:
                weights.check_shape(name, variables[name], value, source)
        for name, value in values.items():
            if name in variables:
                weights.assign_parts(variables[name], value)
            else:
                self._model.optimizer.iterations.assign(int(value))
        return int(self._model.optimizer.iterations.numpy())

    def _selected(self, variables: Mapping[str, Sequence[tf.Variable]]) -> Iterator[str]:
        """Yields the names of the weights to initialize, and "global_step" if it is selected.

        An Estimator compared expressions with names of tensors, such as "dense/kernel:0".
        """
        patterns = self._settings.vars_to_warm_start
        if not patterns:
            return  # As in an Estimator: only weights with vocabularies.
        if isinstance(patterns, str):
            trainable = {id(variable) for variable in self._model.trainable_variables}
            for name, parts in variables.items():
                if id(parts[0]) in trainable and re.match(patterns, f"{name}:0"):
                    yield name
            return
        if not all(isinstance(pattern, str) for pattern in patterns):
            raise ValueError("vars_to_warm_start must be names, and not variables.")
        for name in (*variables, GLOBAL_STEP):
            if any(re.match(pattern, f"{name}:0") for pattern in patterns):
                yield name
