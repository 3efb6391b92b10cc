"""A made-up comparison in the form of real runs: results, checks and spans of five ways."""

import math

import numpy as np

from benchmarks.reporting import report
from benchmarks.ways import trains
from migrate import equivalence

SEEDS = (1, 2, 3)
COMMAND = "python -m benchmarks.compare --flagfile=benchmarks/quick.flags --output_dir=report"
TASKS = {
    "single": {"chief": 1},
    "legacy": {"chief": 1, "worker": 1, "ps": 1, "evaluator": 1},
    "parameter_server": {"chief": 1, "worker": 2, "ps": 1, "evaluator": 1},
    "multi_worker_mirrored": {"worker": 2, "evaluator": 1},
    "mirrored": {"chief": 1},
}
SPEED = {
    "single": 10260,
    "legacy": 4630,
    "parameter_server": 5120,
    "multi_worker_mirrored": 3890,
    "mirrored": 9400,
}
TRAINING = {
    "single": ["chief-0"],
    "legacy": ["chief-0", "worker-0"],
    "parameter_server": ["trainer-0", "trainer-1"],
    "multi_worker_mirrored": ["worker-0", "worker-1"],
    "mirrored": ["chief-0"],
}
MARGINS = {"loss": 0.06, "accuracy": 0.02}


def result(way="legacy", seed=1, steps=300, began=1_700_000_000.0, **changes):
    """Returns the content of a run's result.json."""
    rng = np.random.default_rng([seed, len(way)])
    trainers = TRAINING[way]
    seen = steps * 64 * len(trainers)
    grid = np.arange(0, seen, 256) + 256
    shape = 0.32 + 2.0 * np.exp(-grid / 5200) + 0.01 * math.sin(seed)
    rest = 0.05 * rng.normal(size=len(grid)) * np.exp(-grid / 20000)
    tasks = [f"{kind}-{i}" for kind, count in TASKS[way].items() for i in range(count)]
    speed = SPEED[way] * (1 + 0.04 * rng.normal())
    step_ms = 1e3 * 64 * len(trainers) / speed
    startup = 4.0 + 2.2 * (way != "single") + 0.3 * rng.random()
    took = startup + seen / speed + 2.5
    whole = {
        "schema": 1,
        "job": "mnist_cnn",
        "dataset": "digits",
        "way": way,
        "cluster": TASKS[way],
        "trainers": len(trainers),
        "steps": steps,
        "batch_size": 64,
        "global_batch_size": 64 * len(trainers),
        "seed": seed,
        "examples": dict.fromkeys(trainers, steps * 64),
        "examples_per_second": speed,
        "step_ms": {"p50": step_ms, "p90": 1.3 * step_ms},
        "startup_s": startup,
        "peak_rss_mb": {task: 610.0 + 90 * rng.random() for task in tasks},
        "eval": {
            "loss": 0.342 + 0.02 * math.sin(seed) + 0.003 * rng.normal(),
            "accuracy": 0.912 + 0.004 * math.cos(seed) + 0.001 * rng.normal(),
        },
        "global_step": steps,
        "loss_curve": [[float(x), float(y)] for x, y in zip(grid, shape + rest, strict=True)],
        "versions": {
            "python": "3.11.9",
            "tensorflow": "2.21.0",
            "tf_keras": "2.21.0",
            "toolkit": "0.1.0",
        },
        "checkpoint": "/tmp/model/ckpt-300",
        "parameters": 2_769_930,
        "parameter_bytes": 11_079_720,
        "started_at": began,
        "ended_at": began + took,
    }
    return {**whole, **changes}


def runs(ways=tuple(TASKS), seeds=SEEDS):
    """Returns the results by way. The runs of all ways alternate in time and do not overlap."""
    clock, whole = 1_700_000_000.0, {way: [] for way in ways}
    for seed in seeds:
        for way in ways:
            steps = 600 if len(TRAINING[way]) == 1 else 300
            whole[way].append(result(way, seed, steps=steps, began=clock))
            clock = whole[way][-1]["ended_at"] + 0.4
    return whole


def too_short(*ways):
    """Returns the results of all ways. The runs of some are too short to have a speed."""
    whole = runs()
    for way in ways:
        for run in whole[way]:
            run["examples_per_second"], run["step_ms"] = None, {"p50": None, "p90": None}
    return whole


def spans(results):
    """Returns the lifetime of every process of the runs."""
    began = min(run["started_at"] for of_way in results.values() for run in of_way)
    whole = []
    for way, of_way in results.items():
        for run in of_way:
            start, end = run["started_at"] - began, run["ended_at"] - began
            for index, task in enumerate(run["peak_rss_mb"]):
                first = start + run["startup_s"] if trains(way, task.partition("-")[0]) else None
                whole.append(report.Span(way, task, start + 0.05 * index, end, first))
    return whole


def checks(results, *, defect=None):
    """Returns the checks of all tiers, optionally with a defect planted in legacy."""
    rng = np.random.default_rng(3)
    start = {"conv/kernel": rng.normal(size=(3, 3)), "dense/bias": np.zeros(10)}
    end = {key: value + 0.01 * rng.normal(size=value.shape) for key, value in start.items()}
    whole = []
    for way, of_way in results.items():
        if way == "single":
            continue
        near = {key: value + 1e-8 * rng.normal(size=value.shape) for key, value in end.items()}
        if defect == "dropped_variable" and way == "legacy":
            del near["dense/bias"]
        whole.append(
            equivalence.exact(
                "weights after 50 steps", f"{way} (1 trainer)", "single", near, end, initial=start
            )
        )
        shift = 0.2 if defect == "shifted_labels" and way == "legacy" else 0.0
        for key, margin in MARGINS.items():
            mine = {run["seed"]: run["eval"][key] - shift for run in of_way}
            theirs = {run["seed"]: run["eval"][key] for run in results["single"]}
            name = f"evaluation {key}"
            whole.append(equivalence.tost_paired(name, way, "single", mine, theirs, margin))
        curves = [{run["seed"]: run["loss_curve"] for run in results[w]} for w in (way, "single")]
        whole.append(equivalence.trajectory("training loss", way, "single", *curves, margin=0.2))
    return whole


def report_of(*, defect=None, **changes):
    """Returns the whole report of the comparison."""
    results = runs()
    how = {
        "command": COMMAND,
        "spans": spans(results),
        "limits": {"margins": MARGINS, "alpha": 0.05},
        **changes,
    }
    return report.build("mnist_cnn", "digits", results, checks(results, defect=defect), **how)
