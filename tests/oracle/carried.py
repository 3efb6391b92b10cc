"""Carries the documented jobs from TensorFlow 2.15's own tf.estimator to Keras, and back.

    python -m tests.oracle.carried              # all, and builds the environment
    python -m tests.oracle.carried mnist_cnn    # some
    python -m tests.oracle.carried --python=/path/to/python/of/tensorflow-2.15

The original trains 100 steps. Its checkpoint is then trained for 100 more steps by the original, by
the bridge, and by the port in `modern/jobs` after `migrate checkpoint convert`. The losses must
agree to 1e-4 and the metrics to 1e-5.

With small batches and deep batch normalization, a difference in the last bit of a weight exceeds
this tolerance after 100 steps. To measure that, the original also trains from a checkpoint in which
every weight is moved to a neighboring float. Twice the resulting difference is allowed.

Finally the port's checkpoint is converted back, and the original must evaluate it to the metrics of
the port. Exit code: 0 if all checks pass, else 1.
"""

import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

from migrate import bridge, checkpoint  # noqa: E402
from modern.model_files import weights  # noqa: E402
from tests.migrate.programs import jobs  # noqa: E402
from tests.oracle import original_job, record  # noqa: E402

JOBS = ("linear_regression", "mnist_cnn", "resnet56_cifar10", "wide_deep")
STEPS = 100
LOSSES, METRICS = 1e-4, 1e-5  # Relative tolerance of losses, absolute tolerance of metrics.
EARLIER = 10  # Steps by which noise may grow earlier than in the reference.


class Losses(tf_keras.callbacks.Callback):
    """Records the loss of each epoch. The training makes each step an epoch."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def on_epoch_end(self, epoch, logs=None):
        self.seen.append(logs["loss"])


def original(python, name, folder, steps):
    """Trains a job with the original and returns its losses and metrics."""
    output = folder + ".json"
    command = [python, "-m", "tests.oracle.original_job", name, folder, str(steps), output]
    subprocess.run(command, check=True, cwd=record.ROOT, stderr=subprocess.DEVNULL)
    with open(output) as file:
        return json.load(file)


def continued(model, name):
    """Trains a model from step 100 and returns losses and metrics in the form of `original`."""
    job = importlib.import_module("legacy.jobs." + name)
    train, evaluation = original_job.inputs(job, STEPS)
    losses = Losses()
    model.fit(train, epochs=STEPS, steps_per_epoch=1, verbose=0, callbacks=[losses])
    metrics = model.evaluate(evaluation, verbose=0, return_dict=True)
    return {"losses": losses.seen, "metrics": {key: float(v) for key, v in metrics.items()}}


def bridged(name, folder):
    """Trains the job's own model_fn by the bridge."""
    job = importlib.import_module("legacy.jobs." + name)
    model = bridge.KerasModelFn(job.model_fn, original_job.params(job))
    model.load_estimator_checkpoint(folder)
    return continued(model, name)


def ported(name, folder, scratch):
    """Trains the port in modern/jobs and returns its losses and metrics, and its checkpoint."""
    converted = os.path.join(scratch, "converted")
    build = f"tests.migrate.programs.jobs:{name}"
    checkpoint.convert(folder, converted, model=build, given=names(name), options=told(name))
    tf_keras.utils.set_random_seed(7)
    model = getattr(jobs, name)()
    kept = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    kept.restore(converted).assert_existing_objects_matched()
    found = continued(model, name)
    return found, kept.write(os.path.join(scratch, "ported"))


def names(name):
    pairs = jobs.WIDE_DEEP_MAP if name == "wide_deep" else {}
    return checkpoint.TensorMap(pairs=dict(pairs))


def told(name):
    job = importlib.import_module("legacy.jobs." + name)
    rate = original_job.params(job)["learning_rate"] if name == "resnet56_cifar10" else None
    return checkpoint.Options(learning_rate=rate)


def compared(found, expected):
    """Returns the relative differences of the losses by step, and the largest of the metrics."""
    losses = np.abs(np.divide(found["losses"], expected["losses"]) - 1)
    common = set(found["metrics"]) & set(expected["metrics"])
    metrics = [abs(found["metrics"][k] - expected["metrics"][k]) for k in common]
    return losses, float(np.max(metrics))


def nudged(start, folder):
    """Copies a checkpoint's folder and moves every float32 to a neighboring value."""
    shutil.copytree(start, folder)
    path = tf.train.latest_checkpoint(folder)
    random = np.random.default_rng(0)

    def moved(value):
        if value.dtype != np.float32:
            return value
        return np.nextafter(value, random.choice([-np.inf, np.inf], value.shape).astype("f"))

    values = {name: moved(value) for name, value in weights.load(path).items()}
    weights.save(path, values)
    return folder


def carry(python, name, scratch):
    """Carries one job and returns a sentence for each check that fails."""
    start = os.path.join(scratch, "original")
    original(python, name, start, STEPS)
    shutil.copytree(start, start + "-200")
    expected = original(python, name, start + "-200", STEPS)
    noise, noise_in_metrics = compared(
        original(python, name, nudged(start, start + "-nudged"), STEPS), expected
    )
    # Noise grows exponentially, so slightly larger noise reaches the same size some steps earlier.
    # It also rises and falls with the loss. Hence the running maximum.
    later = np.append(noise[EARLIER:], [noise[-1]] * EARLIER)
    allowed = np.maximum(LOSSES, 2 * np.maximum.accumulate(later))
    port, saved = ported(name, start, scratch)
    wrong = []
    for way, found in (("bridge", bridged(name, start)), ("port", port)):
        losses, metrics = compared(found, expected)
        print(
            f"{name}  {way}  losses {losses.max():.1e} (noise {noise.max():.1e})  metrics "
            f"{metrics:.1e} (noise {noise_in_metrics:.1e})",
            flush=True,
        )
        if np.any(losses > allowed) or metrics > max(METRICS, 2 * noise_in_metrics):
            wrong.append(f"{name}: the {way} comes to other losses or metrics")
    back = os.path.join(scratch, "back")
    options = told(name)
    prefix = os.path.join(back, "model.ckpt-200")
    os.makedirs(back)
    given = checkpoint.TensorMap(pairs={v: k for k, v in names(name).pairs.items()})
    checkpoint.convert(saved, prefix, like=start, given=given, options=options)
    metrics = original(python, name, back, 0)["metrics"]
    difference = compared({**port, "metrics": metrics}, port)[1]
    print(f"{name}  back  metrics {difference:.1e}", flush=True)
    if difference > METRICS:
        wrong.append(f"{name}: the original evaluates the port's checkpoint to something else")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jobs", nargs="*", default=JOBS)
    parser.add_argument("--python", help="of TensorFlow 2.15; default: one is built")
    options = parser.parse_args()
    python = options.python or record.environment("2.15.1")
    wrong = []
    for name in options.jobs:
        with tempfile.TemporaryDirectory() as scratch:
            wrong += carry(python, name, scratch)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
