"""What the canned estimators of contrib.learn predict: one of their outputs, without its name.

list(classifier.predict(input_fn=input_fn))  # [1, 0, 2]
"""

from __future__ import annotations

from typing import Any

from legacy.contrib.learn.constants import PredictionKey
from legacy.contrib.learn.estimator import Estimator


class OneOutput(Estimator):
    """An Estimator whose `predict` returns one of its outputs, unless others are asked for."""

    def _predict_one(self, key: str, **given: Any) -> Any:
        predictions = Estimator.predict(self, outputs=[key], **given)
        if given.get("as_iterable", True):
            return (prediction[key] for prediction in predictions)
        return predictions[key]


class Classifier(OneOutput):
    """Predicts classes."""

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts classes, or the outputs asked for; see `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          outputs: Names of `PredictionKey`; None is the classes alone, without their name.
          as_iterable: As in `Estimator.predict`.
        """
        given = {"x": x, "input_fn": input_fn, "batch_size": batch_size}
        if outputs:
            return super().predict(outputs=outputs, as_iterable=as_iterable, **given)
        return self.predict_classes(as_iterable=as_iterable, **given)

    def predict_classes(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts classes; see `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          as_iterable: As in `Estimator.predict`.
        """
        return self._predict_one(
            PredictionKey.CLASSES,
            x=x,
            input_fn=input_fn,
            batch_size=batch_size,
            as_iterable=as_iterable,
        )

    def predict_proba(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts probabilities; see `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          as_iterable: As in `Estimator.predict`.
        """
        return self._predict_one(
            PredictionKey.PROBABILITIES,
            x=x,
            input_fn=input_fn,
            batch_size=batch_size,
            as_iterable=as_iterable,
        )


class Regressor(OneOutput):
    """Predicts numbers."""

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts numbers, or the outputs asked for; see `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          outputs: Names of `PredictionKey`; None is the numbers alone, without their name.
          as_iterable: As in `Estimator.predict`.
        """
        given = {"x": x, "input_fn": input_fn, "batch_size": batch_size}
        if outputs:
            return super().predict(outputs=outputs, as_iterable=as_iterable, **given)
        return self.predict_scores(as_iterable=as_iterable, **given)

    def predict_scores(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """Predicts numbers; see `Estimator.predict`.

        Args:
          x: As in `Estimator.predict`.
          input_fn: As in `Estimator.predict`.
          batch_size: As in `Estimator.predict`.
          as_iterable: As in `Estimator.predict`.
        """
        return self._predict_one(
            PredictionKey.SCORES,
            x=x,
            input_fn=input_fn,
            batch_size=batch_size,
            as_iterable=as_iterable,
        )
