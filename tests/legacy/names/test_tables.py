"""Tests of the tables of names, and of the modules that are made from them."""

import collections
import copy
import importlib
import inspect
import math
import pickle
import types
import unittest

import numpy as np
import pytest
from absl import flags as absl_flags

from legacy.estimator import arguments
from legacy.names import left_out, tables
from legacy.private_api import copied_code
from legacy.shim import modules, program_flags, python_names, two_sided


@pytest.mark.parametrize(
    "name", ["tensorflow.contrib.slim.python.slim.nets", "tensorflow_estimator"]
)
def test_known_modules(name):
    assert tables.is_module(name)
    assert not tables.is_module(f"{name}.conv2d")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("tensorflow.python.estimator.mode_keys", "legacy.compat.v1.estimator"),
        ("tensorflow.contrib.tpu.python.tpu.tpu_estimator", "legacy.compat.v1.estimator.tpu"),
        ("tensorflow.contrib.training.python.training.hparam", "legacy.contrib.training.hparam"),
        ("tensorflow.contrib.learn.python.learn.learn_runner", "legacy.contrib.learn.learn_runner"),
        (
            "tensorflow.contrib.learn.python.learn.estimators.metric_key",
            "legacy.contrib.learn.constants",
        ),
        ("tensorflow.contrib.tpu.tpu", "legacy.contrib.tpu"),
        ("tensorflow.contrib.layers", "legacy.contrib.layers"),
        (
            "tensorflow.contrib.slim.python.slim.nets.resnet_v1",
            "legacy.contrib.slim.nets.resnet_v1",
        ),
        ("tensorflow.contrib.estimator.python.estimator.head", "legacy.contrib.estimator"),
        (
            "tensorflow_estimator.python.estimator.canned.head",
            "legacy.estimator.heads.v1.canned_head",
        ),
    ],
)
def test_first_place(name, place):
    assert tables.places_of(name)[0] == place


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("estimator", "_canned_estimator_api_gauge"),
        ("estimator", "_extract_metric_update_ops"),
        ("estimator", "_load_global_step_from_checkpoint_dir"),
        ("estimator", "_write_dict_to_summary"),
        ("estimator_lib", "dnn_logit_fn_builder"),
        ("estimator_lib", "KMeansClustering"),
        ("hooks.fake_summary_writer", "FakeSummaryWriter"),
        ("tools.checkpoint_converter", "convert_checkpoint"),
        ("util", "DistributedIteratorInitializerHook"),
    ],
)
def test_private_name_is_found(module, name):
    full_name = f"tensorflow_estimator.python.estimator.{module}"
    assert hasattr(modules.Served(full_name, tables.places_of(full_name)), name)


@pytest.mark.parametrize("module", ["", ".python.estimator.api._v1", ".python.estimator.api._v2"])
def test_the_public_api_of_the_package(module):
    package = f"tensorflow_estimator{module}"
    for api, name in ("v1", "legacy.compat.v1.estimator"), ("v2", "legacy.estimator"):
        if not module or module.endswith(api):
            served = modules.Served(
                f"{package}.estimator", tables.places_of(f"{package}.estimator", api)
            )
            assert tables.is_module(f"{package}.estimator")
            public = importlib.import_module(name)
            assert served.Estimator is public.Estimator
            assert served.train_and_evaluate is public.train_and_evaluate


def test_every_place_exists():
    rows = [tables.ESTIMATOR_PLACES, tables.PUBLIC_PLACES, tables.COMPLETED]
    places = {place for table in rows for found in table.values() for place in found}
    importlib.import_module("tensorflow")
    missing = [place for place in places if modules.find_place(place) is None]
    for place in tables.RENAMED.values():
        owner, _, name = place.rpartition(".")
        if not hasattr(modules.find_place(owner), name):
            missing.append(place)
    assert not missing


def test_names_of_one_api_are_not_in_the_other():
    first, second = tables.names_of("v1"), tables.names_of("v2")
    assert {"tf.placeholder", "tf.contrib", "tf.train.AdamOptimizer"} <= first
    assert {"tf.optimizers", "tf.random.set_seed"} <= second
    assert not first & second


def test_served_module():
    served = modules.Served("tensorflow.contrib.util", ("no_such_module", "math", "cmath"))
    assert served.floor is math.floor
    assert served._floor is math.floor  # A private name of a function that is public here.
    assert "phase" in dir(served)
    assert isinstance(served, types.ModuleType)
    with pytest.raises(left_out.NotProvidedError, match=r"^tf\.contrib\.util\.nothing is not prov"):
        _ = served.nothing
    assert not hasattr(served, "__wrapped__")


def test_private_heads_add_up_their_losses():
    """The heads of tf.contrib.estimator, which have other names, return means instead."""
    name = "tensorflow_estimator.python.estimator.canned.head"
    heads = modules.Served(name, tables.places_of(name))
    for make in (
        heads._regression_head,
        heads._binary_logistic_head_with_sigmoid_cross_entropy_loss,
        heads._multi_class_head_with_softmax_cross_entropy_loss,
    ):
        assert inspect.signature(make).parameters["loss_reduction"].default == "weighted_sum"


