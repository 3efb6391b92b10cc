"""SavedModels of contrib.learn, as written by `Estimator.export_savedmodel`, and their signatures.

serving_input_fn = contrib.learn.build_parsing_serving_input_fn(feature_spec)
path = estimator.export_savedmodel("/tmp/export", serving_input_fn)
"""

from __future__ import annotations

import collections
import os
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.constants import ModeKeys, PredictionKey, ProblemType
from legacy.contrib.learn.inputs.input_fn_utils import InputFnOps
from legacy.estimator.export import saved_model

tf1 = tf.compat.v1

DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"
FEATURES_INPUT_ALTERNATIVE_KEY = "features_input_alternative"
_DEFAULT_OUTPUT = "default_output_alternative"
_DEFAULT = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_FEATURE_KEYS = "input_feature_keys"

GraphRewriteSpec = collections.namedtuple("GraphRewriteSpec", ["tags", "transforms"])
DEFAULT_REWRITE_SPECS = (GraphRewriteSpec((tf.saved_model.SERVING,), ()),)


def export_savedmodel(
    estimator: Any,
    export_dir_base: str | bytes,
    serving_input_fn: Callable[[], Any],
    *,
    default_output_alternative_key: str | None,
    assets_extra: dict[str, str] | None,
    as_text: bool,
    checkpoint_path: str | None,
    graph_rewrite_specs: Any,
    strip_default_attrs: bool,
) -> bytes:
    """Writes a SavedModel. See `Estimator.export_savedmodel`.

    Args:
      estimator: The Estimator.
      export_dir_base: Folder in which a folder with a timestamp as its name is created.
      serving_input_fn: Function that returns `InputFnOps`.
      default_output_alternative_key: Name of the default head, if the model has several heads.
      assets_extra: Files to copy, by path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      checkpoint_path: The checkpoint.
      graph_rewrite_specs: Must have a single element, without transforms.
      strip_default_attrs: If true, strips attributes with default values from the graph.

    Returns:
      The folder, as bytes.

    Raises:
      ValueError: The input function is missing, the head does not exist, or the first element of
        `graph_rewrite_specs` has transforms.
      NotImplementedError: `graph_rewrite_specs` has several elements.
    """
    if serving_input_fn is None:
        raise ValueError("serving_input_fn must be defined.")
    if not graph_rewrite_specs or graph_rewrite_specs[0].transforms:
        raise ValueError("The first element of graph_rewrite_specs must specify no transforms.")
    if len(graph_rewrite_specs) > 1:
        _missing.refuse("learn.Estimator.export_savedmodel.graph_rewrite_specs")
    with tf.Graph().as_default():
        tf1.train.create_global_step()
        input_ops = serving_input_fn()
        inputs, features = get_input_alternatives(input_ops)
        for key in input_ops.features:
            tf1.add_to_collection(_FEATURE_KEYS, key)
        ops = estimator._call_model_fn(features, None, ModeKeys.INFER)
        outputs, default_key = get_output_alternatives(ops, default_output_alternative_key)
        signatures = build_all_signature_defs(inputs, outputs, default_key)
        folder = saved_model.get_timestamped_export_dir(export_dir_base)
        # The export is written to a temporary folder and renamed at the end, so that servers never
        # see an incomplete export.
        temp_folder = tf.compat.as_str(saved_model.get_temp_export_dir(folder))
        builder = tf1.saved_model.Builder(temp_folder)
        with tf1.Session(config=estimator._session_config) as session:
            saver = (ops.scaffold and ops.scaffold.saver) or tf1.train.Saver(sharded=True)
            saver.restore(session, checkpoint_path)
            builder.add_meta_graph_and_variables(
                session,
                graph_rewrite_specs[0].tags,
                signature_def_map=signatures,
                assets_collection=tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS),
                main_op=tf1.train.Scaffold.default_local_init_op(),
                strip_default_attrs=strip_default_attrs,
            )
    builder.save(as_text)
    for path, source in (assets_extra or {}).items():
        target = os.path.join(temp_folder, "assets.extra", path)
        tf.io.gfile.makedirs(os.path.dirname(target))
        tf.io.gfile.copy(source, target)
    tf.io.gfile.rename(temp_folder, folder)
    return folder


