"""Finds the role of each tensor of an object-based checkpoint from its object graph.

    tensors = object_graph.classify(graph, tensors)

The graph (tensorflow/core/protobuf/trackable_object_graph.proto) names the children of each object,
the key and the full name of each variable, and the slots of Keras' legacy optimizers. New
optimizers keep their slots in a list. Their full names identify them ("Adam/m/dense/kernel").

In checkpoints of `modern.model_files.keras3_objects`, variables of Keras 3 are children with names
such as "dense/kernel" and "dense/kernel/momentum".
"""

from __future__ import annotations

import collections
import dataclasses
import re
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
        self._full_names.update(self._named_children())
        counts = collections.Counter(self._full_names[key] for key in self._keys.values())
        self._names = {
            key: self._full_names[key]
            if self._full_names[key] and counts[self._full_names[key]] == 1
            else _path(key)
            for key in self._keys.values()
        }

    def _named_children(self) -> dict[str, str]:
        """Returns the names of variables that their objects were given as the names of children.

        Only these have a "/". The full names in such a checkpoint lack the names of inner layers.
        """
        return {
            self._keys[child.node_id]: child.local_name
            for number, node in enumerate(self._nodes)
            if not self._is_optimizer(number)
            for child in node.children
            if "/" in child.local_name and child.node_id in self._keys
        }

    def classify(self) -> list[Stored]:
        optimizers = [n for n in range(len(self._nodes)) if self._is_optimizer(n)]
        of_optimizer: dict[str, Stored] = {}
        for number in optimizers:
            of_optimizer.update(self._slots(number))
            of_optimizer.update(self._named_slots(number))
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
        path = _path(key).split("/")
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
        # `modern.model_files.keras3_objects` saves the variables of a Keras 3 optimizer under their
        # names, which are "dnn/iteration" and the like for the optimizer of one layer.
        return (
            bool(self._nodes[number].slot_variables)
            or bool(
                children & {"_iterations", "iter"}
                and children & {"_variables", "learning_rate", "iter"}
            )
            # A loop of one's own may keep an "iteration" beside its model.
            or any(
                f"{scope}iteration" in children and f"{scope}learning_rate" in children
                for scope in {name[: name.rfind("/") + 1] for name in children}
            )
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

    def _named_slots(self, number: int) -> Iterator[tuple[str, Stored]]:
        """Yields the slots that are children with the names of their variables and slots."""
        variables = set(self._names.values())
        for child in self._nodes[number].children:
            owner, _, slot = child.local_name.rpartition("/")
            key = self._keys.get(child.node_id)
            if key and owner in variables:
                optimizer = self._full_names[key].partition("/")[0]
                yield (
                    key,
                    dataclasses.replace(
                        self._tensors[key],
                        name=self._names[key],
                        role=Role.AVERAGE if slot == "average" else Role.SLOT,
                        owner=owner,
                        optimizer=optimizer,
                        slot=slots.of_keras3(optimizer, slot),
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


def _path(key: str) -> str:
    """Returns the path of a key. In the file, "." escapes a "/" in the name of an attribute."""
    path = key.removesuffix(_SUFFIX)
    return re.sub(r"\.(.)", lambda match: {"S": "/"}.get(match[1], match[1]), path)


def _with_owners(tensors: list[Stored]) -> list[Stored]:
    """Finds the variables of slots in a list by the names of the slots."""
    variables = {tensor.name: tensor for tensor in tensors if tensor.role is Role.VARIABLE}
    joined_names = joined(variables)
    result = []
    for tensor in tensors:
        if tensor.role is Role.SLOT and not tensor.slot:
            slot = named_slot(tensor, variables, joined_names)
            # A slot whose full name is not unique is named by its path, which has no owner in it.
            tensor = slot if slot.owner or "/_variables/" not in f"/{tensor.key}" else tensor
        result.append(tensor)
    return result


def joined(names: Iterable[str]) -> dict[str, str]:
    """Returns names with "_" instead of "/", and the name of each, as far as they are unique."""
    pairs = [(name.replace("/", "_"), name) for name in names]
    counts = collections.Counter(key for key, _ in pairs)
    return {key: name for key, name in pairs if counts[key] == 1}


def named_slot(tensor: Stored, variables: dict[str, Any], joined_names: dict[str, str]) -> Stored:
    """Identifies a new optimizer's slot by its full name.

    Args:
      tensor: Tensor with a name such as "Adam/m/dense/kernel" or "m/dense/kernel" (tf_keras), or
        "adam/dense_kernel_momentum" (Keras 3).
      variables: Variables by name.
      joined_names: Their names as `joined` returns them.

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
            role = Role.AVERAGE if slot == "average" else Role.SLOT
            return dataclasses.replace(
                tensor, role=role, owner=owner, optimizer=optimizer, slot=slot
            )
    return dataclasses.replace(tensor, role=Role.VARIABLE)
