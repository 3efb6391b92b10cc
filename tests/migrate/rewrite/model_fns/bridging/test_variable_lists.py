"""Tests for code that hashes or compares variables."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import variable_lists

HEAD = "import tensorflow as tf\nfound = tf.trainable_variables()\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = set(found)", "hash of variables in line 3"),
        ("x = list(set(tf.global_variables()) - old)", "hash of variables in line 3"),
        ("x = {v: v.name for v in found}", "hash of variables in line 3"),
        ("for v in found:\n    x[v] = 1", "hash of variables in line 4"),
        ("x = [old.index(v) for v in found]", "compares variables in line 3"),
    ],
)
def test_code_that_takes_variables_for_keys_is_found(code, reason):
    assert reason in variable_lists.reason_to_stay(SourceFile(HEAD + code))


@pytest.mark.parametrize(
    "code",
    [
        "x = {v.name: v for v in found}",
        "x = set(v.name for v in found)",
        "x = [v for v in found if 'a' in v.name]",
        "for i in range(3):\n    x[i] = found[i]",
    ],
)
def test_code_that_takes_names_for_keys_is_left_alone(code):
    assert variable_lists.reason_to_stay(SourceFile(HEAD + code)) == ""
