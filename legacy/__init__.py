"""The Estimator era, on today's TensorFlow.

`legacy.estimator` is the tf.estimator API, built on TensorFlow's public v1 API alone:

    from legacy import estimator as tf_estimator

    classifier = tf_estimator.Estimator(model_fn, model_dir="/tmp/model")
    classifier.train(input_fn, max_steps=1000)

`legacy.compat.v1.estimator` is its v1 API, `legacy.contrib` what is provided of tf.contrib, and
`python -m legacy.run OLD.py` runs an old program from its own untouched files; `legacy.install()`
does the same to the running process. Importing this package alone changes nothing in the process.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """Imports `install` when it is asked for."""
    if name == "install":
        from legacy.installing import install

        return install
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
