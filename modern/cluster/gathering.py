"""Waits until all tasks of a cluster have started, before TensorFlow waits for them.

    gathering.wait_for_all(config, limit_s=600)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

TensorFlow waits for a missing task without a limit or a message. It holds Python's lock meanwhile,
so neither a thread nor a handler of SIGTERM can end that wait. This module listens on the task's
port, so that the other tasks find it, until it has connected to each of them once.
"""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
import time
from collections.abc import Iterator

from modern.cluster import addresses, health, tf_config
from modern.cluster.tf_config import TFConfig

# Longer than a task needs to start, or to restart after a failure.
LIMIT_S = 600.0
REMIND_S = 30.0
_POLL_S = 0.1


class MissingTasksError(Exception):
    """Other tasks of the cluster have not started in time. The message names them."""


def wait_for_all(config: TFConfig, limit_s: float, remind_s: float = REMIND_S) -> None:
    """Waits until each other task of the training has accepted a connection.

    Args:
      config: The cluster and this task. Its port must be free.
      limit_s: The longest wait in seconds.
      remind_s: Seconds between lines on standard error that name the missing tasks.

    Raises:
      MissingTasksError: The limit has passed.
      TFConfigError: Another program has taken the port of this task.
    """
    missing = {
        f"{task_type}-{index}": address
        for task_type, tasks in config.training_cluster.items()
        for index, address in enumerate(tasks)
        if (task_type, index) != (config.task_type, config.task_index)
    }
    start = last_reminder = time.monotonic()
    assert config.address is not None  # `tf_config.validate` requires it.
    with _listening(config.name, config.address):
        while True:
            missing = {n: address for n, address in missing.items() if not health.accepts(address)}
            if not missing:
                return
            now = time.monotonic()
            names = ", ".join(f"{name} at {address}" for name, address in missing.items())
            if now - start >= limit_s:
                raise MissingTasksError(
                    f"{config.name} has waited {limit_s:.0f} s for {names}. "
                    "Start the whole cluster, or end this task."
                )
            if now - last_reminder >= remind_s:
                last_reminder = now
                print(
                    f"{config.name} waits for {names}. It gives up after {limit_s:.0f} s.",
                    file=sys.stderr,
                    flush=True,
                )
            time.sleep(_POLL_S)


@contextlib.contextmanager
def _listening(name: str, address: str) -> Iterator[None]:
    """Accepts connections on the port of an address, on all interfaces as TensorFlow does."""
    port = addresses.split(address)[1]
    with contextlib.ExitStack() as stack:
        for family, host in ((socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0")):
            # A machine may lack one of the families.
            with _if_possible(name, address):
                server = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
                # TensorFlow binds the same port soon.
                server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                server.bind((host, port))
                # The kernel accepts connections up to this number without a call of `accept`.
                server.listen(socket.SOMAXCONN)
        yield


@contextlib.contextmanager
def _if_possible(name: str, address: str) -> Iterator[None]:
    """Suppresses an OSError in the block, unless another program has taken the port."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise tf_config.port_in_use(name, address) from error
