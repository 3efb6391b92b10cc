"""The flags that only `modern.train` has, and the checks of all flags before the start.

A test freezes the names (tests/modern/tasks/test_train_flags.py), so that a new flag is a decision.
"""

from __future__ import annotations

import os

from absl import flags

from modern.process import choices, chosen_keras, cli, extras, quiet_import
from modern.tasks import flags as common_flags
from modern.tasks.setting import Setting

FLAGS = flags.FLAGS


# Flags that moved to `migrate train`. They are still defined, so that an error names that command.
_MOVED = ("model_fn", "keras_model", "input_fn", "eval_input_fn", "model_params")
# Flags that only the backend TensorFlow has.
_OF_TENSORFLOW = (
    "deterministic",
    "gradient_compression",
    "inter_op_threads",
    "intra_op_threads",
    "jit_compile",
    "mixed_precision",
    "steps_per_execution",
)


def define_flags() -> None:
    """Defines all flags of `modern.train`."""
    common_flags.define_job()
    flags.DEFINE_boolean(
        "scale_learning_rate",
        False,
        "Multiply the learning rate by the number of replicas (the devices of all trainers).",
    )
    flags.DEFINE_integer(
        "learning_rate_warmup_steps",
        0,
        "Reach the scaled learning rate over so many steps.",
        lower_bound=0,
    )
    flags.DEFINE_enum(
        "gradient_compression",
        "none",
        choices.GRADIENT_COMPRESSIONS,
        "Send gradients as 16-bit floats.",
    )
    define_training()
    for name in _MOVED:
        flags.DEFINE_string(name, None, "Moved: see python -m migrate train.")


def define_training() -> None:
    """Defines the flags for the training of any job, which `migrate train` shares."""
    common_flags.define_training()
    flags.DEFINE_enum(
        "keras",
        "2",
        [str(version) for version in chosen_keras.VERSIONS],
        "2: tf_keras; 3: Keras 3, which TensorFlow installs.",
    )
    flags.DEFINE_enum("strategy", "single", choices.STRATEGIES, "Which tf.distribute strategy.")
    flags.DEFINE_enum(
        "communication", "auto", choices.COMMUNICATIONS, "All-reduce of multi_worker_mirrored."
    )
    flags.DEFINE_enum(
        "autoshard",
        "off",
        choices.AUTOSHARD_POLICIES,
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
        choices.MIN_SHARD_BYTES,
        "parameter_server: split larger variables into parts of at least this size.",
        lower_bound=1,
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
        "mixed_precision",
        "none",
        choices.PRECISIONS,
        "Compute in 16 bits, with weights in float32; mixed_float16 scales the loss.",
    )
    flags.DEFINE_string(
        "backup",
        "none",
        "A backup for restarts after a failure: none, epoch, or every so many steps, rounded up to "
        "whole executions.",
    )
    flags.DEFINE_boolean(
        "model_checkpoint", False, "ModelCheckpoint: keep the best epoch's weights."
    )
    flags.DEFINE_boolean("tensorboard", False, "Write summaries for TensorBoard.")


def setting() -> Setting:
    """Returns the setting that the flags describe."""
    export = FLAGS.export and _backend() == "tensorflow"
    values = {"model_dir": common_flags.model_dir(), "export": export}
    return Setting.of(FLAGS.flag_values_dict() | values)


def check() -> None:
    """Raises UsageError if flags contradict each other or cannot work on this machine."""
    for name in _MOVED:
        if FLAGS[name].present:
            raise cli.UsageError(
                f"--{name}={FLAGS[name].value} is for another command now, which takes the same "
                "flags: python -m migrate train."
            )
    if FLAGS.autoshard == "file":
        raise cli.UsageError(
            "--autoshard=file gives each worker files of its own, and the data of these jobs is in "
            "memory: use --autoshard=data, or leave it out."
        )
    check_training()


def check_training(beside_tf_keras: bool = False) -> None:
    """Chooses the Keras, and raises UsageError for the flags of `define_training`.

    Args:
      beside_tf_keras: As for `chosen_keras.choose`.
    """
    _choose_keras(beside_tf_keras)
    _check_backup()
    _check_cluster_flags()
    _check_jit_compile()
    if FLAGS.mixed_precision != "none" and FLAGS["min_shard_bytes"].present:
        raise cli.UsageError(
            f"--min_shard_bytes={FLAGS.min_shard_bytes} splits variables, which layers cannot read "
            f"in 16 bits (--mixed_precision={FLAGS.mixed_precision}): leave one of them out."
        )


