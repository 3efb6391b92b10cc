"""Tests of the comparison on real trainings: it passes correct ones and detects each defect."""

import dataclasses
import json
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import checkpoint_weights, compare, runner, ways
from benchmarks.judging import checks
from benchmarks.judging.margins import OF_JOB
from migrate import equivalence
from modern.model_files import weights
from modern.tasks.flags import JOBS
from tests.benchmarks import planted
from tests.modern import in_turn

pytestmark = pytest.mark.cluster

ROOT = pathlib.Path(__file__).parents[2]
SYNCHRONOUS = "multi_worker_mirrored"
BATCH, STEPS = 32, 10
MARGINS = OF_JOB["linear_regression"]
# --scale_learning_rate has no effect in the exact tier.
TOLD_EXACTLY = [name for name in planted.DEFECTS if name != "unscaled_rate"]


@pytest.fixture(scope="module")
def exact_runs(tmp_path_factory):
    """Returns the weights after a few steps of one process, and of two with each defect."""
    folder = str(tmp_path_factory.mktemp("exact"))
    # The correct training comes last, which shows that no defect outlives its own training.
    trainings = [*TOLD_EXACTLY, planted.NONE]
    program = planted.program(SYNCHRONOUS, *trainings)
    setting = ways.Setting(job="mnist_cnn", learning_rate=0.01, programs={SYNCHRONOUS: program})
    alone = ways.exact_group(setting, "single", folder, 1, 2 * BATCH, STEPS)
    synchronous = ways.exact_group(setting, SYNCHRONOUS, folder, 2, BATCH, STEPS)
    return _trained(folder, alone, synchronous, trainings)


def _trained(folder, alone, group, trainings):
    """Returns the final weights of each training and of `single`, and the initial weights."""
    group = _repeated(group, len(trainings))
    initial = _initial_weights(folder)
    with runner.Groups() as running:
        running.start(alone, 0)
        results = {name: running.train(group, index) for index, name in enumerate(trainings)}
        results["single"] = running.wait(alone, 0)
        running.finish()
    found = {
        name: checkpoint_weights.read(result["checkpoint"], initial)
        for name, result in results.items()
    }
    return found, initial


def _repeated(group, times):
    """Returns a group of the same processes that repeats its one training so many times."""
    command = (*group.command, f"--repeats={times}", "--distinct_seeds=1")
    return dataclasses.replace(group, repeats=times, command=command)


def _initial_weights(folder):
    import tf_keras

    from modern.jobs import mnist_cnn

    tf_keras.utils.set_random_seed(0)
    initial = weights.read(mnist_cnn.build_model())
    weights.save(ways.init_checkpoint(folder).replace("{seed}", "0"), initial)
    return initial


def _check(exact_runs, name):
    found, initial = exact_runs
    pair = checks.ExactPair(name, name, "single", found[name], found["single"])
    return checks.exact([pair], initial, OF_JOB["mnist_cnn"])[0]


def test_synchronous_training_equals_one_process_with_the_global_batch(exact_runs):
    check = _check(exact_runs, planted.NONE)
    assert check.passed, check.detail
    # The training passes by far, not because of a wide tolerance.
    assert check.statistic < check.limit / 10


@pytest.mark.parametrize("name", TOLD_EXACTLY)
def test_the_exact_tier_tells_a_defect(exact_runs, name):
    check = _check(exact_runs, name)
    assert check.outcome == equivalence.DIFFERENT
    if name == "dropped_variable":
        assert "logits/bias" in check.detail


@pytest.mark.slow
@pytest.mark.parametrize("way", ["legacy", "parameter_server"])
def test_the_exact_tier_tells_a_defect_of_an_asynchronous_way(way, tmp_path):
    trainings, steps = [*planted.OF_ONE_TRAINER, planted.NONE], 40
    program = planted.program(way, *trainings)
    setting = ways.Setting(job="mnist_cnn", learning_rate=0.01, programs={way: program})
    alone = ways.exact_group(setting, "single", str(tmp_path), 1, BATCH, steps)
    group = ways.exact_group(setting, way, str(tmp_path), 1, BATCH, steps)
    found = _trained(str(tmp_path), alone, group, trainings)
    outcomes = {name: _check(found, name).outcome for name in trainings}
    assert outcomes.pop(planted.NONE) == equivalence.EQUIVALENT
    assert outcomes == dict.fromkeys(planted.OF_ONE_TRAINER, equivalence.DIFFERENT)


@pytest.mark.slow
def test_an_unscaled_rate_is_not_equivalent_and_the_report_says_which_check_told(tmp_path, capsys):
    """The later tiers detect a defect that the exact tier cannot see."""
    setting = ways.Setting(
        job="linear_regression",
        evaluator=False,
        steps=1000,
        warmup_steps=100,
        max_seeds=6,
        programs={SYNCHRONOUS: planted.program(SYNCHRONOUS, "unscaled_rate")},
    )
    code = compare.compare(setting, ["single", SYNCHRONOUS], 0, MARGINS, str(tmp_path), "test")
    report = json.loads((tmp_path / "report.json").read_text())
    told = {c["name"] for c in report["equivalence"]["checks"] if c["outcome"] == "different"}
    assert code == compare.EXIT_CODES[equivalence.DIFFERENT]
    assert told == {f"loss curve: {SYNCHRONOUS}"}  # At the end it has learned as much.
    assert "Different: 1 of 6 checks show" in capsys.readouterr().out


