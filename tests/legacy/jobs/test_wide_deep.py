"""Tests of the wide and deep model as a canned estimator. Its weights are those of modern/jobs."""

import re

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from legacy.jobs import wide_deep as job
from modern.data import clicks
from modern.jobs import wide_deep as modern_job
from modern.model_files import weights

_SLOT = re.compile(r"/(Adagrad|Ftrl|Ftrl_1)$")


@pytest.fixture(scope="module")
def arrays():
    return clicks.clicks(seed=0, train_size=512, test_size=64)


@pytest.fixture(scope="module")
def start(arrays):
    """Returns the modern model's weights, and its loss on the first batch."""
    model = modern_job.build_model()
    features, labels = next(iter(job.train_input_fn(arrays, 64, seed=0)))
    return weights.read(model), float(modern_job.make_loss()(labels, model(features)))


@pytest.fixture(scope="module")
def trained(arrays, start, tmp_path_factory):
    """Returns an estimator after one step from the modern model's weights."""
    folder = tmp_path_factory.mktemp("wide_deep")
    prefix = str(folder / "start")
    weights.save(prefix, start[0])
    estimator = tf_estimator.Estimator(
        job.model_fn,
        model_dir=str(folder / "model"),
        params={"learning_rate": job.LEARNING_RATE},
        config=tf_estimator.RunConfig(tf_random_seed=0, save_summary_steps=1),
        warm_start_from=tf_estimator.WarmStartSettings(
            prefix, var_name_to_prev_var_name=job.WEIGHT_NAMES
        ),
    )
    estimator.train(lambda: job.train_input_fn(arrays, 64, seed=0), steps=1)
    return estimator


def test_every_weight_has_its_name_in_the_modern_model(start, trained):
    ours = {name for name in trained.get_variable_names() if not _SLOT.search(name)}
    assert ours - {"global_step"} == set(job.WEIGHT_NAMES)
    theirs, _ = start
    assert sorted(job.WEIGHT_NAMES.values()) == sorted(theirs)
    for name, modern in job.WEIGHT_NAMES.items():
        assert trained.get_variable_value(name).shape == theirs[modern].shape, name


def test_it_starts_where_the_modern_model_starts(start, trained):
    (file,) = tf.io.gfile.glob(f"{trained.model_dir}/events*")
    losses = [
        value.simple_value
        for event in tf.compat.v1.train.summary_iterator(file)
        for value in event.summary.value
        if value.tag == "loss"
    ]
    np.testing.assert_allclose(losses, [start[1]], rtol=1e-5)


def test_it_evaluates_what_the_modern_job_reports(arrays, trained):
    found = trained.evaluate(lambda: job.eval_input_fn(arrays, 64))
    assert 0 < found["loss"] < 2
    assert {metric.name for metric in modern_job.make_metrics()} <= set(found)


def test_the_exported_model_takes_examples_with_the_raw_columns():
    with tf.Graph().as_default():
        receiver = job.serving_input_receiver_fn()
    columns = {*job.SCALES, *job.VOCABULARIES, *job.HASH_BUCKETS}
    assert set(receiver.features) == columns
