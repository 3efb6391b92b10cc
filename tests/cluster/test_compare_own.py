"""Tests that compare a user's own job in every way, and ports of it with a planted defect."""

import json
import os
import subprocess
import sys

import pytest

from benchmarks import compare, runner, ways
from benchmarks.judging import checks
from benchmarks.judging.margins import OF_JOB
from benchmarks.own_jobs import own_job
from tests.cluster import trainings
from tests.modern import in_turn

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")]
PROGRAM = "tests.benchmarks.own_program"
OWN = ways.OwnJob(
    *(f"{PROGRAM}:{name}" for name in ("model_fn", "input_fn", "eval_input_fn", "hparams"))
)
PORT = f"{PROGRAM}:build_model"
FLAGS = [
    f"--model_fn={OWN.model_fn}", f"--input_fn={OWN.input_fn}",
    f"--eval_input_fn={OWN.eval_input_fn}", f"--model_params={OWN.model_params}",
]  # fmt: skip


def setting(keras_model, **changes):
    own = ways.OwnJob(OWN.model_fn, OWN.input_fn, OWN.eval_input_fn, OWN.model_params, keras_model)
    return ways.Setting(job=own.model_fn, own_job=own, **changes)


@pytest.mark.slow
def test_an_estimator_the_bridge_and_the_port_are_compared_in_every_way(tmp_path, capsys):
    names = [*ways.NAMES, *ways.PORT_NAMES]
    job = setting(PORT, evaluator=False, steps=300, warmup_steps=50, max_seeds=2)
    compare.compare(job, names, 8, OF_JOB["mnist_cnn"], str(tmp_path), "test", seeds=2)
    report = json.loads((tmp_path / "report.json").read_text())
    assert set(report["ways"]) == set(names)
    of_tier = {}
    for check in report["equivalence"]["checks"]:
        of_tier.setdefault(check["tier"], []).append(check)
    others = [name for name in names if name != ways.SINGLE]
    clusters = [name for name in names if name.endswith("multi_worker_mirrored")]
    assert {c["name"].partition(", ")[2] or c["name"] for c in of_tier["exact"]} == {
        *(f"one trainer: {name}" for name in others),
        *(f"same batches: {name}" for name in clusters),
        *(f"examples consumed: {name}" for name in names),
    }
    assert {c["a"] for c in of_tier["statistical"]} == set(others)
    # Curves of asynchronous ways depend on this machine's load. test_compare.py tests curves.
    assert {check["outcome"] for check in of_tier["exact"]} == {"equivalent"}
    judged = [c for c in of_tier["statistical"] if c["outcome"] == "different"]
    assert not judged
    for name, way in report["ways"].items():
        assert way["global_step"] == pytest.approx(600, abs=2), name
        assert way["batch_size"] == 16
    said = capsys.readouterr().out
    assert "computes one batch 2 times" in " ".join(said.split())


DEFECTS = {"build_model": True, "other_activation": False, "wrong_rate": False}


@pytest.fixture(scope="module")
def exact_checks(tmp_path_factory):
    """Returns the check of each port's weights against the model_fn's, with one trainer."""
    plans = {}
    for name in DEFECTS:
        folder = str(tmp_path_factory.mktemp(name))
        prepared = own_job.Preparation(
            setting(f"{PROGRAM}:{name}", trainers=1), ["single", "keras_single"], folder, 8
        )
        prepared.write_initial_weights([0])
        plans[name] = prepared, prepared.exact_plan(8)
    found = {}
    with runner.Groups() as groups:
        # The model_fn is the same for all.
        single = plans["build_model"][1].groups[0]
        started = [single, *(plan.groups[1] for _, plan in plans.values())]
        for group in started:
            groups.start(group, 0)
        ends = {group: groups.wait(group, 0)["checkpoint"] for group in started}
        groups.finish()
    for name, (prepared, plan) in plans.items():
        groups = [single, plan.groups[1]]
        weights = {group.name: prepared.weights(group.way, ends[group]) for group in groups}
        pairs = plan.pairs(weights)
        (found[name],) = checks.exact(pairs, prepared.initial, OF_JOB["mnist_cnn"])
    return found


@pytest.mark.parametrize("name", DEFECTS)
def test_the_exact_tier_tells_a_defect_in_the_port(exact_checks, name):
    check = exact_checks[name]
    assert check.a == "keras_single, 1 trainer"
    assert check.passed == DEFECTS[name], check.detail
    # Neither result is close to the tolerance.
    assert check.statistic < check.limit / 10 or check.statistic > 2 * check.limit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("port", "outcomes"), [("functional", {"equivalent"}), ("wrong_rate", {"different"})]
)
def test_the_exact_tier_compares_a_port_to_keras_3(tmp_path, port, outcomes):
    flags = [
        "--keras=3", f"--keras_model=tests.migrate.bridge.keras3_ports:{port}",
        "--ways=single,keras_single,keras_multi_worker_mirrored,keras_parameter_server",
        "--steps=30", "--warmup_steps=10", "--seeds=2", "--max_seeds=2", "--noevaluator",
        "--exact_steps=8", f"--output_dir={tmp_path}/report",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.compare", *FLAGS, *flags],
        env=os.environ | trainings.ENV,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert (tmp_path / "report/report.json").exists(), done.stderr
    report = json.loads((tmp_path / "report/report.json").read_text())
    found = {
        check["a"]: check["outcome"]
        for check in report["equivalence"]["checks"]
        if check["name"].startswith("weights after")
    }
    assert len(found) == 4, found  # Each way with one trainer, and two workers in step.
    assert set(found.values()) == outcomes, found


WRONG = {
    "--eval_input_fn=": "needs --eval_input_fn",
    "--ways=single,keras_single": "there is no way 'keras_single'",
    "--batch_size=8": "--batch_size is for a --job",
    "--input_fn=tests.benchmarks.own_program:finite": "ends after 4 batches",
    "--input_fn=tests.benchmarks.own_program:tensors": "legacy.train",
    "--keras_model=tests.benchmarks.own_program:more_layers": "more/kernel",
    "--keras_model=elsewhere:build_model": "importing elsewhere failed",
    "--model_params={": "is not JSON",
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refused")
    commands = [
        ([*FLAGS, f"--output_dir={folder}/{index}", flag], {}) for index, flag in enumerate(WRONG)
    ]
    commands.append(([f"--keras_model={PORT}", f"--output_dir={folder}/port"], {}))
    return folder, in_turn.run("benchmarks.compare", commands)


@pytest.mark.parametrize("flag", WRONG)
def test_a_wrong_flag_is_one_line_and_starts_nothing(refused, flag):
    folder, ended = refused
    index = list(WRONG).index(flag)
    assert ended[index].code == compare.COULD_NOT_RUN
    lines = [line for line in ended[index].said.splitlines() if line.startswith("compare.py")]
    assert len(lines) == 1
    assert WRONG[flag] in lines[0]
    assert "Traceback" not in ended[index].said
    assert not (folder / str(index) / "runs").exists()


def test_a_port_is_compared_with_a_model_fn(refused):
    assert "needs --model_fn" in refused[1][-1].said
