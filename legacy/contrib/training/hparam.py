"""HParams: named hyperparameters with fixed types, which can be set from a string.

>>> hparams = HParams(learning_rate=0.1, hidden_units=[64, 32])
>>> hparams.parse("learning_rate=1,hidden_units=[128,64]")
HParams([('hidden_units', [128, 64]), ('learning_rate', 1.0)])

A hyperparameter keeps the type of its first value. Values are accepted and refused as observed in
TensorFlow 1.15.
"""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib.training import hparam_pb2

_NAME = r"(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?"
_VALUE = r"(?:\[(?P<values>[^\]]*)\]|(?P<value>[^,\[]*))"
_ASSIGNMENT = re.compile(rf"{_NAME}\s*=\s*{_VALUE}(?:,\s*|$)")


def parse_values(
    values: str, type_map: Mapping[str, type], ignore_unknown: bool = False
) -> dict[str, Any]:
    """Parses comma-separated `name=value` pairs.

    Args:
      values: Text such as "rate=0.1,units=[64,32],names[0]=first". Booleans are `true`, `false` or
        an integer.
      type_map: Type of the value, or of a list's elements, by name.
      ignore_unknown: If true, skips names without a type instead of refusing them.

    Returns:
      A dict by name. Its values are single values, lists, or, for assignments to an index, dicts
      from index to value.

    Raises:
      ValueError: The text is malformed, a name is unknown or assigned twice, or a value is not of
        its type.
    """
    parsed_values: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if not match:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name = match["name"]
        if name in type_map:
            _assign(parsed_values, match, type_map[name], values)
        elif not ignore_unknown:
            raise ValueError(f"Unknown hyperparameter type for {name}")
    return parsed_values


def _assign(parsed_values: dict[str, Any], match: re.Match[str], kind: type, text: str) -> None:
    """Adds a parsed assignment to `parsed_values`."""
    name, index = match["name"], match["index"]
    parse: Callable[[str], Any] = _parse_bool if kind is bool else kind
    value = match["value"] if match["values"] is None else match["values"]
    if match["values"] is not None and index is not None:
        raise ValueError("Assignment of a list to a list index.")
    if name in parsed_values and (index is None or not isinstance(parsed_values[name], dict)):
        raise ValueError(f"Multiple assignments to variable '{name}' in {text}")
    try:
        if match["values"] is not None:
            parsed: Any = [parse(item) for item in re.split("[ ,]", value) if item]
        else:
            parsed = parse(value)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{value}' "
            f"in {text}"
        ) from None
    if index is None:
        parsed_values[name] = parsed
        return
    indices = parsed_values.setdefault(name, {})
    if int(index) in indices:
        raise ValueError(f"Multiple assignments to variable '{name}[{index}]' in {text}")
    indices[int(index)] = parsed


def _parse_bool(text: str) -> bool:
    words = {"true": True, "True": True, "false": False, "False": False}
    return words[text] if text in words else bool(int(text))


def _cast(name: str, kind: type, value: Any) -> Any:
    """Converts a value to a hyperparameter's type, or raises ValueError if it does not fit."""
    # Compares types exactly, because bool is a subclass of int.
    if type(value) is kind or issubclass(kind, type(None)):
        return value
    texts = (str, bytes)
    is_refused = (
        (issubclass(kind, texts) and not isinstance(value, texts))
        or issubclass(kind, bool) != isinstance(value, bool)
        or (issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral))
        or (issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number))
    )
    if is_refused:
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)


def _field_of(kind: type) -> str:
    """Returns the field name prefix for values of a type in the protocol buffer."""
    # Tests bool first, because bool is a subclass of int.
    for types, field in ((bool, "bool"), (int, "int64"), ((str, bytes), "bytes"), (float, "float")):
        if issubclass(kind, types):
            return field
    raise ValueError(f"Unsupported parameter type: {kind}")


