"""Tests of modules that stand for others."""

import copy
import math
import pickle
import types
from unittest import mock

import pytest

from legacy.names import left_out
from legacy.shim import modules


def test_served_module():
    served = modules.Served("tensorflow.contrib.util", ("no_such_module", "math", "cmath"))
    assert served.floor is math.floor
    assert served._floor is math.floor  # A private name of a function that is public here.
    assert "phase" in dir(served)
    assert isinstance(served, types.ModuleType)
    with pytest.raises(left_out.NotProvidedError, match=r"^tf\.contrib\.util\.nothing is not prov"):
        _ = served.nothing
    assert not hasattr(served, "__wrapped__")


def test_view():
    made = []
    names = {"pi": 3, "late": modules.Later(lambda: made.append(1) or "made")}
    view = modules.View("tensorflow", math, names, "v1")
    assert (view.pi, view.e, made) == (3, math.e, [])
    assert (view.late, view.late, made) == ("made", "made", [1])
    assert {"pi", "late", "floor"} <= set(dir(view))
    # Programs read names from the dictionary: tf.logging.__dict__["INFO"].
    assert (vars(view)["floor"], vars(view)["pi"]) == (math.floor, 3)
    with pytest.raises(AttributeError, match="^module 'tensorflow' has no attribute 'nothing'$"):
        _ = view.nothing
    with pytest.raises(left_out.NotProvidedError, match="--api=v2"):
        _ = view.optimizers


def test_copies_and_pickles_are_the_module_itself():
    view = modules.View("math", math, {}, "v1")
    assert copy.deepcopy(view) is pickle.loads(pickle.dumps(view)) is math


def test_served_module_sets_names_where_they_are_used():
    place = types.ModuleType("place")
    place.load = load = object()
    with mock.patch.object(modules, "find_place", return_value=place):
        served = modules.Served("tensorflow.contrib.util", ("place",))
        with mock.patch.object(served, "_load") as outer:
            with mock.patch.object(served, "_load") as inner:
                assert (served._load, place.load) == (inner, inner)
            assert (served._load, place.load) == (outer, outer)
        assert (served._load, place.load) == (load, load)
        served.own = 1
        served.load = below = types.ModuleType("below")  # As the import system does.
    assert (served.own, served.load, place.load) == (1, below, load)
    assert not hasattr(place, "own")
