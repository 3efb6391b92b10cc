"""Export strategies: functions by which an Experiment exports after its evaluations.

    strategy = make_export_strategy(build_parsing_serving_input_fn(feature_spec), exports_to_keep=3)
    Experiment(estimator, train_input_fn, eval_input_fn, export_strategies=[strategy])

They accept Estimators of contrib.learn and of tf.estimator.
"""

from __future__ import annotations

import collections
import os
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import MetricKey
from legacy.contrib.learn.inputs import input_fn_utils
from legacy.estimator import arguments
from legacy.estimator.estimator import Estimator as CoreEstimator
from legacy.estimator.export import receivers
from modern.records import events

tf1 = tf.compat.v1

_Strategy = collections.namedtuple("ExportStrategy", ["name", "export_fn", "strip_default_attrs"])


class ExportStrategy(_Strategy):
    """A name and a function by which an `Experiment` exports.

    Args:
      name: Name of the folder below `MODEL_DIR/export`.
      export_fn: Function called as `export_fn(estimator, export_path, checkpoint_path, eval_result,
        strip_default_attrs)`, which returns a path. The last three arguments are passed only if the
        function names them.
      strip_default_attrs: Argument for `export_fn`.
    """

    def __new__(
        cls, name: str, export_fn: Callable[..., Any], strip_default_attrs: bool | None = None
    ) -> ExportStrategy:
        """Creates the strategy. See the class for the arguments."""
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self,
        estimator: Any,
        export_path: str | bytes,
        checkpoint_path: str | None = None,
        eval_result: dict[str, Any] | None = None,
    ) -> Any:
        """Exports a checkpoint.

        Args:
          estimator: The Estimator.
          export_path: Folder to export to.
          checkpoint_path: The checkpoint. None is the latest one.
          eval_result: Metrics of that checkpoint.

        Returns:
          The return value of `export_fn`.

        Raises:
          ValueError: `export_fn` takes the metrics but not the checkpoint.
        """
        names = arguments.names(self.export_fn)
        if "eval_result" in names and "checkpoint_path" not in names:
            raise ValueError("An export_fn accepting eval_result must also accept checkpoint_path.")
        argument_values = {
            "checkpoint_path": checkpoint_path,
            "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }
        keywords = {name: value for name, value in argument_values.items() if name in names}
        return self.export_fn(estimator, export_path, **keywords)


def make_export_strategy(
    serving_input_fn: Callable[[], Any],
    default_output_alternative_key: str | None = None,
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy that exports a SavedModel after each evaluation.

    Args:
      serving_input_fn: Function that returns `InputFnOps`. For an Estimator of tf.estimator, it
        returns a `ServingInputReceiver`.
      default_output_alternative_key: Name of the default head, if the model has several heads.
      assets_extra: Files to copy, by path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      exports_to_keep: Number of the newest exports to keep. None keeps all.
      strip_default_attrs: If true, strips attributes with default values from the graph.

    Returns:
      The strategy, named "Servo".
    """

    def export_fn(
        estimator: Any,
        export_dir_base: str | bytes,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> Any:
        options: dict[str, Any] = {"default_output_alternative_key": default_output_alternative_key}
        if isinstance(estimator, CoreEstimator):
            if default_output_alternative_key is not None:
                raise ValueError(
                    "default_output_alternative_key is not supported in core Estimator. Given: "
                    f"{default_output_alternative_key}"
                )
            # EstimatorV2 has only the new name of the method. Both names do the same.
            export, options = estimator.export_saved_model, {}
        else:
            export = estimator.export_savedmodel
            options["strip_default_attrs"] = strip_default_attrs
        path = export(
            export_dir_base,
            serving_input_fn,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            **options,
        )
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return path

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


def make_parsing_export_strategy(
    feature_columns: Any,
    default_output_alternative_key: str | None = None,
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    target_core: bool = False,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy that exports a SavedModel which parses tf.Example.

    Args:
      feature_columns: Feature columns of contrib.layers, or a dict of parsing features.
      default_output_alternative_key: As in `make_export_strategy`.
      assets_extra: As in `make_export_strategy`.
      as_text: As in `make_export_strategy`.
      exports_to_keep: As in `make_export_strategy`.
      target_core: If true, the Estimator is one of tf.estimator.
      strip_default_attrs: As in `make_export_strategy`.
    """
    from legacy.contrib import layers  # Imported here, because layers may import this package.

    feature_spec = layers.create_feature_spec_for_parsing(feature_columns)
    if target_core:
        input_fn = receivers.build_parsing_serving_input_receiver_fn(feature_spec)
    else:
        input_fn = input_fn_utils.build_parsing_serving_input_fn(feature_spec)
    return make_export_strategy(
        input_fn,
        default_output_alternative_key=default_output_alternative_key,
        assets_extra=assets_extra,
        as_text=as_text,
        exports_to_keep=exports_to_keep,
        strip_default_attrs=strip_default_attrs,
    )


def make_best_model_export_strategy(
    serving_input_fn: Callable[[], Any],
    exports_to_keep: int | None = 1,
    model_dir: str | None = None,
    event_file_pattern: str | None = None,
    compare_fn: Callable[[dict[str, Any], dict[str, Any]], bool] | None = None,
    default_output_alternative_key: str | None = None,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy that exports when an evaluation is better than all earlier ones.

    Args:
      serving_input_fn: As in `make_export_strategy`.
      exports_to_keep: As in `make_export_strategy`.
      model_dir: Folder of earlier evaluations, or None.
      event_file_pattern: Pattern of the earlier event files below `model_dir`, or None.
      compare_fn: Function of the best and a new result that returns true if the new result is
        better. None compares the loss.
      default_output_alternative_key: As in `make_export_strategy`.
      strip_default_attrs: As in `make_export_strategy`.

    Returns:
      The strategy, named "best_model". It returns "" if it does not export.
    """
    inner = make_export_strategy(
        serving_input_fn,
        exports_to_keep=exports_to_keep,
        default_output_alternative_key=default_output_alternative_key,
        strip_default_attrs=strip_default_attrs,
    )
    better = compare_fn or _lower_loss
    pattern = model_dir and event_file_pattern and os.path.join(model_dir, event_file_pattern)
    best = _best_of_events(pattern, better) if pattern else None

    def export_fn(
        estimator: Any,
        export_dir_base: str | bytes,
        checkpoint_path: str | None,
        eval_result: dict[str, Any] | None = None,
    ) -> Any:
        nonlocal best
        path = checkpoint_path or tf1.train.latest_checkpoint(estimator.model_dir)
        if not path:
            raise ValueError("Checkpoint path is empty.")
        if eval_result is None:
            raise ValueError(f"{path} has empty evaluation results.")
        if best is not None and not better(best, eval_result):
            return ""
        best = eval_result
        folder = os.path.join(tf.compat.as_str(export_dir_base), os.path.basename(path))
        return inner.export(estimator, folder, path, eval_result)

    return ExportStrategy("best_model", export_fn)


def _lower_loss(best: dict[str, Any], new: dict[str, Any]) -> bool:
    for result in (best, new):
        if not result or MetricKey.LOSS not in result:
            raise ValueError(f"An evaluation result cannot be empty or without loss: {result}.")
    return new[MetricKey.LOSS] < best[MetricKey.LOSS]


def _best_of_events(pattern: str, better: Callable[[Any, Any], bool]) -> dict[str, Any] | None:
    best = None
    for file in sorted(tf.io.gfile.glob(pattern)):
        for event in events.read(file):
            result = {
                v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")
            }
            if event.HasField("summary") and (best is None or better(best, result)):
                best = result
    return best


def garbage_collect_exports(export_dir_base: str | bytes, exports_to_keep: int | None) -> None:
    """Removes old exports.

    Args:
      export_dir_base: Folder of the exports, whose names are timestamps.
      exports_to_keep: Number of the newest exports to keep. None keeps all.
    """
    if exports_to_keep is None:
        return
    base = tf.compat.as_str(export_dir_base)
    names = [name.rstrip("/") for name in tf.io.gfile.listdir(base)]
    # A timestamp in seconds has 10 digits. Other folders are kept.
    versions = sorted(name for name in names if len(name) == 10 and name.isdigit())
    for name in versions[: max(0, len(versions) - exports_to_keep)]:
        tf.io.gfile.rmtree(os.path.join(base, name))
