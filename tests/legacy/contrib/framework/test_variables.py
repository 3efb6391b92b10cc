"""Tests of creating and selecting variables."""

import pytest
import tensorflow as tf

from legacy.contrib import framework

tf1 = tf.compat.v1


def names(variables):
    return [variable.op.name for variable in variables]


@pytest.fixture
def net(session):
    with tf1.variable_scope("net"):
        framework.model_variable("a", [1], collections=["mine"])
        framework.variable("b", [1], trainable=False)
    framework.model_variable("logits/a", [1])
    framework.local_variable(0.0, name="count")


@pytest.mark.usefixtures("net")
def test_variables_are_in_their_collections():
    assert names(framework.get_variables()) == ["net/a", "net/b", "logits/a"]
    assert names(framework.get_model_variables()) == ["net/a", "logits/a"]
    assert names(framework.get_trainable_variables("net")) == ["net/a"]
    assert names(framework.get_local_variables()) == ["count"]
    assert names(tf1.get_collection("mine")) == ["net/a"]


@pytest.mark.usefixtures("net")
def test_variables_are_selected_by_their_names():
    assert names(framework.get_variables_by_name("a")) == ["net/a", "logits/a"]
    assert names(framework.get_variables_by_suffix("b")) == ["net/b"]
    assert names(framework.get_variables_to_restore(["net"], ["net/b"])) == ["net/a"]
    assert names(framework.get_variables_to_restore(exclude=["net"])) == ["logits/a"]
    chosen = framework.filter_variables(framework.get_variables(), ["a"], ["^logits"])
    assert names(chosen) == ["net/a"]
    assert framework.filter_variables(framework.get_variables(), ["a"], reg_search=False) == []
    assert framework.get_unique_variable("net/b").op.name == "net/b"
    with pytest.raises(ValueError, match="does not uniquely identify"):
        framework.get_unique_variable("net")
    with pytest.raises(TypeError, match="include is provided but is not a list"):
        framework.get_variables_to_restore("net")


@pytest.mark.usefixtures("session")
def test_variables_go_round_the_parameter_servers():
    chooser = framework.VariableDeviceChooser(num_tasks=2)
    with framework.arg_scope([framework.variable], device=chooser):
        made = [framework.variable(name, [1]) for name in "abc"]
    tasks = [tf1.DeviceSpec.from_string(each.device).task for each in made]
    assert tasks == [0, 1, 0]
    assert framework.VariableDeviceChooser()(None) == "/device:CPU:0"
