"""The tags, the signature name and the export outputs of each mode of a SavedModel.

>>> EXPORT_TAG_MAP["infer"], SIGNATURE_KEY_MAP["infer"]
(['serve'], 'serving_default')
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.estimator.export.outputs import ExportOutput, PredictOutput
from legacy.estimator.export.supervised_outputs import EvalOutput, TrainOutput
from legacy.estimator.mode_keys import ModeKeys

EXPORT_TAG_MAP = {
    ModeKeys.PREDICT: [tf.saved_model.SERVING],
    ModeKeys.TRAIN: [tf.saved_model.TRAINING],
    ModeKeys.EVAL: ["eval"],  # Not among TensorFlow's public constants.
}
SIGNATURE_KEY_MAP = {
    ModeKeys.PREDICT: tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    ModeKeys.TRAIN: "train",
    ModeKeys.EVAL: "eval",
}


def export_outputs_for_mode(
    mode: str,
    serving_export_outputs: dict[str, ExportOutput] | None = None,
    predictions: Any = None,
    loss: Any = None,
    metrics: Any = None,
) -> dict[str, ExportOutput]:
    """Returns the export outputs of a mode, by signature name.

    Args:
      mode: One of `ModeKeys`.
      serving_export_outputs: The model_fn's `ExportOutput`s by name, for PREDICT. None makes a
        `PredictOutput` of the predictions.
      predictions: A tensor, or a dict of tensors.
      loss: A tensor, or a dict of tensors, for TRAIN and EVAL.
      metrics: Pairs (value, update operation) by name, for TRAIN and EVAL.

    Raises:
      ValueError: The mode is unknown, or an output has a wrong name or value.
      TypeError: `serving_export_outputs` is not a dict of `ExportOutput`s.
    """
    if mode not in SIGNATURE_KEY_MAP:
        raise ValueError(
            f"Export output type not found for `mode`: {mode}. "
            f"Expected one of: {list(SIGNATURE_KEY_MAP)}."
        )
    if mode == ModeKeys.PREDICT:
        return get_export_outputs(serving_export_outputs, predictions)
    kind = TrainOutput if mode == ModeKeys.TRAIN else EvalOutput
    output = kind(loss=loss, predictions=predictions, metrics=metrics)
    return {SIGNATURE_KEY_MAP[mode]: output}


def get_export_outputs(
    export_outputs: dict[str, ExportOutput] | None, predictions: Any
) -> dict[str, ExportOutput]:
    """Checks a model_fn's export outputs and adds the default output.

    Args:
      export_outputs: `ExportOutput`s by signature name. None makes a `PredictOutput` of the
        predictions. A single output is also added as the default, in the same dict.
      predictions: A tensor, or a dict of tensors.

    Returns:
      The outputs, including the default "serving_default".

    Raises:
      TypeError: `export_outputs` is not a dict of `ExportOutput`s.
      ValueError: `export_outputs` has several outputs but no default.
    """
    default = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if export_outputs is None:
        export_outputs = {default: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"`export_outputs` must be dict, received: {export_outputs}.")
    # Not isinstance: programs also pass TensorFlow's own, similar classes.
    if not all(hasattr(output, "as_signature_def") for output in export_outputs.values()):
        raise TypeError(
            f"Values in `export_outputs` must be ExportOutput objects, received: {export_outputs}."
        )
    if len(export_outputs) == 1:
        export_outputs.setdefault(default, *export_outputs.values())
    if len(export_outputs) > 1 and default not in export_outputs:
        raise ValueError(
            "Multiple `export_outputs` were provided, but none of them are specified as the "
            f"default: {list(export_outputs)}. Name one of them {default!r} "
            "(tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY)."
        )
    return export_outputs
