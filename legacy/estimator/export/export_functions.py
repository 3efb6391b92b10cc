"""The exports of an Estimator as functions, as tf.contrib.estimator had them.

    path = export_saved_model_for_mode(classifier, "/tmp/export", receiver_fn, mode="eval")

Estimator's own methods do the work; see there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from legacy.estimator.mode_keys import ModeKeys

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator


def export_saved_model_for_mode(
    estimator: Estimator,
    export_dir_base: str,
    input_receiver_fn: Callable[[], Any],
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
    mode: str = ModeKeys.PREDICT,
) -> bytes:
    """Writes a SavedModel of one mode.

    Args:
      estimator: Whose model it is.
      export_dir_base: The folder in which a folder named by the time is made.
      input_receiver_fn: Returns the receiver that fits the mode.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
      checkpoint_path: None is the latest.
      mode: The mode.

    Returns:
      The SavedModel's folder, as bytes.

    Raises:
      ValueError: There is no receiver or checkpoint, or the mode is no mode.
    """
    return estimator.export_saved_model(
        export_dir_base,
        input_receiver_fn,
        assets_extra=assets_extra,
        as_text=as_text,
        checkpoint_path=checkpoint_path,
        experimental_mode=mode,
    )


def export_all_saved_models(
    estimator: Estimator,
    export_dir_base: str,
    input_receiver_fn_map: Mapping[str, Callable[[], Any]],
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
) -> bytes:
    """Writes a SavedModel with a graph for each of several modes, sharing the variables.

    Args:
      estimator: Whose model it is.
      export_dir_base: The folder in which a folder named by the time is made.
      input_receiver_fn_map: By mode, a function that returns its receiver.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
      checkpoint_path: None is the latest.

    Returns:
      The SavedModel's folder, as bytes.

    Raises:
      ValueError: There is no checkpoint, no mode, or no value for a variable.
    """
    return estimator.experimental_export_all_saved_models(
        export_dir_base,
        input_receiver_fn_map,
        assets_extra=assets_extra,
        as_text=as_text,
        checkpoint_path=checkpoint_path,
    )
