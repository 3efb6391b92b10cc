"""Tests that a mock of a private module's attribute also replaces the object in use."""

import importlib
import types
from unittest import mock

import tensorflow as tf

from legacy.shim import mirrors, modules


def test_mock_reaches_the_public_module():
    private, public, own = (types.ModuleType(name) for name in ("private", "public", "own"))
    private.same = public.same = types
    private.different, public.different = 1, 2
    mirrors.mirror(private, public)
    for _ in range(2):  # The second round starts from the original objects again.
        with mock.patch.object(private, "same") as replaced:
            assert public.same is replaced
            private.different = own
        assert (private.same, public.same, public.different) == (types, types, 2)


def test_listed_modules_have_the_public_objects():
    # A name in some of the modules, whose object the private and the public module share.
    used = {
        "gfile": "ListDirectory",
        "tf_logging": "warning",
        "training": "MonitoredTrainingSession",
        "server_lib": "Server",
    }
    for name, place in mirrors.MIRRORED.items():
        private, public = importlib.import_module(name), modules.find_place(place)
        assert public is not None
        found = used.get(name.rpartition(".")[2])
        assert found is None or getattr(private, found) is getattr(public, found)


def test_all_are_undone():
    mirrors.make_all()
    training = importlib.import_module("tensorflow.python.training.training")
    try:
        with mock.patch.object(training, "MonitoredSession") as replaced:
            assert tf.compat.v1.train.MonitoredSession is replaced
    finally:
        mirrors.unmake_all()
    assert type(training) is types.ModuleType
