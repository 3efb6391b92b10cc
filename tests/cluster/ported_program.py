"""A program as `migrate rewrite` writes it, which every task of a cluster runs: ring or served.

python tests/cluster/ported_program.py MODEL_DIR ring|served
"""

import json
import os
import sys

from modern import porting
from modern.cluster import tf_config
from tests.modern import generated

HALF, STEPS, BATCH = 20, 40, 8


def own_data():
    """What a worker of a ring of two reads."""
    return generated.data().repeat().shard(2, tf_config.load().task_index)


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


def main(model_dir, way):
    strategy = porting.strategy(model_dir)
    model = generated.compiled(strategy)
    porting.restore(model, model_dir, save_steps=20)
    assert porting.strategy(model_dir) is strategy  # A second model has the same one.
    if way == "ring":
        for steps in (HALF, STEPS):  # The second goes on where the first has saved its end.
            train(model, own_data, steps)
    else:
        train(model, lambda: generated.data().repeat(), 150)
        stop = porting.StopIfLower("loss", 0.05, run_every_secs=None, run_every_steps=1)
        train(model, lambda: generated.data().repeat(), 100_000, stop)
        if tf_config.load().task_type == "chief":
            porting.train(model, lambda: generated.data().repeat().batch(BATCH), steps=10)
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
