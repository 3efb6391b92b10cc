"""Reads the names of the numbered variables in a `.keras` file from its configuration.

layers = keras_config.layers(json.loads(archive.read("config.json")))
keras_config.variable_name("layers/dense_1/vars/0", layers, count=2)  # "logits/kernel"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from migrate.checkpoint.formats.contents import Stored

_DENSE = {1: ("kernel",), 2: ("kernel", "bias")}
_CELL = {
    2: ("kernel", "recurrent_kernel"),
    3: ("kernel", "recurrent_kernel", "bias"),
}
_NORM = ("gamma", "beta", "moving_mean", "moving_variance")
# Names of layers' variables, by the class in snake case and the number of variables.
_VARIABLES: dict[str, dict[int, tuple[str, ...]]] = {
    "dense": _DENSE,
    "einsum_dense": _DENSE,
    "conv1d": _DENSE,
    "conv2d": _DENSE,
    "conv3d": _DENSE,
    "conv1d_transpose": _DENSE,
    "conv2d_transpose": _DENSE,
    "conv3d_transpose": _DENSE,
    "depthwise_conv2d": {1: ("depthwise_kernel",), 2: ("depthwise_kernel", "bias")},
    "separable_conv2d": {
        2: ("depthwise_kernel", "pointwise_kernel"),
        3: ("depthwise_kernel", "pointwise_kernel", "bias"),
    },
    "embedding": {1: ("embeddings",)},
    "batch_normalization": {4: _NORM, 2: _NORM[2:]},
    "layer_normalization": {2: ("gamma", "beta")},
    "lstm_cell": _CELL,
    "gru_cell": _CELL,
    "simple_rnn_cell": _CELL,
}
_FIXED = {"moving_mean", "moving_variance"}
# Slots that an optimizer creates variable by variable, by its class in lower case.
_INTERLEAVED = {"adam": ("m", "v"), "adamw": ("m", "v"), "adagrad": ("accumulator",)} | {
    "ftrl": ("accumulator", "linear"),
    "adadelta": ("accumulated_grad", "accumulated_delta_var"),
}


def snake_case(name: str) -> str:
    """Converts a class's name to Keras' name for its group: "LSTMCell" is "lstm_cell"."""
    plain = re.sub(r"\W+", "", name.rpartition(">")[2])
    spaced = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", plain)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()


def layers(config: Mapping[str, Any], prefix: str = "", scope: str = "") -> dict[str, Any]:
    """Returns the layers of a Sequential or functional model.

    Args:
      config: Config of the model, with class_name and config. May be empty.
      prefix: Group that contains the model.
      scope: Names of the outer models.

    Returns:
      The group of each layer in the file -> {"name", "class", "config"}, in the model's order.
      Empty for a subclassed model.
    """
    groups: dict[str, Any] = {}
    counts: dict[str, int] = {}
    inner = config.get("config", {})
    for layer in inner.get("layers", ()) if isinstance(inner, Mapping) else ():
        kind = snake_case(layer["class_name"])
        number = counts[kind] = counts.get(kind, -1) + 1
        group_name = f"{prefix}layers/{kind}" + (f"_{number}" if number else "")
        name = scope + layer["config"].get("name", kind)
        groups[group_name] = {"name": name, "class": kind, "config": layer["config"]}
        groups.update(layers(layer, group_name + "/", name + "/"))
    return groups


def group(path: str, layer_groups: Mapping[str, Any]) -> str:
    """Returns the group of the innermost layer that contains a dataset, or ""."""
    parts = path.split("/")
    for length in range(len(parts) - 1, 0, -1):
        if "/".join(parts[:length]) in layer_groups:
            return "/".join(parts[:length])
    return ""


def variable_name(path: str, layer_groups: Mapping[str, Any], count: int) -> str:
    """Returns the name of a numbered variable.

    Args:
      path: Path of the dataset, such as "layers/dense_1/vars/0".
      layer_groups: Result of `layers`.
      count: Number of variables of the layer.
    """
    scope, _, number = path.rpartition("/vars/")
    inner = scope.rpartition("/")[2]
    kind = re.sub(r"_\d+$", "", inner)
    layer = layer_groups.get(scope)
    if inner == "cell" and count in _CELL:
        kind = "lstm_cell"
    names = _VARIABLES.get(layer["class"] if layer else kind, {}).get(count)
    if layer and layer["class"] == "batch_normalization" and count == 3:
        names = tuple(n for n in _NORM if n != ("beta" if layer["config"]["scale"] else "gamma"))
    last = names[int(number)] if names and number.isdigit() else f"vars/{number}"
    owner = group(path, layer_groups)
    scope_name = scope.replace(owner, layer_groups[owner]["name"], 1) if owner else scope
    scope_name = re.sub(r"(^|/)layers/", r"\1", scope_name)
    return f"{scope_name}/{last}" if scope_name else last


def trainable(name: str, layer: Mapping[str, Any] | None) -> bool | None:
    """Returns true if a variable is trainable, and None if the file does not tell."""
    if name.rpartition("/")[2] in _FIXED:
        return False
    return None if layer is None else bool(layer["config"].get("trainable", True))


def optimizer_names(
    config: Mapping[str, Any], variables: Sequence[Stored], state: Sequence[Stored]
) -> dict[str, str]:
    """Identifies an optimizer's numbered variables.

    Args:
      config: Config of the model, with its compile config.
      variables: Variables of the model, in its order.
      state: Tensors "optimizer/vars/0", ...

    Returns:
      The path of each -> "Adam/m/dense/kernel", as in tf_keras, or "iteration". Empty if the number
      or the shapes do not fit the configuration.
    """
    optimizer = (config.get("compile_config") or {}).get("optimizer")
    if not isinstance(optimizer, Mapping) or "config" not in optimizer:
        return {}
    kind, settings = optimizer["class_name"].rpartition(">")[2], optimizer["config"]
    trained_variables = [tensor for tensor in variables if tensor.trainable]
    names = ["iteration"]
    shapes: list[tuple[int, ...]] = [()]
    if len(state) > 1 and not state[1].shape:
        names.append("learning_rate")  # Keras 3 stores it among the variables.
        shapes.append(())
    keras3 = len(names) == 2
    for slot, tensor in _order(kind.lower(), settings, trained_variables, keras3):
        names.append(f"{kind}/{slot}/{tensor.name}")
        shapes.append(tensor.shape)
    if shapes != [tensor.shape for tensor in state]:
        return {}
    return {tensor.name: name for tensor, name in zip(state, names, strict=True)}


def _order(
    kind: str, settings: Mapping[str, Any], variables: Sequence[Stored], keras3: bool
) -> list[tuple[str, Stored]]:
    """Returns the slots in the order in which the optimizer creates them."""
    order: list[tuple[str, Stored]] = []
    if settings.get("use_ema"):
        order += [("average", tensor) for tensor in variables]
    if kind in _INTERLEAVED:
        order += [(slot, tensor) for tensor in variables for slot in _INTERLEAVED[kind]]
    if kind in ("adam", "adamw") and settings.get("amsgrad"):
        order += [("vhat", tensor) for tensor in variables]
    if kind == "sgd" and (settings.get("momentum") or not keras3):
        order += [("m", tensor) for tensor in variables]
    if kind == "rmsprop":
        slots = ["velocity"]
        slots += ["momentum"] if settings.get("momentum") else []
        slots += ["average_gradient"] if settings.get("centered") else []
        order += [(slot, tensor) for slot in slots for tensor in variables]
    return order
