"""Preparations of the job in tests/benchmarks/own_program.py."""

from benchmarks import ways
from benchmarks.own_jobs import own_job

PROGRAM = "tests.benchmarks.own_program"
EVERY = [*ways.NAMES, *ways.PORT_NAMES]


def prepared(tmp_path, names=EVERY, steps=6, exact_steps=4, trainers=2, **changes):
    parts = {
        "model_fn": f"{PROGRAM}:model_fn",
        "input_fn": f"{PROGRAM}:input_fn",
        "eval_input_fn": f"{PROGRAM}:eval_input_fn",
        "model_params": f"{PROGRAM}:hparams",
        "keras_model": f"{PROGRAM}:build_model",
    }
    for name, value in changes.items():
        parts[name] = f"{PROGRAM}:{value}" if value and value != "{}" else value
    own = ways.OwnJob(**parts)
    setting = ways.Setting(job=own.model_fn, own_job=own, steps=steps, trainers=trainers)
    return own_job.Preparation(setting, names, str(tmp_path), exact_steps)
