"""The flags of `modern.train` beside the common ones, and what is checked before anything starts.

A test freezes the names (tests/modern/test_train_flags.py): a new flag is a decision.
"""

from __future__ import annotations

import importlib.util
import json

import tensorflow as tf
from absl import flags

from modern import cli, compression, strategies
from modern import flags as common_flags

FLAGS = flags.FLAGS


def define_flags() -> None:
    """Defines them, and the common ones."""
    common_flags.define_common()
    flags.DEFINE_enum("strategy", "single", strategies.NAMES, "Which tf.distribute strategy.")
    flags.DEFINE_enum(
        "communication", "auto", strategies.COMMUNICATIONS, "All-reduce of multi_worker_mirrored."
    )
    flags.DEFINE_enum(
        "autoshard",
        "off",
        strategies.AUTOSHARD_POLICIES,
        "Who splits the examples: off, each trainer takes its share; else TensorFlow, by this "
        "policy.",
    )
    flags.DEFINE_integer(
        "logical_cpus",
        1,
        "mirrored without GPUs: split the CPU into so many devices, each with a replica.",
        lower_bound=1,
    )
    flags.DEFINE_integer(
        "min_shard_bytes",
        strategies.MIN_SHARD_BYTES,
        "parameter_server: split larger variables into parts of at least this size.",
        lower_bound=1,
    )
    flags.DEFINE_boolean(
        "scale_learning_rate", False, "Multiply the learning rate by the number of trainers."
    )
    flags.DEFINE_integer(
        "learning_rate_warmup_steps",
        0,
        "Reach the scaled learning rate over so many steps.",
        lower_bound=0,
    )
    flags.DEFINE_integer(
        "steps_per_epoch", None, "Default: one pass over the examples, at least 200.", lower_bound=1
    )
    flags.DEFINE_integer(
        "steps_per_execution",
        None,
        "Steps in one call of TensorFlow; default: the largest up to 10 that divides an epoch.",
        lower_bound=1,
    )
    flags.DEFINE_boolean("jit_compile", False, "Compile the step with XLA.")
    flags.DEFINE_enum(
        "gradient_compression", "none", compression.CHOICES, "Send gradients as 16-bit floats."
    )
    flags.DEFINE_string(
        "backup",
        "none",
        "BackupAndRestore: none, epoch, or every so many steps, rounded up to whole executions; "
        "for restarts after a failure.",
    )
    flags.DEFINE_boolean(
        "model_checkpoint", False, "ModelCheckpoint: keep the best epoch's weights."
    )
    flags.DEFINE_boolean("tensorboard", False, "Write summaries for TensorBoard.")
    _define_bridged()


def _define_bridged() -> None:
    flags.DEFINE_string(
        "model_fn",
        None,
        "Train this model_fn of an Estimator's instead of a --job: package.module:function.",
    )
    flags.DEFINE_string(
        "input_fn", None, "Its input, package.module:function; returns a tf.data.Dataset."
    )
    flags.DEFINE_string("eval_input_fn", None, "What it is evaluated on; default: --input_fn.")
    flags.DEFINE_string(
        "model_params", "{}", "Its params: a JSON object, or package.module:name of them."
    )


def check() -> None:
    """Raises UsageError where flags contradict each other or ask for what cannot work here."""
    _check_backup()
    _check_cluster_flags()
    _check_jit_compile()
    _check_bridged()
    if FLAGS.tensorboard and importlib.util.find_spec("tensorboard") is None:
        raise cli.UsageError(
            "--tensorboard needs the package tensorboard, which is not installed: pip install "
            "tensorboard. (The evaluator task writes its summaries without it.)"
        )


def backup_steps() -> int | None:
    """--backup as a number of steps; None for "none" and "epoch"."""
    return None if FLAGS.backup in ("none", "epoch") else int(FLAGS.backup)