def get_input_alternatives(input_ops: Any) -> tuple[dict[str, Any], Any]:
    """Splits the return value of a serving input function.

    Args:
      input_ops: `InputFnOps`, or a pair (features, labels).

    Returns:
      The inputs by name of the alternative, and the features.

    Raises:
      ValueError: The features are missing.
    """
    alternatives = {}
    if isinstance(input_ops, InputFnOps):
        alternatives[DEFAULT_INPUT_ALTERNATIVE_KEY] = input_ops.default_inputs
    if not input_ops[0]:
        raise ValueError("Features must be defined.")
    return alternatives, input_ops[0]


def get_output_alternatives(
    model_fn_ops: Any, default_output_alternative_key: str | None = None
) -> tuple[dict[Any, Any], Any]:
    """Returns the outputs of a model, and the name of the default output.

    Args:
      model_fn_ops: The `ModelFnOps`.
      default_output_alternative_key: Name of the default output, if the model has several.

    Returns:
      Pairs (problem type, predictions) by name, and the name of the default.

    Raises:
      ValueError: The model has several outputs and none is named, or the named output does not
        exist.
    """
    default, alternatives = default_output_alternative_key, model_fn_ops.output_alternatives
    if default and default not in (alternatives or {}):
        raise ValueError(
            f"Requested default_output_alternative: {default}, but available output_alternatives "
            f"are: {sorted(alternatives or [], key=str)}"
        )
    if not alternatives:
        predictions = model_fn_ops.predictions
        if not isinstance(predictions, dict):
            predictions = {PredictionKey.GENERIC: predictions}
        return {_DEFAULT_OUTPUT: (ProblemType.UNSPECIFIED, predictions)}, _DEFAULT_OUTPUT
    if default:
        return alternatives, default
    if len(alternatives) == 1:
        return alternatives, next(iter(alternatives))
    raise ValueError(
        "Please specify a default_output_alternative. Available output_alternatives are: "
        f"{sorted(alternatives)}"
    )


def build_all_signature_defs(
    input_alternatives: dict[str, Any], output_alternatives: dict[Any, Any], default_key: Any
) -> dict[str, Any]:
    """Builds a signature for each pair of inputs and outputs, and the default signature.

    Args:
      input_alternatives: Dicts of inputs by name, by name of the alternative.
      output_alternatives: Pairs (problem type, predictions by name), by name of the alternative.
      default_key: Name of the default output.

    Returns:
      SignatureDefs by "INPUT:OUTPUT".

    Raises:
      ValueError: The default inputs are missing.
    """
    signatures = {
        f"{input_key}:{output_key or 'None'}": _signature(inputs, outputs, problem_type)
        for input_key, inputs in input_alternatives.items()
        for output_key, (problem_type, outputs) in output_alternatives.items()
    }
    inputs = input_alternatives.get(DEFAULT_INPUT_ALTERNATIVE_KEY)
    if not inputs:
        raise ValueError("A default input_alternative must be provided.")
    problem_type, outputs = output_alternatives[default_key]
    signatures[_DEFAULT] = _signature(inputs, outputs, problem_type)
    return signatures


def _signature(inputs: dict[str, Any], outputs: dict[str, Any], problem_type: int) -> Any:
    """Builds the matching signature. Classification and regression have a single input."""
    if not inputs or not outputs:
        raise ValueError("input_tensors and output_tensors must be provided.")
    single = next(iter(inputs.values())) if len(inputs) == 1 else None
    only_output = next(iter(outputs.values())) if len(outputs) == 1 else None
    utils = tf1.saved_model
    if single is not None and problem_type in (
        ProblemType.CLASSIFICATION,
        ProblemType.LOGISTIC_REGRESSION,
    ):
        classes = outputs.get(PredictionKey.CLASSES)
        classes = classes if classes is not None and classes.dtype == tf.string else None
        scores = outputs.get(PredictionKey.SCORES, outputs.get(PredictionKey.PROBABILITIES))
        if classes is None and scores is None and only_output is not None:
            classes, scores = (
                (only_output, None) if only_output.dtype == tf.string else (None, only_output)
            )
        if classes is not None or scores is not None:
            return utils.classification_signature_def(single, classes, scores)
    if (
        single is not None
        and only_output is not None
        and problem_type == ProblemType.LINEAR_REGRESSION
    ):
        return utils.regression_signature_def(single, only_output)
    return utils.predict_signature_def(inputs, outputs)
