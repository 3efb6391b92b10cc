"""Saver that reads the variables of a task in groups, one after the other.

    saver = GroupedSaver(sharded=True, defer_build=True)

TensorFlow's saver reads all variables of a parameter server at once. It copies a variable that
changes during training, so a save takes as much memory as all variables. This saver takes as much
as one group. A checkpoint has one data file per group, and every TensorFlow reads it.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

# A group begins with the variable that would make the last one larger than this, in bytes.
GROUP_BYTES = 16 * 2**20
# Groups may be as large as this share of a device's bytes. More groups would be hundreds of files.
_SHARE = 1 / 16


class GroupedSaver(tf1.train.Saver):
    """Saver that saves the variables of each device in groups."""

    def build(self) -> None:
        """Adds the operations that save and restore, and those that save in groups."""
        graph = tf1.get_default_graph()
        before = len(graph.get_operations())
        super().build()
        added = graph.get_operations()[before:]  # None at a second call.
        saves = [op for op in added if op.type == "SaveV2"]  # One for each device.
        groups = [_groups(save) for save in saves]
        if any(len(each) > 1 for each in groups):
            (merge,) = [op for op in added if op.type == "MergeV2Checkpoints"]
            self.saver_def.save_tensor_name = _save_all(saves, groups, merge)


def _save_all(saves: list[tf.Operation], groups: list[list[list[int]]], merge: tf.Operation) -> str:
    """Adds operations that save in groups, and returns the name of the tensor that runs them.

    Args:
      saves: The SaveV2 operation of each device.
      groups: The groups of each of them.
      merge: The operation that merges the files of these devices.
    """
    prefixes, ends = [], []
    with tf1.name_scope("grouped_save"):
        for save, groups_of_save in zip(saves, groups, strict=True):
            with tf.device(save.device):
                paths, end = _save_in_turn(save, groups_of_save)
            prefixes += paths
            ends.append(end)
        with tf.device(merge.device), tf.control_dependencies(ends):
            merged = tf.raw_ops.MergeV2Checkpoints(
                checkpoint_prefixes=tf.stack(prefixes), destination_prefix=merge.inputs[1]
            )
            with tf.control_dependencies([merged]):
                return tf.identity(merge.inputs[1]).name


def _groups(save: tf.Operation) -> list[list[int]]:
    """Returns the indices of the tensors of each group that a SaveV2 operation is split into."""
    sizes = [(t.shape.num_elements() or 0) * t.dtype.size for t in _tensors(save)]
    limit = max(GROUP_BYTES, sum(sizes) * _SHARE)
    groups: list[list[int]] = [[]]
    size = 0
    for index, num_bytes in enumerate(sizes):
        if groups[-1] and size + num_bytes > limit:
            groups.append([])
            size = 0
        groups[-1].append(index)
        size += num_bytes
    return groups


def _tensors(save: tf.Operation) -> list[tf.Tensor]:
    return list(save.inputs)[3:]  # After the prefix, the names and the slices.


def _save_in_turn(
    save: tf.Operation, groups: list[list[int]]
) -> tuple[list[tf.Tensor], tf.Operation]:
    """Adds a SaveV2 operation for each group, which reads after the last group is written.

    Returns:
      The prefix of each group's files, and the last operation.
    """
    names, slices = (tf.get_static_value(save.inputs[n]) for n in (1, 2))
    tensors = _tensors(save)
    prefixes = []
    last: Any = None
    for number, group in enumerate(groups):
        prefix = tf.strings.join([save.inputs[0], f"-{number}"])
        with tf.control_dependencies([last] if last else []):
            read = [_read_again(tensors[index]) for index in group]
            last = tf.raw_ops.SaveV2(
                prefix=prefix,
                tensor_names=names[group],
                shape_and_slices=slices[group],
                tensors=read,
            )
        prefixes.append(prefix)
    return prefixes, last


def _read_again(tensor: tf.Tensor) -> tf.Tensor:
    """Returns a new read of the variable that a tensor has read, or the tensor of another kind."""
    op = tensor.op
    while op.type == "Identity":
        op = op.inputs[0].op
    if op.type != "ReadVariableOp":
        return tensor
    return tf.raw_ops.ReadVariableOp(resource=op.inputs[0], dtype=tensor.dtype)
