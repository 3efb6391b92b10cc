"""Adapter that gives `legacy.train` a user's unmodified model_fn and input functions.

    python -m legacy.train --model_fn=package.module:model_fn --input_fn=package.module:input_fn \
        --eval_input_fn=package.module:eval_input_fn --model_dir=/tmp/mine

The Estimator receives them unchanged. `documented_job` is the counterpart for --job.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow.compat.v1 as tf
from absl import flags

from legacy import estimator as tf_estimator
from legacy import old_names
from legacy.estimator import arguments, construction
from modern.model_files import weights
from modern.process import cli, files, log_filters, references
from modern.tasks import flags as common_flags

FLAGS = flags.FLAGS


class OwnJob:
    """The job of --model_fn.

    Attributes:
      name: The value of --model_fn.
      dataset: The value of --input_fn.
      best: Empty, because the best metrics are unknown for this data.
      model_fn: The model function.
      params: Its params. None if it takes none.
      has_shares: False, because each trainer reads all of the data.

    Raises:
      cli.UsageError: A function cannot be imported or has arguments that an Estimator does not
      pass, or the input of evaluation is infinite, or the model_fn returns no loss for it.
    """

    best: Mapping[str, float] = {}
    has_shares = False

    def __init__(self) -> None:
        self.name, self.dataset = FLAGS.model_fn, FLAGS.input_fn
        self.model_fn = old_names.function(FLAGS.model_fn, "--model_fn")
        self._input_fn = old_names.function(FLAGS.input_fn, "--input_fn")
        self._eval_flag = "eval_input_fn" if FLAGS.eval_input_fn else "input_fn"
        self.eval_input_fn = old_names.function(
            FLAGS[self._eval_flag].value, f"--{self._eval_flag}"
        )
        self.params = self._params()
        self._check_evaluation()

    def _params(self) -> Any:
        params = references.parameters(FLAGS.model_params, "--model_params")
        if params == {} and "params" not in arguments.names(self.model_fn):
            params = None  # {} is the default of --model_params.
        try:
            construction.check_model_fn(self.model_fn, params)
        except (TypeError, ValueError) as error:
            raise cli.UsageError(f"--model_fn={self.name}: {error}") from error
        return params

    def _check_evaluation(self) -> None:
        """Raises UsageError for a job whose final evaluation would fail."""
        with tf.Graph().as_default():
            argument_values: dict[str, Callable[[], Any]] = {
                "mode": lambda: tf_estimator.ModeKeys.EVAL,
                "params": lambda: self.params,
                "config": tf_estimator.RunConfig,
            }
            data = self.eval_input_fn(**arguments.asked_for(self.eval_input_fn, argument_values))
            if not isinstance(data, tf.compat.v2.data.Dataset):
                return
            with tf.Session() as session:
                count = session.run(tf.data.experimental.cardinality(data))
            if count == tf.data.experimental.INFINITE_CARDINALITY:
                raise cli.UsageError(
                    f"--{self._eval_flag}={FLAGS[self._eval_flag].value} has no end, and "
                    "evaluation needs one: give an --eval_input_fn without repeat()."
                )
            tf.train.create_global_step()
            batch = tf.data.make_initializable_iterator(data).get_next()
            argument_values["features"] = lambda: batch[0] if isinstance(batch, tuple) else batch
            argument_values["labels"] = lambda: batch[1] if isinstance(batch, tuple) else None
            try:
                self.model_fn(**arguments.asked_for(self.model_fn, argument_values))
            except ValueError as error:
                if "Missing loss" in str(error):
                    raise cli.UsageError(
                        f"--model_fn={self.name} returns no loss in mode 'eval', and the training "
                        "ends with an evaluation: return an EstimatorSpec that has one."
                    ) from error

    def warm_start(self, seed: int) -> None:
        """Returns no settings: `begin` puts the checkpoint where the Estimator resumes from it."""
        del seed

    def begin(self, folder: str, seed: int) -> None:
        """Copies --init_checkpoint into the folder, unless it already holds a checkpoint.

        The Estimator then restores all variables: also the slots, the global step and variables
        that are not trained, which a warm start leaves out.

        Args:
          folder: The model_dir of the Estimator.
          seed: The seed of the training.

        Raises:
          cli.UsageError: The checkpoint does not exist.
        """
        prefix = common_flags.init_checkpoint(seed)
        if not prefix or tf.train.latest_checkpoint(folder):
            return
        if files.is_folder(prefix):
            prefix = tf.train.latest_checkpoint(prefix) or prefix
        step = int(weights.load(prefix).get("global_step", 0))
        target = os.path.join(folder, f"model.ckpt-{step}")
        files.make_folder(folder)
        folder_of_prefix, name = os.path.split(prefix)
        for file_name in files.list_folder(folder_of_prefix or "."):
            if file_name.startswith(f"{name}."):
                files.copy(
                    os.path.join(folder_of_prefix, file_name), target + file_name.removeprefix(name)
                )
        with log_filters.hidden("update_checkpoint_state"):
            tf.train.update_checkpoint_state(folder, target, [target])

    def train_input_fn(self, seed: int, trainers: int, trainer: int) -> Callable[..., Any]:
        """Returns the --input_fn. As with an Estimator, every trainer reads all of its examples."""
        del seed, trainers, trainer
        return self._input_fn

    def exporters(self) -> Sequence[Any]:
        """Returns no exporter, because no serving_input_receiver_fn is known."""
        return []

    def batch_size(self, first_step_examples: int) -> int:
        """Returns the number of examples per trainer and step.

        Args:
          first_step_examples: Number of examples in the first step.
        """
        return first_step_examples
