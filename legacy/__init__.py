"""The Estimator-era API, on today's TensorFlow.

`legacy.estimator` is the tf.estimator API, built on TensorFlow's public v1 API alone:

    from legacy import estimator as tf_estimator

    classifier = tf_estimator.Estimator(model_fn, model_dir="/tmp/model")
    classifier.train(input_fn, max_steps=1000)

`legacy.compat.v1.estimator` is its v1 API, and `legacy.contrib` provides parts of tf.contrib.
`python -m legacy.run OLD.py` runs an old program from its own untouched files. `legacy.install()`
does the same to the running process. Importing this package alone changes nothing in the process.

Files in reading order:
train           trains a documented job, or a model_fn of yours, with an Estimator
documented_job  gives `train` a module of `legacy/jobs` and its data
own_job         gives `train` a model_fn and input functions of yours
jobs            holds the documented jobs as Estimator-era code
learning_rates  adds a decaying learning rate to a model_fn
counting        counts the steps and examples of a trainer
estimator       provides the tf.estimator API
compat          provides the names of tf.compat
contrib         provides parts of tf.contrib
run             runs an old program: python -m legacy.run OLD.py
reading         reads a program without running it, to learn the names and the API that it uses
startup         prepares a fresh Python process for an old program
same_names      lets a program have its own packages with the names of this toolkit's
installing      shows old TensorFlow to the running process: legacy.install()
old_names       imports a function of an old program
shim            provides the modules and names that an old program imports
names           lists the names of the Estimator era, provided or left out
private_api     replaces private TensorFlow modules that real programs import
keras_choice    selects legacy Keras before TensorFlow selects Keras 3
original        makes the original tensorflow-estimator importable
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """Imports `install` on first access. The import of the package alone has no side effects."""
    if name == "install":
        from legacy.installing import install

        return install
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
