"""Tests of MultiWorkerMirroredStrategy on real processes: it equals one process and exports."""

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression
from modern.records import task_records
from tests.cluster import trainings

pytestmark = pytest.mark.cluster
STEPS = 205  # Neither whole epochs of 200 nor whole executions of 10.
# Two trainers add float32 numbers in another order than one.
TOLERANCE = 2e-6


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Returns a folder with two trainers and one process. Seed 1 has a planted defect."""
    folder = tmp_path_factory.mktemp("pair")
    flags = [*trainings.EXACT, "--job=linear_regression", "--repeats=2", f"--train_steps={STEPS}"]
    synchronous = trainings.cluster(
        folder,
        folder / "synchronous",
        *flags,
        "--batch_size=32",
        "--warmup_steps=10",
        "--model_checkpoint",
        "--backup=epoch",
        "--save_checkpoints_steps=100",
        program=[*trainings.ALTERED, "same_share"],
    )
    trainings.to_the_end(synchronous)
    trainings.alone(folder / "alone", *flags, "--batch_size=64", "--noexport")
    return folder


def _mean_loss(curve):
    """Returns the mean over all examples, independent of the ends of the curve's segments."""
    ends, means = np.transpose(curve)
    return np.average(means, weights=np.diff(ends, prepend=0))


@pytest.mark.parametrize(("seed", "equal"), [(0, True), (1, False)])
def test_two_trainers_equal_one_process_with_the_global_batch(pair, seed, equal):
    synchronous, alone = pair / "synchronous" / f"repeat-{seed}", pair / "alone" / f"repeat-{seed}"
    ours, theirs = (trainings.weights_at(folder, STEPS) for folder in (synchronous, alone))
    assert (trainings.distance(ours, theirs) <= TOLERANCE) == equal
    losses = [
        _mean_loss(trainings.result_of(folder)["loss_curve"]) for folder in (synchronous, alone)
    ]
    assert (losses[0] == pytest.approx(losses[1], rel=1e-5)) == equal


def test_result_is_complete(pair):
    result = trainings.result_of(pair / "synchronous/repeat-0")
    assert (result["way"], result["cluster"]) == ("multi_worker_mirrored", {"worker": 2})
    assert (result["steps"], result["global_step"], result["trainers"]) == (STEPS, STEPS, 2)
    assert result["examples"] == {"worker-0": STEPS * 32, "worker-1": STEPS * 32}
    assert (result["batch_size"], result["global_batch_size"]) == (32, 64)
    assert result["parameters"] == 11
    assert set(result["peak_rss_mb"]) == {"worker-0", "worker-1"}
    assert 0 < result["startup_s"] < 60
    assert result["eval"]["loss"] < 0.02
    # On a fast computer, so few steps take less time than a speed needs.
    assert {key for key, value in result.items() if value is None} <= {"examples_per_second"}


def test_everything_is_where_it_belongs(pair):
    folder = pair / "synchronous/repeat-0"
    assert trainings.steps_saved(folder) == [100, 200, STEPS]
    assert trainings.unfinished_files(folder) == []
    assert not list(folder.glob("checkpoints/temporary-*"))
    assert not (folder / "backup").exists()
    assert (folder / "best/weights.index").exists()
    assert all(record["finished"] for record in task_records.read_all(folder).values())


def test_the_saved_model_gives_what_the_model_gives(pair):
    folder = pair / "synchronous/repeat-0"
    model = linear_regression.build_model()
    model.set_weights(trainings.weights_at(folder, STEPS))
    points = np.random.default_rng(0).standard_normal((5, 10)).astype(np.float32)
    served = tf.saved_model.load(trainings.result_of(folder)["export"])
    (outputs,) = served.signatures["serving_default"](tf.constant(points)).values()
    np.testing.assert_allclose(outputs.numpy(), model(points).numpy(), rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    """Returns a training with TensorFlow's autosharding and with gradients sent as bfloat16."""
    folder = tmp_path_factory.mktemp("narrow")
    tasks = trainings.cluster(
        folder, folder / "m", "--autoshard=data", "--gradient_compression=bfloat16",
        "--train_steps=400", "--scale_learning_rate", "--learning_rate_warmup_steps=20",
        "--communication=ring", "--noexport",
    )  # fmt: skip
    trainings.to_the_end(tasks)
    return folder, trainings.logs(tasks)


def test_autoshard_and_compression(narrow):
    folder, log = narrow
    result = trainings.result_of(folder / "m")
    assert result["examples"] == {"worker-0": 400 * 32, "worker-1": 400 * 32}
    assert result["eval"]["loss"] < 0.012
    assert result["export"] is None
    # The log has only progress and the closing lines, without start-up messages and warnings.
    others = [x for x in log.splitlines() if not x.startswith(("linear_regression  ", "  /"))]
    assert not "".join(others)


@pytest.fixture(scope="module")
def normalized(tmp_path_factory):
    """Returns a training with batch normalization, whose statistics all workers must average."""
    folder = tmp_path_factory.mktemp("normalized")
    tasks = trainings.cluster(
        folder, folder / "m", "--job=resnet56_cifar10", "--dataset=digits", "--batch_size=4",
        "--train_steps=2", "--steps_per_execution=1", "--save_checkpoints_steps=1", "--backup=1",
        program=[*trainings.ALTERED, "shallow"],
    )  # fmt: skip
    trainings.to_the_end(tasks)
    return folder / "m"


def test_batch_norm_is_saved_and_evaluated(normalized):
    assert trainings.steps_saved(normalized) == [1, 2]
    result = trainings.result_of(normalized)
    assert result["examples"] == {"worker-0": 8, "worker-1": 8}
    assert 0 < result["eval"]["accuracy"] <= 1
    assert trainings.unfinished_files(normalized) == []
    reader = tf.train.load_checkpoint(str(normalized / "checkpoints"))
    means = [n for n in reader.get_variable_to_shape_map() if "moving_mean/.ATTR" in n]
    assert len(means) == 7
    assert all(np.abs(reader.get_tensor(name)).max() > 0 for name in means)
