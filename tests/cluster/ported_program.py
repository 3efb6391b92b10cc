"""A program as `migrate rewrite` writes it, which every task of a cluster runs: ring or served.

python tests/cluster/ported_program.py MODEL_DIR ring|served|parted
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
# Of `parted`: the step at which one worker wishes to end, how many more batches one has, and when
# after these one gets a signal.
WISHED, OWN_BATCHES, SIGNALLED = 13, 25, 5


class Model(generated.Model):
    """Notes in each step of training what is drawn without a seed."""

    def __init__(self, params, path):
        super().__init__(params)
        self.dropout, self.path = tf_keras.layers.Dropout(0.5), path

    def call(self, features, training=False):
        if training:
            draws.note(features, self.dropout(tf.ones([64]), training=True), self.path)
        return super().call(features, training)


def endless():
    """The examples, with unseeded random numbers beside them."""
    return draws.added(generated.data().repeat())


def own_data():
    """What a worker of a ring of two reads."""
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
    """A callback that acts once, after a batch."""
    return tf_keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda index, logs: act() if index + 1 == batch else None
    )


def parted(model):
    """One worker of a ring wishes to end, has less data, gets a signal: all do as that one."""
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
    train(endless(), SIGNALLED, lambda: os.kill(os.getpid(), signal.SIGTERM))


def main(model_dir, way):
    strategy = porting.strategy(model_dir)
    tf_keras.utils.set_random_seed(1)  # The same in all tasks, as in a program that sets one.
    model = generated.compiled(strategy, make=lambda params: Model(params, f"{model_dir}.draws"))
    porting.restore(model, model_dir, save_steps=20)
    assert porting.strategy(model_dir) is strategy  # A second model has the same one.
    if way == "parted":
        parted(model)
    elif way == "ring":
        for steps in (HALF, STEPS):  # The second goes on where the first has saved its end.
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
