"""Tests of a user's port to Keras 3 on real clusters: each way equals one process of tf_keras."""

import pytest

from tests.benchmarks import own_program
from tests.cluster import trainings
from tests.migrate.bridge.jobs.own_ports import PROGRAM, save_weights

pytestmark = pytest.mark.cluster
PORTS = "tests.migrate.bridge.keras3_ports"
MIGRATE = [*trainings.TRAIN[:2], "migrate", "train"]
STEPS = 20
FLAGS = [
    *trainings.EXACT, f"--input_fn={PROGRAM}:input_fn", f"--eval_input_fn={PROGRAM}:finite",
    f"--train_steps={STEPS}", "--noexport",
]  # fmt: skip


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Returns the initial weights, and the evaluation of the port to tf_keras after STEPS."""
    folder = tmp_path_factory.mktemp("one")
    save_weights(folder / "start")
    start = f"--init_checkpoint={folder / 'start'}"
    model = [f"--keras_model={PROGRAM}:build_model", f"--model_params={PROGRAM}:hparams"]
    trainings.alone(folder / "m", *FLAGS, *model, start, program=MIGRATE)
    return start, trainings.result_of(folder / "m")["eval"]


@pytest.mark.parametrize("port", ["functional", "own_step"])
@pytest.mark.parametrize(
    ("strategy", "sizes", "trainers"),
    [
        # Both workers read the same batches, so the mean of their gradients is that of one.
        ("multi_worker_mirrored", {"workers": 2}, 2),
        ("parameter_server", {"chief": True, "workers": 1, "ps": 1}, 1),
    ],
)
def test_a_cluster_equals_one_process_of_tf_keras(
    expected, tmp_path, port, strategy, sizes, trainers
):
    start, evaluation = expected
    tasks = trainings.cluster(
        tmp_path, tmp_path / "m", *FLAGS, "--keras=3", f"--keras_model={PORTS}:{port}", start,
        program=MIGRATE, strategy=strategy, **sizes,
    )  # fmt: skip
    trainings.to_the_end(tasks)
    found = trainings.result_of(tmp_path / "m")
    assert found["global_step"] == STEPS
    assert sum(found["examples"].values()) == trainers * STEPS * own_program.BATCH_SIZE
    assert found["eval"] == pytest.approx(evaluation, rel=1e-5)


def test_two_workers_of_parameter_servers_count_each_step(tmp_path):
    """Keras' own optimizers read and write the number of steps, and lose some of them."""
    tasks = trainings.cluster(
        tmp_path, tmp_path / "m", *FLAGS, "--keras=3", f"--keras_model={PORTS}:adam",
        "--train_steps=3000", "--steps_per_epoch=1000",
        program=MIGRATE, strategy="parameter_server", chief=True, ps=1,
    )  # fmt: skip
    trainings.to_the_end(tasks)
    found = trainings.result_of(tmp_path / "m")
    assert (found["steps"], found["global_step"], found["uncounted_steps"]) == (3000, 3000, 0)
    assert sum(found["examples"].values()) == 3000 * own_program.BATCH_SIZE
