"""Tests for the functions of a user's job."""

import pytest

from modern.process import cli
from tests.benchmarks.own_jobs import preparations

pytestmark = pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"input_fn": "finite"}, "own_program:finite ends after 4 batches.*12 are needed"),
        ({"input_fn": "tensors"}, "own_program:tensors returned tuple.*legacy.train"),
        ({"input_fn": "needs_context"}, "needs an input_context.*default None"),
        ({"eval_input_fn": "input_fn"}, "--eval_input_fn=.*has no end"),
        ({"model_fn": "absent"}, "--model_fn=.*has no 'absent'"),
        ({"keras_model": "absent"}, "--keras_model=.*has no 'absent'"),
        ({"keras_model": "not_compiled"}, "--keras_model=.*is not compiled"),
        ({"keras_model": "more_layers"}, "--keras_model=.*more/kernel"),
        ({"keras_model": "data"}, "--keras_model=.*failed: TypeError"),
    ],
)
def test_what_cannot_be_compared_is_one_line(tmp_path, changes, message):
    with pytest.raises(cli.UsageError, match=message) as caught:
        preparations.prepared(tmp_path, **changes).write_initial_weights([0])
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()
