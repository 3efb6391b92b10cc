"""Tests of Keras 3 on real clusters: the engine trains, saves and evaluates as with tf_keras."""

import numpy as np
import pytest

from modern.jobs import linear_regression
from modern.model_files import weights
from tests.cluster import trainings

pytestmark = pytest.mark.cluster
STEPS = 205  # Neither whole epochs of 200 nor whole executions of 10.
KERAS3 = "--keras=3"
SIZES = {
    "multi_worker_mirrored": {},
    "parameter_server": {"chief": True, "ps": 2},
}


@pytest.fixture(scope="module", params=SIZES)
def trained(tmp_path_factory, request):
    """Returns the strategy, the folder and the log of a training with an evaluator."""
    folder = tmp_path_factory.mktemp("keras3")
    tasks = trainings.cluster(
        folder, folder / "m", KERAS3, "--job=linear_regression", f"--train_steps={STEPS}",
        "--save_checkpoints_steps=100", "--warmup_steps=10", "--model_checkpoint",
        strategy=request.param, evaluator=True, **SIZES[request.param],
    )  # fmt: skip
    trainings.to_the_end(tasks)
    return request.param, folder / "m", trainings.logs(tasks)


def test_all_steps_are_made_and_counted(trained):
    strategy, folder, log = trained
    result = trainings.result_of(folder)
    assert (result["way"], result["steps"], result["global_step"]) == (strategy, STEPS, STEPS)
    batches = 2 * STEPS if strategy == "multi_worker_mirrored" else STEPS
    assert sum(result["examples"].values()) == 32 * batches, log
    assert result["uncounted_steps"] == 0
    assert (folder / "best/best.weights.h5").exists()
    assert trainings.unfinished_files(folder) == []


def test_the_evaluator_reads_the_weights_that_were_trained(trained):
    _, folder, log = trained
    result = trainings.result_of(folder)
    assert f"evaluated step {STEPS}  loss {result['eval']['loss']:.4f}" in log


def test_another_strategy_continues(trained, tmp_path_factory):
    _, folder, _ = trained
    steps = STEPS + 20
    trainings.alone(folder, KERAS3, "--job=linear_regression", f"--train_steps={steps}")
    result = trainings.result_of(folder)
    assert (result["steps"], result["global_step"]) == (20, steps)
    assert result["eval"]["loss"] < 0.05


def test_two_replicas_equal_one_process_of_tf_keras(tmp_path):
    """They begin with the same weights, and end with the same ones but for rounding."""
    flags = [*trainings.EXACT, "--job=linear_regression", f"--train_steps={STEPS}", "--noexport"]
    weights.save(str(tmp_path / "start"), weights.read(linear_regression.build_model()))
    start = f"--init_checkpoint={tmp_path / 'start'}"
    half = [*flags, KERAS3, start, "--batch_size=16"]
    trainings.to_the_end(trainings.cluster(tmp_path, tmp_path / "workers", *half))
    trainings.alone(tmp_path / "mirrored", *half, "--strategy=mirrored", "--logical_cpus=2")
    trainings.alone(tmp_path / "one", *flags, start, "--batch_size=32")
    workers, mirrored, one = (
        trainings.result_of(tmp_path / name)["eval"]["loss"]
        for name in ("workers", "mirrored", "one")
    )
    np.testing.assert_allclose([workers, mirrored], one, rtol=1e-5)
