"""Exporters: SavedModels that train_and_evaluate writes beside the evaluations.

>>> exporter = FinalExporter("final", serving_input_receiver_fn=lambda: None)
>>> exporter.name
'final'
"""

from __future__ import annotations

import abc
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator import arguments

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1


class Exporter(abc.ABC):
    """Something that writes a model after an evaluation."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name, which is also that of its folder."""

    @abc.abstractmethod
    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Writes the model, or decides not to.

        Args:
          estimator: Whose model it is.
          export_path: The exporter's folder.
          checkpoint_path: The checkpoint that was evaluated.
          eval_result: The metrics by name.
          is_the_final_export: Whether the training has ended.

        Returns:
          The folder of the SavedModel as bytes, or None.
        """


class _SavedModelExporter(Exporter):
    """What the three exporters have in common: a name, and how to write a SavedModel."""

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[[], Any] | None,
        assets_extra: Mapping[str, str] | None,
        as_text: bool,
        exports_to_keep: int | None = None,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(
                f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}"
            )
        self._name = name
        self._serving_input_receiver_fn = serving_input_receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text
        self._exports_to_keep = exports_to_keep

    @property
    def name(self) -> str:
        """The name, which is also that of its folder."""
        return self._name

    def _write(self, estimator: Estimator, export_path: str, checkpoint_path: str) -> bytes:
        written = estimator.export_saved_model(
            export_path,
            self._serving_input_receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        self._remove_old(export_path)
        return written

    def _remove_old(self, export_path: str) -> None:
        """Removes all but the newest exports; only folders that a time names are exports."""
        if self._exports_to_keep is None:
            return
        names = [name.rstrip("/") for name in tf.io.gfile.listdir(export_path)]
        exports = sorted((name for name in names if name.isdigit()), key=int)
        for name in exports[: -self._exports_to_keep]:
            try:
                tf.io.gfile.rmtree(os.path.join(export_path, name))
            except tf.errors.OpError as error:
                tf1.logging.warning("Can not delete the old export %s: %s", name, error)


class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation and keeps the newest.

    Args:
      name: The name.
      serving_input_receiver_fn: Returns a `ServingInputReceiver`.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
      exports_to_keep: How many; None keeps all.

    Raises:
      ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports; see the base class."""
        return self._write(estimator, export_path, checkpoint_path)


class FinalExporter(_SavedModelExporter):
    """Exports once, when the training has ended.

    Args:
      name: The name.
      serving_input_receiver_fn: Returns a `ServingInputReceiver`.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports if it is the final one; see the base class."""
        if not is_the_final_export:
            return None
        tf1.logging.info("Performing the final export in the end of training.")
        return self._write(estimator, export_path, checkpoint_path)


def _loss_smaller(best_eval_result: dict[str, Any], current_eval_result: dict[str, Any]) -> bool:
    for result in (best_eval_result, current_eval_result):
        if not result or "loss" not in result:
            raise ValueError("Each evaluation result must have a loss, the default metric.")
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModelExporter):
    """Exports when an evaluation is better than all before it, in this run and in earlier ones.

    Args:
      name: The name.
      serving_input_receiver_fn: Returns a `ServingInputReceiver`.
      event_file_pattern: Where earlier evaluations are found, relative to the model's folder; None
        does not look.
      compare_fn: `compare_fn(best_eval_result, current_eval_result)` says whether the current one
        is better. By default the smaller loss is.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.
      exports_to_keep: How many; None keeps all.

    Raises:
      ValueError: `compare_fn` is missing or has other arguments, or `exports_to_keep` is not
        positive.
    """

    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Callable[[], Any] | None = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[[dict[str, Any], dict[str, Any]], bool] = _loss_smaller,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        found = arguments.names(compare_fn)
        for argument in ("best_eval_result", "current_eval_result"):
            if argument not in found and not arguments.takes_any(compare_fn):
                raise ValueError(f"compare_fn ({compare_fn}) must include {argument} argument.")
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._best: dict[str, Any] | None = None
        self._looked = False

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports if this evaluation is the best; see the base class."""
        if not self._looked:
            self._looked = True
            tf1.logging.info("Loading best metric from event files.")
            self._best = self._best_before(estimator.model_dir, eval_result)
        if self._best is not None and not self._compare_fn(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        tf1.logging.info("Performing best model export.")
        self._best = eval_result
        return self._write(estimator, export_path, checkpoint_path)

    def _best_before(self, model_dir: str, now: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the best of the evaluations that are in event files, this one left out."""
        if not self._event_file_pattern:
            return None
        best = None
        pattern = os.path.join(model_dir, self._event_file_pattern)
        for path in tf.io.gfile.glob(pattern):
            for event in tf1.train.summary_iterator(path):
                result = {
                    value.tag: value.simple_value
                    for value in event.summary.value
                    if value.HasField("simple_value")
                }
                if not result or event.step == now.get(tf1.GraphKeys.GLOBAL_STEP):
                    continue
                if best is None or self._compare_fn(
                    best_eval_result=best, current_eval_result=result
                ):
                    best = result
        return best
