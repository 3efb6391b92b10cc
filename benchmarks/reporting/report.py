"""Builds `report.json` of a comparison from the results of its runs.

    import rich.console

    from benchmarks.reporting import report, report_html, report_table

    whole = report.build(
        "mnist_cnn", "digits",
        runs={"single": [result, ...], "legacy": [result, ...]},  # each a run's result.json
        checks=checks,                                            # of migrate.equivalence
        command="python -m benchmarks.compare --job=mnist_cnn",
    )
    report.write(whole, "report/report.json")
    report_html.write(whole, "report/report.html")
    report_table.print_table(whole, rich.console.Console())

`report_html` renders it as a page, `report_table` as a table for the terminal.
"""

import collections
import dataclasses
import datetime
import json
import math
import os
import pathlib
import platform
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psutil

from benchmarks.reporting import schema
from migrate import equivalence
from modern.process import files

SINGLE = "single"
_SAME_IN_A_WAY = ("job", "dataset", "cluster", "trainers", "batch_size", "parameter_bytes")
_MEASURED = (
    "examples", "examples_per_second", "step_ms", "startup_s", "peak_rss_mb", "eval", "steps",
    "global_step",
)  # fmt: skip
_OF_A_RUN = (
    "seed", "steps", "global_step", "examples", "examples_per_second", "step_ms", "startup_s",
    "eval", "phases",
)  # fmt: skip

Run = Mapping[str, Any]
Curves = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclasses.dataclass(frozen=True)
class Span:
    """The lifetime of a process, for the timeline. Times are seconds since the comparison began.

    Attributes:
      way: The way that it took part in.
      task: Its task, such as "worker-0".
      start_s: Time of its start.
      end_s: Time of its end.
      first_step_s: End of its first training step. None for a task that does not train.
    """

    way: str
    task: str
    start_s: float
    end_s: float
    first_step_s: float | None = None


