"""Tests for the operations of eager variables."""

import threading

import pytest
import tensorflow as tf

from migrate.bridge.graphs import variable_ops


def variable_class(metaclass=type):
    """Returns a new class of variables, with attributes that are replaced."""

    def op(variable):
        raise AttributeError("op")

    members = {"name": "v:0", "device": "", "op": property(op), "graph": property(op)}
    return metaclass("Variable", (), members)


def test_an_eager_variable_has_an_operation_within_the_block():
    variable = tf.Variable(1.0, name="net/w")
    with variable_ops.with_ops([variable]):
        assert (variable.op.name, variable.op.type) == ("net/w", "VarHandleOp")
        with tf.Graph().as_default() as graph:
            assert variable.graph is variable.op.graph is graph
    with pytest.raises((AttributeError, ValueError)):
        str(variable.op.name)


def test_a_variable_of_a_graph_keeps_its_operation():
    with tf.Graph().as_default() as graph:
        variable = tf.compat.v1.get_variable("w", [2])
        before = variable.op
        with variable_ops.with_ops([variable]):
            assert variable.op is before
            assert variable.graph is graph


def test_copies_of_a_mirrored_variable_have_its_name():
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        variable = tf.Variable(1.0, name="w")
    copy = tf.Variable(1.0, name="w/replica_1")
    with variable_ops.with_ops([variable, copy]):
        assert variable.name == copy.name == "w:0"


def test_a_thread_adds_its_classes_while_another_one_replaces_attributes():
    read, threads = threading.Event(), []

    def others():
        yield variable_class()()
        read.set()  # `named` has added the class.

    def enter():
        with variable_ops.with_ops(others()):
            pass

    class Replaced(type):
        def __setattr__(cls, name, value):
            super().__setattr__(name, value)
            if not threads:
                threads.append(threading.Thread(target=enter))
                threads[0].start()
                assert read.wait(timeout=60)

    with variable_ops.with_ops([variable_class(Replaced)()]):
        pass
    threads[0].join()
