"""Tests of tasks with two replicas each. See several_devices.py for the devices."""

import json
import pathlib
import sys

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression
from modern.records import digests
from tests.cluster import ported_replicas, trainings
from tests.cluster.several_devices import REPLICAS
from tests.modern import draws, generated

pytestmark = pytest.mark.cluster
PROGRAM = [sys.executable, str(pathlib.Path(__file__).with_name("several_devices.py"))]
TRAIN = [*PROGRAM, "modern.train", "--job=linear_regression"]
WAYS = {
    "mirrored": ({}, 1),
    "multi_worker_mirrored": ({"workers": 2}, 2),
    # One worker takes all steps, so their order is fixed.
    "parameter_server": ({"workers": 1, "chief": True, "ps": 1}, 1),
}
HALF, STEPS, BATCH = 13, 30, 8
# Several replicas add float32 numbers in another order than one.
TOLERANCE = 2e-6


def run(folder, way, *flags, program=TRAIN, **sizes):
    """Trains to the end in a way, in MODEL_DIR folder/m, and returns the result."""
    if way == "mirrored":
        trainings.alone(folder / "m", f"--strategy={way}", *flags, program=program)
    else:
        sizes = sizes or WAYS[way][0]
        tasks = trainings.cluster(
            folder, folder / "m", *flags, program=program, strategy=way, **sizes
        )
        trainings.to_the_end(tasks)
    return trainings.result_of(folder / "m")


# `make test` runs one of the ways.
EACH_WAY = [
    pytest.param(way, marks=[] if way == "parameter_server" else pytest.mark.slow) for way in WAYS
]


@pytest.fixture(scope="module", params=EACH_WAY)
def resumed(request, tmp_path_factory):
    """Returns the folder, the way, and the results of a training and of its continuation."""
    way = request.param
    folder = tmp_path_factory.mktemp(way)
    flags = [*trainings.EXACT, "--noexport", f"--batch_size={BATCH}", "--warmup_steps=1"]
    flags += ["--scale_learning_rate", "--learning_rate=0.005"]
    return folder, way, [run(folder, way, *flags, f"--train_steps={n}") for n in (HALF, STEPS)]


def test_all_replicas_together_equal_one_process_with_the_global_batch(resumed, tmp_path):
    folder, way, _ = resumed
    replicas = WAYS[way][1] * REPLICAS
    # The rate is multiplied by the number of replicas, as the batch is.
    flags = [f"--batch_size={BATCH * replicas}", f"--learning_rate={0.005 * replicas}"]
    trainings.alone(tmp_path, *trainings.EXACT, "--noexport", *flags, f"--train_steps={STEPS}")
    ours, theirs = (trainings.weights_at(path, STEPS) for path in (folder / "m", tmp_path))
    assert trainings.distance(ours, theirs) <= TOLERANCE


def test_trainers_and_replicas_are_counted_apart(resumed):
    _, way, results = resumed
    trainers = WAYS[way][1]
    for result, steps in zip(results, (HALF, STEPS - HALF), strict=True):
        assert (result["trainers"], result["replicas"]) == (trainers, trainers * REPLICAS)
        assert result["global_batch_size"] == trainers * REPLICAS * BATCH
        assert [*result["examples"].values()] == [steps * BATCH] * trainers * REPLICAS


def test_each_replica_reads_its_own_share_and_resumes_where_it_was(resumed):
    _, way, results = resumed
    replicas = WAYS[way][1] * REPLICAS
    arrays = linear_regression.load_data("synthetic")
    for result, start, stop in zip(results, (0, HALF), (HALF, STEPS), strict=True):
        for replica, found in enumerate(result["digests"].values()):
            share = linear_regression.train_input_fn(arrays, BATCH, 0, replicas, replica, start)
            expected = sum(float(digests.of_batch(*one)) for one in share.take(stop - start))
            assert found == pytest.approx(expected, rel=digests.TOLERANCE), replica


def test_replicas_are_named_by_their_task(resumed):
    _, way, results = resumed
    if way == "mirrored":
        assert [*results[0]["examples"]] == [f"replica-{i}" for i in range(REPLICAS)]
        return
    tasks = {
        "multi_worker_mirrored": ["worker-0", "worker-1"], "parameter_server": ["trainer-0"],
    }[way]  # fmt: skip
    names = [f"{task}/replica-{i}" for task in tasks for i in range(REPLICAS)]
    assert [*results[0]["examples"]] == names


