"""Checks the types of a TFJob's fields, as far as this package reads them.

>>> problem({"spec": {"tfReplicaSpecs": {"Worker": {"template": []}}}})
'spec.tfReplicaSpecs.Worker.template is [], and must be an object'

Kubernetes itself refuses such a manifest, but a file may never have been submitted to it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

_ANY = object()
_ELSE = ".."  # Any other key.
_NUMBER = (int, float)
_TEXTS = {_ELSE: (str,)}
_AMOUNTS = {_ELSE: (str, *_NUMBER)}

# A shape is a tuple of types, a list with the shape of its items, or an object. A key that ends
# with "!" is required.
_CONTAINER = {
    "name!": (str,),
    "image": (str,),
    "command": [(str,)],
    "args": [(str,)],
    "workingDir": (str,),
    "env": [{"name!": (str,), "value": (str, *_NUMBER), "valueFrom": {}}],
    "resources": {"limits": _AMOUNTS, "requests": _AMOUNTS},
    "ports": [{"name": (str,), "containerPort!": (int,)}],
    "volumeMounts": [{"name!": (str,), "mountPath!": (str,), "subPath": (str,)}],
}
_VOLUME = {
    "name!": (str,),
    "persistentVolumeClaim": {"claimName!": (str,)},
    "nfs": {"server!": (str,), "path!": (str,)},
    "hostPath": {"path!": (str,)},
}
_SELECTS = {"labelSelector": {"matchLabels": _TEXTS, "matchExpressions": [{"key!": (str,)}]}}
_RULES = {
    "requiredDuringSchedulingIgnoredDuringExecution": [_SELECTS],
    "preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": _SELECTS}],
}
_POD = {
    "metadata": {"labels": _TEXTS, "annotations": _TEXTS},
    "spec!": {
        "containers!": [_CONTAINER],
        "initContainers": [_CONTAINER],
        "volumes": [_VOLUME],
        "restartPolicy": (str,),
        "affinity": {"podAffinity": _RULES, "podAntiAffinity": _RULES},
        "topologySpreadConstraints": [_SELECTS],
    },
}
_REPLICA = {
    "template": _POD,
    "restartPolicy": (str,),
    "tfPort": (int,),
    "tfReplicaType": (str,),
}
_POLICY = {
    "activeDeadlineSeconds": (int,),
    "backoffLimit": (int,),
    "suspend": (bool,),
    "ttlSecondsAfterFinished": (int,),
}
_TFJOB = {
    "metadata": {
        "name": (str,),
        "generateName": (str,),
        "namespace": (str,),
        "labels": _TEXTS,
        "annotations": _TEXTS,
    },
    "spec!": {
        **_POLICY,
        "runPolicy": _POLICY,
        "replicaSpecs": [_REPLICA],
        "tfImage": (str,),
        "tfReplicaSpecs": {_ELSE: _REPLICA},
    },
}
_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def problem(manifest: Mapping[str, Any]) -> str | None:
    """Looks for the first field of a wrong type.

    Args:
      manifest: A TFJob.

    Returns:
      The field, its value and its required type. None if all types are right.
    """
    return _problem(manifest, _TFJOB, "")


def _problem(value: Any, shape: Any, path: str) -> str | None:
    if shape is _ANY:
        return _problem_of_any(value, path)
    if isinstance(shape, tuple):
        is_valid = isinstance(value, shape) and (bool in shape or not isinstance(value, bool))
        is_valid = is_valid and _is_json(value)
        expected = " or ".join(_WORDS[kind] for kind in shape if kind is not float)
        return None if is_valid else _type_problem(value, path, expected)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return _type_problem(value, path, "a list")
        problems = (_problem(item, shape[0], f"{path}[{n}]") for n, item in enumerate(value))
        return next((message for message in problems if message), None)
    if not isinstance(value, Mapping):
        return _type_problem(value, path, "an object")
    return _problem_of_fields(value, shape, path)


def _problem_of_fields(value: Mapping[str, Any], shape: Any, path: str) -> str | None:
    missing = next((k[:-1] for k in shape if k.endswith("!") and value.get(k[:-1]) is None), None)
    if missing:
        return f"{path or 'it'} has no {missing}, which it must have"
    for key, item in value.items():
        field_shape = shape.get(f"{key}!", shape.get(key, shape.get(_ELSE, _ANY)))
        field_path = f"{path}.{key}" if path else str(key)
        # An empty field counts as missing.
        if item is not None and (message := _problem(item, field_shape, field_path)):
            return message
    return None


def _problem_of_any(value: Any, path: str) -> str | None:
    """Returns the first value of YAML that JSON does not have, such as a date or NaN."""
    if isinstance(value, Mapping):
        return _problem_of_fields(value, {}, path)
    if isinstance(value, list):
        return _problem(value, [_ANY], path)
    return None if _is_json(value) else _type_problem(value, path, "text, a number, true or false")


def _is_json(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)


def _type_problem(value: Any, path: str, expected: str) -> str:
    text = json.dumps(value, default=str)
    return f"{path} is {text if len(text) <= 60 else text[:57] + '...'}, and must be {expected}"
