r"""A worker or ps task under ParameterServerStrategy: serves until the coordinator has finished.

    TF_CONFIG='{"cluster": ..., "task": {"type": "ps", "index": 0}}' \
        python -m modern.train --strategy=parameter_server

TensorFlow's own server would never return. This one ends when the chief's record in MODEL_DIR/tasks
is finished (modern/records/task_records.py). It also ends when the chief has been unreachable for
ten minutes, since the start of this task or since it was seen.

A record that was finished before this task started is no proof that the training is over: it may be
of an earlier run in the same folder, whose next chief is about to start. So a task that is started
again after the end waits for ten minutes, too.
"""

from __future__ import annotations

import os
import sys
import time

from modern.cluster import gathering, health, native_server, tf_config
from modern.cluster.tf_config import TFConfig
from modern.process import files, malloc, process_info
from modern.records import task_records
from modern.training.interruption import SERVE_S, Interruption

_POLL_S = 0.25
# Each poll reads the record of the chief. An object store bills each read.
_REMOTE_POLL_S = 2.0
_PROBE_EVERY_S = 5.0


def serve(
    config: TFConfig,
    model_dir: str,
    deterministic: bool = False,
    give_up_after_s: float = gathering.LIMIT_S,
    until_gone: bool = False,
) -> int:
    """Runs this task's server.

    Args:
      config: The cluster and this task.
      model_dir: The folder that the chief's record is in, shared with the chief.
      deterministic: Whether ops must be deterministic.
      give_up_after_s: Seconds that the chief may be unreachable.
      until_gone: Whether to go on serving a chief that has finished, until its process ends.

    Returns:
      0 if the chief has finished, also before this task started. 1 if it stays unreachable
      otherwise. 130 or 143 after Ctrl-C or SIGTERM. After a signal the chief first gets time to
      save.

    Raises:
      TFConfigError: The port is in use.
    """
    # TensorFlow's parameter server guide requires this. A worker then reports a lost peer instead
    # of waiting for it.
    os.environ.setdefault("GRPC_FAIL_FAST", "use_caller")
    if deterministic:  # As `tf.config.experimental.enable_op_determinism` does.
        os.environ["TF_DETERMINISTIC_OPS"] = "1"
    malloc.tune()
    if config.task_type == "ps":
        malloc.share_arenas()
    # The record of an earlier run must not end this one.
    old_record = task_records.read(model_dir, "chief-0")
    with tf_config.server_start(config.name, config.address):
        native_server.start(config)
    interruption = Interruption()
    recorder = task_records.Recorder(model_dir, config.name)
    recorder.add(free_memory=process_info.free_memory())  # The coordinator reads it.
    with interruption.watched(), recorder:
        return _wait(config, model_dir, old_record, give_up_after_s, until_gone, interruption)


def _wait(
    config: TFConfig,
    model_dir: str,
    old_record: dict | None,
    give_up_after_s: float,
    until_gone: bool,
    interruption: Interruption,
) -> int:
    """Waits for the end of the chief, or until it is given up, and returns the exit code."""
    start = time.monotonic()
    poll_s = _REMOTE_POLL_S if files.is_remote(model_dir) else _POLL_S
    last_answer = None
    next_probe = 0.0
    while not _has_finished(model_dir, old_record) or (until_gone and _is_chief_up(config)):
        # TensorFlow resets this whenever the chief makes this worker create a dataset, at an
        # unknown moment.
        malloc.tune()
        now = time.monotonic()
        if interruption.signum:
            return _let_chief_save(config, model_dir, old_record, interruption.exit_code)
        if now >= next_probe:
            next_probe = now + _PROBE_EVERY_S
            if _is_chief_up(config):
                last_answer = now
            elif now - (last_answer or start) > give_up_after_s:
                return _give_up(config, model_dir, give_up_after_s, bool(last_answer))
        time.sleep(poll_s)
    return interruption.exit_code


def _give_up(config: TFConfig, model_dir: str, after_s: float, was_seen: bool) -> int:
    """Reports the reason why this task ends without a chief, and returns the exit code."""
    absence = "has been gone" if was_seen else "has not started"
    text = f"{config.name}: the chief at {config.chief_address} {absence} for {after_s:.0f} s"
    end_time = task_records.end(model_dir, "chief-0")
    if end_time:
        print(f"{text}, and its training in {model_dir} is over since {end_time}.", file=sys.stderr)
        return 0
    print(f"{text}; giving up.", file=sys.stderr)
    return 1


def _let_chief_save(
    config: TFConfig, model_dir: str, old_record: dict | None, exit_code: int
) -> int:
    """Serves until the chief is gone, because it needs this task to save.

    Ctrl-C in a terminal reaches all tasks at once.
    """
    print(
        f"{config.name}: serves for at most {SERVE_S:.0f} s, so that the chief can save; a second "
        "signal ends it at once.",
        file=sys.stderr,
    )
    deadline = time.monotonic() + SERVE_S
    while time.monotonic() < deadline and _is_chief_up(config):
        if _has_finished(model_dir, old_record):
            break
        time.sleep(_POLL_S)
    return exit_code


def _has_finished(model_dir: str, old_record: dict | None) -> bool:
    record = task_records.read(model_dir, "chief-0")
    return bool(record and record["finished"] and record != old_record)


def _is_chief_up(config: TFConfig) -> bool:
    assert config.chief_address is not None  # `tf_config.validate` requires a chief.
    return health.accepts(config.chief_address, timeout_s=1.0)