def _check_backup() -> None:
    if FLAGS.backup in ("none", "epoch"):
        return
    if not FLAGS.backup.isdecimal() or int(FLAGS.backup) < 1:
        raise cli.UsageError(
            f"--backup={FLAGS.backup} is none of: none, epoch, or a whole number of steps from 1."
        )
    if FLAGS.strategy == "parameter_server":
        raise cli.UsageError(
            f"--backup={FLAGS.backup} does not work with --strategy=parameter_server, where Keras "
            "calls nothing between the steps of an epoch: use --backup=epoch, or "
            "--save_checkpoints_steps."
        )


def _check_cluster_flags() -> None:
    if FLAGS.autoshard != "off" and FLAGS.strategy != "multi_worker_mirrored":
        raise cli.UsageError(
            f"--autoshard={FLAGS.autoshard} is for --strategy=multi_worker_mirrored, and this is "
            f"--strategy={FLAGS.strategy}: leave it out."
        )
    if FLAGS.autoshard == "file":
        raise cli.UsageError(
            "--autoshard=file gives each worker files of its own, and the data of these jobs is in "
            "memory: use --autoshard=data, or leave it out."
        )
    if FLAGS.logical_cpus > 1 and FLAGS.strategy != "mirrored":
        raise cli.UsageError(
            f"--logical_cpus={FLAGS.logical_cpus} is for --strategy=mirrored, and this is "
            f"--strategy={FLAGS.strategy}: leave it out."
        )
    if FLAGS.communication == "nccl" and not tf.config.list_physical_devices("GPU"):
        raise cli.UsageError(
            "--communication=nccl connects GPUs, and TensorFlow sees none here: use auto or ring."
        )


# What a model_fn and its input_fn decide themselves.
_OF_JOBS = (
    "job",
    "dataset",
    "data_dir",
    "batch_size",
    "learning_rate",
    "learning_rate_decay",
    "scale_learning_rate",
    "learning_rate_warmup_steps",
    "gradient_compression",
)


def _check_bridged() -> None:
    if not FLAGS.model_fn:
        for name in ("input_fn", "eval_input_fn"):
            if FLAGS[name].value:
                raise cli.UsageError(f"--{name} is for a --model_fn, which is not given.")
        return
    if not FLAGS.input_fn:
        raise cli.UsageError(
            f"--model_fn={FLAGS.model_fn} needs --input_fn=package.module:function, its input."
        )
    for name in _OF_JOBS:
        if FLAGS[name].present:
            raise cli.UsageError(
                f"--{name} is for a --job; what --model_fn={FLAGS.model_fn} does is said by "
                "--model_params and by its --input_fn: leave it out."
            )
    if not FLAGS.model_params.startswith("{"):
        if ":" not in FLAGS.model_params:
            raise cli.UsageError(
                f"--model_params={FLAGS.model_params} is neither a JSON object, {{...}}, nor "
                "package.module:name."
            )
    else:
        try:
            json.loads(FLAGS.model_params)
        except ValueError as error:
            raise cli.UsageError(
                f"--model_params={FLAGS.model_params} is no JSON: {error}."
            ) from error
    if importlib.util.find_spec("migrate") is None:
        raise cli.UsageError("--model_fn needs the package `migrate`, which is not installed.")


def _check_jit_compile() -> None:
    """XLA compiles no variable of another process, and no all-reduce on CPUs (TensorFlow 2.21)."""
    if not FLAGS.jit_compile or FLAGS.strategy in ("single", "mirrored"):
        return
    if FLAGS.strategy == "parameter_server":
        raise cli.UsageError(
            "--jit_compile does not work with --strategy=parameter_server: XLA cannot compile a "
            "step whose variables are in another process. Leave it out."
        )
    if not tf.config.list_physical_devices("GPU"):
        raise cli.UsageError(
            "--jit_compile does not work with --strategy=multi_worker_mirrored on CPUs, where XLA "
            "has no all-reduce. Leave it out."
        )