@pytest.mark.parametrize(
    "way", ["legacy", pytest.param("parameter_server", marks=pytest.mark.slow)]
)
def test_a_shard_that_is_never_read_is_told_by_the_digests_of_the_examples(way, tmp_path, capsys):
    """The digests detect it. The results do not: on easy data, half of the data teaches as much."""
    setting = ways.Setting(
        job="linear_regression",
        evaluator=False,
        steps=100,
        warmup_steps=10,
        max_seeds=2,
        programs={way: planted.program(way, "same_shard")},
    )
    code = compare.compare(setting, ["single", way], 0, MARGINS, str(tmp_path), "test", seeds=2)
    report = json.loads((tmp_path / "report.json").read_text())
    told = {c["name"] for c in report["equivalence"]["checks"] if c["outcome"] == "different"}
    assert code == compare.EXIT_CODES[equivalence.DIFFERENT]
    assert f"examples of each trainer: {way}" in told
    assert "DIFFERENT exact: examples of each trainer" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(1800)  # ResNet-56 takes minutes to trace on two cores.
@pytest.mark.parametrize("job", JOBS)
def test_no_way_of_a_documented_job_is_accused(job, tmp_path):
    """Two short seeds may leave the results undecided. The exact checks decide for every job."""
    few = {"dataset": "digits", "batch_size": 8} if job == "resnet56_cifar10" else {}
    setting = ways.Setting(
        job=job,
        steps=20,
        warmup_steps=5,
        max_seeds=2,
        learning_rate_decay="none",
        evaluator=False,
        **few,
    )
    steps = min(20, ways.exact_steps(setting))
    code = compare.compare(setting, ways.NAMES, steps, OF_JOB[job], str(tmp_path), "test", seeds=2)
    report = json.loads((tmp_path / "report.json").read_text())
    exact = [one for one in report["equivalence"]["checks"] if one["tier"] == "exact"]
    assert code in (compare.EXIT_CODES[o] for o in ("equivalent", "inconclusive"))
    assert exact
    assert {one["outcome"] for one in exact} == {equivalence.EQUIVALENT}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_job_that_amplifies_rounding_accuses_no_way(tmp_path, capsys):
    """After six steps, equal trainings of ResNet-56 with batches of 8 have nothing in common."""
    setting = ways.Setting(
        job="resnet56_cifar10", dataset="digits", batch_size=8, steps=6, warmup_steps=1,
        max_seeds=2, learning_rate_decay="none", evaluator=False,
    )  # fmt: skip
    margins = OF_JOB["resnet56_cifar10"]
    names = ["single", "legacy"]
    code = compare.compare(setting, names, 6, margins, str(tmp_path), "test", seeds=2)
    assert code == compare.EXIT_CODES[equivalence.INCONCLUSIVE]
    report = json.loads((tmp_path / "report.json").read_text())
    (weights_check,) = [
        check for check in report["equivalence"]["checks"] if check["name"].startswith("weights")
    ]
    assert weights_check["outcome"] == equivalence.INCONCLUSIVE
    assert "Rounding explains it" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_a_training_that_diverges_ends_the_comparison_with_the_reason(tmp_path, capsys):
    setting = ways.Setting(
        job="linear_regression", learning_rate=1e6, evaluator=False, steps=60, warmup_steps=5,
        max_seeds=2,
    )  # fmt: skip
    code = compare.compare(
        setting, ["single", SYNCHRONOUS], 0, MARGINS, str(tmp_path), "test", seeds=2
    )
    assert code == compare.COULD_NOT_RUN
    assert "single: worker-0 failed" in (said := capsys.readouterr().err)
    assert "Model diverged with loss = NaN at step" in said


def test_a_task_that_fails_is_named_with_its_last_lines(tmp_path, capsys):
    failing = ("-c", "import sys; sys.exit('out of cheese')")
    setting = ways.Setting(job="linear_regression", programs={SYNCHRONOUS: failing})
    code = compare.compare(setting, ["single", SYNCHRONOUS], 5, MARGINS, str(tmp_path), "test")
    said = capsys.readouterr().err
    assert code == compare.COULD_NOT_RUN
    assert "worker-" in said
    assert "out of cheese" in said
    assert not (tmp_path / "report.json").exists()


@pytest.mark.slow
def test_every_way_is_equivalent_on_the_smallest_job(tmp_path):
    """The README's command passes with all ways, all tiers and evaluators."""
    readme = (ROOT / "README.md").read_text()
    (line,) = re.findall(r"^python -m benchmarks.compare .*$", readme, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, *shlex.split(line)[1:], f"--output_dir={tmp_path}/report"],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert set(report["ways"]) == set(ways.NAMES)
    assert {c["tier"] for c in report["equivalence"]["checks"]} == {
        "exact",
        "statistical",
        "trajectory",
    }
    for way in report["ways"].values():
        assert way["examples"] == pytest.approx(500 * 2 * 32, abs=64)
        assert np.isfinite(way["eval"]["loss"])
    assert (tmp_path / "report" / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert "Traceback" not in done.stderr


WRONG = {
    "--ways=single,horovod": "there is no way 'horovod'",
    "--ways=legacy": "lacks single",
    "--warmup_steps=500": "leaves nothing",
    "--workers=0": "workers",
    "--max_seeds=3": "is less than --seeds=4",
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """Returns the outcome of the comparison with each wrong flag, and the folder of its output."""
    folder = tmp_path_factory.mktemp("refused")
    commands = [([f"--output_dir={folder}/out", flag], {}) for flag in WRONG]
    return folder, dict(zip(WRONG, in_turn.run("benchmarks.compare", commands), strict=True))


@pytest.mark.parametrize("flag", WRONG)
def test_a_wrong_flag_is_one_line_and_starts_nothing(refused, flag):
    folder, ended = refused
    assert ended[flag].code == compare.COULD_NOT_RUN
    assert WRONG[flag] in ended[flag].said
    assert len(ended[flag].said.strip().splitlines()) == 1
    assert not (folder / "out").exists()
