"""Trains as `python -m modern.train`, and prints how many trained models are left. A program.

It counts them when the evaluation at the end begins.
"""

import gc

from modern import train
from modern.process import cli
from modern.tasks import counted_model, evaluation, train_flags

plain_model = evaluation.plain_model


def counting(job, values):
    found = [one for one in gc.get_objects() if isinstance(one, counted_model.CountingSteps)]
    print(f"models: {len(found)}", flush=True)
    return plain_model(job, values)


if __name__ == "__main__":
    vars(evaluation)["plain_model"] = counting
    train_flags.define_flags()
    cli.run(train.main, misuse=train.MISUSE)
