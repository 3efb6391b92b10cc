"""Tests of checkpoints that a ported program cannot restore."""

import pytest

from legacy import estimator as tf_estimator
from modern import porting
from modern.model_files.errors import CheckpointError
from tests.modern import ported
from tests.modern.porting import like_ported


def test_an_estimators_checkpoint_is_refused_with_the_command_that_converts_it(tmp_path):
    estimator = tf_estimator.Estimator(like_ported.model_fn, str(tmp_path))
    estimator.train(ported.data, steps=2)
    for make in (ported.compiled, ported.built):
        with pytest.raises(
            CheckpointError, match=r"model.ckpt-2 is .* convert .*--output=.*ckpt-2"
        ):
            porting.restore(make(), str(tmp_path))
    # Weights that a Keras program has saved there are no error.
    ported.built().save_weights(tmp_path / "weights" / "mine")
    porting.restore(ported.compiled(), str(tmp_path / "weights"))