def _choose_keras(beside_tf_keras: bool) -> None:
    if FLAGS.keras == "2":
        return
    backend = _backend()
    if backend != "tensorflow":
        _check_backend(backend)
    if FLAGS.strategy == "parameter_server" and FLAGS["min_shard_bytes"].present:
        raise cli.UsageError(
            f"--min_shard_bytes={FLAGS.min_shard_bytes} splits variables, which the variables of "
            "--keras=3 cannot be: leave one of them out."
        )
    chosen_keras.choose(3, beside_tf_keras, backend)


def _backend() -> str:
    return os.environ.get("KERAS_BACKEND", "tensorflow") if FLAGS.keras == "3" else "tensorflow"


def _check_backend(backend: str) -> None:
    """Raises UsageError for what Keras 3 cannot do on JAX or torch, or here."""
    if backend not in chosen_keras.BACKENDS:
        raise cli.UsageError(
            f"KERAS_BACKEND={backend} is no backend of --keras=3: set it to "
            f"{', '.join(chosen_keras.BACKENDS)}."
        )
    extras.check(backend, *extras.MODULES[backend])
    if FLAGS.strategy != "single":
        raise cli.UsageError(
            f"KERAS_BACKEND={backend} does not fit --strategy={FLAGS.strategy}, which trains with "
            "tf.distribute: use --strategy=single, or unset KERAS_BACKEND."
        )
    if FLAGS["export"].present and FLAGS.export:
        raise cli.UsageError(
            f"--export writes a SavedModel, which KERAS_BACKEND={backend} cannot: leave it out, "
            "and repeat the command without KERAS_BACKEND after the training."
        )
    for name in _OF_TENSORFLOW:
        if FLAGS[name].value != FLAGS[name].default:
            raise cli.UsageError(
                f"--{name}={FLAGS[name].value} is for TensorFlow, and KERAS_BACKEND={backend}: "
                "leave it out, or unset KERAS_BACKEND."
            )


def _check_backup() -> None:
    if FLAGS.backup in ("none", "epoch"):
        return
    if not FLAGS.backup.isdecimal() or int(FLAGS.backup) < 1:
        raise cli.UsageError(
            f"--backup={FLAGS.backup} must be none, epoch, or a whole number of steps from 1."
        )


def _check_cluster_flags() -> None:
    if FLAGS.autoshard != "off" and FLAGS.strategy != "multi_worker_mirrored":
        raise cli.UsageError(
            f"--autoshard={FLAGS.autoshard} is for --strategy=multi_worker_mirrored, and this is "
            f"--strategy={FLAGS.strategy}: leave it out."
        )
    if FLAGS.logical_cpus > 1 and FLAGS.strategy != "mirrored":
        raise cli.UsageError(
            f"--logical_cpus={FLAGS.logical_cpus} is for --strategy=mirrored, and this is "
            f"--strategy={FLAGS.strategy}, which uses GPUs or one CPU: leave it out."
        )
    if FLAGS.communication == "nccl" and not sees_gpus():
        raise cli.UsageError(
            "--communication=nccl connects GPUs, and TensorFlow sees none here: use auto or ring."
        )


def _check_jit_compile() -> None:
    """Raises UsageError where XLA cannot compile the step (TensorFlow 2.21).

    XLA supports neither variables of another process nor all-reduce on CPUs.
    """
    if not FLAGS.jit_compile or FLAGS.strategy in ("single", "mirrored"):
        return
    if FLAGS.strategy == "parameter_server":
        raise cli.UsageError(
            "--jit_compile does not work with --strategy=parameter_server: XLA cannot compile a "
            "step whose variables are in another process. Leave it out."
        )
    if not sees_gpus():
        raise cli.UsageError(
            "--jit_compile does not work with --strategy=multi_worker_mirrored on CPUs, where XLA "
            "has no all-reduce. Leave it out."
        )


def sees_gpus() -> bool:
    """Returns whether TensorFlow sees a GPU. Imports TensorFlow."""
    quiet_import.import_tensorflow(coordinates=True)
    import tensorflow as tf

    return bool(tf.config.list_physical_devices("GPU"))
