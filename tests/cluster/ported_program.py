"""A program as `migrate rewrite` generates it. Every task of a cluster runs it.

python tests/cluster/ported_program.py MODEL_DIR synchronous|served|parted
"""

import json
import os
import signal
import sys

import tensorflow as tf
import tf_keras

from modern import porting
from modern.cluster import tf_config
from tests.modern import draws, generated

HALF, STEPS, BATCH = 20, 40, 8
# For `parted`: the step at which the last worker sets stop_training, the number of batches that its
# data has, and the step of the training after that at which it gets a signal.
WISHED, OWN_BATCHES, SIGNALLED = 13, 25, 5


class Model(generated.Model):
    """Model that records its random numbers in each training step. It sets no seed itself."""

    def __init__(self, params, path):
        super().__init__(params)
        self.dropout, self.path = tf_keras.layers.Dropout(0.5), path

    def call(self, features, training=False):
        if training:
            draws.note(features, self.dropout(tf.ones([64]), training=True), self.path)
        return super().call(features, training)


def endless():
    """Returns endless examples, with unseeded random numbers among their features."""
    return draws.added(generated.data().repeat())


def own_data():
    """Returns the share of the examples that this worker reads, for two synchronous workers."""
    return draws.added(generated.data().repeat().shard(2, tf_config.load().task_index))


def eval_data():
    return generated.data(50, seed=5).batch(16)


def train(model, data, max_steps, *callbacks):
    return porting.train_and_evaluate(
        model,
        lambda: data().batch(BATCH),
        eval_data,
        max_steps=max_steps,
        callbacks=[*porting.callbacks(model), *callbacks],
        exporters=[
            porting.FinalExporter("final", generated.serving),
            porting.BestExporter("best", generated.serving),
        ],
        start_delay_secs=0,
        throttle_secs=0,
    )


def at(batch, act):
    """Returns a callback that acts once, after a batch."""
    return tf_keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda index, logs: act() if index + 1 == batch else None
    )


def parted(model):
    """Stops by one worker's stop_training, shorter data and signal. The other worker follows it."""
    is_last = tf_config.load().task_index == 1

    def train(data, act_at=0, act=None):
        callbacks = [at(act_at, act)] if is_last and act else []
        porting.train(
            model, lambda: data.batch(BATCH), callbacks=[*porting.callbacks(model), *callbacks]
        )
        print(f"step {model.optimizer.iterations.numpy()}", flush=True)

    train(endless(), WISHED, lambda: setattr(model, "stop_training", True))
    some = endless().take((OWN_BATCHES + (not is_last)) * BATCH)
    train(some.filter(lambda *_: True) if is_last else some)
    # `filter` hides the size of the dataset, so it is not known in advance that it is shorter.
    train(endless(), SIGNALLED, lambda: os.kill(os.getpid(), signal.SIGTERM))


def main(model_dir, way):
    strategy = porting.strategy(model_dir)
    tf_keras.utils.set_random_seed(1)  # The same in all tasks, as in a program that sets one.
    model = generated.compiled(strategy, make=lambda params: Model(params, f"{model_dir}.draws"))
    porting.restore(model, model_dir, save_steps=20)
    assert porting.strategy(model_dir) is strategy  # A second model gets the same strategy.
    if way == "parted":
        parted(model)
    elif way == "synchronous":
        for steps in (HALF, STEPS):  # The second call resumes at the step that the first has saved.
            train(model, own_data, steps)
    else:
        train(model, endless, 150)
        stop = porting.StopIfLower("loss", 0.05, run_every_secs=None, run_every_steps=1)
        train(model, endless, 100_000, stop)
        if tf_config.load().task_type == "chief":
            porting.train(model, lambda: endless().batch(BATCH), steps=10)
    config = tf_config.load()
    found = {
        "step": int(model.optimizer.iterations.numpy()),
        "evaluated": porting.evaluate(model, eval_data()),
        "predicted": [float(one["out"][0]) for one in porting.predict(model, eval_data())],
        "weights": [value.tolist() for value in model.get_weights()[:4]],
    }
    with open(os.path.join(model_dir, f"{config.name}.json"), "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
