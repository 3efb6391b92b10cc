"""Writes a SavedModel: the model in prediction mode, behind a receiver's placeholders.

`Estimator.export_saved_model` builds the graph and calls `write`; see there for a runnable example.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_ATTEMPTS = 10
_KINDS = ("Classify", "Regress", "Predict")


def signatures(receiver: Any, outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Makes the signatures of each output, for the receiver's tensors and their alternatives.

    Args:
      receiver: A `ServingInputReceiver`.
      outputs: `ExportOutput`s by name.

    Returns:
      SignatureDefs by name; those of alternative receivers are called "alternative:output".

    Raises:
      ValueError: The default signature is not possible with these inputs.
    """
    default = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    made, excluded = {}, {}
    groups = {"": receiver.receiver_tensors, **(receiver.receiver_tensors_alternatives or {})}
    for group, tensors in groups.items():
        for name, output in outputs.items():
            full = f"{group}:{name}" if group else name
            try:
                made[full] = output.as_signature_def(tensors)
            except ValueError as error:
                excluded[full] = str(error)
    _log_signatures(made, excluded)
    if default not in made:
        raise ValueError(
            f"The default signature cannot be exported: {excluded.get(default, 'it is missing')}"
        )
    return made


def write(
    spec: EstimatorSpec,
    signature_map: dict[str, Any],
    export_dir_base: str,
    *,
    checkpoint_path: str,
    session_config: Any,
    assets_extra: Mapping[str, str] | None,
    as_text: bool,
) -> bytes:
    """Writes the default graph with a checkpoint's weights; the folder appears whole or not at all.

    Args:
      spec: The model, built in the default graph.
      signature_map: SignatureDefs by name.
      export_dir_base: The folder in which a folder named by the time is made.
      checkpoint_path: The weights.
      session_config: The session's ConfigProto.
      assets_extra: By path inside `assets.extra`, files to copy.
      as_text: Write `saved_model.pbtxt`.

    Returns:
      The folder, as bytes.
    """
    export_dir = timestamped_dir(export_dir_base)
    temporary = os.path.join(os.path.dirname(export_dir), f"temp-{os.path.basename(export_dir)}")
    builder = tf1.saved_model.Builder(temporary)
    with tf1.Session(config=session_config) as session:
        local_init_op = spec.scaffold.local_init_op or tf1.train.Scaffold.default_local_init_op()
        saver = spec.scaffold.saver or tf1.train.Saver(sharded=True)
        saver.restore(session, checkpoint_path)
        builder.add_meta_graph_and_variables(
            session,
            tags=[tf.saved_model.SERVING],
            signature_def_map=signature_map,
            assets_collection=tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS),
            main_op=local_init_op,
            saver=saver,
            strip_default_attrs=True,
        )
        builder.save(as_text)
    for target, source in (assets_extra or {}).items():
        path = os.path.join(temporary, "assets.extra", target)
        tf.io.gfile.makedirs(os.path.dirname(path))
        tf.io.gfile.copy(source, path)
    tf.io.gfile.rename(temporary, export_dir)
    return tf.compat.as_bytes(export_dir)


def timestamped_dir(export_dir_base: str) -> str:
    """Returns a new folder's name: the time in seconds since 1970, later ones being greater.

    Args:
      export_dir_base: The folder in which it will be.

    Returns:
      The path, which does not exist yet.

    Raises:
      RuntimeError: Ten names were taken.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        path = os.path.join(tf.compat.as_str(export_dir_base), str(int(time.time())))
        if not tf.io.gfile.exists(path):
            return path
        time.sleep(1)
        tf1.logging.warning(
            "Directory %s already exists; retrying (attempt %d/%d)", path, attempt, _ATTEMPTS
        )
    raise RuntimeError(f"No unused name for an export in {export_dir_base!r} in {_ATTEMPTS} s.")


def _log_signatures(made: dict[str, Any], excluded: dict[str, str]) -> None:
    methods = {
        "Classify": tf.saved_model.CLASSIFY_METHOD_NAME,
        "Regress": tf.saved_model.REGRESS_METHOD_NAME,
        "Predict": tf.saved_model.PREDICT_METHOD_NAME,
    }
    for kind in _KINDS:
        names = [n for n, signature in made.items() if signature.method_name == methods[kind]]
        tf1.logging.info("Signatures INCLUDED in export for %s: %s", kind, names or None)
    for name, reason in excluded.items():
        tf1.logging.warning("Signature %r EXCLUDED from export: %s", name, reason)
