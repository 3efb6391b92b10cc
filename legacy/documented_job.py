"""Adapter that gives `legacy.train` a module of `legacy/jobs`.

`own_job` is its counterpart for a user's model_fn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow.compat.v1 as tf
from absl import flags

from legacy import estimator as tf_estimator
from legacy import learning_rates
from modern.tasks import flags as common_flags

FLAGS = flags.FLAGS
_EVAL_BATCH_SIZE = 256


class DocumentedJob:
    """The job named by --job, with its data.

    Attributes:
      name: The name of the job.
      dataset: The name of its data.
      best: The best values that metrics can be expected to reach, where they are known.
      model_fn: The model function.
      params: Its params.
      has_shares: True, because each trainer reads a share of the examples.
    """

    has_shares = True

    def __init__(self) -> None:
        self._job = common_flags.job_module("legacy.jobs")
        self._arrays = common_flags.load_data(self._job)
        self._batch_size = FLAGS.batch_size or self._job.BATCH_SIZE
        self.name, self.dataset, self.best = FLAGS.job, self._arrays.name, self._arrays.best
        self.model_fn = self._job.model_fn
        if FLAGS.learning_rate_decay == "linear":
            self.model_fn = learning_rates.with_linear_decay(self.model_fn, FLAGS.train_steps)
        self.params = {"learning_rate": FLAGS.learning_rate or self._job.LEARNING_RATE}

    def warm_start(self, seed: int) -> tf_estimator.WarmStartSettings | None:
        """Returns warm-start settings for --init_checkpoint, whose names are of `modern/jobs`."""
        prefix = common_flags.init_checkpoint(seed)
        if not prefix:
            return None
        names = getattr(self._job, "WEIGHT_NAMES", {})
        return tf_estimator.WarmStartSettings(prefix, var_name_to_prev_var_name=names)

    def begin(self, folder: str, seed: int) -> None:
        """Does nothing. `warm_start` provides the initial weights."""

    def train_input_fn(self, seed: int, trainers: int, trainer: int) -> Callable[[], Any]:
        """Returns the input function of one trainer, which reads its share of the examples."""

        def input_fn() -> tf.data.Dataset:
            return self._job.train_input_fn(self._arrays, self._batch_size, seed, trainers, trainer)

        return input_fn

    def eval_input_fn(self) -> tf.data.Dataset:
        """Returns the dataset for evaluation."""
        return self._job.eval_input_fn(self._arrays, _EVAL_BATCH_SIZE)

    def exporters(self) -> Sequence[Any]:
        """Returns the exporters of the EvalSpec."""
        return [tf_estimator.FinalExporter("final", self._job.serving_input_receiver_fn)]

    def batch_size(self, first_step_examples: int) -> int:
        """Returns the number of examples per trainer and step.

        Args:
          first_step_examples: Number of examples in the first step. Ignored here.
        """
        del first_step_examples
        return self._batch_size
