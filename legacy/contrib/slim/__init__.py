"""tf.contrib.slim: contrib.layers under argument scopes, training, datasets, networks.

    with slim.arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(5e-4)):
        net = slim.conv2d(images, 64, 3, scope="conv1")
    train_op = slim.learning.create_train_op(loss, optimizer)
    slim.learning.train(train_op, "/tmp/model", number_of_steps=1000)

It has all names of contrib.layers, and those of contrib.framework that are about variables and
argument scopes; also the modules of contrib.layers that networks reach through it, such as
slim.utils.
"""

from typing import Any

from legacy.contrib import _missing, framework, layers, losses, metrics
from legacy.contrib.framework import variables
from legacy.contrib.layers import initializers, optimizers, regularizers, utils
from legacy.contrib.slim import (
    data_decoder,
    data_provider,
    dataset,
    dataset_data_provider,
    evaluation,
    learning,
    model_analyzer,
    nets,
    parallel_reader,
    prefetch_queue,
    queues,
    summaries,
    tfexample_decoder,
)

__all__ = [
    "data_decoder",
    "data_provider",
    "dataset",
    "dataset_data_provider",
    "evaluation",
    "initializers",
    "layers",
    "learning",
    "losses",
    "metrics",
    "model_analyzer",
    "nets",
    "optimizers",
    "parallel_reader",
    "prefetch_queue",
    "queues",
    "regularizers",
    "summaries",
    "tfexample_decoder",
    "utils",
    "variables",
]
_FROM = (layers, framework)


def __getattr__(name: str) -> Any:
    """Finds a name of contrib.layers or contrib.framework."""
    for module in _FROM:
        if name in module.__all__:
            return getattr(module, name)
    raise _missing.error("slim", name)


def __dir__() -> list[str]:
    """Names what is here and what shows through."""
    return sorted({*__all__, *(name for module in _FROM for name in module.__all__)})
