"""Rules that end a training early, by its evaluations.

>>> import operator
>>> rule = NoLongerBetter("loss", max_steps=100, is_better=operator.lt)
>>> rule.reason([(100, 0.5), (150, 0.4), (200, 0.6)])
''
>>> rule.reason([(100, 0.5), (150, 0.4), (250, 0.4)])
"'loss' was best at step 150, 100 steps before 250; 100 are allowed."

Like the hooks of tf.estimator.experimental, these rules compare strictly: an evaluation that equals
the best one is not better. The callbacks of `modern.porting` and the hooks of `legacy` share them.
https://www.tensorflow.org/guide/migrate/early_stopping
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from modern.records import summaries

Values = Iterable[tuple[int, float]]


class Rule(Protocol):
    """A rule that decides by one metric."""

    @property
    def metric(self) -> str:
        """The name of the metric."""

    def reason(self, evaluations: Values) -> str:
        """Returns the reason to end the training, or "".

        Args:
          evaluations: Step and metric of each evaluation, in order.
        """


@dataclasses.dataclass(frozen=True)
class Beyond:
    """Ends a training when a metric has crossed a threshold.

    Attributes:
      metric: The name of the metric.
      threshold: The threshold.
      is_beyond: Compares a metric with the threshold, such as `operator.gt`.
    """

    metric: str
    threshold: float
    is_beyond: Callable[[float, float], bool]

    def reason(self, evaluations: Values) -> str:
        """See `Rule`."""
        for step, value in evaluations:
            if self.is_beyond(value, self.threshold):
                return (
                    f"{self.metric!r} was {value} at step {step}, beyond the threshold "
                    f"{self.threshold}."
                )
        return ""


@dataclasses.dataclass(frozen=True)
class NoLongerBetter:
    """Ends a training when no evaluation has been better than the best one for `max_steps` steps.

    Attributes:
      metric: The name of the metric.
      max_steps: The number of steps after the best evaluation at which the training ends.
      is_better: Compares a metric with the best one, such as `operator.lt`.
    """

    metric: str
    max_steps: int
    is_better: Callable[[float, float], bool]

    def reason(self, evaluations: Values) -> str:
        """See `Rule`."""
        best, best_step = None, 0
        for step, value in evaluations:
            if best is None or self.is_better(value, best):
                best, best_step = value, step
            if step - best_step >= self.max_steps:
                return (
                    f"{self.metric!r} was best at step {best_step}, {step - best_step} steps "
                    f"before {step}; {self.max_steps} are allowed."
                )
        return ""


def values(folder: str, metric: str, min_steps: int) -> Iterator[tuple[int, float]]:
    """Yields the step and a metric of each evaluation, from its summaries.

    Args:
      folder: The folder of the summaries, which need not exist.
      metric: The name of the metric.
      min_steps: Evaluations before this step are skipped.

    Raises:
      KeyError: An evaluation has no such metric.
    """
    for step, metrics in summaries.read(folder).items():
        if step < min_steps:
            continue
        if metric not in metrics:
            raise KeyError(
                f"metric_name={metric!r} is not among the metrics of the evaluation at step {step} "
                f"in {folder}: {sorted(metrics)}"
            )
        yield step, metrics[metric]
