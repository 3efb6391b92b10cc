"""The training apps with planted defects, for every way of training.

    python -m tests.benchmarks.planted modern.train same_shard --strategy=multi_worker_mirrored ...
    python -m tests.benchmarks.planted legacy.train lost_updates,none --repeats=3 ...

With --repeats, the n-th training has the n-th defect of the list. Trainings after the end of the
list have the last defect.

rate_0.9, rate_0.8,
rate_1.2, rate_2     multiplies the learning rate by this factor
lost_updates         drops one update in ten at random
same_shard           makes every trainer read the share of the first
shifted_in_one       replaces the labels of trainer 1 by the next class
summed_gradients     sums gradients over two trainers instead of averaging them
shifted_labels       replaces every label by the next class
unscaled_rate        disables --scale_learning_rate
dropped_variable     removes the bias of the last layer (modern.train only)
none                 changes nothing
"""

import contextlib
import functools
import importlib
import sys
from unittest import mock

LOST = 0.1
CLASSES = 10


def _rate(factor):
    """Multiplies the learning rate of the job's schedule, in both apps."""
    planted = contextlib.ExitStack()
    for package in ("modern", "legacy"):
        job = importlib.import_module(f"{package}.jobs.mnist_cnn")
        make = job.make_learning_rate

        def changed(rate, *rest, make=make):
            return make(factor * rate, *rest)

        planted.enter_context(mock.patch.object(job, "make_learning_rate", changed))
    return planted


def _changed_gradients(change):
    """Changes the gradients of each step before they are applied, in both apps."""
    import tensorflow.compat.v1 as tf

    from legacy.jobs import mnist_cnn as job
    from modern.tasks import counted_model

    real = counted_model.TrainingModel._apply

    def apply(self, gradients, variables, factor):
        real(self, change(gradients), variables, factor)

    class Optimizer(tf.train.GradientDescentOptimizer):
        def apply_gradients(self, grads_and_vars, *args, **named):
            gradients, variables = zip(*grads_and_vars, strict=True)
            changed = zip(change(gradients), variables, strict=True)
            return super().apply_gradients(list(changed), *args, **named)

    planted = contextlib.ExitStack()
    planted.enter_context(mock.patch.object(counted_model.TrainingModel, "_apply", apply))
    planted.enter_context(mock.patch.object(job, "make_optimizer", Optimizer))
    return planted


def lost_updates():
    import tensorflow as tf

    def change(gradients):
        kept = tf.cast(tf.random.uniform([]) >= LOST, tf.float32)
        return [gradient * kept for gradient in gradients]

    return _changed_gradients(change)


def summed_gradients():
    return _changed_gradients(lambda gradients: [2 * gradient for gradient in gradients])


def _changed_batches(change):
    """Replaces each trainer's batches by `change(trainer, batches)`. `batches` takes a share."""
    from modern.data import pipeline

    real = pipeline.train_batches

    def train_batches(features, labels, size, seed, trainers=1, trainer=0, *rest, **named):
        def batches(share):
            return real(features, labels, size, seed, trainers, share, *rest, **named)

        return change(trainer, batches)

    return mock.patch.object(pipeline, "train_batches", train_batches)


def same_shard():
    return _changed_batches(lambda trainer, batches: batches(0))


def _next_class(labels, shifted):
    import tensorflow as tf

    return (labels + tf.cast(shifted, labels.dtype)) % CLASSES


def shifted_in_one():
    import tensorflow as tf

    return _changed_batches(
        lambda trainer, batches: batches(trainer).map(
            lambda features, labels: (features, _next_class(labels, tf.equal(trainer, 1)))
        )
    )


def shifted_labels():
    return _changed_batches(
        lambda trainer, batches: batches(trainer).map(
            lambda features, labels: (features, _next_class(labels, True))
        )
    )


def unscaled_rate():
    from modern.optimizers import schedules

    return mock.patch.object(schedules, "scale", lambda base, replicas: base)


def dropped_variable():
    import tf_keras

    from modern.jobs import mnist_cnn as job

    whole = job.build_model

    def build_model():
        last = tf_keras.layers.Dense(10, use_bias=False, name="logits")
        return tf_keras.Sequential([tf_keras.Input((28, 28)), *whole().layers[:-1], last])

    return mock.patch.object(job, "build_model", build_model)


# Defects whose detection rates are recorded for every way.
RECORDED = {
    **{f"rate_{factor}": functools.partial(_rate, factor) for factor in (0.9, 0.8, 1.2, 2)},
    "lost_updates": lost_updates,
    "same_shard": same_shard,
    "shifted_in_one": shifted_in_one,
    "summed_gradients": summed_gradients,
}
# Defects that change the weights of a training with one trainer.
OF_ONE_TRAINER = [name for name in RECORDED if name not in ("same_shard", "shifted_in_one")]
DEFECTS = {
    **RECORDED,
    "shifted_labels": shifted_labels,
    "unscaled_rate": unscaled_rate,
    "dropped_variable": dropped_variable,
}
NONE = "none"


def program(way, *names):
    """Returns the arguments to Python that run a way with defects, for `ways.Setting.programs`."""
    app = "legacy.train" if way == "legacy" else "modern.train"
    return ("-m", "tests.benchmarks.planted", app, ",".join(names))


def plant(names):
    """Plants a defect at the start of each repeat.

    Args:
      names: Names of the defects, by repeat. The last one also applies to all further repeats. For
        example, with "same_shard" and "none", only the first repeat has a defect.
    """
    from modern.tasks import repeats

    planted, wait_for_start = contextlib.ExitStack(), repeats.wait_for_start

    def wait_and_plant(signal, repeat):
        begins = wait_for_start(signal, repeat)
        planted.close()  # Removes the defect of the last repeat.
        name = names[min(repeat, len(names) - 1)]
        if begins and name != NONE:
            planted.enter_context(DEFECTS[name]())
        return begins

    repeats.wait_for_start = wait_and_plant


def main():
    """Runs the app that the first argument names, with the defects that the second names."""
    app, names = sys.argv.pop(1), sys.argv.pop(1)
    train = importlib.import_module(app)
    from modern.process import cli
    from modern.tasks import train_flags

    plant(names.split(","))
    define_flags = train.define_flags if app == "legacy.train" else train_flags.define_flags
    define_flags()
    cli.run(train.main)


if __name__ == "__main__":
    main()
