"""BackupAndRestore: a killed training goes on from the newer of backup and checkpoint."""

import pytest
import tf_keras

from modern import backups, checkpoints, training_model
from modern.jobs import linear_regression as job
from modern.weights import CheckpointError


class Crash(Exception):
    pass


class CrashAt(tf_keras.callbacks.Callback):
    """Stands for kill -9, in the test's own process."""

    def __init__(self, step):
        super().__init__()
        self._step = step

    def on_train_batch_end(self, batch, logs=None):
        if self.model.optimizer.iterations.numpy() >= self._step:
            raise Crash


def made(steps_per_execution=1):
    """A compiled model and its data."""
    model = training_model.TrainingModel.of(job.build_model(), training_model.Counters(1))
    model.compile(
        job.make_optimizer(0.01), job.make_loss(), steps_per_execution=steps_per_execution
    )
    return model, training_model.tag(job.train_input_fn(job.load_data("synthetic"), 32, 0), 0)


def crash(model_dir, frequency, at, save_at=None, steps_per_execution=1):
    """Trains with epochs of 10 steps, a checkpoint at one step, and a crash at another."""
    model, batches = made(steps_per_execution)
    kept = checkpoints.Checkpoints(model, str(model_dir), 5, True, "worker-0")
    start = kept.restore()

    def save(batch, logs=None):
        if model.optimizer.iterations.numpy() == save_at:
            kept.save()

    with pytest.raises(Crash):
        model.fit(
            batches,
            initial_epoch=start // 10,
            epochs=100,
            steps_per_epoch=10,
            callbacks=[
                backups.Backup(str(model_dir), frequency),
                tf_keras.callbacks.LambdaCallback(on_train_batch_end=save),
                CrashAt(at),
            ],
            verbose=0,
        )
    return start


def restored(model_dir):
    """The step from which a new process would go on."""
    model, _ = made()
    return checkpoints.Checkpoints(model, str(model_dir), 5, True, "worker-0").restore()


def test_every_epoch(tmp_path):
    assert backups.latest(str(tmp_path)) == (-1, None)
    crash(tmp_path, "epoch", at=25)
    assert restored(tmp_path) == 20
    # Goes on from there, and crashes before and after the next backup.
    assert crash(tmp_path, "epoch", at=25) == 20
    assert restored(tmp_path) == 20
    assert crash(tmp_path, "epoch", at=47) == 20
    assert restored(tmp_path) == 40


def test_every_so_many_executions(tmp_path):
    crash(tmp_path, 3, at=21, steps_per_execution=2)
    assert restored(tmp_path) == 18


def test_the_newer_one_wins(tmp_path):
    crash(tmp_path, "epoch", at=25, save_at=24)
    assert restored(tmp_path) == 24
    crash(tmp_path, "epoch", at=43, save_at=25)
    # From step 24 on, epochs of ten steps end at 34.
    assert restored(tmp_path) == 34


def test_the_weights_come_back(tmp_path):
    model, batches = made()
    model.fit(batches, steps_per_epoch=10, callbacks=[backups.Backup(str(tmp_path), "epoch")])
    other, _ = made()
    checkpoints.Checkpoints(other, str(tmp_path), 5, True, "worker-0").restore()
    for ours, theirs in zip(model.get_weights(), other.get_weights(), strict=True):
        assert (ours == theirs).all()


def test_the_end_removes_them(tmp_path):
    crash(tmp_path, "epoch", at=25)
    model, _ = made()
    kept = checkpoints.Checkpoints(model, str(tmp_path), 5, True, "worker-0")
    kept.restore()
    kept.save()
    kept.close()
    assert not (tmp_path / "backup").exists()
    assert restored(tmp_path) == 20


def test_a_task_that_does_not_write_leaves_them(tmp_path):
    crash(tmp_path, "epoch", at=15)
    model, _ = made()
    checkpoints.Checkpoints(model, str(tmp_path), 5, False, "worker-1").close()
    assert restored(tmp_path) == 10


def test_a_damaged_backup_is_named(tmp_path):
    crash(tmp_path, "epoch", at=15)
    (index,) = tmp_path.glob("backup/from-0/chief/*.index")
    index.write_bytes(index.read_bytes()[:50])
    with pytest.raises(CheckpointError, match=r"The backup .*from-0.* cannot be read"):
        restored(tmp_path)


def test_what_another_task_is_still_writing_is_left_to_it(tmp_path):
    root = tmp_path / "backup"
    # Those from 0 are of a training that was killed.
    left = ("from-0/chief", "from-0/workertemp_1")
    for name in (*left, "from-10/chief", "from-10/workertemp_1", "from-5/chief"):
        (root / name).mkdir(parents=True)
        (root / name / "part").touch()
    backups.remove(str(tmp_path))
    assert [str(path.relative_to(root)) for path in root.rglob("part")] == [
        "from-10/workertemp_1/part"
    ]
    (root / "from-10/workertemp_1/part").unlink()
    (root / "from-10/workertemp_1").rmdir()
    backups.remove_empty(str(tmp_path))
    assert not root.exists()
