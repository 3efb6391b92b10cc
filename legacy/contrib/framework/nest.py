"""tf.contrib.framework.nest: tf.nest under its old names."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

assert_same_structure = tf.nest.assert_same_structure
flatten = tf.nest.flatten
map_structure = tf.nest.map_structure
pack_sequence_as = tf.nest.pack_sequence_as
is_sequence = is_nested = tf.nest.is_nested

flatten_up_to = tf.__internal__.nest.flatten_up_to
get_traverse_shallow_structure = tf.__internal__.nest.get_traverse_shallow_structure
map_structure_up_to = tf.__internal__.nest.map_structure_up_to


def assert_shallow_structure(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> None:
    """Checks that a nest has the structure of another one down to the depth of the latter.

    Args:
      shallow_tree: The shallow nest.
      input_tree: The nest to check.
      check_types: If true, the types of lists and dicts must be the same, too.

    Raises:
      TypeError: A type differs.
      ValueError: A length or key differs.
    """
    flatten_up_to(shallow_tree, input_tree, check_types=check_types)


def flatten_dict_items(dictionary: dict[Any, Any]) -> dict[Any, Any]:
    """Returns a dict whose keys and values, if nests, are flat: {(a, b): (1, 2)} is {a: 1, b: 2}.

    Args:
      dictionary: The dict.

    Raises:
      ValueError: A key is not unique, or a key and its value have different structures.
    """
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys = flatten(key) if is_nested(key) else [key]
        values = flatten(value) if is_nested(key) else [value]
        if len(keys) != len(values):
            raise ValueError(f"Could not flatten dictionary: {key!r} is not nested like {value!r}.")
        for flat_key, flat_value in zip(keys, values, strict=True):
            if flat_key in flat:
                raise ValueError(f"Could not flatten dictionary: key {flat_key} is not unique.")
            flat[flat_key] = flat_value
    return flat
