"""Messages of the tasks about a training, on the message board of the ps.

>>> words = {training_key("model"): entry_text("a1", OPEN), worker_key("a1", 0): JOINED}
>>> entry(words, training_key("model"))
{'id': 'a1', 'state': 'open'}

The chief writes an entry for each training: its id and its state. The key of the entry is the same
on all tasks. Each worker writes under its own key that it has joined, and later that it has
finished.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from legacy.estimator.cluster import servers
from modern.cluster import health

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

PREPARING, OPEN, CLOSING, OVER = "preparing", "open", "closing", "over"  # States of a training.
JOINED, FINISHED = "joined", "finished"  # States of a worker.

# Ids of the trainings that this process has ended. It never joins them again.
ended_ids: set[str] = set()


def training_key(model_dir: str | None) -> str:
    """Returns the key of a training's entry, the same on all tasks.

    The key is a hash of the model's folder, whose path may be too long for a name.

    Args:
      model_dir: The model's folder. None if each task has a temporary folder.
    """
    return "model " + hashlib.sha256((model_dir or "").encode()).hexdigest()[:16]


def worker_key(identity: str, task_id: int) -> str:
    """Returns the key under which a worker writes its state.

    Args:
      identity: The training's id.
      task_id: The worker's index.
    """
    return _worker_prefix(identity) + str(task_id)


def entry_text(identity: str, state: str) -> str:
    """Returns the entry of a training, which `entry` reads.

    Args:
      identity: The training's id.
      state: The training's state.
    """
    return json.dumps({"id": identity, "state": state})


def entry(words: dict[str, str], key: str) -> dict[str, Any] | None:
    """Returns the "id" and "state" of a training. None if the board does not have it.

    Args:
      words: The messages on the board.
      key: The key of the training's entry.
    """
    return json.loads(words[key]) if key in words else None


def entries(words: dict[str, str]) -> list[dict[str, Any]]:
    """Returns the "id" and "state" of each training on the board.

    Args:
      words: The messages on the board.
    """
    return [json.loads(word) for word in words.values() if word.startswith("{")]


def container_name(identity: str) -> str:
    """Returns the name of the resource container of a training's variables.

    Args:
      identity: The training's id.
    """
    return f"training-{identity}"


def unfinished_workers(config: RunConfig, words: dict[str, str], identity: str) -> dict[str, str]:
    """Returns the addresses of the live workers that have joined but not finished, by name.

    Args:
      config: The RunConfig of a task of the cluster.
      words: The messages on the board.
      identity: The training's id.
    """
    prefix = _worker_prefix(identity)
    joined_workers = {
        f"worker-{key.removeprefix(prefix)}"
        for key, word in words.items()
        if key.startswith(prefix) and word == JOINED
    }
    workers = servers.addresses_of(config, "worker")
    return {
        name: address
        for name, address in workers.items()
        if name in joined_workers and health.accepts(address)
    }


def _worker_prefix(identity: str) -> str:
    return f"trainer {identity} "