@pytest.mark.slow
def test_several_workers_of_a_coordinator_with_several_replicas(tmp_path):
    flags = [f"--train_steps={STEPS}", f"--batch_size={BATCH}", "--warmup_steps=1", "--noexport"]
    sizes = {"workers": 2, "chief": True, "ps": 2}
    compression = ["--gradient_compression=bfloat16", "--min_shard_bytes=16"]
    result = run(tmp_path, "parameter_server", *flags, *compression, **sizes)
    assert (result["trainers"], result["replicas"]) == (2, 2 * REPLICAS)
    # An asynchronous step takes a batch of each replica of one worker.
    assert result["global_batch_size"] == REPLICAS * BATCH
    counts = [*result["examples"].values()]
    assert sum(counts) == STEPS * REPLICAS * BATCH
    assert counts[0] == counts[1], "the replicas of a worker take their steps together"
    assert counts[2] == counts[3]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_gradients_in_16_bits_are_summed_once(tmp_path, way):
    """A wrong sum would move the weights at another rate. 16 bits round them."""
    narrow = ["--gradient_compression=bfloat16", "--mixed_precision=mixed_float16"]
    flags = [*trainings.EXACT, "--noexport", f"--train_steps={STEPS}", "--learning_rate=0.02"]
    result = run(tmp_path, way, *flags, *narrow, f"--batch_size={BATCH}")
    assert result["replicas"] == WAYS[way][1] * REPLICAS
    whole = f"--batch_size={BATCH * result['replicas']}"
    trainings.alone(tmp_path / "alone", *flags, whole)
    ours, theirs = (
        trainings.weights_at(folder, STEPS) for folder in (tmp_path / "m", tmp_path / "alone")
    )
    assert trainings.distance(ours, theirs) < 0.1
    # Steps at double the rate would differ by more.
    start = trainings.linear_regression.build_model()
    assert trainings.distance(start.get_weights(), theirs) > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("way", ["multi_worker_mirrored", "parameter_server"])
def test_an_epoch_is_one_pass_of_all_replicas(tmp_path, way):
    """The message names the steps of an epoch, which 7 does not divide."""
    sizes = {"multi_worker_mirrored": {"workers": 1}, "parameter_server": WAYS[way][0]}[way]
    tasks = trainings.cluster(
        tmp_path, tmp_path / "m", "--batch_size=2", "--train_steps=5000",
        "--steps_per_execution=7", program=TRAIN, strategy=way, **sizes,
    )  # fmt: skip
    with tasks:
        assert tasks.wait(120).exit_code == 2
    examples = len(linear_regression.load_data("synthetic").train_labels)
    assert f"does not divide the {examples // (2 * REPLICAS)} steps" in trainings.logs(tasks)


