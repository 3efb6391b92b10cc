"""The command-line flags of `modern.launch`."""

from __future__ import annotations

from absl import flags

from modern.launcher import devices


def define() -> flags.FlagValues:
    """Defines the launcher's flags in a new FlagValues object.

    They are kept apart from the process-wide flags, which a training app defines.

    Returns:
      Flags that are not parsed yet.
    """
    values = flags.FlagValues()
    integer, number, boolean = flags.DEFINE_integer, flags.DEFINE_float, flags.DEFINE_boolean
    integer("workers", 2, "Number of worker tasks.", lower_bound=0, flag_values=values)
    integer("ps", 0, "Number of parameter servers.", lower_bound=0, flag_values=values)
    boolean("chief", False, "Whether there is a chief.", flag_values=values)
    boolean("evaluator", False, "Whether there is an evaluator.", flag_values=values)
    flags.DEFINE_string(
        "log_dir",
        None,
        "Folder for one log file per task. Default: a fresh runs/launch-TIME.",
        flag_values=values,
    )
    flags.DEFINE_enum(
        "devices",
        "all",
        devices.CHOICES,
        "GPUs of the tasks. all: each task sees all. auto: each worker, and a chief without ps, "
        "gets the same number, other tasks none. estimator: a chief with ps gets them, too, since "
        "it trains in an Estimator cluster.",
        flag_values=values,
    )
    boolean("overwrite_logs", False, "Replace log files in --log_dir.", flag_values=values)
    boolean("echo", True, "Print the tasks' lines as they arrive.", flag_values=values)
    grace = "Seconds for {} to end by themselves {}; then they are ended, which is no failure."
    integer(
        "max_restarts",
        0,
        "Number of restarts after failures: of the lost task in a cluster with ps, else of all "
        "trainers. Exit code 2 (misuse) is not restarted.",
        lower_bound=0,
        flag_values=values,
    )
    number(
        "save_grace_s",
        20.0,
        "Seconds for the trainers to save and end after Ctrl-C or SIGTERM; then they are ended.",
        lower_bound=0,
        flag_values=values,
    )
    for name, default, tasks, event in (
        ("grace_s", 30.0, "workers", "after the chief of a cluster with ps has"),
        ("ps_grace_s", 10.0, "parameter servers", "after all trainers have"),
        ("evaluator_grace_s", 600.0, "evaluators", "after the trainers have"),
    ):
        number(name, default, grace.format(tasks, event), lower_bound=0, flag_values=values)
    boolean("help", False, "Show this help.", short_name="h", flag_values=values)
    return values


def gpu_division(values: flags.FlagValues) -> devices.Division | None:
    """Returns the GPUs of each task. None if the flag --devices leaves them alone.

    Args:
      values: The parsed flags of the launcher.

    Raises:
      ValueError: The GPUs of this machine cannot be divided among the trainers.
    """
    if values.devices == "all":
        return None
    counts = {
        "chief": int(values.chief),
        "worker": values.workers,
        "ps": values.ps,
        "evaluator": int(values.evaluator),
    }
    tasks = [(task_type, index) for task_type, count in counts.items() for index in range(count)]
    return devices.divide(devices.visible(), tasks, chief_trains=values.devices == "estimator")
