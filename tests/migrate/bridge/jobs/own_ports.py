"""The port in tests/benchmarks/own_program.py as a job, and its initial weights for other ports."""

from migrate.bridge.jobs.port_job import PortJob
from modern.model_files import weights

PROGRAM = "tests.benchmarks.own_program"


def job_of(model, params=f"{PROGRAM}:hparams", input_fn="input_fn", eval_input_fn="eval_input_fn"):
    """Returns the job of a port in own_program."""
    names = (f"{PROGRAM}:{model}", f"{PROGRAM}:{input_fn}", f"{PROGRAM}:{eval_input_fn}")
    return PortJob(*names, params)


def save_weights(path):
    """Writes initial weights, from which ports to tf_keras and to Keras 3 can begin."""
    values = weights.read(job_of("build_model", eval_input_fn="finite").port())
    # Only tf_keras puts the name of a Sequential model before those of its weights.
    short = {name.removeprefix("sequential/"): value for name, value in values.items()}
    weights.save(str(path), values | short)
