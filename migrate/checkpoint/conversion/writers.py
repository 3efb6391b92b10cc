"""Writes a planned conversion tensor by tensor, reads it back, and moves it into place.

    writers.write(plan.moves, source, template, "out/model.ckpt-100", "name-based")

Memory is bounded by the largest tensors: one group is read while another is written. Each written
group is read back from its file while its values are still in memory, and compared bit for bit.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence

import h5py
import numpy as np
import tensorflow as tf

from migrate.checkpoint.conversion import values
from migrate.checkpoint.conversion.partial_files import Partial, reason
from migrate.checkpoint.conversion.plans import Move
from migrate.checkpoint.formats import bundle_index, hdf5
from migrate.checkpoint.formats.bundles import as_array, region
from migrate.checkpoint.formats.contents import Stored
from migrate.checkpoint.formats.source import Source
from modern.process import cli, files

_VARIABLES = "variables"
_SAVED_MODEL = "saved_model.pb"
_ReadTensor = Callable[[Move, "np.ndarray | None"], tf.Tensor]
_CheckCrc = Callable[[Move, int], None]


def check_output(output: str, kind: str, overwrite: bool) -> None:
    """Refuses an output that exists.

    Args:
      output: Path or prefix of the output.
      kind: Kind as in `targets.KINDS`.
      overwrite: If true, the output may be replaced.

    Raises:
      cli.UsageError: The output exists.
    """
    path = output + ".index" if kind in ("name-based", "object-based") else output
    if kind in ("weights.h5", "h5", "keras"):
        hdf5.check_local(output)
    if files.exists(path) and not overwrite:
        raise cli.UsageError(f"{path} exists: name another --output, or add --overwrite.")
    if files.is_folder(output) and kind != "SavedModel":
        raise cli.UsageError(
            f"--output={output} is a folder: name a file, or a prefix such as "
            f"{output}/model.ckpt-0."
        )


def write(
    moves: Sequence[Move],
    source: Source,
    template: Source | None,
    output: str,
    kind: str,
) -> list[str]:
    """Writes the target completely, or not at all.

    Args:
      moves: Moves of a plan without problems.
      source: Checkpoint to convert.
      template: Checkpoint with the structure and the kept values. None for a target of names only.
      output: Prefix, file or folder.
      kind: Kind as in `targets.KINDS`.

    Returns:
      The paths of the written files.

    Raises:
      cli.UsageError: A source is damaged, the disk is full, or the values read back differ.
    """

    def read(move: Move, unused: np.ndarray | None) -> np.ndarray:
        return values.value(move, source, template)

    def read_tensor(move: Move, buffer: np.ndarray | None) -> tf.Tensor:
        return values.tensor(move, source, template, buffer)

    def check_crc(move: Move, crc: int) -> None:
        of = values.origin(move, source, template)
        if of and of[0].crc(of[1]) not in (None, crc):
            raise cli.UsageError(
                f"{of[0].file_of(of[1])} is damaged: the checksum of {of[1].name} does not match "
                "its bytes. No file was replaced."
            )

    output = output.rstrip("/")
    with Partial(output) as place:
        try:
            # Only checkpoints of names can be written without a template of their kind.
            if kind in ("weights.h5", "h5", "keras"):
                assert isinstance(template, hdf5.Hdf5)
                return _write_hdf5(moves, read, template, place, output, kind)
            if kind == "SavedModel":
                assert template is not None
                return _write_saved_model(moves, read_tensor, check_crc, template, place, output)
            return _write_checkpoint(moves, read_tensor, check_crc, place, output)
        except (tf.errors.OpError, OSError) as error:
            raise cli.UsageError(f"{output} cannot be written: {reason(error)}") from error


def _write_checkpoint(
    moves: Sequence[Move],
    read: _ReadTensor,
    check_crc: _CheckCrc,
    place: Partial,
    output: str,
) -> list[str]:
    prefix = _write_bundle(moves, read, check_crc, place.folder)
    path_pairs = [
        (path, output + path.removeprefix(prefix))
        for path in (*bundle_index.read(prefix).shards, prefix + ".index")
    ]
    old: list[str] = []
    if files.exists(output + ".index"):
        old = [output + ".index", *_existing_paths(bundle_index.read(output).shards)]
    place.commit(path_pairs, old)
    state = os.path.join(os.path.dirname(files.absolute(output)), "checkpoint")
    if not files.exists(state):
        _write_state(place, state, os.path.basename(output))
    return [path for _, path in path_pairs]


def _write_state(place: Partial, path: str, name: str) -> None:
    """Makes a checkpoint the latest of a folder that has none, so that Estimators load it."""
    quoted = json.dumps(name)
    partial = os.path.join(place.folder, "checkpoint")
    with open(partial, "w", encoding="utf-8") as file:
        file.write(f"model_checkpoint_path: {quoted}\nall_model_checkpoint_paths: {quoted}\n")
    place.commit([(partial, path)])


def _write_saved_model(
    moves: Sequence[Move],
    read: _ReadTensor,
    check_crc: _CheckCrc,
    template: Source,
    place: Partial,
    output: str,
) -> list[str]:
    folder = os.path.join(place.folder, "saved_model")
    # The fingerprint describes the template's own checkpoint.
    files.copy_tree(template.path, folder, left_out=(_VARIABLES, "fingerprint.pb"))
    variables = os.path.join(folder, _VARIABLES)
    os.mkdir(variables)
    prefix = _write_bundle(moves, read, check_crc, place.folder)
    for path in (*bundle_index.read(prefix).shards, prefix + ".index"):
        os.rename(path, os.path.join(variables, _VARIABLES) + path.removeprefix(prefix))
    place.commit([(folder, output)], _existing_paths([output]), last=_SAVED_MODEL)
    return [output]


def _write_bundle(
    moves: Sequence[Move], read: _ReadTensor, check_crc: _CheckCrc, folder: str
) -> str:
    """Writes a bundle group by group, checks each, joins them, and returns the prefix."""
    prefixes = []
    crcs: dict[bytes, int] = {}
    for number, group in enumerate(values.groups(moves, read)):
        prefix = os.path.join(folder, f"group-{number}")
        pieces = [piece for move, tensor in group for piece in _pieces(move.target, tensor)]
        tf.raw_ops.SaveV2(
            prefix=prefix,
            tensor_names=[key for key, _, _ in pieces],
            shape_and_slices=[spec for _, spec, _ in pieces],
            tensors=[tensor for _, _, tensor in pieces],
        )
        group_crcs = _check_group(prefix, pieces)
        for move, _ in group:
            if not move.target.parts:
                check_crc(move, group_crcs[move.target.key.encode()])
        crcs.update(group_crcs)
        prefixes.append(prefix)
        del group, pieces
    if len(prefixes) == 1:
        return prefixes[0]
    merged_prefix = os.path.join(folder, "joined")
    tf.raw_ops.MergeV2Checkpoints(
        checkpoint_prefixes=prefixes, destination_prefix=merged_prefix, delete_old_dirs=False
    )
    index = bundle_index.read(merged_prefix)
    index.check_shards()
    if {key: crc for key, crc in index.crcs.items() if key} != crcs:
        raise cli.UsageError(f"{merged_prefix}.index does not match the written data.")
    return merged_prefix


def _pieces(variable: Stored, tensor: tf.Tensor) -> Iterable[tuple[str, str, tf.Tensor]]:
    """Returns key, slice and values of each stored piece of a tensor.

    Slots of partitioned variables are stored in several pieces.
    """
    if not variable.parts:
        return [(variable.key, "", tensor)]
    return [(key, spec, tensor[region(spec)]) for key, spec in variable.parts]


def _check_group(prefix: str, pieces: Iterable[tuple[str, str, tf.Tensor]]) -> Mapping[bytes, int]:
    """Reads a group back from its file, and returns the checksums of its index."""
    index = bundle_index.read(prefix)
    index.check_shards()
    for key, spec, tensor in pieces:
        entry = index.entries[key]
        if spec or tensor.dtype == tf.string:
            restored_tensor = tf.raw_ops.RestoreV2(
                prefix=prefix, tensor_names=[key], shape_and_slices=[spec], dtypes=[tensor.dtype]
            )[0]
            if not np.array_equal(as_array(restored_tensor), as_array(tensor)):
                raise cli.UsageError(f"{prefix}: {key} differs when it is read back.")
        else:
            values.check_bytes(index.shards[entry.shard], entry.offset, as_array(tensor), key)
    return index.crcs


def _write_hdf5(
    moves: Sequence[Move],
    read: Callable[[Move, np.ndarray | None], np.ndarray],
    template: hdf5.Hdf5,
    place: Partial,
    output: str,
    kind: str,
) -> list[str]:
    path = os.path.join(place.folder, hdf5.WEIGHTS)
    with h5py.File(path, "w") as file:
        _copy_structure(template.file, file)
        for group in values.groups(moves, read):
            for move, array in group:
                _write_dataset(template.file, file, move.target, array)
            file.flush()
            for move, array in group:
                _check_dataset(path, file[move.target.key], array, move.target.name)
            del group
    if kind == "keras":
        path = _pack_archive(template.path, path, os.path.join(place.folder, "model.keras"))
    place.commit([(path, output)])
    return [output]


def _copy_structure(old: h5py.Group, new: h5py.Group) -> None:
    """Copies groups and attributes, but no datasets."""
    for name, text in old.attrs.items():
        new.attrs[name] = text
    for name in old:
        child = old[name]
        if isinstance(child, h5py.Group):
            _copy_structure(child, new.require_group(name))


def _write_dataset(old: h5py.File, new: h5py.File, tensor: Stored, array: np.ndarray) -> None:
    like = old[tensor.key]
    dataset = new.create_dataset(tensor.key, data=array, dtype=like.dtype)
    for name, text in like.attrs.items():
        dataset.attrs[name] = text


def _check_dataset(path: str, dataset: h5py.Dataset, array: np.ndarray, name: str) -> None:
    """Reads a dataset back from the file, bypassing the library if its place is known."""
    offset = dataset.id.get_offset()
    if offset is not None and dataset.dtype.kind not in "OS":
        values.check_bytes(path, offset, array, name)
    elif not np.array_equal(dataset[()], array):
        raise cli.UsageError(f"{path}: {name} differs when it is read back.")


def _pack_archive(template: str, weights: str, path: str) -> str:
    """Packs a copy of a `.keras` file with other weights, and checks the packed weights."""
    with zipfile.ZipFile(template) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            if info.filename != hdf5.WEIGHTS:
                new.writestr(info, old.read(info))
        new.write(weights, hdf5.WEIGHTS)
    with (
        zipfile.ZipFile(path) as archive,
        archive.open(hdf5.WEIGHTS) as packed,
        open(weights, "rb") as file,
    ):
        while chunk := file.read(1 << 24):
            if packed.read(len(chunk)) != chunk:
                raise cli.UsageError(f"{path}: the packed file differs from the written data.")
    return path


def _existing_paths(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if files.exists(path)]
