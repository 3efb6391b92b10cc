"""Tests of the tables of names, and of the modules that are made from them."""

import importlib
import inspect

import pytest

from legacy.names import tables
from legacy.shim import modules


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
