"""Flags that name a user's own job: a model_fn or a Keras model, and its input functions.

`migrate train`, `legacy.train` and `benchmarks.compare` share them:

    own_job_flags.define_model_fn()
    own_job_flags.define_keras_model()
    ...
    own_job_flags.check()  # before anything is imported or started
"""

from __future__ import annotations

import json

from absl import flags

from modern.process import cli, foreign_files, references

FLAGS = flags.FLAGS
# Flags that a model_fn and its input_fn replace. Not every app has all of them.
_OF_DOCUMENTED_JOBS = (
    "job",
    "dataset",
    "data_dir",
    "batch_size",
    "learning_rate",
    "learning_rate_decay",
    "scale_learning_rate",
    "learning_rate_warmup_steps",
    "gradient_compression",
)
_INPUTS = ("input_fn", "eval_input_fn", "model_params")


def define_model_fn() -> None:
    """Defines the flags of a model_fn, of its input functions and of its params."""
    flags.DEFINE_string(
        "model_fn",
        None,
        "Train this model_fn of an Estimator's instead of a --job: package.module:function.",
    )
    flags.DEFINE_string(
        "input_fn", None, "Its input, package.module:function; returns a tf.data.Dataset."
    )
    flags.DEFINE_string("eval_input_fn", None, "Its input in evaluation; default: --input_fn.")
    flags.DEFINE_string(
        "model_params", "{}", "Its params: a JSON object, or package.module:name of them."
    )


def define_keras_model() -> None:
    """Defines the flag of a Keras model."""
    flags.DEFINE_string(
        "keras_model",
        None,
        "A function that returns a compiled Keras model: package.module:function. It takes the "
        "same --input_fn, and --model_params if it has an argument `params`.",
    )


def model() -> str | None:
    """Returns the value of the flag that names the user's model. None for a documented job."""
    return FLAGS.model_fn or (FLAGS.keras_model if "keras_model" in FLAGS else None)


def check(port_of_model_fn: bool = False) -> None:
    """Raises UsageError if the flags contradict each other. Imports none of the modules.

    Args:
      port_of_model_fn: If true, --keras_model is the port of --model_fn, and both are trained. If
        false, only one of them is.
    """
    models = [name for name in ("model_fn", "keras_model") if name in FLAGS and FLAGS[name].value]
    if port_of_model_fn and models == ["keras_model"]:
        raise cli.UsageError(
            f"--keras_model={FLAGS.keras_model} needs --model_fn, with which it is compared."
        )
    if not models:
        for name in _INPUTS:
            if FLAGS[name].present:
                raise cli.UsageError(f"--{name} needs --model_fn.")
        return
    if len(models) > 1 and not port_of_model_fn:
        raise cli.UsageError(
            f"--model_fn={FLAGS.model_fn} and --keras_model={FLAGS.keras_model} are two models: "
            "leave one of them out."
        )
    flag_text = f"--{models[0]}={model()}"
    if not FLAGS.input_fn:
        raise cli.UsageError(f"{flag_text} needs --input_fn=package.module:function, its input.")
    for name in _OF_DOCUMENTED_JOBS:
        if name in FLAGS and FLAGS[name].present:
            raise cli.UsageError(
                f"--{name} is for a --job; {flag_text} is controlled by --model_params and by its "
                "--input_fn: leave it out."
            )
    for name in (*models, "input_fn", "eval_input_fn"):
        if value := FLAGS[name].value:
            references.check_form(str(value), f"--{name}")
    _check_params()


def _check_params() -> None:
    text = FLAGS.model_params
    if not text.startswith("{"):
        if ":" not in text:
            raise cli.UsageError(
                f"--model_params={text} is neither a JSON object, {{...}}, nor package.module:name."
            )
        references.check_form(text, "--model_params")
        return
    try:
        json.loads(text)
    except (RecursionError, ValueError) as error:
        shown = foreign_files.one_line(text)
        raise cli.UsageError(f"--model_params={shown} is not JSON: {error}.") from error
