"""contrib.rnn: cells, their variables, outputs and gradients."""

import functools

import numpy as np

from tests.oracle import facts
from tests.oracle.programs.contrib_layers import values_by_name

APIS = ("contrib",)


def sequence(tf):
    return tf.constant(np.random.RandomState(1).standard_normal((3, 4, 2)), tf.float32)


def seen(tf, build, with_gradients=False):
    with tf.Graph().as_default(), tf.Session() as session:
        tensors = tf.contrib.framework.nest.flatten(build())
        variables = tf.trainable_variables()
        gradients = tf.gradients(tensors, variables) if with_gradients else []
        session.run(tf.global_variables_initializer())
        for variable, value in values_by_name(variables):
            variable.load(value, session)
        sums = [tf.reduce_sum(tf.square(g)) for g in gradients if g is not None]
        return {
            "variables": {v.op.name: v.shape.as_list() for v in variables},
            "shapes": [t.shape.as_list() for t in tensors],
            "values": facts.plain(session.run(tensors)),
            "gradients": facts.plain(session.run(sums)),
        }


def two_steps(tf, cell):
    inputs = tf.unstack(sequence(tf), axis=1)[:2]
    return tf.contrib.rnn.static_rnn(cell(), inputs, dtype=tf.float32)


def cells(tf):
    rnn = tf.contrib.rnn
    lstm = rnn.BasicLSTMCell
    made = {
        "basic": lambda: rnn.BasicRNNCell(3),
        "basic lstm": lambda: lstm(3),
        "lstm": lambda: rnn.LSTMCell(3, use_peepholes=True, num_proj=2, cell_clip=0.3),
        "gru": lambda: rnn.GRUCell(3),
        "multi": lambda: rnn.MultiRNNCell([lstm(2), rnn.GRUCell(3)]),
        "dropout": lambda: rnn.DropoutWrapper(lstm(2), output_keep_prob=1.0),
        "residual": lambda: rnn.ResidualWrapper(rnn.GRUCell(2)),
        "layer norm": lambda: rnn.LayerNormBasicLSTMCell(3, norm_gain=0.5, norm_shift=0.1),
        "no layer norm": lambda: rnn.LayerNormBasicLSTMCell(3, layer_norm=False),
        "block": lambda: rnn.LSTMBlockCell(3, forget_bias=0.5),
        "peephole block": lambda: rnn.LSTMBlockCell(3, use_peephole=True, cell_clip=0.2),
        "input": lambda: rnn.InputProjectionWrapper(lstm(2), 3, activation=tf.nn.relu),
        "output": lambda: rnn.OutputProjectionWrapper(rnn.GRUCell(2), 3),
        "attention": lambda: rnn.AttentionCellWrapper(lstm(3), 2, attn_vec_size=4),
        "attention flat": lambda: rnn.AttentionCellWrapper(
            rnn.GRUCell(3), 2, attn_size=2, state_is_tuple=False, input_size=5
        ),
        "highway": lambda: rnn.HighwayWrapper(rnn.GRUCell(2)),
        "highway apart": lambda: rnn.HighwayWrapper(rnn.GRUCell(2), False),
    }
    found = {}
    for name in sorted(made):
        differentiated = "block" in name or name in ("layer norm", "attention")
        found[name] = seen(tf, functools.partial(two_steps, tf, made[name]), differentiated)

    def dynamic():
        cell = rnn.DeviceWrapper(made["layer norm"](), "/cpu:0")
        return tf.nn.dynamic_rnn(cell, sequence(tf), [2, 4, 1], dtype=tf.float32)

    found["dynamic"] = seen(tf, dynamic)
    return found


