"""Params as a TPUEstimator passed them to its functions, with the batch size of each mode.

>>> params = TPUParams({"rate": 0.1}, train_batch_size=32, eval_batch_size=8)
>>> params.train
{'rate': 0.1, 'batch_size': 32}
>>> params.infer
{'rate': 0.1}

A bridged model_fn gets the params of its mode. The caller passes them to an input_fn:

    model = bridge.KerasModelFn(model_fn, params=params)
    model.fit(input_fn(params=model.params.train))

Observed in TensorFlow 2.15, with use_tpu=False.
"""

from __future__ import annotations

import copy
from typing import Any

from legacy.estimator.tpu import params as own_params

_KIND = "migrate.bridge.TPUParams"  # Key in a model's config, which is JSON.


class TPUParams:
    """Hyperparameters by mode.

    Args:
      params: Params of all modes, a dict or an HParams, without "batch_size" and "context".
      train_batch_size: Examples in a batch of `train`. None leaves "batch_size" out.
      eval_batch_size: Examples in a batch of `evaluate`.
      predict_batch_size: Examples in a batch of `predict`.

    Raises:
      ValueError: `params` already have one of these names.
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
        """The arguments that create an equal object."""
        train, evaluate, predict = self._sizes.values()
        return {
            "params": self._params,
            "train_batch_size": train,
            "eval_batch_size": evaluate,
            "predict_batch_size": predict,
        }

    @property
    def train(self) -> Any:
        """Params of an input_fn for training. A copy."""
        return self._of("train")

    @property
    def eval(self) -> Any:
        """Params of an input_fn for evaluation. A copy."""
        return self._of("eval")

    @property
    def infer(self) -> Any:
        """Params of an input_fn for prediction. A copy."""
        return self._of("infer")

    def of_model_fn(self, mode: str) -> Any:
        """Returns the params of a model_fn, which include `use_tpu` as False.

        Args:
          mode: "train", "eval" or "infer".
        """
        return own_params.with_value(self._of(mode), own_params.USE_TPU, False)

    def _of(self, mode: str) -> Any:
        params, size = copy.deepcopy(self._params), self._sizes[mode]
        if size is None:
            return params
        return own_params.with_value(params, own_params.BATCH_SIZE, size)


def encode(params: Any) -> Any:
    """Converts TPUParams to a form that a model's config can hold. Other params stay."""
    return {_KIND: params.arguments} if isinstance(params, TPUParams) else params


def decode(params: Any) -> Any:
    """Reverses `encode`."""
    is_kind = isinstance(params, dict) and _KIND in params
    return TPUParams(**params[_KIND]) if is_kind else params
