"""Tests of the choice between tf_keras and Keras 3."""

import subprocess
import sys

import pytest

from modern.process import chosen_keras, cli
from modern.process.chosen_keras import keras, tf_variable


def test_tf_keras_is_the_default():
    assert chosen_keras.version() == 2
    assert keras.__name__ == "tf_keras"


@pytest.mark.keras(3)
def test_keras_3():
    assert chosen_keras.version() == 3
    assert keras.__version__.startswith("3.")
    variable = keras.Variable([1.0])
    assert tf_variable(variable) is variable.value
    assert tf_variable(variable.value) is variable.value


@pytest.mark.keras(2, 3)
def test_a_choice_cannot_be_changed():
    chosen_keras.choose(chosen_keras.version())
    with pytest.raises(RuntimeError, match="is in use in this process"):
        chosen_keras.choose(5 - chosen_keras.version())


@pytest.mark.parametrize(("version", "other"), [(2, "keras"), (3, "tf_keras")])
def test_the_other_keras_is_not_imported(version, other):
    program = (
        "import sys; from modern.process import chosen_keras, quiet_import\n"
        f"chosen_keras.choose({version}); quiet_import.import_tensorflow()\n"
        "import tensorflow as tf; from modern.process.chosen_keras import keras\n"
        "assert tf.keras.layers.Dense is keras.layers.Dense\n"
        f"assert {other!r} not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@pytest.mark.parametrize("installed", ["3.6.0", "3.10.0", "3.15.1", "4.0.0"])
def test_a_newer_keras_3_is_supported(installed):
    chosen_keras.check_keras_3(installed)


@pytest.mark.parametrize("installed", ["3.5.0", "3.0.5", "2.15.0"])
def test_an_older_keras_3_is_refused_in_one_line(installed):
    with pytest.raises(cli.UsageError) as caught:
        chosen_keras.check_keras_3(installed)
    for word in ("--keras=3", "keras 3.6", installed, "pip install"):
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)
