"""Tests that four kinds of Estimators go on in Keras 3, with each backend."""

import functools
import os

import pytest

from migrate import __main__ as migrate
from migrate.checkpoint.cells import gates
from modern.process.chosen_keras import keras
from tests.cluster import core
from tests.migrate.checkpoint.four_kinds import keras3
from tests.migrate.checkpoint.four_kinds.measured import PACKAGE, deviation
from tests.migrate.checkpoint.four_kinds.settings import BACKENDS, KINDS, conversion
from tests.modern import programs

pytestmark = pytest.mark.keras(3)
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    """Returns a function that converts an Estimator once, and returns a folder and its losses."""

    @functools.cache
    def run(kind):
        folder = str(tmp_path_factory.mktemp(kind))
        losses = programs.printed_by(f"{PACKAGE}.estimators", folder, kind)[kind]
        convert(folder, kind)
        return folder, losses

    return run


def convert(folder, kind, *flags):
    assert migrate.main(["checkpoint", "convert", *conversion(folder, kind, *flags)]) == 0


def losses_with(backend, kind, folder):
    if backend == "tensorflow":
        return keras3.losses_of(kind, folder)
    # JAX needs scipy.
    environment = core.whole_environment({**os.environ, "KERAS_BACKEND": backend})
    program = f"{PACKAGE}.keras3"
    return programs.printed_by(program, folder, kind, environment=environment)[kind]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_losses_are_those_of_the_estimator(kind, backend, converted):
    pytest.importorskip(backend)  # `make install` has no torch.
    folder, expected = converted(kind)
    found = losses_with(backend, kind, folder)
    assert deviation(found, expected) < TOLERANCE


# Arguments of a port's `build_model` that make it another one.
DEFECTS = {
    "moving variance": ("resnet", lambda: {"norm": keras.layers.BatchNormalization}),
    # As Keras' exclude_from_weight_decay, which does not find "LayerNorm" in the name "gamma".
    "decay of gamma": ("bert", lambda: {"not_decayed": ("bias",)}),
    "no l1": ("wide_deep", lambda: {"l1": 0.0}),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_port_is_seen(name, converted):
    kind, arguments = DEFECTS[name]
    folder, expected = converted(kind)
    found = keras3.losses_of(kind, folder, **arguments())
    assert deviation(found, expected) > TOLERANCE


def test_a_wrong_order_of_gates_is_seen(converted, monkeypatch, tmp_path):
    """A planted defect of the conversion."""
    folder, expected = converted("lstm")
    layout = gates.LAYOUTS["lstm"]._replace(keras="icfo")
    monkeypatch.setitem(gates.LAYOUTS, "lstm", layout)
    output = f"--output={tmp_path}/lstm.weights.h5"
    convert(folder, "lstm", output)
    found = keras3.losses_of("lstm", folder, f"{tmp_path}/lstm.weights.h5")
    assert deviation(found, expected) > TOLERANCE
