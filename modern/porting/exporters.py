"""What EvalSpec's exporters did: SavedModels that a training leaves beside its evaluations.

    porting.train_and_evaluate(
        model, ..., exporters=[BestExporter("best", serving, exports_to_keep=5)]
    )

Each has a folder of its own, MODEL_DIR/export/NAME, with a folder in it for each export, which the
time names.
"""

from __future__ import annotations

import inspect
import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any

Metrics = Mapping[str, Any]
# Writes the model into a new folder of another one, for what the second says; returns its path.
Export = Callable[[str, Callable[..., Any]], bytes]


class Exporter:
    """Exports after each evaluation, and keeps all.

    Args:
      name: also that of the folder.
      serving: what a request consists of, as `porting.export` takes it.

    Attributes:
      name: the name.
    """

    keeps: int | None = None

    def __init__(self, name: str, serving: Callable[..., Any]) -> None:
        if not name or not isinstance(name, str):
            raise ValueError(f"an exporter's name is a text, and not {name!r}.")
        self.name, self._serving = name, serving

    def export(self, model_dir: str, metrics: Metrics, final: bool, export: Export) -> bytes | None:
        """Exports, if it is to.

        Args:
          model_dir: of the training.
          metrics: what the evaluation found.
          final: whether the training has ended.
          export: what writes.

        Returns:
          The path of the export; None where there is none.
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
    """Exports once, when the training has ended. Arguments as of `Exporter`.

    Also where the data ended it, at which the Estimator of TensorFlow 2.15 exported nothing.
    """

    def _wants(self, metrics: Metrics, final: bool) -> bool:
        return final


class LatestExporter(Exporter):
    """Exports after each evaluation.

    Args:
      name: as of `Exporter`.
      serving: as of `Exporter`.
      exports_to_keep: how many, the newest; None for all.

    Raises:
      ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self, name: str, serving: Callable[..., Any], exports_to_keep: int | None = 5
    ) -> None:
        super().__init__(name, serving)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"exports_to_keep is positive or None, and not {exports_to_keep}.")
        self.keeps = exports_to_keep


def _loss_smaller(best_eval_result: Metrics, current_eval_result: Metrics) -> bool:
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(LatestExporter):
    """Exports when an evaluation is better than the best so far, and at the first one of a run.

    An Estimator's looked for the best of earlier runs, too, but exported the first evaluation of
    this one whatever it was, and compared with that from then on (seen in TensorFlow 2.15).

    Args:
      name: as of `Exporter`.
      serving: as of `Exporter`.
      compare_fn: compare_fn(best_eval_result, current_eval_result) says whether the second is
        better. By default that is a smaller loss.
      exports_to_keep: as of `LatestExporter`.

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
        takes = {*inspect.signature(compare_fn).parameters}
        if takes != {"best_eval_result", "current_eval_result"}:
            raise ValueError(
                "compare_fn takes best_eval_result and current_eval_result; "
                f"{compare_fn!r} takes {', '.join(sorted(takes)) or 'nothing'}."
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


def checked(exporters: Any) -> tuple[Exporter, ...]:
    """Returns exporters as a tuple.

    Args:
      exporters: one, several, or None.

    Raises:
      TypeError: one is something else.
      ValueError: two have the same name, which is that of their folder.
    """
    found = (exporters,) if isinstance(exporters, Exporter) else tuple(exporters or ())
    for one in found:
        if not isinstance(one, Exporter):
            raise TypeError(f"exporters are those of modern.porting; {one!r} is none.")
    names = [one.name for one in found]
    if len({*names}) < len(names):
        raise ValueError(f"exporters have names of their own, and not {', '.join(names)}.")
    return found


def _keep(folder: str, count: int | None) -> None:
    """Removes all but the newest exports; only folders that a time names are exports."""
    exports = sorted(name for name in os.listdir(folder) if len(name) == 10 and name.isdigit())
    for name in exports[: -count or None] if count else ():
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
