"""Test of absl flags that are as tolerant as tf.flags was."""

import pytest
from absl import flags as absl_flags

from legacy.shim import program_flags


def test_flags():
    values = absl_flags.FlagValues()
    absl_flags.DEFINE_string("log_dir", "", "", flag_values=values, module_name="absl.logging")
    absl_flags.DEFINE_integer("steps", 1, "", flag_values=values, module_name="old")
    program_flags.complete(values)
    absl_flags.DEFINE_string("log_dir", "mine", "", flag_values=values, module_name="old")
    with pytest.raises(absl_flags.DuplicateFlagError):
        absl_flags.DEFINE_integer("steps", 2, "", flag_values=values, module_name="old2")
    assert values._parse_flags(["--steps=3", "--unknown", "rest"]) == ["--unknown", "rest"]
    assert (values.steps, values.log_dir) == (3, "mine")
