"""tf.contrib.slim: layers with argument scopes, training loops, datasets and networks.

    with slim.arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(5e-4)):
        net = slim.conv2d(images, 64, 3, scope="conv1")
    train_op = slim.learning.create_train_op(loss, optimizer)
    slim.learning.train(train_op, "/tmp/model", number_of_steps=1000)

It has all public names of contrib.layers and contrib.framework, such as slim.conv2d and
slim.arg_scope. It also has the modules of contrib.layers that networks use through it, such as
slim.utils.

Files in reading order:
learning               builds train ops and runs them: create_train_op, train
evaluation             evaluates checkpoints: evaluate_once, evaluation_loop
nets                   builds networks for images: VGG, Inception v3, ResNet
dataset                describes a dataset: Dataset
data_decoder           defines decoders of serialized data: DataDecoder
tfexample_decoder      decodes tf.Example records into items: TFExampleDecoder
data_provider          returns the tensors of items: DataProvider
dataset_data_provider  reads the items of a Dataset: DatasetDataProvider
parallel_reader        reads records with several readers: parallel_read
queues                 runs the threads of input queues: QueueRunners
prefetch_queue         queues batches for later steps
summaries              adds scalar, image and histogram summaries
model_analyzer         prints the sizes of operations and variables
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
    """Returns the object of this name in contrib.layers or contrib.framework."""
    for module in _FROM:
        if name in module.__all__:
            return getattr(module, name)
    raise _missing.error("slim", name)


def __dir__() -> list[str]:
    """Returns the names of this module, contrib.layers and contrib.framework."""
    return sorted({*__all__, *(name for module in _FROM for name in module.__all__)})
