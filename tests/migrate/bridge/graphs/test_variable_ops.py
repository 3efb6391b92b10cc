import threading

import tensorflow as tf

from migrate.bridge.graphs import variable_ops


def variable_class(metaclass=type):
    """Returns a new class of variables, with attributes that are replaced."""

    def op(variable):
        raise AttributeError("op")

    members = {"name": "v:0", "device": "", "op": property(op), "graph": property(op)}
    return metaclass("Variable", (), members)


def test_an_eager_variable_has_an_op_in_the_block_alone():
    variable = tf.Variable(1.0, name="v")
    with variable_ops.named([variable]):
        assert variable.op.name == "v"
    with tf.Graph().as_default(), variable_ops.named([variable]):
        assert variable.graph is tf.compat.v1.get_default_graph()


def test_a_thread_adds_its_classes_while_another_one_replaces_attributes():
    read, threads = threading.Event(), []

    def others():
        yield variable_class()()
        read.set()  # `named` has added the class.

    def enter():
        with variable_ops.named(others()):
            pass

    class Replaced(type):
        def __setattr__(cls, name, value):
            super().__setattr__(name, value)
            if not threads:
                threads.append(threading.Thread(target=enter))
                threads[0].start()
                assert read.wait(timeout=60)

    with variable_ops.named([variable_class(Replaced)()]):
        pass
    threads[0].join()
