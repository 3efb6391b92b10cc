"""Tests of the sparse embeddings as a model_fn. Their weights are those of modern/jobs."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from legacy.jobs import sparse_embeddings as job
from modern.data import impressions
from modern.jobs import sparse_embeddings as modern_job
from modern.model_files import weights

# tf.layers warns that it is deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")


@pytest.fixture(scope="module")
def arrays():
    return impressions.impressions(seed=0, train_size=512, test_size=64)


@pytest.fixture(scope="module")
def trained(arrays, tmp_path_factory):
    """Returns the modern model's loss and weights, and an estimator after a step from them."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (job, modern_job):
            patch.setattr(module, "HASH_BUCKETS", 500)
        folder = tmp_path_factory.mktemp("sparse_embeddings")
        model = modern_job.build_model()
        features, labels = next(iter(job.train_input_fn(arrays, 64, seed=0)))
        loss = float(modern_job.make_loss()(labels, model(features)))
        start = weights.read(model)
        weights.save(str(folder / "start"), start)
        estimator = tf_estimator.Estimator(
            job.model_fn,
            model_dir=str(folder / "model"),
            params={"learning_rate": job.LEARNING_RATE},
            config=tf_estimator.RunConfig(tf_random_seed=0, save_summary_steps=1),
            warm_start_from=tf_estimator.WarmStartSettings(
                str(folder / "start"), var_name_to_prev_var_name=job.WEIGHT_NAMES
            ),
        )
        estimator.train(lambda: job.train_input_fn(arrays, 64, seed=0), steps=1)
        yield loss, start, estimator


def test_every_weight_has_its_name_in_the_modern_model(trained):
    _, theirs, estimator = trained
    ours = {name for name in estimator.get_variable_names() if not name.endswith("/Adagrad")}
    assert ours - {"global_step"} == set(job.WEIGHT_NAMES)
    assert sorted(job.WEIGHT_NAMES.values()) == sorted(theirs)
    for name, modern in job.WEIGHT_NAMES.items():
        assert estimator.get_variable_value(name).shape == theirs[modern].shape, name


def test_it_starts_where_the_modern_model_starts(trained):
    loss, _, estimator = trained
    (file,) = tf.io.gfile.glob(f"{estimator.model_dir}/events*")
    losses = [
        value.simple_value
        for event in tf.compat.v1.train.summary_iterator(file)
        for value in event.summary.value
        if value.tag == "loss"
    ]
    np.testing.assert_allclose(losses, [loss], rtol=1e-5)


def test_it_evaluates_what_the_modern_job_reports(arrays, trained):
    found = trained[2].evaluate(lambda: job.eval_input_fn(arrays, 64))
    assert 0 < found["loss"] < 2
    assert {metric.name for metric in modern_job.make_metrics()} <= set(found)


def test_the_exported_model_takes_columns_of_ids():
    with tf.Graph().as_default():
        receiver = job.serving_input_receiver_fn()
    assert set(receiver.features) == set(impressions.COLUMNS)
