"""Writes the results of an evaluation to its event file.

>>> import numpy as np
>>> [value.tag for value in summary_of({"loss": np.float32(1), "global_step": 5}).value]
['loss']
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

_GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP


def write(results: dict[str, Any], output_dir: str, checkpoint_path: str | None) -> None:
    """Writes the results and the path of the evaluated checkpoint.

    Args:
      results: Values by name, including "global_step".
      output_dir: The folder of the event file.
      checkpoint_path: The checkpoint. None if the variables were initialized.
    """
    step = results[_GLOBAL_STEP]
    write_dict_to_summary(output_dir, results, step)
    if checkpoint_path:
        write_checkpoint_path_to_summary(output_dir, checkpoint_path, step)


def write_dict_to_summary(
    output_dir: str, dictionary: dict[str, Any], current_global_step: int
) -> None:
    """Writes the results of an evaluation.

    Args:
      output_dir: The folder of the event file.
      dictionary: Values by name.
      current_global_step: The global step of the evaluated checkpoint.
    """
    tf1.logging.info(
        "Saving dict for global step %d: %s", current_global_step, describe(dictionary)
    )
    _add(output_dir, summary_of(dictionary), current_global_step)


def describe(dictionary: dict[str, Any]) -> str:
    """Returns the results as text, without serialized summaries.

    Args:
      dictionary: Values by name.
    """
    texts = (f"{n} = {v!s}" for n, v in sorted(dictionary.items()) if not isinstance(v, bytes))
    return ", ".join(texts)


def write_checkpoint_path_to_summary(
    output_dir: str, checkpoint_path: str, current_global_step: int
) -> None:
    """Writes the path of the evaluated checkpoint.

    Args:
      output_dir: The folder of the event file.
      checkpoint_path: The checkpoint.
      current_global_step: The global step of the checkpoint.
    """
    tf1.logging.info(
        "Saving 'checkpoint_path' summary for global step %d: %s",
        current_global_step,
        checkpoint_path,
    )
    tensor = tf1.make_tensor_proto(checkpoint_path, dtype=tf.string)
    path = tf1.Summary(value=[tf1.Summary.Value(tag="checkpoint_path", tensor=tensor)])
    _add(output_dir, path, current_global_step)


def _add(output_dir: str, summary: Any, step: int) -> None:
    # The cache keeps one event file for all evaluations of a process.
    writer = tf1.summary.FileWriterCache.get(output_dir)
    writer.add_summary(summary, step)
    writer.flush()


def summary_of(results: dict[str, Any]) -> Any:
    """Makes a summary of the results. The accepted types are those observed in TensorFlow 2.15.

    Args:
      results: Values by name. A Python number, np.float32, np.int32 or np.int64 becomes a scalar.
        An array becomes a tensor. Bytes are a serialized Summary. Other values are left out, with a
        warning.

    Returns:
      A `tf.compat.v1.Summary`, without the global step.
    """
    summary = tf1.Summary()
    for name, value in results.items():
        if value is None or name == _GLOBAL_STEP:
            continue
        if isinstance(value, (float, np.float32, int, np.int32, np.int64)):
            summary.value.add(tag=name, simple_value=float(value))
        elif isinstance(value, bytes):
            _add_serialized(summary, name, value)
        elif isinstance(value, np.ndarray):
            tensor = tf1.make_tensor_proto(value)
            summary.value.add(tag=name, node_name=name, tensor=tensor)
            tf1.logging.info(
                "Summary for np.ndarray is not visible in Tensorboard by default: %s needs a "
                "plugin.",
                name,
            )
        else:
            tf1.logging.warning(
                "Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int "
                "or np.ndarray or a serialized string of Summary. It is %s.",
                name,
                type(value),
            )
    return summary


def _add_serialized(summary: Any, name: str, value: bytes) -> None:
    try:
        parsed = tf1.Summary.FromString(value)
    except Exception:  # protobuf's DecodeError is not part of TensorFlow's API.
        tf1.logging.warning("Skipping summary for %s, cannot parse string to Summary.", name)
        return
    for i, item in enumerate(parsed.value):
        item.tag = f"{name}/{i}"
        summary.value.append(item)
