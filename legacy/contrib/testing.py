"""tf.contrib.testing: checks of the summaries that a test's model has written.

testing.assert_summary(["loss"], {"loss": 0.5}, testing.to_summary_proto(serialized))
events = testing.latest_events(model_dir)
losses = testing.simple_values_from_events(events, ["loss"])
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from modern.records import events

tf1 = tf.compat.v1

_TOLERANCE = 0.015  # Two decimals, as numpy.testing.assert_almost_equal counts them.


def assert_summary(
    expected_tags: Iterable[str],
    expected_simple_values: Mapping[str, float],
    summary_proto: Any,
) -> None:
    """Checks the tags and numbers of a Summary.

    Args:
      expected_tags: All tags.
      expected_simple_values: Numbers by tag, to two decimals. Tags that are not among them may have
        any value.
      summary_proto: The Summary.

    Raises:
      AssertionError: A tag or number differs.
    """
    tags = {value.tag for value in summary_proto.value}
    if tags != set(expected_tags):
        raise AssertionError(f"The summary has the tags {sorted(tags)}.")
    for value in summary_proto.value:
        expected = expected_simple_values.get(value.tag, value.simple_value)
        if not abs(value.simple_value - expected) < _TOLERANCE:
            raise AssertionError(f"{value.tag} is {value.simple_value} instead of {expected}.")


def to_summary_proto(summary_str: bytes) -> Any:
    """Parses a serialized Summary.

    Args:
      summary_str: The serialized Summary.
    """
    return tf1.Summary.FromString(summary_str)


def latest_event_file(base_dir: str) -> str | None:
    """Returns the last event file of a folder, or None.

    Args:
      base_dir: The folder.
    """
    paths = glob.glob(os.path.join(glob.escape(base_dir), "events.*"))
    return max(paths, default=None)


def latest_events(base_dir: str) -> Iterable[Any]:
    """Returns the events in the last event file of a folder.

    Args:
      base_dir: The folder.
    """
    path = latest_event_file(base_dir)
    return events.read(path) if path else []


def latest_summaries(base_dir: str) -> list[Any]:
    """Returns the events with a summary in the last event file of a folder.

    Args:
      base_dir: The folder.
    """
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """Returns the number of the latest step for each tag.

    Args:
      events: The events.
      tags: The tags. Tags without a number are left out of the result.

    Raises:
      ValueError: A value is not a number.
    """
    tags = set(tags)
    latest_values: dict[str, tuple[int, float]] = {}
    for event in events:
        for value in event.summary.value:
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            if value.tag not in latest_values or event.step > latest_values[value.tag][0]:
                latest_values[value.tag] = event.step, value.simple_value
    return {tag: number for tag, (_, number) in latest_values.items()}


__getattr__ = _missing.attribute_of("testing")