def test_view():
    made = []
    names = {"pi": 3, "late": modules.Later(lambda: made.append(1) or "made")}
    view = modules.View("tensorflow", math, names, "v1")
    assert (view.pi, view.e, made) == (3, math.e, [])
    assert (view.late, view.late, made) == ("made", "made", [1])
    assert {"pi", "late", "floor"} <= set(dir(view))
    with pytest.raises(AttributeError, match="^module 'tensorflow' has no attribute 'nothing'$"):
        _ = view.nothing
    with pytest.raises(left_out.NotProvidedError, match="--api=v2"):
        _ = view.optimizers


def test_copies_and_pickles_are_the_module_itself():
    view = modules.View("math", math, {}, "v1")
    assert copy.deepcopy(view) is pickle.loads(pickle.dumps(view)) is math


def test_two_sided_module(monkeypatch):
    seen = two_sided.new("numbers", math, modules.View("numbers", math, {"pi": 3}, "v1"))
    assert seen.pi == 3
    seen.tau = 6
    assert seen.tau == 6
    monkeypatch.setattr(two_sided.callers, "in_program", lambda frame: False)
    assert (seen.pi, seen.tau) == (math.pi, math.tau)


def test_every_row_says_why_and_what_to_do():
    for name, (reason, instead, gone) in left_out.rows().items():
        assert name.startswith(("tf.", "tensorflow_estimator."))
        assert len(reason) > 10
        assert len(instead) > 5
        assert isinstance(gone, bool)


def test_reasons():
    assert left_out.is_gone("tf.contrib.kafka.KafkaDataset")
    assert not left_out.is_gone("tf.contrib.tensorrt")
    assert "Decision Forests" in left_out.message("tf.estimator.BoostedTreesClassifier")
    assert left_out.message("tf.contrib.x").startswith("tf.contrib.x is not provided: ")


def test_numpy_and_python():
    numpy = types.ModuleType("numpy")
    vars(numpy).update(vars(np), float="kept")
    with np.printoptions():
        python_names.complete_numpy(numpy)
        assert str([np.float32(0.5)]) == "[0.5]"
    assert (numpy.int, numpy.float, numpy.Inf) == (int, "kept", np.inf)
    assert numpy.bool in (bool, np.bool_)
    assert numpy.reshape([1, 2], newshape=(2, 1)).tolist() == [[1], [2]]
    inspect = types.SimpleNamespace(getfullargspec=lambda function: tuple(range(7)))
    python_names.complete_inspect(inspect)
    assert inspect.getargspec(None).defaults == 3
    assert isinstance(collections.OrderedDict(), collections.abc.Mapping)


def test_flags():
    values = absl_flags.FlagValues()
    absl_flags.DEFINE_string("log_dir", "", "", flag_values=values, module_name="absl.logging")
    absl_flags.DEFINE_integer("steps", 1, "", flag_values=values, module_name="old")
    program_flags.complete(values)
    absl_flags.DEFINE_string("log_dir", "mine", "", flag_values=values, module_name="old")
    with pytest.raises(absl_flags.DuplicateFlagError):
        absl_flags.DEFINE_integer("steps", 2, "", flag_values=values, module_name="old2")
    assert values._parse_flags(["--steps=3", "--unknown", "rest"]) == ["--unknown", "rest"]
    assert (values.steps, values.log_dir) == (3, "mine")


def test_test_cases_have_their_old_names():
    class TestCase:
        assertAlmostEqual = unittest.TestCase.assertAlmostEqual

        def assertEqual(self, first, second, msg=None):
            assert first == second
            return True

        def assertRaisesRegexp(self):
            return "kept"

    python_names.complete_unittest(types.SimpleNamespace(TestCase=TestCase))
    case = TestCase()
    equal, contains, kept = (
        getattr(case, name)
        for name in ("assertEquals", "assertDictContainsSubset", "assertRaisesRegexp")
    )
    assert equal(1, second=1)
    contains({"a": 1}, {"a": 1, "b": 2})
    with pytest.raises(AssertionError):
        contains({"a": 2}, {"a": 1, "b": 2})
    assert kept() == "kept"
    missing = [method for name in vars(TestCase) if (method := python_names._TEST_CASE.get(name))]
    assert all(hasattr(unittest.TestCase, name) for name in missing if isinstance(name, str))


def test_export_mark_warns_once(caplog):
    class Model:
        pass

    mark = copied_code.estimator_export("estimator.Model", v1=["x"])
    assert mark(Model) is Model
    double = mark(lambda number: 2 * number)
    assert arguments.names(double) == ("number",)
    with caplog.at_level("WARNING", "tensorflow"):
        assert [type(Model()), type(Model()), double(2), double(3)] == [Model, Model, 4, 6]
    assert ["deprecated" in record.message for record in caplog.records] == [True, True]
