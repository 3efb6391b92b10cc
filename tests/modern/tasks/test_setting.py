"""Tests of the setting of a training."""

import pytest
from absl import flags

from modern.tasks import setting, train_flags
from tests.modern.flag_values import parsed


def test_backup_steps():
    for value, steps in (("none", None), ("epoch", None), ("25", 25)):
        with parsed(train_flags.define_flags, f"--backup={value}", "--model_dir=m"):
            assert train_flags.setting().backup_steps == steps


@pytest.mark.parametrize(
    ("strategy", "is_synchronous"),
    [("single", True), ("multi_worker_mirrored", True), ("parameter_server", False)],
)
def test_takes_its_own_flags_alone(strategy, is_synchronous):
    with parsed(train_flags.define_flags, f"--strategy={strategy}", "--model_dir=m", "--seed=7"):
        values = flags.FLAGS.flag_values_dict()
    found = setting.Setting.of(values)
    assert (found.is_synchronous, found.model_dir, found.seed) == (is_synchronous, "m", 7)
    assert "learning_rate" in values
    assert not hasattr(found, "learning_rate")
