"""`modern.train` with defects, which the first argument names.

    python -m tests.benchmarks.planted same_shard --strategy=multi_worker_mirrored ...
    python -m tests.benchmarks.planted same_shard,shifted_labels,none --repeats=3 ...

With --repeats each training has the defect of its place.

summed_gradients   summed over the trainers instead of averaged
same_shard         every trainer reads the share of the first
unscaled_rate      --scale_learning_rate does nothing
dropped_variable   the last layer has no bias
shifted_labels     every label is the next class's
none               nothing is wrong
"""

import contextlib
import sys
from unittest import mock


def summed_gradients():
    from modern import training_model

    real = training_model.TrainingModel._apply

    def apply(self, gradients, variables):
        replicas = self.distribute_strategy.num_replicas_in_sync
        real(self, [gradient * replicas for gradient in gradients], variables)

    return mock.patch.object(training_model.TrainingModel, "_apply", apply)


def same_shard():
    from modern.data import pipeline

    real = pipeline.train_batches

    def train_batches(features, labels, batch_size, seed, trainers=1, trainer=0, *rest):
        return real(features, labels, batch_size, seed, trainers, 0, *rest)

    return mock.patch.object(pipeline, "train_batches", train_batches)


def unscaled_rate():
    from modern import schedules

    return mock.patch.object(schedules, "scaled", lambda base, trainers: base)


def dropped_variable():
    import tf_keras

    from modern.jobs import mnist_cnn as job

    whole = job.build_model

    def build_model():
        last = tf_keras.layers.Dense(10, use_bias=False, name="logits")
        return tf_keras.Sequential([tf_keras.Input((28, 28)), *whole().layers[:-1], last])

    return mock.patch.object(job, "build_model", build_model)


def shifted_labels():
    from modern.data import pipeline

    real = pipeline.train_batches

    def train_batches(features, labels, *rest):
        return real(features, (labels + 1) % 10, *rest)

    return mock.patch.object(pipeline, "train_batches", train_batches)


DEFECTS = {
    defect.__name__: defect
    for defect in (summed_gradients, same_shard, unscaled_rate, dropped_variable, shifted_labels)
}
NONE = "none"


def plant(names):
    """Has each training begin with the defect of its place, the last name's where names end."""
    from modern import flags

    planted, wait_for_start = contextlib.ExitStack(), flags.wait_for_start

    def wait_and_plant(repeat):
        waited = wait_for_start(repeat)
        planted.close()
        name = names[min(repeat, len(names) - 1)]
        if name != NONE:
            planted.enter_context(DEFECTS[name]())
        return waited

    flags.wait_for_start = wait_and_plant


if __name__ == "__main__":
    from modern import cli, train, train_flags

    plant(sys.argv.pop(1).split(","))
    train_flags.define_flags()
    cli.run(train.main)
