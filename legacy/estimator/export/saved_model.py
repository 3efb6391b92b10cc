"""Writes a SavedModel of an Estimator's model, with a graph for each of one or more modes.

`Estimator.export_saved_model` and `Estimator.experimental_export_all_saved_models` call `export`.

    path = export(estimator, "/tmp/export", {"infer": serving_input_receiver_fn})
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.export import modes as export_modes
from legacy.estimator.export import signatures
from legacy.estimator.mode_keys import ModeKeys

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator
    from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

MAX_DIRECTORY_CREATION_ATTEMPTS = 10

# The first exported mode saves the variables. TRAIN comes first, because its graph has all
# variables of a checkpoint.
_ORDER = (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT)
# The collection with the train op of a SavedModel. TensorFlow has no public constant for it.
TRAIN_OP_KEY = "saved_model_train_op"


def export(
    estimator: Estimator,
    export_dir_base: str | bytes,
    input_receiver_fn_map: Mapping[str, Callable[[], Any]],
    *,
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
    strip_default_attrs: bool = True,
) -> bytes:
    """Writes a SavedModel with a graph for each mode. The folder appears whole or not at all.

    Args:
      estimator: The Estimator whose model to export.
      export_dir_base: The parent of the new folder, which is named by the time.
      input_receiver_fn_map: Functions that make the placeholders, by mode.
      assets_extra: Paths of files to copy, by their path inside `assets.extra`.
      as_text: If true, writes `saved_model.pbtxt`.
      checkpoint_path: The checkpoint to export. None means the latest checkpoint, or else the
        warm-start checkpoint.
      strip_default_attrs: If true, leaves attributes with default values out of the graphs.

    Returns:
      The path of the new folder, as bytes.

    Raises:
      ValueError: The map has no valid mode, or the checkpoint or a variable in it is missing.
    """
    checkpoint_path = checkpoint_path or _checkpoint_of(estimator)
    modes = [mode for mode in _ORDER if input_receiver_fn_map.get(mode)]
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {input_receiver_fn_map.keys()}.")
    export_dir = get_timestamped_export_dir(export_dir_base)
    temporary = get_temp_export_dir(export_dir)
    # Write to a temporary folder and rename it, so that readers never see half of an export.
    with _removed_on_failure(temporary):
        builder = tf1.saved_model.Builder(temporary)
        for mode in modes:
            _add_mode(
                builder,
                estimator,
                mode,
                input_receiver_fn_map[mode],
                checkpoint_path=checkpoint_path,
                with_variables=mode == modes[0],
                strip_default_attrs=strip_default_attrs,
            )
        builder.save(as_text)
        _copy_extra_assets(assets_extra or {}, temporary)
        tf.io.gfile.rename(temporary, export_dir)
    return export_dir


def get_timestamped_export_dir(export_dir_base: str | bytes) -> bytes:
    """Returns the path of a new export folder, named by the time in seconds since 1970.

    Later exports have greater numbers.

    Args:
      export_dir_base: The parent of the folder.

    Returns:
      A path. Neither it nor its temporary path exists yet.

    Raises:
      RuntimeError: The names of ten successive seconds were taken.
    """
    for attempt in range(1, MAX_DIRECTORY_CREATION_ATTEMPTS + 1):
        name = tf.compat.as_bytes(str(int(time.time())))
        path = os.path.join(tf.compat.as_bytes(export_dir_base), name)
        if not tf.io.gfile.exists(path) and not tf.io.gfile.exists(get_temp_export_dir(path)):
            return path
        time.sleep(1)
        tf1.logging.warning(
            "Directory %s already exists; retrying (attempt %d/%d)",
            tf.compat.as_str(path),
            attempt,
            MAX_DIRECTORY_CREATION_ATTEMPTS,
        )
    raise RuntimeError(
        "Failed to obtain a unique export directory name in "
        f"{tf.compat.as_str(export_dir_base)!r} after {MAX_DIRECTORY_CREATION_ATTEMPTS} attempts."
    )


def get_temp_export_dir(timestamped_export_dir: str | bytes) -> bytes:
    """Returns the temporary path of an export, whose name TensorFlow Serving ignores.

    Args:
      timestamped_export_dir: The final path of the export.

    Returns:
      A path in the same parent folder, whose name starts with "temp-".
    """
    parent, name = os.path.split(tf.compat.as_bytes(timestamped_export_dir))
    return os.path.join(parent, b"temp-" + name)


def _checkpoint_of(estimator: Estimator) -> str:
    path = estimator.latest_checkpoint()
    if path:
        return path
    settings = estimator._warm_start_settings
    if not settings:
        raise ValueError(f"Couldn't find trained model at {estimator.model_dir}.")
    path = settings.ckpt_to_initialize_from
    return tf.train.latest_checkpoint(path) if tf.io.gfile.isdir(path) else path


@contextlib.contextmanager
def _removed_on_failure(folder: bytes) -> Iterator[None]:
    try:
        yield
    except BaseException:
        if tf.io.gfile.exists(folder):
            tf.io.gfile.rmtree(folder)
        raise


def _add_mode(
    builder: Any,
    estimator: Estimator,
    mode: str,
    input_receiver_fn: Callable[[], Any],
    *,
    checkpoint_path: str,
    with_variables: bool,
    strip_default_attrs: bool,
) -> None:
    """Builds the model in a new graph, restores it, and adds it to the SavedModel."""
    with tf.Graph().as_default() as graph:
        estimator._create_and_assert_global_step(graph)
        tf1.set_random_seed(estimator.config.tf_random_seed)
        receiver = input_receiver_fn()
        labels = getattr(receiver, "labels", None)
        spec = estimator._call_model_fn(receiver.features, labels, mode, estimator.config)
        signature_map = _signatures(spec, receiver, mode)
        with tf1.Session(config=estimator._session_config) as session:
            main_op = spec.scaffold.local_init_op
            if main_op is None:
                main_op = tf1.train.Scaffold.default_local_init_op()
            saver = _restore(spec.scaffold.saver, session, checkpoint_path, mode)
            if spec.train_op is not None:
                tf1.add_to_collection(TRAIN_OP_KEY, spec.train_op)
            add = builder.add_meta_graph
            if with_variables:
                add = functools.partial(builder.add_meta_graph_and_variables, session)
            add(
                tags=export_modes.EXPORT_TAG_MAP[mode],
                signature_def_map=signature_map,
                assets_collection=tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS),
                main_op=main_op,
                saver=saver,
                strip_default_attrs=strip_default_attrs,
            )


def _signatures(spec: EstimatorSpec, receiver: Any, mode: str) -> dict[str, Any]:
    outputs = export_modes.export_outputs_for_mode(
        spec.mode,
        serving_export_outputs=spec.export_outputs,
        predictions=spec.predictions,
        loss=spec.loss,
        metrics=spec.eval_metric_ops,
    )
    return signatures.build_all_signature_defs(
        receiver.receiver_tensors,
        outputs,
        getattr(receiver, "receiver_tensors_alternatives", None),
        serving_only=mode == ModeKeys.PREDICT,
    )


def _restore(saver: Any, session: Any, checkpoint_path: str, mode: str) -> Any:
    """Restores the variables and returns the saver that the SavedModel will restore them with."""
    if isinstance(saver, tf.train.Checkpoint):
        return _restore_by_objects(saver, session, checkpoint_path)
    saver = saver or tf1.train.Saver(sharded=True)
    try:
        saver.restore(session, checkpoint_path)
    except tf.errors.NotFoundError as error:
        raise ValueError(
            "Could not load all requested variables from checkpoint. Please make sure your "
            "model_fn does not expect variables that were not saved in the checkpoint.\n\n"
            f"Encountered error with mode `{mode}` while restoring checkpoint from: "
            f"`{checkpoint_path}`.\n\n{error}"
        ) from error
    return saver


def _restore_by_objects(checkpoint: tf.train.Checkpoint, session: Any, path: str) -> Any:
    """Restores the variables from a `tf.train.Checkpoint` and returns a saver for them.

    The checkpoint names variables by the objects that hold them. The returned saver uses the
    variables' own names, which makes no difference to loaders of the SavedModel.
    """
    checkpoint.restore(path).run_restore_ops(session)
    missing = set(session.run(tf1.report_uninitialized_variables(tf1.global_variables())))
    values = [v for v in tf1.global_variables() if v.op.name.encode() not in missing]
    return tf1.train.Saver(values, sharded=True)


def _copy_extra_assets(assets: Mapping[str, str], folder: bytes) -> None:
    for target, source in assets.items():
        path = os.path.join(folder, b"assets.extra", tf.compat.as_bytes(target))
        tf.io.gfile.makedirs(os.path.dirname(path))
        tf.io.gfile.copy(source, path)
