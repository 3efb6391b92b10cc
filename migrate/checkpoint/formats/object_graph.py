"""Finds the role of each tensor of an object-based checkpoint from its object graph.

    tensors = object_graph.classify(graph, tensors)

The graph (tensorflow/core/protobuf/trackable_object_graph.proto) names the children of each object,
the key and the full name of each variable, and the slots of Keras' legacy optimizers. New
optimizers keep their slots in a list. Their full names identify them ("Adam/m/dense/kernel").
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from migrate.checkpoint.formats import contents
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.naming import slots

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
# Programs that `migrate rewrite` writes use the last one.
_METRICS = frozenset(("metrics", "compiled_metrics", "eval_metrics"))
_SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"
_STEPS = ("global_step", "estimator_global_step")  # The second is that of model_to_estimator.
_ITERATIONS = ("iter", "_iterations", "iterations", "iteration")


def classify(graph: bytes, tensors: Iterable[Stored]) -> list[Stored]:
    """Assigns a name and a role to each tensor of an object-based checkpoint.

    Args:
      graph: Serialized object graph.
      tensors: All tensors, with their keys.

    Returns:
      The same tensors in the order of the objects, which is approximately that of the layers.
    """
    from tensorflow.core.protobuf import trackable_object_graph_pb2

    nodes = trackable_object_graph_pb2.TrackableObjectGraph.FromString(graph).nodes
    return _Graph(nodes, {tensor.key: tensor for tensor in tensors}).classify()


class _Graph:
    def __init__(self, nodes: Sequence[Any], tensors: dict[str, Stored]) -> None:
        self._nodes = nodes
        self._tensors = tensors
        self._keys = {
            number: attribute.checkpoint_key
            for number, node in enumerate(nodes)
            for attribute in node.attributes
            if attribute.checkpoint_key in tensors and attribute.name == "VARIABLE_VALUE"
        }
        self._full_names = {
            attribute.checkpoint_key: attribute.full_name
            for node in nodes
            for attribute in node.attributes
        }
        counts = collections.Counter(self._full_names[key] for key in self._keys.values())
        self._names = {
            key: self._full_names[key]
            if self._full_names[key] and counts[self._full_names[key]] == 1
            else key.removesuffix(_SUFFIX)
            for key in self._keys.values()
        }

    def classify(self) -> list[Stored]:
        optimizers = [n for n in range(len(self._nodes)) if self._is_optimizer(n)]
        of_optimizer: dict[str, Stored] = {}
        for number in optimizers:
            of_optimizer.update(self._slots(number))
        for number in optimizers:
            for key, tensor in self._state(number):
                of_optimizer.setdefault(key, tensor)
        tensors = []
        for key in dict.fromkeys(self._keys.values()):
            tensors.append(of_optimizer.get(key) or self._plain_tensor(key))
        variable_keys = set(self._keys.values())
        rest = [tensor for key, tensor in self._tensors.items() if key not in variable_keys]
        tensors += [dataclasses.replace(tensor, role=Role.BOOKKEEPING) for tensor in rest]
        return contents.with_kinds(_with_owners(tensors))

    def _plain_tensor(self, key: str) -> Stored:
        """Returns a tensor that belongs to no optimizer, with its role."""
        tensor = dataclasses.replace(self._tensors[key], name=self._names[key])
        path = key.removesuffix(_SUFFIX).split("/")
        if path[-1] == "save_counter":
            return dataclasses.replace(tensor, role=Role.BOOKKEEPING)
        if path[-1] in (*_STEPS, *_ITERATIONS) and not tensor.shape and "int" in tensor.dtype:
            return dataclasses.replace(tensor, role=Role.STEP)
        if _METRICS.intersection(path):
            return dataclasses.replace(tensor, role=Role.METRIC)
        if path[-1] == "seed_generator_state":
            return dataclasses.replace(tensor, role=Role.SETTING)
        return tensor

    def _is_optimizer(self, number: int) -> bool:
        children = {child.local_name for child in self._nodes[number].children}
        return bool(self._nodes[number].slot_variables) or bool(
            children & {"_iterations", "iter"}
            and children & {"_variables", "learning_rate", "iter"}
        )

    def _slots(self, number: int) -> Iterator[tuple[str, Stored]]:
        """Yields the slots of a legacy optimizer, which the graph names individually."""
        for slot in self._nodes[number].slot_variables:
            key = self._keys.get(slot.slot_variable_node_id)
            owner = self._keys.get(slot.original_variable_node_id)
            if key:
                yield (
                    key,
                    dataclasses.replace(
                        self._tensors[key],
                        name=self._names[key],
                        role=Role.SLOT,
                        owner=self._names[owner] if owner else "",
                        optimizer=self._full_names[key].partition("/")[0],
                        slot=slot.slot_name,
                    ),
                )

    def _state(self, number: int) -> Iterator[tuple[str, Stored]]:
        """Yields the other state of an optimizer: iterations, hyperparameters, slots in lists."""
        for name, node in self._below(number):
            key = self._keys.get(node)
            if not key:
                continue
            tensor = dataclasses.replace(self._tensors[key], name=self._names[key])
            last, full = name.rpartition("/")[2], self._full_names[key].rpartition("/")[2]
            if last in _ITERATIONS or full in _ITERATIONS:
                yield key, dataclasses.replace(tensor, role=Role.STEP)
            elif not tensor.shape and ("/" not in name or full == "learning_rate"):
                setting = full if "/" in name else last.lstrip("_")
                yield key, dataclasses.replace(tensor, role=Role.SETTING, slot=setting)
            else:
                yield key, dataclasses.replace(tensor, role=Role.SLOT, optimizer="", slot="")

    def _below(self, number: int) -> Iterator[tuple[str, int]]:
        """Yields names and numbers of an optimizer's own objects, without the trained variables."""
        children = [(child.local_name, child.node_id) for child in self._nodes[number].children]
        for name, node in children:
            if name.startswith("_trainable") or self._is_optimizer(node):
                continue
            yield name, node
            for child in self._nodes[node].children:
                yield f"{name}/{child.local_name}", child.node_id


