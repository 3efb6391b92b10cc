"""Tests of result.json: its keys and its figures."""

import json

from modern.records import results
from modern.records.progress import Sample

KEYS = {
    "schema", "job", "dataset", "way", "cluster", "trainers", "replicas", "steps", "global_step",
    "uncounted_steps",
    "batch_size", "global_batch_size", "seed", "examples", "digests",
    "examples_per_second", "step_ms",
    "startup_s", "peak_rss_mb", "eval", "eval_best", "loss_curve", "parameters",
    "parameter_bytes", "versions", "checkpoint", "export", "started_at", "first_step_at",
    "ended_at", "phases",
}  # fmt: skip


def synchronous(trainer, steps=30):
    """Returns samples of one of two trainers: a step of 4 examples each second, from step 100."""
    return [
        Sample(
            50.0 + t,
            100 + t,
            tuple(4 * t * (i == trainer) for i in range(2)),
            2.0 * t,
            tuple((1.5 + trainer) * t * (i == trainer) for i in range(2)),
        )
        for t in range(steps + 1)
    ]


def build(**changed):
    """Returns the result of two trainers in step."""
    values = {
        "job": "mnist_cnn",
        "dataset": "digits",
        "way": "multi_worker_mirrored",
        "cluster": {"worker": 2},
        "seed": 3,
        "batch_size": 4,
        "synchronous": True,
        "replica_names": ["worker-0", "worker-1"],
        "trainers": [synchronous(0), synchronous(1)],
        "warmup_steps": 2,
        "evaluation": {"loss": 0.5, "accuracy": 0.75},
        "best": {"accuracy": 0.9},
        "checkpoint": "/m/checkpoints/ckpt-130",
        "export": None,
        "parameters": 11,
        "peak_rss_mb": {"worker-0": 700.0},
        "began_at": 49.0,
        "phases": {"process_s": 2.0, "train_s": 30.0},
    }
    return results.build(**(values | changed))


def test_the_keys_are_frozen():
    assert set(build()) == KEYS


def test_figures_of_two_trainers_in_step():
    result = build()
    assert (result["steps"], result["global_step"], result["trainers"]) == (30, 130, 2)
    assert (result["batch_size"], result["global_batch_size"]) == (4, 8)
    assert result["examples"] == {"worker-0": 120, "worker-1": 120}
    assert result["digests"] == {"worker-0": 45.0, "worker-1": 75.0}
    assert result["examples_per_second"] == 8
    assert result["step_ms"] == {"p50": 1000, "p90": 1000}
    assert result["startup_s"] == 4.0
    assert result["first_step_at"] == 51.0
    assert result["parameter_bytes"] == 44


def test_an_asynchronous_step_takes_one_batch():
    assert build(synchronous=False)["global_batch_size"] == 4


def test_a_worker_may_begin_before_the_chief():
    late = synchronous(0)[3:]
    assert build(trainers=[late, synchronous(1)])["steps"] == 30


def test_a_run_with_nothing_left_to_train(tmp_path, capsys):
    still = [Sample(50.0, 110, (0, 0), 0.0, (0.0, 0.0)), Sample(50.1, 110, (0, 0), 0.0, (0.0, 0.0))]
    result = build(trainers=[still, still])
    assert (result["steps"], result["startup_s"], result["loss_curve"]) == (0, None, [])
    results.write(tmp_path, result)
    assert json.loads((tmp_path / "result.json").read_text())["examples_per_second"] is None
    assert "nan" not in capsys.readouterr().err


def test_it_is_written_and_said(tmp_path, capsys):
    results.write(tmp_path, build())
    assert json.loads((tmp_path / "result.json").read_text())["global_step"] == 130
    said = capsys.readouterr().err
    assert "mnist_cnn  multi_worker_mirrored  step 130  240 examples  8 examples/s" in said
    assert "loss 0.5000  accuracy 0.7500" in said
    assert str(tmp_path / "result.json") in said


def test_steps_without_counted_examples_are_told(tmp_path, capsys):
    results.write(tmp_path, build(uncounted_steps=7))
    assert json.loads((tmp_path / "result.json").read_text())["uncounted_steps"] == 7
    said = capsys.readouterr().err
    assert "step 130  240 examples (without those of 7 steps of lost workers)  8 exa" in said


def test_a_run_with_nothing_left_keeps_the_result_of_the_one_that_trained(tmp_path, capsys):
    nothing = [[Sample(90.0, 130, (0, 0), 0.0, (0.0, 0.0))] * 2] * 2
    results.write(tmp_path, build(trainers=nothing))
    first = json.loads((tmp_path / "result.json").read_text())
    assert first["steps"] == 0  # No earlier result exists yet.
    results.write(tmp_path, build())
    trained = (tmp_path / "result.json").read_text()
    capsys.readouterr()
    results.write(tmp_path, build(trainers=nothing))
    assert (tmp_path / "result.json").read_text() == trained
    assert "nothing left to train" in capsys.readouterr().err
    results.write(tmp_path, build(trainers=[synchronous(0, steps=32), synchronous(1, steps=32)]))
    assert json.loads((tmp_path / "result.json").read_text())["global_step"] == 132
