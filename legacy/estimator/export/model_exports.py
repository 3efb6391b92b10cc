"""What Estimator exports: SavedModels of one mode or of several.

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
    """The exports of Estimator; `saved_model` does what they say."""

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
          export_dir_base: The folder in which a folder named by the time is made.
          serving_input_receiver_fn: Returns a `ServingInputReceiver`; called inside the graph.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.
          experimental_mode: The mode of the exported model; for TRAIN and EVAL the receiver is one
            of `experimental.build_raw_supervised_input_receiver_fn`.

        Returns:
          The SavedModel's folder, as bytes.

        Raises:
          ValueError: There is no receiver or checkpoint, or the mode is no mode.
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
        """Writes a SavedModel with a graph for each of several modes, sharing the variables.

        Args:
          export_dir_base: The folder in which a folder named by the time is made.
          input_receiver_fn_map: By mode, a function that returns its receiver.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.

        Returns:
          The SavedModel's folder, as bytes. Its graphs have the tags "train", "eval", "serve".

        Raises:
          ValueError: There is no checkpoint, no mode, or no value for a variable.
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
        """The older name of `export_saved_model`, which see; v1 API only.

        Args:
          export_dir_base: The folder in which a folder named by the time is made.
          serving_input_receiver_fn: Returns a `ServingInputReceiver`.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.
          strip_default_attrs: Leave attributes with default values out of the graph.

        Returns:
          The SavedModel's folder, as bytes.

        Raises:
          ValueError: There is no receiver or checkpoint.
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
        """Writes a SavedModel; all public exports come here, and subclasses may define it anew."""
        return saved_model.export(
            self,
            export_dir_base,
            input_receiver_fn_map,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=strip_default_attrs,
        )
