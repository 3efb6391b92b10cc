"""Tests for checkpoints that the verifier reads."""

import pytest
import tensorflow as tf

from modern.process import cli
from tests.migrate.verify import tiny, tiny_runs


def test_refuses_a_checkpoint_of_keras(tmp_path):
    path = tf.train.Checkpoint(model=tiny.port()).save(str(tmp_path / "model"))
    with pytest.raises(cli.UsageError, match="object-based"):
        tiny_runs.run(checkpoint=path)