def build(
    job: str,
    dataset: str,
    runs: Mapping[str, Sequence[Run]],
    checks: Iterable[equivalence.Check],
    *,
    command: str,
    spans: Sequence[Span] = (),
    curves: Curves | None = None,
    reference: str = SINGLE,
    limits: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Returns the report, checked against its contract.

    Args:
      job: Name of the job.
      dataset: Name of the data.
      runs: By way, the content of `result.json` of each run whose speed counts. A way's runs must
        agree in cluster, trainers and batch size.
      checks: The checks of equivalence.
      command: Command that repeats the comparison.
      spans: Lifetimes of the processes. If empty, each run is drawn as one process.
      curves: Entries `{"seed": int, "points": [[examples_seen, loss], ...]}` by way. Defaults to
        the loss curves of `runs`.
      reference: The way that the other curves are drawn against.
      limits: Limits of the checks, such as margins, for the record.
      notes: Sentences that a reader must know, for example that a way was left out.

    Returns:
      The content of `report.json`: the contract's keys and "created", "command", "cost",
      "timeline", "curves", "reference", "limits", "notes" and "runs".

    Raises:
      ValueError: `runs` is empty, runs of a way do not belong together, or a value in them violates
        the contract.
    """
    ways = {way: aggregate(way, of_way) for way, of_way in runs.items()}
    speeds = {way: speed for way, entry in ways.items() if (speed := speed_of(entry))}
    base = speeds.get(SINGLE)
    for way, speed in speeds.items():
        ways[way]["ratio_to_single"] = speed / base if base else None
    checks = list(checks)
    spans = spans or _spans_of(runs)
    report = {
        "schema": schema.VERSION,
        "job": job,
        "dataset": dataset,
        "machine": machine(),
        "versions": _versions(runs),
        "ways": ways,
        "equivalence": {
            "outcome": equivalence.verdict(checks),
            "checks": [check.to_dict() for check in checks],
        },
        "created": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "command": command,
        "cost": {way: cost(ways[way], ways[SINGLE]) for way in speeds if way != SINGLE}
        if base
        else {},
        "timeline": [dataclasses.asdict(span) for span in spans],
        "curves": curves if curves is not None else _curves_of(runs),
        "reference": reference,
        "limits": dict(limits or {}),
        "notes": [*notes, *_not_measured(ways), *_not_finite(runs), *_notes_on_best(runs)],
        "runs": [
            {"way": way, **{key: run[key] for key in _OF_A_RUN if key in run}}
            for way, of_way in runs.items()
            for run in of_way
        ],
    }
    report = _plain(report)
    schema.validate(report)
    return report


def aggregate(way: str, runs: Sequence[Run]) -> dict[str, Any]:
    """Returns a way's entry in the report: medians over its runs, but the peak of memory.

    Args:
      way: Name of the way, for messages.
      runs: The content of `result.json` of each run. It has "examples" by trainer. The entry has
        the sum instead, and the parts as "examples_by_trainer".

    Raises:
      ValueError: `runs` is empty, or the runs differ in a value that must be equal to take medians.
    """
    if not runs:
        raise ValueError(f"ways.{way}: there is no run")
    for run in runs:
        missing = [key for key in (*_SAME_IN_A_WAY, *_MEASURED) if key not in run]
        if missing:
            raise ValueError(f"ways.{way}: the result of a run lacks {', '.join(missing)}")
    for key in _SAME_IN_A_WAY:
        if any(run[key] != runs[0][key] for run in runs):
            values = ", ".join(str(run[key]) for run in runs)
            raise ValueError(f"ways.{way}: the runs differ in {key}, so no median holds: {values}")
    speeds = [run["examples_per_second"] for run in runs]
    # The median of the runs that were slow enough to be measured would be too low.
    is_measured = all(map(_is_finite, speeds))
    trainers = sorted({task for run in runs for task in run["examples"]})
    tasks = sorted({task for run in runs for task in run["peak_rss_mb"]})
    return {
        "cluster": dict(runs[0]["cluster"]),
        "trainers": runs[0]["trainers"],
        "steps": _median_count(run["steps"] for run in runs),
        "examples": _median_count(sum(run["examples"].values()) for run in runs),
        "examples_per_second": {
            "median": statistics.median(speeds) if is_measured else None,
            "min": min(speeds) if is_measured else None,
            "max": max(speeds) if is_measured else None,
        },
        "ratio_to_single": None,
        "step_ms": {
            p: statistics.median(run["step_ms"][p] for run in runs) if is_measured else None
            for p in ("p50", "p90")
        },
        "startup_s": statistics.median(run["startup_s"] for run in runs),
        "peak_rss_mb": {
            task: max(run["peak_rss_mb"].get(task, 0.0) for run in runs) for task in tasks
        },
        "eval": {
            key: _median_or_none(runs, key) for key in ("loss", "accuracy", *_best_possible(runs))
        },
        "global_step": _median_count(run["global_step"] for run in runs),
        "examples_by_trainer": {
            task: _median_count(run["examples"].get(task, 0) for run in runs) for task in trainers
        },
        "batch_size": runs[0]["batch_size"],
        "parameter_bytes": runs[0]["parameter_bytes"],
        "runs": len(runs),
    }


def speed_of(way: Mapping[str, Any]) -> float | None:
    """Returns the median examples per second of an entry of `aggregate`.

    Returns None if its runs were too short to be measured (`modern.records.progress`).
    """
    return way["examples_per_second"]["median"]


def cost(way: Mapping[str, Any], single: Mapping[str, Any]) -> dict[str, float | None]:
    """Estimates the cost of a step of distributed training, without its computation.

    All processes share one machine, so N trainers have no more cores than `single` had. `single`
    keeps these busy, and computes a trainer's batch of B examples in `B / speed(single)`. The N
    batches that N trainers compute at the same time need `N * B / speed(single)`, however they are
    distributed over processes. They actually take `N * B / speed(way)`. The difference is the wall
    time that a trainer's step spends on communication: serializing, sending, waiting, scheduling.
    This holds for synchronous and asynchronous ways alike, because it starts from the examples of
    all trainers.

    If `single` does not keep all cores busy, N processes compute more than it does in the same
    time. Then the true cost is higher than this estimate, which can even be negative.

    Args:
      way: An entry of `aggregate` that has a speed.
      single: The entry of the undistributed baseline, which has one, too.

    Returns:
      "step_ms" and "compute_ms" per step of a trainer, their difference "cost_ms", "share" of the
      step, and "ns_per_parameter_byte", which is None for a model without parameters.
    """
    examples = way["trainers"] * way["batch_size"]
    step = 1e3 * examples / way["examples_per_second"]["median"]
    compute = 1e3 * examples / single["examples_per_second"]["median"]
    size = way["parameter_bytes"]
    return {
        "step_ms": step,
        "compute_ms": compute,
        "cost_ms": step - compute,
        "share": (step - compute) / step,
        "ns_per_parameter_byte": 1e6 * (step - compute) / size if size else None,
    }


def machine() -> dict[str, Any]:
    """Returns the processor's name, the cores this process may use, memory (GB) and platform."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": _cpu_model(),
        "cores": cores,
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "platform": platform.platform(),
    }


