"""MODEL_DIR/result.json: the results of one training, written by the task that saves.

`benchmarks.compare` reads this file and no other. `build` defines the keys.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from modern.process import files, versions
from modern.records import progress, task_records
from modern.records.progress import Samples

FILE_NAME = "result.json"


def replica_names(trainers: Sequence[str], replicas_each: int) -> list[str]:
    """Returns the name of each replica: that of its trainer, with a number if it has several.

    >>> replica_names(["worker-0", "worker-1"], 1)
    ['worker-0', 'worker-1']
    >>> replica_names(["worker-0"], 2), replica_names([], 2)
    (['worker-0/replica-0', 'worker-0/replica-1'], ['replica-0', 'replica-1'])

    Args:
      trainers: The name of each trainer. Empty if one process trains on its devices.
      replicas_each: The number of replicas of each trainer.
    """
    numbers = [f"replica-{i}" for i in range(replicas_each)]
    if not trainers:
        return numbers
    if replicas_each == 1:
        return list(trainers)
    return [f"{name}/{number}" for name in trainers for number in numbers]


def build(
    *,
    job: str,
    dataset: str,
    way: str,
    cluster: Mapping[str, int],
    seed: int,
    batch_size: int,
    synchronous: bool,
    replica_names: Sequence[str],
    trainers: Sequence[Samples],
    warmup_steps: int,
    evaluation: Mapping[str, float],
    best: Mapping[str, float],
    checkpoint: str,
    export: str | None,
    parameters: int,
    peak_rss_mb: Mapping[str, float],
    began_at: float,
    phases: Mapping[str, float],
    replicas_each: int = 1,
    uncounted_steps: int = 0,
) -> dict[str, Any]:
    """Builds the content of result.json.

    Args:
      job: The name of the job.
      dataset: The name of the data set.
      way: The strategy.
      cluster: The number of tasks of each type.
      seed: The seed of the order and the initial weights.
      batch_size: Examples per replica and step.
      synchronous: Whether a global step takes a batch of every trainer.
      replica_names: The name of each replica of all trainers, such as its task. These are the keys
        of "examples".
      trainers: The samples of each task that has any. The training begins with the first sample of
        any task, since an Estimator's workers may begin before its chief. It ends with the last
        sample of the first task.
      warmup_steps: Global steps left out of throughput and step time.
      evaluation: Loss and metrics on the test set.
      best: The best values that metrics are expected to reach there, if known.
      checkpoint: The path of the final checkpoint.
      export: The path of the SavedModel. None without an export.
      parameters: The number of trainable weights, all float32.
      peak_rss_mb: Peak memory of each task, in MB.
      began_at: The start of this training, in unix seconds.
      phases: Seconds of the phases of this task: "process_s" from the start of the process until it
        could train, then "build_s", "train_s", "eval_s".
      replicas_each: The number of replicas of each trainer.
      uncounted_steps: The steps of lost workers, which are part of "steps", but whose examples are
        not part of "examples".

    Returns:
      The content of `result.json`. "startup_s" is "process_s" plus the seconds from `began_at` to
      the first step. The time that a repeat waits for its turn is not part of it.
    """
    first = progress.first_step_time(trainers[0])
    start, end = trainers[0][0], trainers[0][-1]
    count = len(replica_names)
    return {
        "schema": 1,
        "job": job,
        "dataset": dataset,
        "way": way,
        "cluster": dict(cluster),
        "trainers": count // replicas_each,
        "replicas": count,
        "steps": end.step - min(samples[0].step for samples in trainers),
        "global_step": end.step,
        "uncounted_steps": uncounted_steps,
        "batch_size": batch_size,
        "global_batch_size": batch_size * (count if synchronous else replicas_each),
        "seed": seed,
        "examples": dict(zip(replica_names, progress.consumed(trainers), strict=True)),
        "digests": dict(zip(replica_names, progress.digests(trainers), strict=True)),
        "examples_per_second": progress.examples_per_second(trainers, warmup_steps),
        "step_ms": progress.step_ms(trainers, warmup_steps),
        "startup_s": phases["process_s"] + first - began_at if first else None,
        "peak_rss_mb": dict(peak_rss_mb),
        "eval": dict(evaluation),
        "eval_best": dict(best),
        "loss_curve": progress.loss_curve(trainers),
        "parameters": parameters,
        "parameter_bytes": 4 * parameters,
        "versions": versions.installed(),
        "checkpoint": checkpoint,
        "export": export,
        "started_at": start.time,
        "first_step_at": first,
        "ended_at": time.time(),
        "phases": dict(phases),
    }


def write(model_dir: str, result: Mapping[str, Any]) -> None:
    """Writes MODEL_DIR/result.json and prints the main figures on standard error.

    If the same command is run again and finds nothing left to train, the result of the run that
    trained stays.
    """
    path = os.path.join(model_dir, FILE_NAME)
    stays = not result["steps"] and _global_step(path) == result["global_step"]
    if not stays:
        task_records.write_json(path, dict(result))
    best = result["eval_best"]
    figures = "  ".join(
        f"{name} {value:.4f}" + (f" (best possible {best[name]:.4f})" if name in best else "")
        for name, value in result["eval"].items()
    )
    examples, rate = sum(result["examples"].values()), result["examples_per_second"]
    speed = "" if math.isnan(rate) else f"{rate:,.0f} examples/s  "  # NaN: too short a training.
    outcome = "nothing left to train" if stays else f"{examples:,} examples"
    if result["uncounted_steps"]:
        outcome += f" (without those of {result['uncounted_steps']:,} steps of lost workers)"
    print(
        f"{result['job']}  {result['way']}  step {result['global_step']:,}  {outcome}  "
        f"{speed}eval: {figures}\n  {path}",
        file=sys.stderr,
    )


def _global_step(path: str) -> int | None:
    """Returns the global step in an existing result, or None."""
    try:
        return json.loads(files.read_text(path))["global_step"]
    except (OSError, ValueError, KeyError):
        return None
