"""Runs `modern.train` with one alteration, which the first argument names.

same_share      every trainer reads share 0, in the repeat with seed 1 (a planted defect)
shallow         ResNet with one block per stage, which is built quickly
without_memory  a parameter server has 100 bytes of free memory
ends_last       a finished chief waits until all servers have ended
watchful        a task that does not answer is named after three seconds
"""

import sys
import time


def same_share():
    from modern.jobs import linear_regression as job

    real = job.train_input_fn

    def train_input_fn(arrays, batch_size, seed, trainers=1, trainer=0, first_step=0):
        return real(arrays, batch_size, seed, trainers, 0 if seed == 1 else trainer, first_step)

    job.train_input_fn = train_input_fn


def shallow():
    from modern.jobs import resnet56_cifar10 as job

    job.BLOCKS_PER_STAGE = 1


def without_memory():
    from modern.process import process_info

    process_info.free_memory = lambda: 100


def ends_last():
    from modern.cluster import health, tf_config
    from modern.records import task_records

    real = task_records.Recorder.__exit__
    config = tf_config.load()

    def leave(recorder, *exception):
        real(recorder, *exception)
        if config.task_type == "chief":
            for address in [*config.cluster["ps"], *config.cluster["worker"]]:
                while health.accepts(address):
                    time.sleep(0.1)

    task_records.Recorder.__exit__ = leave


def watchful():
    from modern.training import stalls

    stalls.REPORT_AFTER_S = 3.0


if __name__ == "__main__":
    from modern import train
    from modern.process import cli
    from modern.tasks import train_flags

    alterations = (same_share, shallow, without_memory, ends_last, watchful)
    {one.__name__: one for one in alterations}[sys.argv.pop(1)]()
    train_flags.define_flags()
    cli.run(train.main)
