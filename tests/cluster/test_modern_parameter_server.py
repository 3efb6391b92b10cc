"""Tests of ParameterServerStrategy on real processes: coordinator, workers, ps, evaluator."""

import numpy as np
import pytest
import tensorflow as tf

from modern.data import linear
from modern.jobs import linear_regression
from modern.records import task_records
from tests.cluster import trainings
from tests.modern.cluster.processes import until

pytestmark = pytest.mark.cluster
STEPS = 405


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Returns a training of two repeats, with the kernel partitioned over two parameter servers."""
    folder = tmp_path_factory.mktemp("served")
    model_dir = folder / "m"
    tasks = trainings.cluster(
        folder, model_dir, f"--train_steps={STEPS}", "--batch_size=16", "--min_shard_bytes=16",
        "--gradient_compression=bfloat16", "--repeats=2", f"--start_signal={folder / 'go'}",
        "--warmup_steps=10", "--model_checkpoint", "--backup=epoch", "--learning_rate=0.02",
        "--steps_per_epoch=200", "--save_checkpoints_steps=100",
        strategy="parameter_server", chief=True, ps=2, evaluator=True,
    )  # fmt: skip
    with tasks:
        begun = model_dir / "tasks" / "chief-0.json"
        until(lambda: tasks.poll() or begun.exists(), 90)
        assert not (model_dir / "repeat-0").joinpath("result.json").exists()
        (folder / "go.0").touch()
        first = model_dir / "repeat-0" / "result.json"
        until(lambda: tasks.poll() or first.exists(), 90)
        assert not (model_dir / "repeat-1").joinpath("result.json").exists()
        (folder / "go.1").touch()
        result = tasks.wait(90)
    return model_dir, result, trainings.logs(tasks)


def test_all_tasks_end_by_themselves(served):
    _, result, log = served
    assert {task.name: task.exit_code for task in result.tasks} == {
        "chief-0": 0, "worker-0": 0, "worker-1": 0, "ps-0": 0, "ps-1": 0, "evaluator-0": 0,
    }, log  # fmt: skip
    assert not any(task.ended_by_launcher for task in result.tasks), log


def test_the_end_is_quiet_though_the_servers_end_first(tmp_path, monkeypatch):
    """TensorFlow deletes remote functions when Python deletes its own."""
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "0")
    program = [*trainings.ALTERED, "ends_last", "--job=linear_regression"]
    tasks = trainings.cluster(
        tmp_path, tmp_path / "m", "--train_steps=50", "--noexport",
        program=program, strategy="parameter_server", chief=True, ps=1,
    )  # fmt: skip
    trainings.to_the_end(tasks)
    log = trainings.logs(tasks)
    assert "tensorflow" in log.lower()  # Its messages are shown.
    assert "Failed to remove function" not in log


def test_the_bytes_on_each_server_are_printed(served):
    assert "weights on ps-0: 0.0 MB, ps-1: 0.0 MB (1 variable is split)\n" in served[2]


@pytest.mark.parametrize("repeat", [0, 1])
def test_result_is_complete(served, repeat):
    folder = served[0] / f"repeat-{repeat}"
    result = trainings.result_of(folder)
    assert (result["way"], result["seed"]) == ("parameter_server", repeat)
    assert result["cluster"] == {"chief": 1, "worker": 2, "ps": 2}
    assert (result["steps"], result["global_step"], result["trainers"]) == (STEPS, STEPS, 2)
    # Workers take steps whenever they are free. Each step takes one batch.
    # They are numbered in the order in which they begin.
    assert set(result["examples"]) == {"trainer-0", "trainer-1"}
    assert sum(result["examples"].values()) == STEPS * 16
    assert all(count > 0 for count in result["examples"].values())
    assert (result["batch_size"], result["global_batch_size"]) == (16, 16)
    assert result["eval"]["loss"] < 0.012
    assert {"chief-0", "worker-0", "worker-1", "ps-0", "ps-1"} <= set(result["peak_rss_mb"])
    assert not [key for key, value in result.items() if value is None]
    assert trainings.unfinished_files(folder) == []
    assert (folder / "best/weights.index").exists()


def test_the_split_kernel_is_saved_whole(served):
    """A plain model reads the kernel, which was partitioned over two ps during the training."""
    folder = served[0] / "repeat-0"
    kernel, bias = trainings.weights_at(folder, STEPS)
    np.testing.assert_allclose(kernel, linear.WEIGHTS, atol=0.1)
    np.testing.assert_allclose(bias, linear.BIAS, atol=0.1)
    # The strategy read the parts of the kernel for evaluation and export.
    exported = tf.saved_model.load(trainings.result_of(folder)["export"])
    model = linear_regression.build_model()
    model.set_weights([kernel, bias])
    points = tf.random.stateless_normal([5, 10], [1, 2])
    (outputs,) = exported.signatures["serving_default"](points).values()
    np.testing.assert_allclose(outputs.numpy(), model(points).numpy(), rtol=1e-5, atol=1e-6)


def test_the_evaluator_evaluates_the_end(served):
    for repeat in (0, 1):
        folder = served[0] / f"repeat-{repeat}"
        found = task_records.read(folder, "evaluator-0")["evaluations"]
        result = trainings.result_of(folder)
        assert found[str(STEPS)]["loss"] == pytest.approx(result["eval"]["loss"], rel=1e-5)
        steps = [
            event.step
            for path in sorted((folder / "eval").iterdir())
            for event in tf.compat.v1.train.summary_iterator(str(path))
            if event.summary.value
        ]
        assert steps == [int(step) for step in found]


def test_the_split_checkpoint_continues_alone(served, tmp_path):
    folder = served[0] / "repeat-1"
    trainings.alone(folder, f"--train_steps={STEPS + 5}", "--batch_size=16", "--noexport")
    result = trainings.result_of(folder)
    assert (result["way"], result["steps"], result["global_step"]) == ("single", 5, STEPS + 5)
    assert result["examples"] == {"worker-0": 5 * 16}
    moved = trainings.distance(
        trainings.weights_at(folder, STEPS), trainings.weights_at(folder, STEPS + 5)
    )
    assert 0 < moved < 0.1


def test_variables_that_do_not_fit_are_refused(tmp_path):
    with trainings.cluster(
        tmp_path, tmp_path / "m", "--job=mnist_cnn", "--train_steps=1", "--warmup_steps=0",
        program=[*trainings.ALTERED, "without_memory"],
        strategy="parameter_server", chief=True, workers=1, ps=1,
    ) as tasks:  # fmt: skip
        result = tasks.wait(120)
    assert result.exit_code == 2
    assert result.failed.name == "chief-0"
    assert "they have 1.2 KB, and localhost has 100 bytes free" in result.last_lines[-1]
