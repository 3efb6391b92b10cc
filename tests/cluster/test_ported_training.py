"""Tests of programs as `migrate rewrite` generates them, on clusters of both kinds."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from modern import porting
from modern.cluster import plan
from modern.records import summaries, task_records
from tests.cluster import trainings
from tests.cluster.ported_program import BATCH, HALF, OWN_BATCHES, STEPS, WISHED
from tests.modern import draws, generated

pytestmark = pytest.mark.cluster
PROGRAM = [sys.executable, "-m", "tests.cluster.ported_program"]


def run(folder, way, **sizes):
    """Runs the program in all tasks. Returns MODEL_DIR and each task's results, by task name."""
    model_dir = folder / "m"
    tasks = trainings.local.LocalCluster(
        [*PROGRAM, str(model_dir), way], log_dir=folder / "logs", env=trainings.ENV,
        evaluator=True, workers=2, **sizes,
    )  # fmt: skip
    trainings.to_the_end(tasks)
    return model_dir, {p.stem: json.loads(p.read_text()) for p in model_dir.glob("*-0.json")}


def served_by(folder):
    """Returns the signature of the last export in a folder."""
    path = max(folder.iterdir())
    return tf.saved_model.load(str(path)).signatures["serving_default"]


@pytest.fixture(scope="module")
def synchronous(tmp_path_factory):
    return run(tmp_path_factory.mktemp("synchronous"), "synchronous")


def alone(folder, data):
    """Returns the weights after a training in this process."""
    model = generated.compiled()
    porting.restore(model, str(folder))
    for steps in (HALF, STEPS):
        porting.train_and_evaluate(
            model, lambda: data, lambda: generated.data().batch(8), max_steps=steps
        )
    return model.get_weights()[:4]


def test_synchronous_workers_equal_one_process_with_the_global_batch(synchronous, tmp_path):
    model_dir, found = synchronous
    weights = [np.array(value, "f") for value in found["worker-0"]["weights"]]
    whole = alone(tmp_path / "whole", generated.data().repeat().batch(2 * BATCH))
    half = alone(tmp_path / "half", generated.data().repeat().shard(2, 0).batch(BATCH))
    assert trainings.distance(weights, whole) <= 2e-6 < trainings.distance(weights, half)
    assert found["worker-0"]["step"] == STEPS
    assert trainings.steps_saved(model_dir) == [0, 20, STEPS]
    assert not [*model_dir.glob("checkpoints/temporary-*")]


@pytest.mark.parametrize(("way", "steps"), [("synchronous", 2 * HALF), ("served", 150)])
def test_each_worker_draws_random_numbers_of_its_own(way, steps, request):
    model_dir, _ = request.getfixturevalue(way)
    draws.check_distinct(model_dir.with_name(f"{model_dir.name}.draws"), steps)


def test_the_evaluator_of_synchronous_workers_evaluates_and_exports_its_end(synchronous):
    model_dir, found = synchronous
    assert found["evaluator-0"].pop("predicted") == pytest.approx(
        found["worker-0"].pop("predicted")
    )
    evaluated = found["evaluator-0"].pop("evaluated")
    assert evaluated == pytest.approx(found["worker-0"].pop("evaluated"), rel=1e-6)
    assert found["evaluator-0"] == found["worker-0"]
    evaluated = summaries.read(str(model_dir / "eval"))
    assert STEPS in evaluated
    assert set(evaluated) <= {0, 20, STEPS}
    x = tf.ones([1, 4])
    model = generated.compiled()
    model({"x": x})  # Creates its variables.
    model.set_weights([*map(np.array, found["worker-0"]["weights"]), *model.get_weights()[4:]])
    expected = model({"x": x})
    exported = served_by(model_dir / "export" / "final")(x=x)["out"]
    np.testing.assert_allclose(exported, expected, rtol=1e-5)


def test_a_ring_ends_where_one_of_its_workers_does(tmp_path):
    """The worker stops by its callback, its data or its signal. All workers save the same step."""
    model_dir = tmp_path / "m"
    tasks = [
        subprocess.Popen(
            [*PROGRAM, str(model_dir), "parted"],
            env=os.environ | trainings.ENV | {"TF_CONFIG": task.tf_config},
            stdout=subprocess.PIPE,
            text=True,
        )
        for task in plan.assign({"worker": 2}, "chief", evaluator=False)
    ]
    try:
        outputs = [task.communicate(timeout=120)[0] for task in tasks]
    finally:
        for task in tasks:
            task.kill()
            task.wait()
    assert [task.returncode for task in tasks] == [143, 143], outputs
    steps = [re.findall(r"^step (\d+)$", output, re.MULTILINE) for output in outputs]
    assert steps == [steps[0]] * 2
    stopped, ended = map(int, steps[0])
    assert WISHED <= stopped <= WISHED + 10  # The workers synchronize every ten steps.
    assert ended == stopped + OWN_BATCHES
    assert trainings.steps_saved(model_dir)[-2:] == [ended, ended + 10]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    return run(tmp_path_factory.mktemp("served"), "served", chief=True, ps=1)


def test_parameter_servers_train_until_they_are_stopped(served):
    model_dir, found = served
    assert 150 < found["chief-0"]["step"] < 100_000
    saved = trainings.steps_saved(model_dir)
    assert saved[-1] == found["chief-0"]["step"]
    assert saved[-2] == saved[-1] - 10  # `train` made the last ten, which an evaluator may miss.
    assert found["evaluator-0"]["step"] in saved[-2:]
    # Both calls saved their last step. The number of saves in between depends on the workers.
    assert len(saved) <= 6
    assert set(found) == {"chief-0", "evaluator-0"}  # The other tasks only serve.
    assert {f"{task}-0" for task in ("chief", "worker", "ps")} <= set(
        task_records.read_all(model_dir)
    )


def test_the_evaluator_ends_with_a_training_that_stops_early(served):
    model_dir, found = served
    evaluated = summaries.read(str(model_dir / "eval"))[found["evaluator-0"]["step"]]
    assert evaluated["loss"] < 0.06
    assert {"loss", "mae"} == set(evaluated)
    assert len([*(model_dir / "export" / "final").iterdir()]) == 2  # One for each of two calls.
