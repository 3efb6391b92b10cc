"""The documented jobs as programs: for each its compiled model, parameters, input and names.

    from legacy.jobs import mnist_cnn
    from tests.migrate.programs import jobs

    mnist_cnn.model_fn, jobs.mnist_cnn, jobs.mnist_cnn_input_fn, jobs.mnist_cnn_params

Inputs are few examples, in batches without end; `..._eval_input_fn` gives others once. A variable
that is not in `WIDE_DEEP_MAP` has the same name in the model.
"""

import dataclasses
import functools

import tensorflow as tf

from legacy.jobs import wide_deep as legacy_wide_deep
from modern.jobs import linear_regression as linear_regression_job
from modern.jobs import mnist_cnn as mnist_cnn_job
from modern.jobs import resnet56_cifar10 as resnet56_cifar10_job
from modern.jobs import wide_deep as wide_deep_job

EXAMPLES, BATCH_SIZE = 64, 16

linear_regression_params = {"learning_rate": linear_regression_job.LEARNING_RATE}
mnist_cnn_params = {"learning_rate": mnist_cnn_job.LEARNING_RATE}
# At the job's own rate, batches of 16 diverge, and differences of one bit grow with them.
resnet56_cifar10_params = {"learning_rate": resnet56_cifar10_job.LEARNING_RATE / 100}
wide_deep_params = {"learning_rate": wide_deep_job.LEARNING_RATE}

WIDE_DEEP_MAP = legacy_wide_deep.WEIGHT_NAMES


def _compiled(job, params):
    model = job.build_model()
    learning_rate = job.make_learning_rate(params["learning_rate"])
    model.compile(job.make_optimizer(learning_rate), job.make_loss(), job.make_metrics())
    return model


@functools.cache
def _arrays(job):
    """The first examples of the job's first data set, which is made up or comes with it."""
    arrays = job.load_data("synthetic" if "synthetic" in job.DATASETS else job.DATASETS[0])
    parts = ("train_features", "train_labels", "test_features", "test_labels")
    first = {p: tf.nest.map_structure(lambda x: x[:EXAMPLES], getattr(arrays, p)) for p in parts}
    return dataclasses.replace(arrays, **first)


def _train(job):
    return job.train_input_fn(_arrays(job), BATCH_SIZE, seed=1)


def _test(job):
    return job.eval_input_fn(_arrays(job), BATCH_SIZE)


def linear_regression():
    return _compiled(linear_regression_job, linear_regression_params)


def linear_regression_input_fn():
    return _train(linear_regression_job)


def linear_regression_eval_input_fn():
    return _test(linear_regression_job)


def mnist_cnn():
    return _compiled(mnist_cnn_job, mnist_cnn_params)


def mnist_cnn_input_fn():
    return _train(mnist_cnn_job)


def mnist_cnn_eval_input_fn():
    return _test(mnist_cnn_job)


def resnet56_cifar10():
    return _compiled(resnet56_cifar10_job, resnet56_cifar10_params)


def resnet56_cifar10_input_fn():
    return _train(resnet56_cifar10_job)


def resnet56_cifar10_eval_input_fn():
    return _test(resnet56_cifar10_job)


def wide_deep():
    return _compiled(wide_deep_job, wide_deep_params)


def wide_deep_input_fn():
    return _train(wide_deep_job)


def wide_deep_eval_input_fn():
    return _test(wide_deep_job)
