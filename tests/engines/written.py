"""Writes a job for an engine by `migrate cluster`, from a TF_CONFIG or from a file.

script = write(folder, SYNCHRONOUS, "multi_worker_mirrored", "slurm", ["python", "train.py"])
"""

from __future__ import annotations

import json
import pathlib
import shlex
from collections.abc import Mapping, Sequence

from migrate.cluster import command
from migrate.cluster.targets import base

# Clusters of old jobs.
ASYNCHRONOUS = {"chief": ["a:2222"], "worker": ["b:2222"], "ps": ["c:2222"]}
SYNCHRONOUS = {"worker": ["a:2222", "b:2222", "c:2222"]}


def write(
    folder: pathlib.Path,
    cluster: Mapping[str, Sequence[str]],
    way: str,
    target: str,
    words: Sequence[str],
    *flags: str,
) -> pathlib.Path:
    """Writes a job.

    Args:
      folder: Folder for the file.
      cluster: Cluster of the old job.
      way: The new way.
      target: Name of the engine.
      words: Command of the tasks.
      *flags: More flags of `migrate cluster`.

    Returns:
      The path of the file.
    """
    task = {"type": next(iter(cluster)), "index": 0}
    (folder / "old.json").write_text(json.dumps({"cluster": cluster, "task": task}))
    return convert(folder / "old.json", way, target, words, *flags)


def convert(
    old: pathlib.Path, way: str, target: str, words: Sequence[str], *flags: str
) -> pathlib.Path:
    """Converts the job of a file.

    Args:
      old: File with a TF_CONFIG, or with a TFJob that has the file's name.
      way: The new way.
      target: Name of the engine.
      words: Command of the tasks.
      *flags: More flags of `migrate cluster`.

    Returns:
      The path of the new file, which is next to the old one.
    """
    argv = [str(old), f"--to={way}", f"--target={target}", f"--write={old.parent}"]
    assert command.main([*argv, f"--command={shlex.join(words)}", *flags]) == 0
    return old.with_name(old.stem + base.suffix(target))