class HParams:
    """Hyperparameters as attributes.

    Args:
      hparam_def: A protocol buffer returned by `to_proto`. If it is set, `kwargs` is ignored.
      model_structure: Object that `get_model_structure` returns.
      **kwargs: Hyperparameters by name: numbers, booleans, strings, or lists of one of these types.

    Raises:
      AssertionError: `hparam_def` is not an `HParamDef`.
      ValueError: A name is reserved, or a list is empty.
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def:
            self._add_from_proto(hparam_def)
            return
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter.

        Args:
          name: Name that is not an attribute of this object.
          value: Value, which determines the type.

        Raises:
          ValueError: The name is taken, or the value is an empty list.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, (list, tuple))
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0]) if is_list else type(value), is_list)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Changes a hyperparameter.

        Args:
          name: Name of an existing hyperparameter.
          value: Value of the hyperparameter's type, or an integer for a float.

        Raises:
          KeyError: The hyperparameter does not exist.
          ValueError: The value has another type, or only one of the old and the new value is a
            list.
        """
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list) and not is_list:
            raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
        if is_list and not isinstance(value, list):
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        if is_list:
            setattr(self, name, [_cast(name, kind, item) for item in value])
        else:
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter if it exists.

        Args:
          name: Name of the hyperparameter.
        """
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Changes hyperparameters by the assignments in a string. See `parse_values`.

        Args:
          values: Text such as "rate=0.1,units=[64,32]".

        Returns:
          This object.

        Raises:
          ValueError: The text is malformed, or names a hyperparameter that does not exist.
        """
        kinds = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, kinds))

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Changes hyperparameters.

        Args:
          values_dict: New values by name.

        Returns:
          This object.

        Raises:
          KeyError: A hyperparameter does not exist.
          ValueError: A value has another type.
        """
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """Calls `override_from_dict`. This is the older name of that method.

        Args:
          values_map: New values by name.
        """
        tf.compat.v1.logging.log_first_n(
            tf.compat.v1.logging.WARN, "HParams.set_from_map: use override_from_dict.", 1
        )
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        """Stores an object for `get_model_structure`.

        Args:
          model_structure: The object.
        """
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """Returns the object that `set_model_structure` stored."""
        return self._model_structure

    def to_json(
        self, indent: int | None = None, separators: Any = None, sort_keys: bool = False
    ) -> str:
        """Returns all hyperparameters as a JSON object.

        Args:
          indent: As in `json.dumps`.
          separators: As in `json.dumps`.
          sort_keys: As in `json.dumps`.
        """
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Changes hyperparameters by a JSON object.

        Args:
          values_json: The JSON text.

        Returns:
          This object.

        Raises:
          KeyError: A hyperparameter does not exist.
          ValueError: The text is not JSON, or a value has another type.
        """
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Returns all hyperparameters by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """Returns a hyperparameter's value, or the default.

        Args:
          key: Name of the hyperparameter.
          default: Value to return if the hyperparameter does not exist. It must have the type of
            the hyperparameter.

        Raises:
          ValueError: The default does not match the hyperparameter's type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key: str, default: Any) -> None:
        kind, is_list = self._hparam_types[key]
        type_text = f"list<{kind}>" if is_list else str(kind)
        message = f"Hparam '{key}' of type '{type_text}' is incompatible with default={default}"
        if is_list != isinstance(default, list):
            raise ValueError(message)
        try:
            for item in default if is_list else [default]:
                _cast(key, kind, item)
        except ValueError as error:
            raise ValueError(f"{message}. {error}") from None

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns all hyperparameters as a protocol buffer, in which floats have single precision.

        Args:
          export_scope: Not used.

        Returns:
          An `HParamDef`.

        Raises:
          ValueError: A hyperparameter is not a number, a boolean or a string.
        """
        del export_scope
        hparam_def = hparam_pb2.HParamDef()
        for name, (kind, is_list) in self._hparam_types.items():
            field, value = _field_of(kind), getattr(self, name)
            items = value if is_list else [value]
            if field == "bytes":
                items = [tf.compat.as_bytes(item) for item in items]
            if is_list:
                getattr(hparam_def.hparam[name], f"{field}_list").value.extend(items)
            else:
                setattr(hparam_def.hparam[name], f"{field}_value", items[0])
        return hparam_def

    def _add_from_proto(self, hparam_def: Any) -> None:
        if not isinstance(hparam_def, hparam_pb2.HParamDef):
            raise AssertionError(f"hparam_def is no HParamDef: {hparam_def!r}")
        for name, value in hparam_def.hparam.items():
            field = value.WhichOneof("kind")
            field_value = getattr(value, field)
            is_list = field.endswith("_list")
            items = list(field_value.value) if is_list else [field_value]
            if field.startswith("bytes"):
                items = [tf.compat.as_str(item) for item in items]
            self.add_hparam(name, items if is_list else items[0])

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: str | None = None) -> HParams:
        """Returns the hyperparameters of a protocol buffer.

        Args:
          hparam_def: An `HParamDef`.
          import_scope: Not used.

        Raises:
          AssertionError: `hparam_def` is not an `HParamDef`.
        """
        del import_scope
        return HParams(hparam_def=hparam_def)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"
