"""Tests that a killed training resumes from the newer of backup and checkpoint."""

import pytest

from modern.model_files import checkpoints
from modern.model_files.errors import CheckpointError
from modern.training.saving import SaveRule
from tests.modern.training.trained import At, fit, made, saved


class Crash(Exception):
    """Stands for kill -9, in the process of the test."""


def crash(model_dir, at, backup_steps=10, save_steps=None, steps_per_execution=1):
    """Trains with backups, crashes at a step, and returns the step at which the training began."""
    begun = restored(model_dir)

    def fail():
        raise Crash

    with pytest.raises(Crash):
        fit(
            model_dir,
            100,
            At(at, fail),
            rule=SaveRule(save_steps),
            backup_steps=backup_steps,
            steps_per_execution=steps_per_execution,
        )
    return begun


def restored(model_dir):
    """Returns the step from which a new process would resume."""
    model, _ = made()
    return checkpoints.Checkpoints(model, str(model_dir), 5, True, "worker-0").restore()


def test_one_backup_is_kept_and_the_training_goes_on_from_it(tmp_path):
    crash(tmp_path, at=25)
    assert len([*tmp_path.glob("backup/*.index")]) == 1
    assert restored(tmp_path) == 20
    # Resumes there, and crashes before and after the next backup.
    assert crash(tmp_path, at=25) == 20
    assert restored(tmp_path) == 20
    assert crash(tmp_path, at=47) == 20
    assert restored(tmp_path) == 40


def test_executions_of_several_steps(tmp_path):
    crash(tmp_path, backup_steps=3, at=19, steps_per_execution=2)
    assert restored(tmp_path) == 16


def test_the_newer_one_wins(tmp_path):
    crash(tmp_path, at=25, save_steps=24)
    assert restored(tmp_path) == 24
    crash(tmp_path, at=43)
    assert restored(tmp_path) == 34


def test_the_weights_come_back(tmp_path):
    crash(tmp_path, at=9, backup_steps=5)
    model, _ = made()
    assert checkpoints.Checkpoints(model, str(tmp_path), 5).restore() == 5
    whole, _ = fit(tmp_path / "whole", 5)
    for ours, theirs in zip(model.get_weights(), whole.get_weights(), strict=True):
        assert (ours == theirs).all()


def test_the_end_removes_them(tmp_path):
    crash(tmp_path, at=25)
    fit(tmp_path, 30, backup_steps=4)
    assert not (tmp_path / "backup").exists()
    assert saved(tmp_path) == [30]


def test_a_task_that_does_not_write_leaves_them(tmp_path):
    crash(tmp_path, at=15)
    model, _ = made()
    files = checkpoints.Checkpoints(model, str(tmp_path), 1, False, "worker-1", is_backup=True)
    files.close()
    files.remove()
    assert restored(tmp_path) == 10


def test_a_damaged_backup_is_named(tmp_path):
    crash(tmp_path, at=15)
    (index,) = tmp_path.glob("backup/*.index")
    index.write_bytes(index.read_bytes()[:50])
    with pytest.raises(CheckpointError, match=r"backup/ckpt-10.index is damaged"):
        restored(tmp_path)
