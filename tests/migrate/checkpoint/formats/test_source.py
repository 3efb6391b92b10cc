"""Tests for the functions that all kinds of checkpoints share."""

import numpy as np

from migrate.checkpoint.formats import contents, source
from migrate.checkpoint.formats.contents import Role


class Steps(source.Source):
    """A checkpoint whose tensors have the values of their names."""

    def __init__(self, **roles):
        self.stored = [contents.Stored(name, (), "int64", role) for name, role in roles.items()]

    def read(self, tensor):
        return np.int64(tensor.name.removeprefix("step"))


def test_the_step_is_the_largest_one():
    assert Steps(step7=Role.STEP, step9=Role.STEP, step12=Role.VARIABLE).step() == 9
    assert Steps(step12=Role.VARIABLE).step() is None


def test_selects_tensors_by_role():
    found = Steps(a=Role.SLOT, b=Role.VARIABLE, c=Role.SLOT)
    assert [tensor.name for tensor in found.of(Role.SLOT)] == ["a", "c"]
