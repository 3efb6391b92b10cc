"""Opens a checkpoint of any kind.

source = sources.open_source("/models/1")         # a folder's latest
source = sources.open_source("/models/1/model.ckpt-100")
source = sources.open_source("exported/")         # a SavedModel
source = sources.open_source("model.keras")
"""

from __future__ import annotations

import os

from migrate.checkpoint.formats.source import Source
from modern.process import cli, files, foreign_files, log_filters


def open_source(path: str) -> Source:
    """Opens a checkpoint of any kind, and checks that all its files exist.

    Args:
      path: Prefix, or its .index. Or a folder with a `checkpoint` file, whose latest checkpoint is
        opened. Or a SavedModel's folder, a `.weights.h5`, `.keras` or `.h5` file, or a V1-format
        file.

    Raises:
      cli.UsageError: The checkpoint does not exist, or one of its files is missing or damaged. The
        message names it.
    """
    # Imports TensorFlow and h5py late, so that a mistyped command fails at once.
    from migrate.checkpoint.formats import bundles, hdf5

    files.check_scheme(path)
    if files.is_folder(path):
        return _of_folder(path)
    if files.is_file(path) and path.endswith((".h5", ".hdf5", ".keras")):
        hdf5.check_local(path)
        return hdf5.Hdf5(path)
    prefix = path.removesuffix(".index").removesuffix(".meta")
    if files.is_file(prefix + ".index") or files.is_file(prefix):
        return bundles.open_prefix(prefix)
    folder, name = os.path.split(files.absolute(prefix))
    names = files.list_folder(folder)
    data = [n for n in names if n.startswith(name + ".data-")]
    if data:
        raise cli.UsageError(f"{prefix}.index is missing, and {data[0]} cannot be read without it.")
    prefixes = [n.removesuffix(".index") for n in names if n.endswith(".index")]
    hint = f". The folder has {', '.join(prefixes[:5])}" if prefixes else ""
    raise cli.UsageError(
        f"{path}: no such checkpoint{hint}. Give a prefix such as model_dir/model.ckpt-1000 "
        "(without .index), a folder, or a file of Keras."
    )


def _of_folder(path: str) -> Source:
    import tensorflow as tf

    from migrate.checkpoint.formats import bundles

    if any(files.exists(os.path.join(path, n)) for n in ("saved_model.pb", "saved_model.pbtxt")):
        variables = os.path.join(path, "variables", "variables")
        return bundles.open_prefix(variables, path=path, kind="SavedModel")
    state = os.path.join(path, "checkpoint")
    if not files.is_file(state):
        raise cli.UsageError(
            f"{path} has no checkpoint: neither a `checkpoint` file nor a SavedModel is in it."
        )
    try:
        # TensorFlow also logs the mistake.
        with log_filters.hidden("ParseError", "Checkpoint ignored"):
            checkpoint_state = tf.train.get_checkpoint_state(path)
    except (tf.errors.OpError, ValueError) as error:  # It is not text.
        raise cli.UsageError(f"{state} is damaged: {foreign_files.reason(error)}.") from error
    if checkpoint_state is None or not checkpoint_state.model_checkpoint_path:
        raise cli.UsageError(f"{state} is damaged: it names no checkpoint.")
    latest = checkpoint_state.model_checkpoint_path
    if not files.is_file(latest + ".index") and not files.is_file(latest):
        # After a folder has moved, its `checkpoint` file still has the old paths.
        latest = os.path.join(path, os.path.basename(latest))
    if not files.is_file(latest + ".index") and not files.is_file(latest):
        printable_path = foreign_files.one_line(latest)
        raise cli.UsageError(
            f"{state} names {printable_path}, of which {printable_path}.index is missing."
        )
    return bundles.open_prefix(latest)
