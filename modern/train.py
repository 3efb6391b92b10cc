r"""Trains a documented job with Keras and tf.distribute, alone or as one task of a cluster.

Alone, on one machine:

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags
    python -m modern.train --job=mnist_cnn --strategy=mirrored --model_dir=/tmp/mnist

As a task of a cluster, each task running the same command with its own TF_CONFIG:

    export TF_CONFIG='{"cluster": {"worker": ["a:2222", "b:2222"]},
                       "task": {"type": "worker", "index": 0}}'
    python -m modern.train --strategy=multi_worker_mirrored --model_dir=/shared/mnist

All tasks of a cluster on this machine:

    python -m modern.launch --workers=2 -- \
        python -m modern.train --strategy=multi_worker_mirrored --model_dir=/tmp/mnist
    python -m modern.launch --chief --workers=2 --ps=1 --evaluator -- \
        python -m modern.train --strategy=parameter_server --model_dir=/tmp/mnist

One run at a time trains in a MODEL_DIR. Running the same command again continues from the last
checkpoint, also under another strategy. At the end MODEL_DIR has result.json, checkpoints/, export/
(for TensorFlow Serving) and tasks/ (a record of each task). `python -m migrate train` trains a
model_fn or a Keras model of your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from absl import flags

from modern import data
from modern.cluster import tf_config
from modern.model_files.errors import CheckpointError
from modern.process import cli
from modern.tasks import flags as common_flags
from modern.tasks import start, train_flags

if TYPE_CHECKING:
    from modern.tasks.job import DocumentedJob

FLAGS = flags.FLAGS
MISUSE = (tf_config.TFConfigError, data.DataError, CheckpointError)


def main(argv: list[str]) -> int:
    """Runs the role of this task and returns the exit code."""
    del argv
    train_flags.check()
    return start.run(train_flags.setting(), load_job)


def load_job() -> DocumentedJob:
    """Returns the job that the flags name, with its data loaded."""
    # They import TensorFlow, which a task that only serves does without.
    from modern.tasks.job import DocumentedJob, LearningRate

    module = common_flags.job_module("modern.jobs")
    return DocumentedJob(
        module,
        common_flags.load_data(module),
        LearningRate(
            FLAGS.learning_rate,
            FLAGS.scale_learning_rate,
            FLAGS.learning_rate_warmup_steps,
            FLAGS.learning_rate_decay,
            FLAGS.train_steps,
        ),
        FLAGS.gradient_compression,
        FLAGS.batch_size,
        FLAGS.mixed_precision,
    )


if __name__ == "__main__":
    train_flags.define_flags()
    cli.run(main, misuse=MISUSE)
