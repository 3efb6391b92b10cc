"""Tests where the recorded weights come into the folders of a program's models."""

import pytest

from migrate.port.in_program import initial_weights


def carried(tmp_path, *files):
    """Returns the weights of a copy of a program, for files below the folder with all weights."""
    work = tmp_path / "work"
    work.mkdir()
    for file in files:
        path = tmp_path / initial_weights.CARRIED / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file)
    return work, initial_weights._Weights(str(work))


@pytest.mark.parametrize(
    ("file", "model_dir"),
    [
        ("model/model.ckpt-0.index", "model"),
        ("checkpoints/model.ckpt-0.index", "./checkpoints"),
        ("runs/checkpoints/model.ckpt-0.index", "runs/checkpoints"),
        ("model/checkpoints/ckpt-0.index", "model"),
        ("checkpoints/checkpoints/ckpt-0.index", "checkpoints"),
        ("model.ckpt-0.index", "./"),
        ("checkpoints/ckpt-0.index", "."),
    ],
)
def test_a_model_gets_the_weights_of_its_folder(tmp_path, file, model_dir):
    work, weights = carried(tmp_path, file)
    weights.copy_into(model_dir)
    assert (work / file).read_text() == file
    assert not weights.unclaimed


def test_a_folder_with_another_date_gets_them_too(tmp_path):
    work, weights = carried(tmp_path, "run_2026/model.ckpt-0.index")
    weights.copy_into("run_2027")
    assert (work / "run_2027/model.ckpt-0.index").exists()


def test_another_folder_gets_none(tmp_path):
    work, weights = carried(tmp_path, "checkpoints/model.ckpt-0.index")
    weights.copy_into(".")
    weights.copy_into("model")
    assert [*work.iterdir()] == []
    assert weights.unclaimed
