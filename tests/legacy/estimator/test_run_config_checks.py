"""Tests that RunConfig checks its settings as in TensorFlow 2.15."""

import pytest

from legacy.estimator import RunConfig


@pytest.mark.parametrize(
    "settings",
    [
        {"model_dir": ""},
        {"tf_random_seed": 1.5},
        {"save_summary_steps": -1},
        {"save_checkpoints_steps": -1},
        {"save_checkpoints_steps": 5, "save_checkpoints_secs": 5},
        {"session_config": {}},
        {"keep_checkpoint_max": -1},
        {"keep_checkpoint_every_n_hours": 0},
        {"log_step_count_steps": 0},
        {"device_fn": 5},
        {"device_fn": lambda a, b: None},
        {"protocol": "http"},
        {"experimental_max_worker_delay_secs": "a"},
        {"session_creation_timeout_secs": 0},
    ],
    ids=lambda settings: f"{next(iter(settings))}-{type(next(iter(settings.values()))).__name__}",
)
def test_wrong_settings(environ, settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        RunConfig(**settings)


@pytest.mark.parametrize("name", ["foo", "master", "task_id"])
def test_not_all_can_be_replaced(environ, name):
    with pytest.raises(ValueError, match=f"Replacing {name} is not supported"):
        RunConfig().replace(**{name: 1})


def test_model_dir_of_tf_config(environ):
    environ(model_dir="/tmp/one")
    assert RunConfig().model_dir == "/tmp/one"
    with pytest.raises(ValueError, match="must have the same value"):
        RunConfig(model_dir="/tmp/two")
