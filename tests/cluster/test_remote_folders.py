"""Tests of trainings in an object store, with TensorFlow's own gs:// file system."""

import json
import os
import subprocess
import sys

import pytest

from modern.launcher import local
from modern.records import summaries
from tests.cluster import remote_ported, trainings

pytestmark = pytest.mark.cluster
ESTIMATOR = [
    sys.executable,
    "-m",
    "legacy.run",
    "--api=v1",
    str(trainings.ROOT / "tests/cluster/remote_estimator.py"),
]
PORTED = [sys.executable, "-m", "tests.cluster.remote_ported"]
LEGACY = [sys.executable, "-m", "legacy.train", "--job=linear_regression"]


def run(*command, timeout=120):
    """Runs a command that must succeed."""
    done = subprocess.run(
        command, env=os.environ | trainings.ENV, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    return done


def in_cluster(tmp_path, command, **sizes):
    tasks = local.LocalCluster(command, log_dir=tmp_path / "logs", env=trainings.ENV, **sizes)
    trainings.to_the_end(tasks)
    return tasks


def inside(store, folder):
    """Returns the names of the objects in a folder, relative to it."""
    return [name.removeprefix(f"{folder}/") for name in store.names(folder)]


def steps_saved(store, folder="bucket/m/checkpoints"):
    names = (name for name in inside(store, folder) if name.endswith(".index"))
    return sorted(int(name.partition("-")[2].removesuffix(".index")) for name in names)


def check_whole(store, tmp_path):
    """Checks that nothing local was written, and that nothing unfinished is left."""
    assert not [path for path in os.listdir(".") if path.startswith("gs:")]
    assert not [name for name in store.names("bucket") if "writing" in name or "temp" in name]


def check_order(store, first, last):
    """Checks that an object appeared after another one."""
    puts = [name for change, name in store.history if change == "put"]
    assert puts.index(first) < puts.index(last)


def test_a_training_resumes_and_writes_all_its_files(store, tmp_path):
    flags = ["--save_checkpoints_steps=10", "--keep_checkpoint_max=2", "--backup=10"]
    trainings.alone("gs://bucket/m", *flags, "--train_steps=20", "--noexport")
    trainings.alone("gs://bucket/m", *flags, "--train_steps=40")
    result = json.loads(store.objects["bucket/m/result.json"])
    assert (result["steps"], result["global_step"]) == (20, 40)
    assert result["checkpoint"] == "gs://bucket/m/checkpoints/ckpt-40"
    assert result["export"] == "gs://bucket/m/export/40"
    assert steps_saved(store) == [30, 40]
    assert not store.names("bucket/m/backup")
    assert json.loads(store.objects["bucket/m/tasks/worker-0.json"])["finished"]
    check_order(
        store, "bucket/m/export/40/variables/variables.index", "bucket/m/export/40/saved_model.pb"
    )
    check_whole(store, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "sizes"),
    [("parameter_server", {"chief": True, "ps": 1}), ("multi_worker_mirrored", {})],
)
def test_the_tasks_of_a_cluster_meet_in_the_folder(strategy, sizes, store, tmp_path):
    flags = ["--save_checkpoints_steps=50", "--train_steps=200", "--steps_per_execution=5"]
    for steps in (200, 300):
        tasks = trainings.cluster(
            tmp_path, "gs://bucket/m", *flags, f"--train_steps={steps}", strategy=strategy,
            evaluator=True, **sizes,
        )  # fmt: skip
        trainings.to_the_end(tasks)
    result = json.loads(store.objects["bucket/m/result.json"])
    assert result["global_step"] >= 300
    assert result["steps"] <= 120
    evaluator = json.loads(store.objects["bucket/m/tasks/evaluator-0.json"])
    assert evaluator["finished"]
    assert str(result["global_step"]) in evaluator["evaluations"]
    assert store.names("bucket/m/eval")
    check_whole(store, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["single", "parameter_server", "multi_worker_mirrored"])