def write(report: Mapping[str, Any], path: str | os.PathLike[str]) -> pathlib.Path:
    """Writes the report as JSON, whole or not at all. Replaces an existing file.

    Args:
      report: A report of `build`.
      path: The file. Its directory is created.

    Returns:
      The path.

    Raises:
      ValueError: The report violates its contract. Nothing is written then.
    """
    schema.validate(report)
    files.write_text(path, json.dumps(report, indent=1, allow_nan=False) + "\n")
    return pathlib.Path(path)


def summary(report: Mapping[str, Any]) -> str:
    """Returns the verdict in one sentence."""
    checks = report["equivalence"]["checks"]
    counts = collections.Counter(check["outcome"] for check in checks)
    different, undecided = counts[equivalence.DIFFERENT], counts[equivalence.INCONCLUSIVE]
    if not checks:
        return "Inconclusive: no check was made."
    if different:
        return f"Different: {different} of {len(checks)} checks show a difference."
    if undecided:
        seed_counts = [check["more_seeds"] for check in checks if check["outcome"] != "equivalent"]
        advice = f" {max(seed_counts)} more seeds would decide." if None not in seed_counts else ""
        return (
            f"Inconclusive: {undecided} of {len(checks)} checks are undecided, none shows a "
            f"difference.{advice}"
        )
    return f"Equivalent: all {len(checks)} checks show it."


def _cpu_model() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _versions(runs: Mapping[str, Sequence[Run]]) -> dict[str, str]:
    """Returns each library's version, or all its versions if the runs differ."""
    by_library: dict[str, set[str]] = {}
    for of_way in runs.values():
        for run in of_way:
            for library, version in run["versions"].items():
                by_library.setdefault(library, set()).add(str(version))
    return {library: ", ".join(sorted(versions)) for library, versions in by_library.items()}


def _spans_of(runs: Mapping[str, Sequence[Run]]) -> list[Span]:
    all_runs = [(way, run) for way, of_way in runs.items() for run in of_way]
    began = min((run["started_at"] for _, run in all_runs), default=0.0)
    spans = []
    for way, run in all_runs:
        start = run["started_at"] - began
        spans.append(Span(way, "run", start, run["ended_at"] - began, start + run["startup_s"]))
    return spans


def _curves_of(runs: Mapping[str, Sequence[Run]]) -> Curves:
    return {
        way: [{"seed": run["seed"], "points": run["loss_curve"]} for run in of_way]
        for way, of_way in runs.items()
    }


def _not_measured(ways: Mapping[str, Mapping[str, Any]]) -> list[str]:
    names = [way for way, entry in ways.items() if speed_of(entry) is None]
    if not names:
        return []
    return [
        f"{', '.join(names)}: a run measured too few steps for a speed (20 steps and half a second "
        "after --warmup_steps). Raise --steps."
    ]


def _not_finite(runs: Mapping[str, Sequence[Run]]) -> list[str]:
    notes = []
    for way, of_way in runs.items():
        count = sum(not all(map(_is_finite, run["eval"].values())) for run in of_way)
        if count:
            notes.append(
                f"{way} diverged: the evaluation of {count} of {len(of_way)} runs is not finite. "
                "Lower --learning_rate."
            )
    return notes


def _notes_on_best(runs: Mapping[str, Sequence[Run]]) -> list[str]:
    """Returns a note for each metric whose best possible value is known."""
    best = _best_possible([run for of_way in runs.values() for run in of_way])
    notes = []
    for key, value in best.items():
        medians = {way: _median_or_none(of_way, key) for way, of_way in runs.items()}
        figures = ", ".join(f"{m:.3f} {way}" for way, m in medians.items() if m is not None)
        notes.append(f"{key} reached: {figures}; the best possible on this test set: {value:.3f}.")
    return notes


def _median_count(values: Iterable[int]) -> int:
    # median_low is one of the values, so the median of counts stays a whole number.
    return int(statistics.median_low(values))


def _best_possible(runs: Sequence[Run]) -> dict[str, float]:
    """Returns the best values that metrics can be expected to reach, if the data define them."""
    by_metric: dict[str, list[float]] = {}
    for run in runs:
        for key, value in run.get("eval_best", {}).items():
            by_metric.setdefault(key, []).append(value)
    return {key: statistics.median(values) for key, values in by_metric.items()}


def _median_or_none(runs: Sequence[Run], key: str) -> float | None:
    """Returns the median of an evaluated figure. None if a run lacks it or it is not finite."""
    values = [run["eval"].get(key) for run in runs]
    return statistics.median(values) if all(map(_is_finite, values)) else None


def _is_finite(value: float | None) -> bool:
    """Returns whether a figure of result.json is finite. NaN is null there."""
    return value is not None and math.isfinite(value)


def _plain(value: Any) -> Any:
    """Returns `value` as JSON values: NaN and infinity as null, lists for tuples, no numpy."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
