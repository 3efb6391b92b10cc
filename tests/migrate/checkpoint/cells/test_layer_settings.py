"""Tests that layers are found that compute something else than cells of tf.nn.rnn_cell."""

import pytest

from migrate.checkpoint.cells import layer_settings
from tests.migrate.checkpoint.cells import recurrent

pytestmark = pytest.mark.keras(2, 3)


@pytest.mark.parametrize(
    ("build", "scope", "message"),
    [
        (recurrent.lstm_with_hard_sigmoid, "recurrent/lstm_cell", "recurrent_activation="),
        (recurrent.gru_with_reset_after, "recurrent/gru_cell", "reset_after=True, the default"),
    ],
)
def test_a_layer_is_named_with_its_setting(build, scope, message):
    ((found, reason),) = layer_settings.unlike(build()).items()
    assert found == scope
    assert message in reason


@pytest.mark.parametrize("build", [recurrent.lstm, recurrent.gru, recurrent.rnn])
def test_other_layers_are_not(build):
    assert layer_settings.unlike(build()) == {}
