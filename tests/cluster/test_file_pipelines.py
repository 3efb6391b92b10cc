"""Tests of input functions that read files, whose examples TensorFlow splits over the workers."""

import json
import sys

import pytest
import tensorflow as tf

from tests.cluster import numbered_files, trainings

pytestmark = pytest.mark.cluster

MODULE = "tests.cluster.numbered_files"
STEPS = 8  # Together the workers read all examples once.


def cluster(folder, input_fn, files, *flags, strategy="multi_worker_mirrored", **params):
    params |= {"files": str(folder / files), "notes": str(folder / "notes")}
    sizes = {"chief": True, "ps": 1} if strategy == "parameter_server" else {}
    return trainings.cluster(
        folder, folder / "m",
        f"--input_fn={MODULE}:{input_fn}", f"--model_params={json.dumps(params)}",
        f"--train_steps={STEPS}", "--warmup_steps=1", "--noexport", *flags,
        program=[sys.executable, "-m", "migrate", "train", f"--model_fn={MODULE}:model_fn"],
        strategy=strategy, **sizes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("input_fn", "files", "policy"),
    [
        ("tfrecord_input_fn", "*.tfrecord", "file"),
        ("csv_input_fn", "*.csv", "file"),
        ("csv_input_fn", "*.csv", "data"),
    ],
)
def test_each_worker_reads_whole_batches_of_its_share(tmp_path, input_fn, files, policy):
    numbered_files.write(tmp_path)
    trainings.to_the_end(cluster(tmp_path, input_fn, files, f"--autoshard={policy}"))
    batches = numbered_files.read(tmp_path / "notes")
    assert sorted(number for batch in batches for number in batch) == [*range(64)]
    assert {len(batch) for batch in batches} == {numbered_files.BATCH}
    if policy == "file":
        assert all(batch == (*range(batch[0], batch[0] + 4),) for batch in batches)
    result = trainings.result_of(tmp_path / "m")
    assert result["examples"] == {"worker-0": 32, "worker-1": 32}


def test_without_autoshard_each_worker_reads_all_files(tmp_path):
    numbered_files.write(tmp_path)
    trainings.to_the_end(cluster(tmp_path, "csv_input_fn", "*.csv"))
    batches = numbered_files.read(tmp_path / "notes")
    assert sorted(batches) == sorted(2 * [(*range(n, n + 4),) for n in range(0, 32, 4)])


@pytest.fixture
def service():
    """Returns the address of a tf.data service with one worker."""
    dispatcher = tf.data.experimental.service.DispatchServer()
    config = tf.data.experimental.service.WorkerConfig(dispatcher.target.split("://")[1])
    worker = tf.data.experimental.service.WorkerServer(config)
    yield dispatcher.target
    del worker, dispatcher  # This stops them.


@pytest.mark.parametrize("strategy", ["parameter_server", "multi_worker_mirrored"])
def test_a_service_gives_each_batch_to_one_worker(tmp_path, service, strategy):
    flag = f"--eval_input_fn={MODULE}:memory_input_fn"  # The service's data are long.
    tasks = cluster(tmp_path, "service_input_fn", "none", flag, strategy=strategy, service=service)
    trainings.to_the_end(tasks)
    batches = numbered_files.read(tmp_path / "notes")
    assert len({*batches}) == len(batches) >= STEPS


@pytest.mark.parametrize(
    ("input_fn", "files", "message"),
    [
        ("csv_input_fn", "0.csv", "the 2 workers files of its own, and the input_fn reads only 1"),
        ("memory_input_fn", "*.csv", "reads no files: use --autoshard=data"),
    ],
)
def test_too_few_files_are_refused(tmp_path, input_fn, files, message):
    numbered_files.write(tmp_path)
    with cluster(tmp_path, input_fn, files, "--autoshard=file") as tasks:
        result = tasks.wait(120)
    assert result.exit_code == 2
    assert message in result.last_lines[-1]