BRIDGED = [
    *(*PROGRAM, "migrate.train", "--model_fn=tests.migrate.bridge.small:drawing_model_fn"),
    *("--input_fn=tests.migrate.bridge.small:numbered_input_fn", "--warmup_steps=1"),
    *("--eval_input_fn=tests.migrate.bridge.small:input_fn", "--noexport"),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_replicas_of_a_task_take_the_batches_of_its_input_fn_in_turn(tmp_path, way):
    path = tmp_path / "draws"
    params = "--model_params=" + json.dumps({"draws": str(path)})
    steps = 16 // (WAYS[way][1] * REPLICAS)
    result = run(tmp_path, way, params, f"--train_steps={steps}", program=BRIDGED)
    # Sixteen batches of four: none is read twice, and none is left out.
    seen = sorted(int(order[0]) for order, _, _ in draws.read(path))
    assert seen == [4 * batch for batch in range(16)]
    assert sum(result["examples"].values()) == 64
    masks = [mask for _, _, mask in draws.read(path)]
    assert len(set(masks)) == 16, "each replica draws its own dropout"


SMALL = [
    *(*PROGRAM, "migrate.train", "--model_fn=tests.migrate.bridge.small:model_fn"),
    *("--input_fn=tests.migrate.bridge.small:endless", "--warmup_steps=1", "--noexport"),
    *("--eval_input_fn=tests.migrate.bridge.small:input_fn", f"--train_steps={STEPS}"),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_model_fn_scales_its_loss_once_for_all_replicas(tmp_path, way):
    """CPUs do not compute graphs in float16, so the weights are those of float32."""
    found = []
    for mixed in ("none", "mixed_float16"):
        flags = [*trainings.EXACT, f"--mixed_precision={mixed}"]
        result = run(tmp_path / mixed, way, *flags, program=SMALL)
        assert result["replicas"] == WAYS[way][1] * REPLICAS
        reader = tf.train.load_checkpoint(str(tmp_path / mixed / "m/checkpoints"))
        names = sorted(reader.get_variable_to_shape_map())
        found.append([reader.get_tensor(name) for name in names if "kernel/.ATTR" in name])
    assert found[0]
    assert trainings.distance(*found) <= 1e-5
    (counter,) = [name for name in names if "/_good_steps/" in name]
    assert reader.get_tensor(counter) == STEPS


@pytest.mark.slow
@pytest.mark.parametrize("way", ["multi_worker_mirrored", "parameter_server"])
def test_a_ported_program_trains_with_several_replicas(tmp_path, way):
    """A step takes a batch of each replica, as an Estimator did, and equals one process."""
    tasks = trainings.local.LocalCluster(
        [*PROGRAM, "tests.cluster.ported_replicas", str(tmp_path / "m")],
        log_dir=tmp_path / "logs", env=trainings.ENV, **WAYS[way][0],
    )  # fmt: skip
    trainings.to_the_end(tasks)
    found = json.loads((tmp_path / "m/weights.json").read_text())

    model = generated.compiled()
    replicas = WAYS[way][1] * REPLICAS
    data = generated.data().repeat().batch(ported_replicas.BATCH * replicas)
    model.fit(data, steps_per_epoch=ported_replicas.STEPS, verbose=0)
    assert found["step"] == ported_replicas.STEPS
    ours = [np.array(value, "f") for value in found["weights"]]
    assert trainings.distance(ours, model.get_weights()[:4]) <= TOLERANCE


ESTIMATOR = [*PROGRAM, "legacy.train", "--job=linear_regression", f"--batch_size={BATCH}"]
ESTIMATOR += ["--noexport", "--warmup_steps=1", f"--train_steps={STEPS}"]
DISTRIBUTED = {
    "mirrored": ({}, ["replica-0", "replica-1"]),
    "collective_all_reduce": (
        {"workers": 2},
        [f"worker-{task}/replica-{i}" for task in range(2) for i in range(REPLICAS)],
    ),
}


@pytest.mark.parametrize("strategy", DISTRIBUTED)
def test_the_replicas_of_an_estimator_are_counted(tmp_path, strategy):
    sizes, names = DISTRIBUTED[strategy]
    command = [*ESTIMATOR, f"--train_distribute={strategy}"]
    if sizes:
        trainings.to_the_end(
            trainings.local.LocalCluster(
                [*command, f"--model_dir={tmp_path / 'm'}"],
                log_dir=tmp_path / "logs", env=trainings.ENV, **sizes,
            )
        )  # fmt: skip
    else:
        trainings.alone(tmp_path / "m", program=command)
    result = trainings.result_of(tmp_path / "m")
    trainers = len(names) // REPLICAS
    assert (result["trainers"], result["replicas"]) == (trainers, len(names))
    assert result["global_batch_size"] == len(names) * BATCH
    assert result["examples"] == dict.fromkeys(names, STEPS * BATCH)
    # A step has a batch of each replica, and the replicas of a task take its batches in turn.
    arrays = linear_regression.load_data("synthetic")
    for trainer in range(trainers):
        share = linear_regression.train_input_fn(arrays, BATCH, 0, trainers, trainer)
        batches = [float(digests.of_batch(*one)) for one in share.take(STEPS * REPLICAS)]
        for i in range(REPLICAS):
            found = result["digests"][names[trainer * REPLICAS + i]]
            assert found == pytest.approx(sum(batches[i::REPLICAS]), rel=digests.TOLERANCE), i
