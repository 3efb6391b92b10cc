"""The export methods of Estimator, which write SavedModels of one or several modes.

>>> import tempfile
>>> import tensorflow as tf
>>> from legacy import estimator
>>> def model_fn(features, mode):
...     step = tf.compat.v1.train.get_global_step()
...     train_op = tf.compat.v1.assign_add(step, 1)
...     return estimator.EstimatorSpec(
...         mode, predictions=2 * features["x"], loss=tf.constant(0.0), train_op=train_op
...     )
>>> def input_fn():
...     return tf.data.Dataset.from_tensors({"x": [1.0]})
>>> doubling = estimator.Estimator(model_fn).train(input_fn, steps=1)
>>> receiver_fn = estimator.export.build_raw_serving_input_receiver_fn({"x": tf.TensorSpec([None])})
>>> path = doubling.export_saved_model(tempfile.mkdtemp(), receiver_fn)
>>> tf.saved_model.load(path).signatures["serving_default"](tf.constant([3.0]))["output"].numpy()
array([6.], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from legacy.estimator.export import saved_model
from legacy.estimator.mode_keys import ModeKeys


class EstimatorExports:
    """Mixin with the export methods of Estimator. `export.saved_model` does the work."""

    def export_saved_model(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Writes a SavedModel of one mode, for serving by default.

        Args:
          export_dir_base: The parent of the new folder, which is named by the time.
          serving_input_receiver_fn: A function that returns a `ServingInputReceiver`. It is called
            inside the graph.
          assets_extra: Paths of files to copy, by their path inside `assets.extra`.
          as_text: If true, writes `saved_model.pbtxt`.
          checkpoint_path: The checkpoint to export. None means the latest.
          experimental_mode: The mode of the exported model. For TRAIN and EVAL, make the receiver
            with `experimental.build_raw_supervised_input_receiver_fn`.

        Returns:
          The path of the SavedModel's folder, as bytes.

        Raises:
          ValueError: The receiver or the checkpoint is missing, or the mode is unknown.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {experimental_mode: serving_input_receiver_fn},
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=True,
        )

    def experimental_export_all_saved_models(
        self,
        export_dir_base: str,
        input_receiver_fn_map: Mapping[str, Callable[[], Any]],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Writes a SavedModel with a graph for each of several modes, which share the variables.

        Args:
          export_dir_base: The parent of the new folder, which is named by the time.
          input_receiver_fn_map: Functions that return the receivers, by mode.
          assets_extra: Paths of files to copy, by their path inside `assets.extra`.
          as_text: If true, writes `saved_model.pbtxt`.
          checkpoint_path: The checkpoint to export. None means the latest.

        Returns:
          The path of the SavedModel's folder, as bytes. Its graphs have the tags "train", "eval"
          and "serve".

        Raises:
          ValueError: The map has no valid mode, or the checkpoint or a variable in it is missing.
        """
        return self._export_all_saved_models(
            export_dir_base,
            input_receiver_fn_map,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=True,
        )

    def export_savedmodel(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Writes a SavedModel for serving. This is the v1 API's name of `export_saved_model`.

        Args:
          export_dir_base: The parent of the new folder, which is named by the time.
          serving_input_receiver_fn: A function that returns a `ServingInputReceiver`.
          assets_extra: Paths of files to copy, by their path inside `assets.extra`.
          as_text: If true, writes `saved_model.pbtxt`.
          checkpoint_path: The checkpoint to export. None means the latest.
          strip_default_attrs: If true, leaves attributes with default values out of the graph.

        Returns:
          The path of the SavedModel's folder, as bytes.

        Raises:
          ValueError: The receiver or the checkpoint is missing.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {ModeKeys.PREDICT: serving_input_receiver_fn},
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=strip_default_attrs,
        )

    def _export_all_saved_models(
        self,
        export_dir_base: str,
        input_receiver_fn_map: Mapping[str, Callable[[], Any]],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> bytes:
        """Writes a SavedModel for all public export methods. Subclasses may override it."""
        return saved_model.export(
            self,
            export_dir_base,
            input_receiver_fn_map,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=strip_default_attrs,
        )