def test_summaries_for_tensorboard_are_written_there(strategy, store, tmp_path):
    flags = ["--tensorboard", "--train_steps=40", "--steps_per_epoch=20", "--noexport"]
    if strategy == "single":
        trainings.alone("gs://bucket/m", *flags)
    else:
        sizes = {"chief": True, "ps": 1} if strategy == "parameter_server" else {}
        trainings.to_the_end(
            trainings.cluster(tmp_path, "gs://bucket/m", *flags, strategy=strategy, **sizes)
        )
    names = [name for name in store.names("bucket/m/summaries/train") if name.endswith(".v2")]
    assert len(names) == 1, store.names("bucket/m")
    path = tmp_path / "summaries" / os.path.basename(names[0])
    path.parent.mkdir()
    path.write_bytes(store.objects[names[0]])
    found = summaries.read(str(path.parent))
    assert "epoch_loss" in found[0]  # The step of these scalars is the number of the epoch.
    assert len(found) == 2
    check_whole(store, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [None, {"chief": True, "ps": 1, "workers": 1}, {"workers": 2}])
def test_a_ported_program_trains_evaluates_and_exports(sizes, store, tmp_path):
    if sizes is None:
        run(*PORTED, "gs://bucket/m")
    else:
        in_cluster(tmp_path, [*PORTED, "gs://bucket/m"], evaluator=True, **sizes)
    assert steps_saved(store)[-1] >= remote_ported.STEPS
    latest = [name for name in inside(store, "bucket/m/export/latest") if name.endswith(".pb")]
    assert len({name.partition("/")[0] for name in latest}) == 1
    assert inside(store, "bucket/m/export/best")
    assert store.names("bucket/m/eval")
    check_whole(store, tmp_path)


@pytest.mark.slow
def test_a_documented_job_of_legacy_trains(store, tmp_path):
    for steps in (20, 40):
        run(
            *LEGACY,
            "--model_dir=gs://bucket/m",
            f"--train_steps={steps}",
            "--save_checkpoints_steps=10",
        )
    result = json.loads(store.objects["bucket/m/result.json"])
    assert (result["steps"], result["global_step"]) == (20, 40)
    assert result["export"].startswith("gs://bucket/m/export/final/")
    check_whole(store, tmp_path)


@pytest.mark.slow
def test_a_legacy_cluster_trains(store, tmp_path):
    command = [*LEGACY, "--model_dir=gs://bucket/m", "--train_steps=200"]
    in_cluster(tmp_path, command, chief=True, workers=1, ps=1, evaluator=True)
    assert json.loads(store.objects["bucket/m/result.json"])["global_step"] >= 200


@pytest.mark.slow
def test_an_estimator_program_continues(store, tmp_path):
    assert "step 40" in run(*ESTIMATOR, "gs://bucket/m", "40").stdout
    assert "step 60" in run(*ESTIMATOR, "gs://bucket/m", "60").stdout
    assert any(name.endswith("saved_model.pb") for name in store.names("bucket/m/export/best"))


@pytest.mark.slow
def test_an_estimator_cluster_trains(store, tmp_path):
    in_cluster(
        tmp_path, [*ESTIMATOR, "gs://bucket/m", "60"], chief=True, workers=1, ps=1, evaluator=True
    )
    assert "bucket/m/checkpoint" in store.objects
    assert any(name.endswith("saved_model.pb") for name in store.names("bucket/m/export/best"))


@pytest.mark.parametrize(
    "command",
    [
        [*trainings.TRAIN, "--model_dir=s3://bucket/m"],
        [*LEGACY, "--model_dir=s3://bucket/m"],
        [*PORTED, "s3://bucket/m"],
        [*ESTIMATOR, "s3://bucket/m", "40"],
    ],
    ids=["modern", "legacy", "ported", "estimator"],
)
def test_a_scheme_without_a_file_system_is_refused(command):
    done = subprocess.run(
        command,
        env=os.environ | trainings.ENV,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if "s3://" in line]
    assert len(lines) == 1, done.stderr
    assert "no file system for s3://. Use gs://, or mount the folder" in lines[0]