def static(tf):
    rnn = tf.contrib.rnn

    def plain():
        cell = rnn.GRUCell(2)
        return rnn.static_rnn(
            cell, tf.unstack(sequence(tf), axis=1), dtype=tf.float32, sequence_length=[1, 4, 2]
        )

    def both():
        inputs = tf.unstack(sequence(tf), axis=1)
        return rnn.static_bidirectional_rnn(
            rnn.GRUCell(2), rnn.BasicLSTMCell(2), inputs, dtype=tf.float32
        )

    def embedded():
        cell = rnn.EmbeddingWrapper(rnn.GRUCell(2), 5, 3)
        ids = [tf.constant([[1], [0]]), tf.constant([[4], [2]])]
        return rnn.static_rnn(cell, ids, dtype=tf.float32)

    def stacked():
        inputs = tf.unstack(sequence(tf), axis=1)
        cells = [[rnn.GRUCell(2), rnn.GRUCell(3)] for _ in range(2)]
        return rnn.stack_bidirectional_rnn(cells[0], cells[1], inputs, dtype=tf.float32)

    def stacked_dynamic():
        cells = [[rnn.GRUCell(2), rnn.LSTMCell(3)] for _ in range(2)]
        return rnn.stack_bidirectional_dynamic_rnn(
            cells[0], cells[1], sequence(tf), dtype=tf.float32, sequence_length=[1, 4, 2]
        )

    return {
        "plain": seen(tf, plain),
        "both": seen(tf, both),
        "embedded": seen(tf, embedded),
        "stacked": seen(tf, stacked),
        "stacked dynamic": seen(tf, stacked_dynamic),
    }


def fused(tf):
    rnn = tf.contrib.rnn

    def steps():
        return tf.transpose(sequence(tf), [1, 0, 2])

    def plain():
        return rnn.LSTMBlockFusedCell(3, use_peephole=True)(steps(), dtype=tf.float32)

    def both():
        lengths = tf.constant([2, 4, 1])
        forward = rnn.LSTMBlockFusedCell(3)
        backward = rnn.TimeReversedFusedRNN(rnn.LSTMBlockFusedCell(3))
        with tf.variable_scope("outer"):
            return (
                forward(steps(), dtype=tf.float32, sequence_length=lengths),
                backward(steps(), dtype=tf.float32, sequence_length=lengths),
            )

    def adapted():
        state = tf.ones([3, 2])
        return (
            rnn.FusedRNNCellAdaptor(rnn.GRUCell(2))(steps(), initial_state=state),
            rnn.FusedRNNCellAdaptor(rnn.GRUCell(2), True)(steps(), state, scope="other"),
            rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(rnn.GRUCell(2)))(
                tf.unstack(steps()), state, scope="third"
            ),
            rnn.transpose_batch_time(steps()),
        )

    return {"plain": seen(tf, plain), "both": seen(tf, both), "adapted": seen(tf, adapted)}


def errors(tf):
    rnn = tf.contrib.rnn
    gru = rnn.GRUCell(2)
    wrong = {
        "attention": lambda: rnn.AttentionCellWrapper(gru, 0),
        "attention state": lambda: rnn.AttentionCellWrapper(
            rnn.BasicLSTMCell(2), 2, state_is_tuple=False
        ),
        "no cell": lambda: rnn.InputProjectionWrapper(3, 2),
        "output": lambda: rnn.OutputProjectionWrapper(gru, 0),
        "embedding": lambda: rnn.EmbeddingWrapper(gru, 0, 2),
        "no cells": lambda: rnn.stack_bidirectional_rnn([], [gru], []),
        "depth": lambda: rnn.stack_bidirectional_dynamic_rnn([gru], [gru, gru], sequence(tf)),
        "no list": lambda: rnn.stack_bidirectional_dynamic_rnn(gru, [gru], sequence(tf)),
        "state": lambda: rnn.LSTMBlockFusedCell(2)(sequence(tf)),
    }
    return {name: facts.error(wrong[name])[0] for name in sorted(wrong)}


def run(tf, folder):
    return {
        "cells": cells(tf),
        "static": static(tf),
        "fused": fused(tf),
        "errors": errors(tf),
        "state": list(tf.contrib.rnn.LSTMStateTuple(1, 2)),
    }
