"""The export functions of tf.contrib.estimator.

    path = export_saved_model_for_mode(classifier, "/tmp/export", receiver_fn, mode="eval")

They call the export methods of Estimator. See there.
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
      estimator: The Estimator whose model to export.
      export_dir_base: The parent of the new folder, which is named by the time.
      input_receiver_fn: A function that returns the receiver of the mode.
      assets_extra: Paths of files to copy, by their path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      checkpoint_path: The checkpoint to export. None means the latest.
      mode: One of `ModeKeys`.

    Returns:
      The path of the SavedModel's folder, as bytes.

    Raises:
      ValueError: The receiver or the checkpoint is missing, or the mode is unknown.
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
    """Writes a SavedModel with a graph for each of several modes, which share the variables.

    Args:
      estimator: The Estimator whose model to export.
      export_dir_base: The parent of the new folder, which is named by the time.
      input_receiver_fn_map: Functions that return the receivers, by mode.
      assets_extra: Paths of files to copy, by their path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      checkpoint_path: The checkpoint to export. None means the latest.

    Returns:
      The path of the SavedModel's folder, as bytes.

    Raises:
      ValueError: The map has no valid mode, or the checkpoint or a variable in it is missing.
    """
    return estimator.experimental_export_all_saved_models(
        export_dir_base,
        input_receiver_fn_map,
        assets_extra=assets_extra,
        as_text=as_text,
        checkpoint_path=checkpoint_path,
    )
