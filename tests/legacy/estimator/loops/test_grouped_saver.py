"""Tests of the saver that saves large variables one after the other."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.loops import grouped_saver

tf1 = tf.compat.v1

ROWS, VARIABLES = 100, 6
VARIABLE_BYTES = 4 * ROWS


@pytest.fixture(autouse=True)
def two_variables_per_group(monkeypatch):
    monkeypatch.setattr(grouped_saver, "GROUP_BYTES", 2 * VARIABLE_BYTES)


def build(use_resource: bool = True) -> tuple[list[tf.Variable], grouped_saver.GroupedSaver]:
    random = tf1.random_normal_initializer()
    variables = [
        tf1.get_variable(f"v{n}", [ROWS], initializer=random, use_resource=use_resource)
        for n in range(VARIABLES)
    ]
    saver = grouped_saver.GroupedSaver(sharded=True, defer_build=True)
    saver.build()
    return variables, saver


@pytest.mark.parametrize("use_resource", [True, False])
def test_saved_variables_come_back(tmp_path, use_resource):
    with tf.Graph().as_default(), tf1.Session() as session:
        variables, saver = build(use_resource)
        session.run(tf1.global_variables_initializer())
        saved = session.run(variables)
        path = saver.save(session, str(tmp_path / "model.ckpt"), global_step=7)
        session.run(tf1.global_variables_initializer())
        assert not np.array_equal(session.run(variables[0]), saved[0])
        saver.restore(session, path)
        np.testing.assert_array_equal(session.run(variables), saved)
    assert path == str(tmp_path / "model.ckpt-7")
    files = sorted(file.name for file in tmp_path.glob("*.data-*"))
    assert files == [f"model.ckpt-7.data-0000{n}-of-00003" for n in range(3)]
    assert not [file for file in tmp_path.iterdir() if file.is_dir()]  # None is left over.


def test_parts_of_a_variable_are_one_variable_in_the_checkpoint(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        with tf1.variable_scope("scope", partitioner=tf1.fixed_size_partitioner(3)):
            variable = tf1.get_variable("v", [3 * ROWS, 2])
        saver = grouped_saver.GroupedSaver(sharded=True)
        session.run(tf1.global_variables_initializer())
        saved = session.run(tf.convert_to_tensor(variable))
        path = saver.save(session, str(tmp_path / "model.ckpt"))
    assert len([*tmp_path.glob("*.data-*")]) == 3
    np.testing.assert_array_equal(tf.train.load_variable(path, "scope/v"), saved)


def reads_before(save: tf.Operation) -> int:
    """Returns the number of variables that may be read before a save has ended."""
    found, todo = set(), [save]
    while todo:
        op = todo.pop()
        if op not in found:
            found.add(op)
            todo += [*op.control_inputs, *(tensor.op for tensor in op.inputs)]
    return len([op for op in found if op.type == "ReadVariableOp"])


def test_a_group_is_read_after_the_last_one_is_written():
    with tf.Graph().as_default() as graph:
        _, saver = build()
        saves = [op for op in graph.get_operations() if op.type == "SaveV2"]
        assert [reads_before(save) for save in saves] == [VARIABLES, 2, 4, 6]
        assert saver.saver_def.save_tensor_name.startswith("grouped_save/")


def test_small_variables_are_saved_at_once(monkeypatch):
    monkeypatch.setattr(grouped_saver, "GROUP_BYTES", VARIABLES * VARIABLE_BYTES)
    with tf.Graph().as_default() as graph:
        build()
        assert len([op for op in graph.get_operations() if op.type == "SaveV2"]) == 1


def test_a_second_build_adds_nothing():
    with tf.Graph().as_default() as graph:
        _, saver = build()
        operations = len(graph.get_operations())
        saver.build()
        assert len(graph.get_operations()) == operations


def test_a_large_device_has_few_files(monkeypatch):
    monkeypatch.setattr(grouped_saver, "GROUP_BYTES", 1)
    with tf.Graph().as_default() as graph:
        for n in range(64):
            tf1.get_variable(f"v{n}", [ROWS])
        grouped_saver.GroupedSaver(sharded=True)
        saves = [op for op in graph.get_operations() if op.type == "SaveV2"]
    assert len(saves) == 1 + 16
