"""Warm start, which begins a training with the weights of another model.

>>> settings = WarmStartSettings("/tmp/other_model", vars_to_warm_start="dense.*")
>>> settings.var_name_to_prev_var_name
{}
"""

from __future__ import annotations

import collections
import os
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

VocabInfo = tf1.train.VocabInfo

_FIELDS = (
    "ckpt_to_initialize_from",
    "vars_to_warm_start",
    "var_name_to_vocab_info",
    "var_name_to_prev_var_name",
)


class WarmStartSettings(collections.namedtuple("WarmStartSettings", _FIELDS)):
    """The variables to warm-start, and the checkpoint to read them from.

    Args:
      ckpt_to_initialize_from: A checkpoint's path, or a folder with checkpoints.
      vars_to_warm_start: A regular expression for names of trainable variables, a list of regular
        expressions, or a list of variables. None selects only variables in
        `var_name_to_vocab_info`.
      var_name_to_vocab_info: `VocabInfo`s by variable name, for changed vocabularies.
      var_name_to_prev_var_name: Names in the checkpoint by variable name, for renamed variables.

    Raises:
      ValueError: `ckpt_to_initialize_from` is empty.
    """

    def __new__(
        cls,
        ckpt_to_initialize_from: str,
        vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Mapping[str, Any] | None = None,
        var_name_to_prev_var_name: Mapping[str, str] | None = None,
    ) -> WarmStartSettings:
        """Checks that a checkpoint is set."""
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls,
            ckpt_to_initialize_from,
            vars_to_warm_start,
            var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


def settings_of(warm_start_from: Any) -> WarmStartSettings | None:
    """Converts Estimator's `warm_start_from` argument to settings.

    Args:
      warm_start_from: `WarmStartSettings`, None, or the path of a checkpoint, of a folder with
        checkpoints, or of a SavedModel.

    Returns:
      The settings, or None.

    Raises:
      ValueError: `warm_start_from` has another type.
    """
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if isinstance(warm_start_from, (str, bytes)):
        path = tf.compat.as_str(warm_start_from)
        variables = os.path.join(path, "variables", "variables")
        if tf.io.gfile.exists(variables + ".index"):
            tf1.logging.info("Warm-starting from a SavedModel")
            return WarmStartSettings(variables)
        return WarmStartSettings(warm_start_from)
    raise ValueError(
        "warm_start_from must be a string or a WarmStartSettings, "
        f"instead got {type(warm_start_from)}"
    )


def apply(settings: WarmStartSettings) -> None:
    """Initializes variables of the default graph from the checkpoint.

    Args:
      settings: The settings.

    Raises:
      tf.errors.NotFoundError: The checkpoint does not exist.
    """
    tf1.logging.info("Warm-starting with WarmStartSettings: %s", settings)
    tf1.train.warm_start(
        settings.ckpt_to_initialize_from,
        settings.vars_to_warm_start,
        settings.var_name_to_vocab_info,
        settings.var_name_to_prev_var_name,
    )
