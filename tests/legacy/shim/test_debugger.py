"""Tests of the arguments of TensorFlow's debugger."""

import types

import pytest

from legacy.shim import debugger


class Hook:
    def __init__(self, folder, watch_fn=None):
        self.arguments = (folder, watch_fn)


def test_log_usage_is_ignored(monkeypatch):
    module = types.ModuleType("hooks")
    module.Hook = type("Hook", (Hook,), {"__init__": Hook.__init__})
    monkeypatch.setitem(debugger.CLASSES, "hooks", ("Hook",))
    debugger.complete(module)
    assert module.Hook("/tmp", log_usage=False).arguments == ("/tmp", None)
    with pytest.raises(TypeError):
        module.Hook("/tmp", other=1)
