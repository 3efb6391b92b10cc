"""SKCompat: an Estimator of contrib.learn in the interface of scikit-learn.

classifier = SKCompat(estimator)
classifier.fit(x_train, y_train, steps=1000)
classifier.score(x_test, y_test)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.contrib.learn.estimators import evaluation_metrics
from legacy.contrib.learn.estimators.interfaces import Tunable
from legacy.contrib.learn.inputs import data_feeder

if TYPE_CHECKING:
    from legacy.contrib.learn.estimators.estimator import Estimator

tf1 = tf.compat.v1

_GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP


class SKCompat(Tunable):
    """An Estimator in the interface of scikit-learn: fit, score and predict on arrays.

    Args:
      estimator: An Estimator of contrib.learn.
    """

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    def fit(
        self,
        x: Any,
        y: Any,
        batch_size: int | None = 128,
        steps: int | None = None,
        max_steps: int | None = None,
        monitors: Iterable[Any] | None = None,
    ) -> SKCompat:
        """Trains the Estimator. See `Estimator.fit`.

        Args:
          x: Features: arrays of shape [examples, ...], or an iterator over examples.
          y: Labels, of the same kind.
          batch_size: Number of examples in a batch.
          steps: Number of additional steps.
          max_steps: Global step at which to stop.
          monitors: Monitors or `SessionRunHook`s.

        Returns:
          This object.
        """
        feeder = data_feeder.make_feeder(x, y, batch_size, shuffle=True, epochs=None)
        hook = tf1.train.FeedFnHook(feeder.get_feed_dict_fn())
        self._estimator.fit(
            input_fn=feeder.input_builder,
            steps=steps,
            max_steps=max_steps,
            monitors=[hook, *(monitors or [])],
        )
        return self

    def score(
        self,
        x: Any,
        y: Any,
        batch_size: int | None = 128,
        steps: int | None = None,
        metrics: dict[Any, Any] | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates the Estimator. See `Estimator.evaluate`.

        Args:
          x: As in `fit`.
          y: As in `fit`.
          batch_size: Number of examples in a batch.
          steps: Number of batches. None is all of them.
          metrics: `MetricSpec`s by name.
          name: Suffix of the event file's folder.

        Returns:
          The metrics by name, with "loss" and "global_step".
        """
        feeder = data_feeder.make_feeder(x, y, batch_size, shuffle=False, epochs=1)
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        results, step = self._estimator._evaluate_model(
            input_fn=feeder.input_builder,
            feed_fn=feeder.get_feed_dict_fn(),
            steps=steps,
            metrics=metrics,
            name=name,
        )
        return {**results, _GLOBAL_STEP: step}

    def predict(
        self, x: Any, batch_size: int | None = 128, outputs: Iterable[str] | None = None
    ) -> Any:
        """Computes the predictions for all examples.

        Args:
          x: As in `fit`.
          batch_size: Number of examples in a batch.
          outputs: Names of the predictions, if predictions are a dict. None is all of them.

        Returns:
          An array of shape [examples, ...], or a dict of such arrays.
        """
        feeder = data_feeder.make_feeder(x, None, batch_size, shuffle=False, epochs=1)
        batches = self._estimator._infer_model(
            input_fn=feeder.input_builder,
            feed_fn=feeder.get_feed_dict_fn(),
            outputs=outputs,
            iterate_batches=True,
        )
        return evaluation_metrics.concatenated(list(batches))