def _with_owners(tensors: list[Stored]) -> list[Stored]:
    """Finds the variables of slots in a list by the names of the slots."""
    variables = {tensor.name: tensor for tensor in tensors if tensor.role is Role.VARIABLE}
    joined_names = {name.replace("/", "_"): name for name in variables}
    result = []
    for tensor in tensors:
        if tensor.role is Role.SLOT and not tensor.slot:
            slot = named_slot(tensor, variables, joined_names)
            # A slot whose full name is not unique is named by its path, which has no owner in it.
            tensor = slot if slot.owner or "/_variables/" not in f"/{tensor.key}" else tensor
        result.append(tensor)
    return result


def named_slot(tensor: Stored, variables: dict[str, Any], joined_names: dict[str, str]) -> Stored:
    """Identifies a new optimizer's slot by its full name.

    Args:
      tensor: Tensor with a name such as "Adam/m/dense/kernel" or "m/dense/kernel" (tf_keras), or
        "adam/dense_kernel_momentum" (Keras 3).
      variables: Variables by name.
      joined_names: Maps their names with "_" instead of "/" to their names.

    Returns:
      The same tensor with owner, optimizer and slot. Its role is VARIABLE if the name has neither
      form.
    """
    scopes = tensor.name.split("/")
    for start in range(1, len(scopes)):
        owner = "/".join(scopes[start:])
        if owner in variables:
            slot, optimizer = scopes[start - 1], "/".join(scopes[: start - 1])
            role = Role.AVERAGE if slot == "average" else Role.SLOT
            return dataclasses.replace(
                tensor, role=role, owner=owner, optimizer=optimizer, slot=slot
            )
    optimizer, _, rest = tensor.name.partition("/")
    parts = rest.split("_")
    for length in range(len(parts) - 1, 0, -1):
        owner = joined_names.get("_".join(parts[:length]), "")
        if owner:
            slot = slots.of_keras3(optimizer, "_".join(parts[length:]))
            return dataclasses.replace(tensor, owner=owner, optimizer=optimizer, slot=slot)
    return dataclasses.replace(tensor, role=Role.VARIABLE)
