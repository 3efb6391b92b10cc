"""Tests of a training's checkpoints: restore, save, and refusal of unsuitable ones."""

import numpy as np
import pytest

from modern.jobs import linear_regression as job
from modern.model_files import checkpoints
from modern.model_files.errors import CheckpointError
from modern.optimizers import chosen
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.tasks import counted_model

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture
def model():
    """Returns a model compiled with momentum, so that the optimizer has slots."""
    model = counted_model.TrainingModel.of(job.build_model(), counted_model.Counters(1))
    model.compile(chosen.SGD(0.01, momentum=0.9), job.make_loss())
    return model


def kept(model, folder, keep=5, writes=True):
    return checkpoints.Checkpoints(model, str(folder), keep, writes, "worker-1")


def train(model, steps):
    batches = counted_model.tag(job.train_input_fn(job.load_data("synthetic"), 32, 0), 0)
    model.fit(batches, steps_per_epoch=steps, verbose=0)


def momentum_of(model):
    if chosen_keras.version() == 3:
        return [slot.numpy() for slot in model.optimizer.slots["momentum"]]
    return [model.optimizer.get_slot(v, "momentum").numpy() for v in model.trainable_variables]


def test_nothing_to_restore(model, tmp_path):
    assert kept(model, tmp_path).restore() == 0


def test_weights_momentum_and_step_come_back(model, tmp_path):
    train(model, 7)
    path = kept(model, tmp_path).save()
    assert path == str(tmp_path / "checkpoints" / "ckpt-7")
    weights = model.get_weights()
    momentum = momentum_of(model)
    train(model, 3)
    assert (model.get_weights()[0] != weights[0]).any()
    assert kept(model, tmp_path).restore() == 7
    for ours, theirs in zip(weights, model.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(momentum, momentum_of(model), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_step_is_saved_once_and_old_ones_go(model, tmp_path):
    ours = kept(model, tmp_path, keep=2)
    for _ in range(3):
        train(model, 1)
        assert ours.save() == ours.save()
        ours.rotate()
    assert sorted(p.name for p in (tmp_path / "checkpoints").glob("*.index")) == [
        "ckpt-2.index",
        "ckpt-3.index",
    ]
    # A later run continues the count.
    again = kept(model, tmp_path, keep=2)
    assert again.restore() == 3
    again.save()
    train(model, 1)
    again.save()
    again.rotate()
    assert sorted(p.name for p in (tmp_path / "checkpoints").glob("*.index")) == [
        "ckpt-3.index",
        "ckpt-4.index",
    ]


def test_a_task_that_only_takes_part_leaves_nothing(model, tmp_path):
    train(model, 1)
    ours = kept(model, tmp_path, writes=False)
    path = ours.save()
    assert list((tmp_path / "checkpoints" / "temporary-worker-1").iterdir())
    assert "temporary-worker-1" in path
    ours.close()
    assert list((tmp_path / "checkpoints").iterdir()) == []
    assert kept(model, tmp_path).restore() == 1 or not list(tmp_path.glob("checkpoints/*"))


def test_another_models_checkpoint_is_refused(model, tmp_path):
    train(model, 1)
    kept(model, tmp_path).save()
    other = counted_model.TrainingModel.of(
        keras.Sequential([keras.Input((10,)), keras.layers.Dense(3)]),
        counted_model.Counters(1),
    )
    other.compile(job.make_optimizer(0.1), job.make_loss())
    with pytest.raises(CheckpointError, match=r"ckpt-1 cannot be continued from.*--model_dir"):
        kept(other, tmp_path).restore()


def test_a_damaged_checkpoint_is_refused(model, tmp_path):
    train(model, 1)
    path = kept(model, tmp_path).save()
    with open(f"{path}.index", "r+b") as index:
        index.truncate(100)
    with pytest.raises(CheckpointError, match="ckpt-1.index is damaged"):
        kept(model, tmp_path).restore()


def test_evaluation_reads_weights_and_step(model, tmp_path):
    train(model, 5)
    path = kept(model, tmp_path).save()
    plain = job.build_model()
    assert checkpoints.restore_for_evaluation(plain, path) == 5
    np.testing.assert_array_equal(plain.get_weights()[0], model.get_weights()[0])
    assert checkpoints.restore_for_evaluation(plain, str(tmp_path / "gone-5")) is None


def test_an_evaluation_takes_no_checkpoint_of_another_model(model, tmp_path):
    path = checkpoints.Checkpoints(model, str(tmp_path), 1).save()
    other = keras.Sequential([keras.Input((3,)), keras.layers.Dense(7)])
    with pytest.raises(checkpoints.CheckpointError, match="does not belong to this model"):
        checkpoints.restore_for_evaluation(other, path)
    assert checkpoints.restore_for_evaluation(other, str(tmp_path / "ckpt-9")) is None
