"""Tests for the roles of a name-based checkpoint's tensors."""

import pytest

from migrate.checkpoint.formats import contents
from migrate.checkpoint.formats.contents import Role, Stored


def classified(*names, shapes=()):
    shapes = dict(shapes)
    stored = [Stored(name, shapes.get(name, (2,)), "float32") for name in names]
    return {tensor.name: tensor for tensor in contents.of_names(stored)}


def test_finds_the_slots_and_averages_of_variables():
    average = "net/w/ExponentialMovingAverage"
    found = classified("net/w", "net/w/Adam", "net/w/Adam_1", average, "net/Adam")

    roles = [found[name].role for name in ("net/w", "net/w/Adam", average)]
    assert roles == [Role.VARIABLE, Role.SLOT, Role.AVERAGE]
    assert [found[f"net/w/{name}"].slot for name in ("Adam", "Adam_1")] == ["m", "v"]
    assert {found[name].owner for name in ("net/w/Adam", "net/w/Adam_1", average)} == {"net/w"}


def test_finds_the_owner_of_a_slot_within_a_scope():
    found = classified("net/w", "train/net/w/Momentum")

    slot = found["train/net/w/Momentum"]
    assert (slot.owner, slot.kind, slot.slot) == ("net/w", "Momentum", "momentum")


def test_knows_the_slots_of_keras_optimizers():
    slots = [f"training/Adam/dense/kernel/{slot}" for slot in ("m", "v")]
    found = classified("dense/kernel", *slots)

    assert [found[name].slot for name in slots] == ["m", "v"]
    assert all(found[name].of_keras for name in slots)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("beta1_power", Role.POWER),
        ("scope/beta2_power_1", Role.POWER),
        ("OptimizeLoss/learning_rate", Role.SETTING),
        ("save_counter", Role.BOOKKEEPING),
        ("offset", Role.VARIABLE),
    ],
)
def test_scalars_have_the_role_of_their_names(name, role):
    assert classified(name, shapes={name: ()}.items())[name].role == role
