"""Predictions of the canned estimators of contrib.learn: a single output, without its name.

list(classifier.predict(input_fn=input_fn))  # [1, 0, 2]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy.contrib.learn.constants import PredictionKey
from legacy.contrib.learn.estimators.estimator import Estimator


class OneOutput(Estimator):
    """An Estimator whose `predict` returns a single output, unless `outputs` names others."""

    _DEFAULT: str

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts the default output, or the outputs in `outputs`. See `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          outputs: Names of `PredictionKey`. None is the default output alone, without its name.
          as_iterable: As in `Estimator.predict`.
        """
        if outputs:
            return super().predict(x, input_fn, batch_size, outputs, as_iterable)
        return getattr(self, self._DEFAULT)(x, input_fn, batch_size, as_iterable)


def _predicts(name: str, key: str) -> Callable[..., Any]:
    """Returns a method that predicts a single output.

    Args:
      name: Name of the method.
      key: Name of the output in `PredictionKey`.
    """

    def predict_one(
        self: Estimator,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        predictions = Estimator.predict(self, x, input_fn, batch_size, [key], as_iterable)
        return (prediction[key] for prediction in predictions) if as_iterable else predictions[key]

    predict_one.__name__ = predict_one.__qualname__ = name
    predict_one.__doc__ = f"Predicts {key}, without their name; see `Estimator.predict`."
    return predict_one


class Classifier(OneOutput):
    """Predicts classes."""

    _DEFAULT = "predict_classes"
    predict_classes = _predicts("predict_classes", PredictionKey.CLASSES)
    predict_proba = _predicts("predict_proba", PredictionKey.PROBABILITIES)


class Regressor(OneOutput):
    """Predicts numbers."""

    _DEFAULT = "predict_scores"
    predict_scores = _predicts("predict_scores", PredictionKey.SCORES)
