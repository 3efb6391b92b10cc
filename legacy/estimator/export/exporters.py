"""Exporters, which write SavedModels after the evaluations of train_and_evaluate.

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
from legacy.estimator.docstrings import documented
from modern.records import events

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1

_TEXTS = {
    "name": "The exporter's name.",
    "serving_input_receiver_fn": "A function that returns a `ServingInputReceiver`.",
    "event_file_pattern": "Glob pattern of the event files with earlier evaluations, relative to "
    "the model's folder. None reads no files.",
    "compare_fn": "`compare_fn(best_eval_result, current_eval_result)` returns whether the current "
    "result is better. By default, the smaller loss is better.",
    "assets_extra": "Paths of files to copy, by their path inside `assets.extra`.",
    "as_text": "If true, writes `saved_model.pbtxt`.",
    "exports_to_keep": "Number of newest exports to keep. None keeps all.",
}


class Exporter:
    """Base class of exporters. A subclass defines `name` and `export`.

    As in the original, a class without them can be instantiated. `EvalSpec` then rejects it,
    because it has no name.
    """

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The exporter's name, which is also the name of its folder."""

    @abc.abstractmethod
    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports the model, or decides not to.

        Args:
          estimator: The Estimator whose model to export.
          export_path: The exporter's folder.
          checkpoint_path: The checkpoint that was evaluated.
          eval_result: The metrics by name.
          is_the_final_export: True if the training has ended.

        Returns:
          The path of the SavedModel's folder as bytes, or None.
        """


@documented(_TEXTS)
class _SavedModelExporter(Exporter):
    """Exporter that exports for serving at each evaluation. The three public exporters extend it.

    {args}
    """

    _exports_to_keep: int | None = None

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[[], Any] | None,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
    ) -> None:
        self._name = name
        self._serving_input_receiver_fn = serving_input_receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text

    @property
    def name(self) -> str:
        """The exporter's name, which is also the name of its folder."""
        return self._name

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports the model. See the base class."""
        export_folder = estimator.export_saved_model(
            export_path,
            self._serving_input_receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        self._garbage_collect_exports(export_path)
        return export_folder

    def _garbage_collect_exports(self, export_dir_base: str) -> None:
        """Removes all exports of a folder except the newest."""
        _remove_old_exports(export_dir_base, self._exports_to_keep)


@documented(_TEXTS)
class LatestExporter(_SavedModelExporter):
    """Exporter that exports after each evaluation and keeps the newest exports.

    {args}

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
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._exports_to_keep = _checked_exports_to_keep(exports_to_keep)


@documented(_TEXTS)
class FinalExporter(_SavedModelExporter):
    """Exporter that exports once, when the training has ended.

    {args}
    """

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports the model if this is the final export. See the base class."""
        if not is_the_final_export:
            return None
        tf1.logging.info("Performing the final export in the end of training.")
        return super().export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )


def _loss_smaller(best_eval_result: dict[str, Any], current_eval_result: dict[str, Any]) -> bool:
    results = {"best_eval_result": best_eval_result, "current_eval_result": current_eval_result}
    for name, result in results.items():
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it: {result}.")
    return best_eval_result["loss"] > current_eval_result["loss"]


@documented(_TEXTS)
class BestExporter(_SavedModelExporter):
    """Exporter that exports after the first evaluation of a run, and after each better one.

    The exporter also reads the evaluations of earlier runs from event files. It always exports the
    first evaluation of this object, because the files already contain that evaluation itself.

    {args}

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
        _check_compare_fn(compare_fn)
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir: str | None = None
        self._best_eval_result: dict[str, Any] | None = None
        self._has_exported = False
        self._exports_to_keep = _checked_exports_to_keep(exports_to_keep)

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> bytes | None:
        """Exports the model if this evaluation is the best. See the base class."""
        if self._event_file_pattern and self._model_dir != estimator.model_dir:
            tf1.logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best_eval_result = self._get_best_eval_result(
                os.path.join(self._model_dir, self._event_file_pattern)
            )
        if not self._is_best(eval_result):
            return None
        tf1.logging.info("Performing best model export.")
        self._best_eval_result = eval_result
        export_folder = super().export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )
        self._has_exported = True
        return export_folder

    def _is_best(self, eval_result: dict[str, Any]) -> bool:
        if self._best_eval_result is None or not self._has_exported:
            return True
        return self._is_better(self._best_eval_result, eval_result)

    def _is_better(self, best: dict[str, Any], current: dict[str, Any]) -> bool:
        # By name, because the arguments of compare_fn may be in any order. TensorFlow 2.15 passed
        # the evaluations of event files by position.
        return self._compare_fn(best_eval_result=best, current_eval_result=current)

    def _get_best_eval_result(self, event_files: str) -> dict[str, Any] | None:
        """Returns the best evaluation in the event files that match a pattern, or None."""
        best = None
        for path in tf.io.gfile.glob(event_files) if event_files else ():
            for event in events.read(path):
                values = [v for v in event.summary.value if v.HasField("simple_value")]
                result = {value.tag: value.simple_value for value in values}
                if result and (best is None or self._is_better(best, result)):
                    best = result
        return best


def _checked_exports_to_keep(count: int | None) -> int | None:
    if count is not None and count <= 0:
        raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {count}")
    return count


def _check_compare_fn(compare_fn: Any) -> None:
    if compare_fn is None:
        raise ValueError("`compare_fn` must not be None.")
    names = arguments.names(compare_fn)
    expected = ("best_eval_result", "current_eval_result")
    for name in expected:
        if name not in names:
            raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
    unexpected = [name for name in names if name not in expected]
    if unexpected:
        raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {unexpected}")


def _remove_old_exports(export_dir_base: str, exports_to_keep: int | None) -> None:
    """Removes all exports except the newest. Only folders named by a time count as exports."""
    if exports_to_keep is None:
        return
    base = tf.compat.as_str_any(export_dir_base)
    names = [tf.compat.as_str_any(name).rstrip("/") for name in tf.io.gfile.listdir(base)]
    # A time in seconds since 1970 has ten digits until the year 2286.
    exports = sorted(name for name in names if len(name) == 10 and name.isdigit())
    for name in exports[:-exports_to_keep]:
        try:
            tf.io.gfile.rmtree(os.path.join(base, name))
        except tf.errors.NotFoundError as error:
            tf1.logging.warning("Can not delete the old export %s: %s", name, error)
