"""The flags that `modern.train` and `legacy.train` have in common, and their checks.

A test freezes the names (tests/modern/tasks/test_flags.py), so that a new flag is a decision.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from types import ModuleType

from absl import flags

from modern import data
from modern.process import cli, files
from modern.tasks import repeats

JOBS = ("linear_regression", "mnist_cnn", "resnet56_cifar10", "sparse_embeddings", "wide_deep")
# Jobs with Ftrl, which multiplies a sum of gradients by the current rate to get a weight. While the
# rate falls, the weights shrink with it, and at zero the operation fails.
FIXED_LEARNING_RATE = ("wide_deep",)


def define_common() -> None:
    """Defines the flags that choose the job, the length of the training and its folder."""
    define_job()
    define_training()


def define_job() -> None:
    """Defines the flags that choose a documented job and change it."""
    flags.DEFINE_enum("job", "mnist_cnn", JOBS, "Which documented training.")
    flags.DEFINE_string(
        "dataset",
        None,
        "Which data; default: the first of the job's (mnist_cnn: the embedded digits).",
    )
    flags.DEFINE_string(
        "data_dir", None, "Folder with the files of --dataset=mnist, cifar10 or adult."
    )
    flags.DEFINE_integer(
        "batch_size", None, "Examples per replica and step; default: the job's.", lower_bound=1
    )
    flags.DEFINE_float(
        "learning_rate",
        None,
        "Default: the job's, which is for its own batch size.",
        lower_bound=0.0,
    )
    flags.DEFINE_enum(
        "learning_rate_decay",
        "none",
        ("none", "linear"),
        "linear: the job's learning rate also falls linearly to zero, at --train_steps.",
    )


def define_training() -> None:
    """Defines the flags for the length of any training and for its folder."""
    flags.DEFINE_string(
        "model_dir",
        None,
        "Folder of checkpoints, summaries and result.json, local or gs://; the same for all tasks.",
    )
    flags.DEFINE_integer(
        "train_steps",
        1000,
        "The global step to train to; an earlier run is continued.",
        lower_bound=0,
    )
    flags.DEFINE_integer(
        "warmup_steps", 50, "Global steps left out of the measured throughput.", lower_bound=0
    )
    flags.DEFINE_integer("seed", 0, "Decides the order of the examples and the initial weights.")
    flags.DEFINE_string(
        "init_checkpoint",
        None,
        "Start from the weights in this name-based checkpoint (a prefix), such as an Estimator's. "
        "{seed} in it stands for the seed.",
    )
    flags.DEFINE_integer(
        "save_checkpoints_steps",
        0,
        "Save every so many global steps; 0: not by steps.",
        lower_bound=0,
    )
    flags.DEFINE_float(
        "save_checkpoints_secs",
        600.0,
        "Save every so many seconds; 0: not by time.",
        lower_bound=0.0,
    )
    flags.DEFINE_integer("keep_checkpoint_max", 5, "How many checkpoints are kept.", lower_bound=1)
    flags.DEFINE_float(
        "stall_timeout",
        600.0,
        "End with exit code 1 after so many seconds without a step; 0: never.",
        lower_bound=0.0,
    )
    flags.DEFINE_integer(
        "intra_op_threads", 0, "Threads within an op; 0: all cores.", lower_bound=0
    )
    flags.DEFINE_integer("inter_op_threads", 0, "Threads over ops; 0: all cores.", lower_bound=0)
    flags.DEFINE_boolean(
        "deterministic", False, "Deterministic ops: slower, the same bits each run."
    )
    flags.DEFINE_boolean("export", True, "Write a SavedModel with a serving signature at the end.")
    flags.DEFINE_integer(
        "repeats",
        1,
        "Train this often in the same processes, with seeds --seed, --seed + 1, ...; each in its "
        "own folder MODEL_DIR/repeat-K.",
        lower_bound=1,
    )
    flags.DEFINE_integer(
        "distinct_seeds",
        0,
        "With --repeats: begin again at --seed after so many seeds; 0: never.",
        lower_bound=0,
    )
    flags.DEFINE_string(
        "start_signal",
        None,
        "Wait for the file START_SIGNAL.K before each repeat K, and end at START_SIGNAL.end. "
        "benchmarks.compare takes turns so.",
    )


def job_module(package: str) -> ModuleType:
    """Returns the module of --job in `package` ("modern.jobs" or "legacy.jobs").

    Raises:
      UsageError: The learning rate of the job must not fall.
    """
    job, decay = flags.FLAGS.job, flags.FLAGS.learning_rate_decay
    if decay != "none" and job in FIXED_LEARNING_RATE:
        raise cli.UsageError(
            f"--learning_rate_decay={decay} does not fit --job={job}: weights that Ftrl trains "
            "shrink with its rate. Use --learning_rate_decay=none."
        )
    return importlib.import_module(f"{package}.{job}")


def load_data(job: ModuleType) -> data.ArrayDataset:
    """Loads --dataset for a job of `modern.jobs`. Raises UsageError or data.DataError."""
    name = flags.FLAGS.dataset or job.DATASETS[0]
    if name not in job.DATASETS:
        raise cli.UsageError(
            f"--dataset={name} does not fit --job={flags.FLAGS.job}; choose one of: "
            f"{', '.join(job.DATASETS)}."
        )
    return job.load_data(name, flags.FLAGS.data_dir, flags.FLAGS.seed)


def model_dir() -> str:
    """Returns --model_dir as an absolute path or a URL.

    Raises:
      UsageError: It is not given, is a file, or TensorFlow has no file system for its URL.
    """
    if not flags.FLAGS.model_dir:
        raise cli.UsageError("--model_dir is not given: name a folder for checkpoints and results.")
    path = files.absolute(flags.FLAGS.model_dir)
    files.check_scheme(path)
    if os.path.exists(path) and not os.path.isdir(path):
        raise cli.UsageError(f"--model_dir={flags.FLAGS.model_dir} is a file: name a folder.")
    return path


def turns() -> Iterator[repeats.Repeat]:
    """Yields the trainings of --repeats, each when its turn has come."""
    values = flags.FLAGS
    return repeats.in_turn(
        model_dir(), values.repeats, values.seed, values.distinct_seeds, values.start_signal
    )


def init_checkpoint(seed: int) -> str | None:
    """Returns --init_checkpoint for a seed."""
    return repeats.of_seed(flags.FLAGS.init_checkpoint, seed)
