r"""Trains an unmodified model_fn, or a Keras model of your own, with the engine of `modern.train`.

    python -m migrate train --model_fn=package.module:model_fn --input_fn=package.module:input_fn \
        --model_params='{"learning_rate": 0.1}' --model_dir=/tmp/bridged

A compiled Keras model, such as the port of that model_fn, on the same input_fn:

    python -m migrate train --keras_model=package.module:build_model \
        --input_fn=package.module:input_fn --model_dir=/tmp/ported

For a model of Keras 3, add --keras=3.

Both take the training flags of `modern.train`, such as --strategy, and run as any task of a
cluster:

    python -m modern.launch --chief --workers=2 --ps=1 -- python -m migrate train \
        --strategy=parameter_server --model_fn=package.module:model_fn \
        --input_fn=package.module:input_fn --model_dir=/tmp/bridged

The same command resumes from the last checkpoint, also under another strategy.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from absl import flags

from modern import train
from modern.process import choices, chosen_keras, cli
from modern.tasks import own_job_flags, start, train_flags

if TYPE_CHECKING:
    from modern.tasks.job import Job

FLAGS = flags.FLAGS


def main(argv: Sequence[str]) -> int:
    """Trains as the flags specify. The process ends with it.

    Args:
      argv: The arguments after `python -m migrate train`.
    """
    sys.argv[:] = ["migrate train", *argv]
    train_flags.define_training()
    own_job_flags.define_model_fn()
    own_job_flags.define_keras_model()
    cli.run(_run, misuse=train.MISUSE)
    return 0


def _run(argv: list[str]) -> int:
    del argv
    own_job_flags.check()
    if not own_job_flags.model():
        raise cli.UsageError(
            "give --model_fn=package.module:function or --keras_model=package.module:function."
        )
    _check_keras()
    # The input functions may be in a program of the Estimator era.
    train_flags.check_training(beside_tf_keras=True)
    _check_precision()
    return start.run(train_flags.setting(), load_job)


def _check_keras() -> None:
    """Raises UsageError if the model cannot be one of Keras 3."""
    if FLAGS.keras == "3" and FLAGS.model_fn:
        raise cli.UsageError(
            f"--keras=3 does not fit --model_fn={FLAGS.model_fn}, because tf.layers are layers of "
            "tf_keras: leave --keras out. A port to Keras 3 is trained by --keras_model."
        )
    if FLAGS.keras == "3":
        chosen_keras.check_backend(f"--keras_model={FLAGS.keras_model}")


def _check_precision() -> None:
    """Raises UsageError for a precision that the model cannot be trained in."""
    name = FLAGS.mixed_precision
    if (
        name == choices.SCALED_PRECISION
        and FLAGS.keras_model
        and FLAGS.keras == "2"
        and FLAGS.strategy == "parameter_server"
    ):
        raise cli.UsageError(
            f"--mixed_precision={name} does not work with --keras_model and "
            "--strategy=parameter_server, because Keras does not scale the loss there: use "
            "mixed_bfloat16."
        )
    if name == "mixed_bfloat16" and FLAGS.model_fn and train_flags.sees_gpus():
        raise cli.UsageError(
            f"--mixed_precision={name} does not work with --model_fn on GPUs, because TensorFlow "
            "rewrites graphs to bfloat16 only for CPUs: use mixed_float16."
        )


def load_job() -> Job:
    """Returns the job that the flags name."""
    # They import TensorFlow, which a task that only serves does without.
    inputs = (FLAGS.input_fn, FLAGS.eval_input_fn, FLAGS.model_params, FLAGS.mixed_precision)
    if FLAGS.keras_model:
        from migrate.bridge.jobs import port_job

        return port_job.PortJob(FLAGS.keras_model, *inputs)
    from migrate.bridge.jobs import job

    return job.Job(FLAGS.model_fn, *inputs)
