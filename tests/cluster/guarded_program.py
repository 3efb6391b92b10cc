"""Trains through one of the engine's callers. The loss may become NaN.

    python -m tests.cluster.guarded_program \
        job|keras3|migrated|ported|bridged MODEL_DIR STRATEGY STEPS [NAN_FROM [STEPS_PER_EXECUTION]]

Saves every ten steps. The labels are NaN from batch NAN_FROM on. Only the apps have a number of
steps per execution.
"""

import sys

import numpy as np
import tensorflow as tf

NEVER = 10**9
# For `spoiled_input_fn`.
_first_nan = NEVER


def spoiled(batches, first_nan, first=0):
    """Returns the batches with labels that are NaN from batch `first_nan` on."""
    return batches.enumerate(first).map(
        lambda number, batch: (batch[0], tf.where(number >= first_nan, np.nan, 1.0) * batch[1])
    )


def spoiled_input_fn():
    """Returns the batches of a model_fn."""
    from tests.migrate.bridge import small

    return spoiled(small.endless(), _first_nan)


def _flags(model_dir, strategy, steps, steps_per_execution):
    return [
        f"--model_dir={model_dir}", f"--strategy={strategy}", f"--train_steps={steps}",
        "--save_checkpoints_steps=10", f"--steps_per_execution={steps_per_execution}",
        "--keep_checkpoint_max=1000", "--noexport",
    ]  # fmt: skip


def keras3(model_dir, strategy, steps, first_nan, steps_per_execution):
    """Trains a documented job with Keras 3."""
    from modern.process import chosen_keras

    chosen_keras.choose(3)  # Before the job is imported here.
    job(model_dir, strategy, steps, first_nan, steps_per_execution, "--keras=3")


def job(model_dir, strategy, steps, first_nan, steps_per_execution, *flags):
    """Trains a documented job by the app."""
    from modern import train
    from modern.jobs import linear_regression
    from modern.process import cli
    from modern.tasks import train_flags

    real = linear_regression.train_input_fn

    def train_input_fn(arrays, size, seed, trainers=1, trainer=0, first_step=0):
        made = real(arrays, size, seed, trainers, trainer, first_step)
        return spoiled(made, first_nan, first_step)

    linear_regression.train_input_fn = train_input_fn
    sys.argv[1:] = ["--job=linear_regression", *flags]
    sys.argv += _flags(model_dir, strategy, steps, steps_per_execution)
    train_flags.define_flags()
    cli.run(train.main, misuse=train.MISUSE)


def migrated(model_dir, strategy, steps, first_nan, steps_per_execution):
    """Trains a model_fn by `migrate train`."""
    from migrate import train
    from tests.cluster import guarded_program

    # The app imports this module by its name, which is not the module that runs as a program.
    guarded_program._first_nan = first_nan
    train.main(
        [
            "--model_fn=tests.migrate.bridge.small:model_fn",
            "--input_fn=tests.cluster.guarded_program:spoiled_input_fn",
            "--eval_input_fn=tests.migrate.bridge.small:input_fn",
            "--steps_per_epoch=1000",
            *_flags(model_dir, strategy, steps, steps_per_execution),
        ]
    )


def ported(model_dir, strategy, steps, first_nan):
    """Trains a program in the form that `migrate rewrite` generates."""
    from modern import porting
    from tests.modern import generated

    model = generated.compiled(porting.strategy(model_dir))
    porting.restore(model, model_dir, save_steps=10, keep=None)
    porting.train(
        model, lambda: spoiled(generated.data().repeat().batch(8), first_nan), max_steps=steps
    )


def bridged(model_dir, strategy, steps, first_nan):
    """Trains a model_fn by the bridge."""
    from migrate import bridge
    from migrate.bridge import as_estimator
    from tests.migrate.bridge import small

    with as_estimator.strategy(model_dir).scope():
        model = bridge.KerasModelFn(small.model_fn, {})
    as_estimator.restore(model, model_dir, save_steps=10, keep=None)
    as_estimator.train(model, lambda: spoiled(small.endless(), first_nan), max_steps=steps)


def main(caller, model_dir, strategy, steps, first_nan=NEVER, steps_per_execution=1):
    apps = {"job": job, "keras3": keras3, "migrated": migrated}
    if caller in apps:
        apps[caller](model_dir, strategy, int(steps), int(first_nan), int(steps_per_execution))
    else:
        callers = {"ported": ported, "bridged": bridged}
        callers[caller](model_dir, strategy, int(steps), int(first_nan))


if __name__ == "__main__":
    main(*sys.argv[1:])
