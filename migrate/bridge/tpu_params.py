"""What a TPUEstimator gave its functions as params: each mode has its own batch size among them.

>>> params = TPUParams({"rate": 0.1}, train_batch_size=32, eval_batch_size=8)
>>> params.train
{'rate': 0.1, 'batch_size': 32}
>>> params.infer
{'rate': 0.1}

A bridged model_fn gets them by its mode; an input_fn is called with those of its mode:

    model = bridge.KerasModelFn(model_fn, params=params)
    model.fit(input_fn(params=model.params.train))

Seen in TensorFlow 2.15, with use_tpu=False.
"""

from __future__ import annotations

import copy
from typing import Any

from legacy.estimator.tpu import params as own_params

_KIND = "migrate.bridge.TPUParams"  # In the config of a model, which is JSON.


class TPUParams:
    """Hyperparameters by mode.

    Args:
      params: Those of all modes, a dict or an HParams, without "batch_size" and "context".
      train_batch_size: The examples in a batch of `train`; None to give none.
      eval_batch_size: Those of `evaluate`.
      predict_batch_size: Those of `predict`.

    Raises:
      ValueError: `params` have a name of these themselves.
    """

    def __init__(
        self,
        params: Any = None,
        *,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
    ) -> None:
        own_params.check(params)
        self._params = {} if params is None else copy.deepcopy(params)
        self._sizes = {
            "train": train_batch_size,
            "eval": eval_batch_size,
            "infer": predict_batch_size,
        }

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes them again."""
        train, evaluate, predict = self._sizes.values()
        return {
            "params": self._params,
            "train_batch_size": train,
            "eval_batch_size": evaluate,
            "predict_batch_size": predict,
        }

    @property
    def train(self) -> Any:
        """What an input_fn gets for a training; a copy."""
        return self._of("train")

    @property
    def eval(self) -> Any:
        """What it gets for an evaluation."""
        return self._of("eval")

    @property
    def infer(self) -> Any:
        """What it gets for predictions."""
        return self._of("infer")

    def of_model_fn(self, mode: str) -> Any:
        """Returns what a model_fn gets, which is told that it runs on no TPU.

        Args:
          mode: "train", "eval" or "infer".
        """
        return own_params.with_value(self._of(mode), own_params.USE_TPU, False)

    def _of(self, mode: str) -> Any:
        params, size = copy.deepcopy(self._params), self._sizes[mode]
        if size is None:
            return params
        return own_params.with_value(params, own_params.BATCH_SIZE, size)


def encoded(params: Any) -> Any:
    """Returns the params of a model for its config; others than these as they are."""
    return {_KIND: params.arguments} if isinstance(params, TPUParams) else params


def decoded(params: Any) -> Any:
    """Returns what `encoded` was given."""
    is_kind = isinstance(params, dict) and _KIND in params
    return TPUParams(**params[_KIND]) if is_kind else params
