"""Tests for the arguments of a model_fn."""

import pytest

from migrate import bridge
from tests.migrate.bridge import small


@pytest.mark.parametrize(
    ("model_fn", "options", "words"),
    [
        (lambda labels, mode: None, {}, "no argument `features`"),
        (lambda features, mode: None, {"params": {"a": 1}}, "does not take them"),
        (small.model_fn, {"unknown_hooks": "skip"}, "unknown_hooks='skip'"),
    ],
)
def test_misuse_is_said_at_once(model_fn, options, words):
    with pytest.raises(bridge.BridgeError, match=words):
        bridge.KerasModelFn(model_fn, **options)
