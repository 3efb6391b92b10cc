"""Exporters as in EvalSpec: they write SavedModels after the evaluations of a training.

    porting.train_and_evaluate(
        model, ..., exporters=[BestExporter("best", serving, exports_to_keep=5)]
    )

Each exporter has its own folder, MODEL_DIR/export/NAME. It has a folder for each export, named by
the time, such as MODEL_DIR/export/best/1700000000.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

from modern.process import files

Metrics = Mapping[str, Any]
# A function that writes the model into a new folder inside the first argument and returns its path.
# The second argument is `serving`, as in `porting.export`.
Export = Callable[[str, Callable[..., Any]], bytes]


class Exporter:
    """Exports after each evaluation, and keeps all exports.

    Args:
      name: The name, also that of the folder.
      serving: The inputs of a request, as `porting.export` takes them.

    Attributes:
      name: The name.
    """

    keeps: int | None = None

    def __init__(self, name: str, serving: Callable[..., Any]) -> None:
        if not name or not isinstance(name, str):
            raise ValueError(f"an exporter's name must be a string, not {name!r}.")
        self.name, self._serving = name, serving

    def export(self, model_dir: str, metrics: Metrics, final: bool, export: Export) -> bytes | None:
        """Exports the model, if this exporter's rule is met.

        Args:
          model_dir: The folder of the training.
          metrics: The results of the evaluation.
          final: Whether the training has ended.
          export: Writes the export.

        Returns:
          The path of the export, or None.
        """
        if not self._wants(metrics, final):
            return None
        folder = os.path.join(model_dir, "export", self.name)
        path = export(folder, self._serving)
        _keep(folder, self.keeps)
        return path

    def _wants(self, metrics: Metrics, final: bool) -> bool:
        return True


class FinalExporter(Exporter):
    """Exports once, when the training has ended. The arguments are those of `Exporter`.

    It also exports if the data ended the training. In that case the Estimator of TensorFlow 2.15
    exported nothing.
    """

    def _wants(self, metrics: Metrics, final: bool) -> bool:
        return final


class LatestExporter(Exporter):
    """Exports after each evaluation, and keeps the newest exports.

    Args:
      name: The name, as in `Exporter`.
      serving: The inputs of a request, as in `Exporter`.
      exports_to_keep: The number of exports to keep. None keeps all.

    Raises:
      ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self, name: str, serving: Callable[..., Any], exports_to_keep: int | None = 5
    ) -> None:
        super().__init__(name, serving)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"exports_to_keep must be positive or None, not {exports_to_keep}.")
        self.keeps = exports_to_keep


def _loss_smaller(best_eval_result: Metrics, current_eval_result: Metrics) -> bool:
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(LatestExporter):
    """Exports if an evaluation is better than the best so far, and after the first one of a run.

    An Estimator's BestExporter also read the best evaluation of earlier runs. But it exported the
    first evaluation of a run in any case, and compared the next ones with that (seen in TensorFlow
    2.15).

    Args:
      name: The name, as in `Exporter`.
      serving: The inputs of a request, as in `Exporter`.
      compare_fn: compare_fn(best_eval_result, current_eval_result) returns whether the second is
        better. By default a smaller loss is better.
      exports_to_keep: The number of exports to keep, as in `LatestExporter`.

    Raises:
      ValueError: `compare_fn` has other arguments, or `exports_to_keep` is not positive.
    """

    def __init__(
        self,
        name: str,
        serving: Callable[..., Any],
        compare_fn: Callable[..., bool] = _loss_smaller,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving, exports_to_keep)
        parameters = {*inspect.signature(compare_fn).parameters}
        if parameters != {"best_eval_result", "current_eval_result"}:
            raise ValueError(
                "compare_fn must take best_eval_result and current_eval_result, but "
                f"{compare_fn!r} takes {', '.join(sorted(parameters)) or 'nothing'}."
            )
        self._is_better = compare_fn
        self._best: Metrics | None = None

    def _wants(self, metrics: Metrics, final: bool) -> bool:
        if self._best is not None and not self._is_better(
            best_eval_result=self._best, current_eval_result=metrics
        ):
            return False
        self._best = metrics
        return True


def as_tuple(exporters: Any) -> tuple[Exporter, ...]:
    """Returns exporters as a tuple.

    Args:
      exporters: An exporter, a sequence of exporters, or None.

    Raises:
      TypeError: An element is not an exporter.
      ValueError: Two exporters have the same name and thus the same folder.
    """
    result = (exporters,) if isinstance(exporters, Exporter) else tuple(exporters or ())
    for exporter in result:
        if not isinstance(exporter, Exporter):
            raise TypeError(f"exporters must come from modern.porting, but {exporter!r} does not.")
    names = [exporter.name for exporter in result]
    if len({*names}) < len(names):
        raise ValueError(f"exporters must have different names, not {', '.join(names)}.")
    return result


def _keep(folder: str, count: int | None) -> None:
    """Removes all but the newest exports. Only folders with a timestamp as name are exports."""
    # Seconds since 1970 have 10 digits.
    exports = [n for n in files.list_folder(folder) if len(n) == 10 and n.isdigit()]
    for name in exports[: -count or None] if count else ():
        files.remove_tree(os.path.join(folder, name))
