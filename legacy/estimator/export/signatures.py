"""The signatures of a SavedModel, which connect inputs with outputs.

>>> import tensorflow as tf
>>> from legacy.estimator.export.outputs import PredictOutput
>>> with tf.Graph().as_default():
...     x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
...     made = build_all_signature_defs({"x": x}, {"serving_default": PredictOutput(2 * x)})
>>> made["serving_default"].inputs["x"].name
'x:0'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.export import receivers
from legacy.estimator.export.outputs import ExportOutput
from legacy.estimator.export.supervised_outputs import EvalOutput, TrainOutput

tf1 = tf.compat.v1

_KINDS = {
    tf.saved_model.CLASSIFY_METHOD_NAME: "Classify",
    tf.saved_model.REGRESS_METHOD_NAME: "Regress",
    tf.saved_model.PREDICT_METHOD_NAME: "Predict",
    TrainOutput.METHOD_NAME: "Train",
    EvalOutput.METHOD_NAME: "Eval",
}


def build_all_signature_defs(
    receiver_tensors: Any,
    export_outputs: dict[str, ExportOutput],
    receiver_tensors_alternatives: Mapping[str, Any] | None = None,
    serving_only: bool = True,
) -> dict[str, Any]:
    """Makes the signatures of each output, for the receiver's tensors and their alternatives.

    Leaves out a signature if its kind does not accept the inputs, or if the inputs do not determine
    its outputs. The log then has the reason.

    Args:
      receiver_tensors: The placeholders by name. A single placeholder is named "input".
      export_outputs: `ExportOutput`s by name.
      receiver_tensors_alternatives: Alternative groups of placeholders to feed, by name.
      serving_only: If true, leaves out signatures that TensorFlow Serving cannot serve.

    Returns:
      SignatureDefs by name. The signatures of alternatives are named "ALTERNATIVE:OUTPUT".

    Raises:
      ValueError: `export_outputs` is not a dict.
    """
    if not isinstance(export_outputs, dict):
        raise ValueError(
            f"`export_outputs` must be a dict. Received {export_outputs} "
            f"with type {type(export_outputs).__name__}."
        )
    groups = {"": receiver_tensors}
    for name, tensors in (receiver_tensors_alternatives or {}).items():
        groups[f"{name or 'None'}:"] = tensors
    signatures, reasons = {}, {}
    for prefix, tensors in groups.items():
        if not isinstance(tensors, dict):
            tensors = {receivers.SINGLE_RECEIVER_DEFAULT_NAME: tensors}
        for output_name, output in export_outputs.items():
            name = f"{prefix}{output_name or 'None'}"
            try:
                signatures[name] = _servable(output.as_signature_def(tensors), tensors.values())
            except ValueError as error:
                reasons[name] = str(error)
    _log(signatures, reasons)
    if serving_only:
        signatures = {
            name: signature
            for name, signature in signatures.items()
            if tf1.saved_model.is_valid_signature(signature)
        }
    return signatures


def _servable(signature: Any, inputs: Iterable[Any]) -> Any:
    """Returns the signature if its inputs suffice to compute its outputs.

    Raises:
      ValueError: The outputs depend on another placeholder.
    """
    input_tensors = tf.nest.flatten(list(inputs), expand_composites=True)
    fed_names = {tensor.name for tensor in input_tensors}
    output_names = [name for info in signature.outputs.values() for name in _tensor_names(info)]
    missing = _unfed_placeholders(
        [input_tensors[0].graph.get_tensor_by_name(name).op for name in output_names], fed_names
    )
    if missing:
        raise ValueError(
            f"The signature's input tensors {sorted(fed_names)} are insufficient to compute its "
            f"output keys {list(signature.outputs)}: these depend on the placeholders {missing}, "
            "which are not given as signature inputs."
        )
    return signature


def _tensor_names(info: Any) -> list[str]:
    kind = info.WhichOneof("encoding")
    if kind == "coo_sparse":
        sparse = info.coo_sparse
        names = (sparse.values_tensor_name, sparse.indices_tensor_name)
        return [*names, sparse.dense_shape_tensor_name]
    if kind == "composite_tensor":
        return [name for part in info.composite_tensor.components for name in _tensor_names(part)]
    return [info.name]


def _unfed_placeholders(operations: list[tf.Operation], fed_names: set[str]) -> list[str]:
    """Returns the names of the unfed placeholders that operations depend on.

    The search does not go beyond tensors that are fed.
    """
    visited = {operation.name for operation in operations}
    waiting = list(operations)
    missing = []
    while waiting:
        operation = waiting.pop()
        if operation.type == "Placeholder" and operation.outputs[0].name not in fed_names:
            missing.append(operation.name)
        for tensor in operation.inputs:
            if tensor.name not in fed_names and tensor.op.name not in visited:
                visited.add(tensor.op.name)
                waiting.append(tensor.op)
    return sorted(missing)


def _log(signatures: dict[str, Any], reasons: dict[str, str]) -> None:
    for method, kind in _KINDS.items():
        names = [name for name, signature in signatures.items() if signature.method_name == method]
        tf1.logging.info("Signatures INCLUDED in export for %s: %s", kind, names or None)
    if reasons:
        tf1.logging.info("Signatures EXCLUDED from export because they cannot be served:")
    for name, reason in reasons.items():
        tf1.logging.info("'%s' : %s", name, reason)
    if not signatures:
        tf1.logging.warning("Export includes no signatures!")
    elif tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in signatures:
        tf1.logging.warning("Export includes no default signature!")
