"""contrib.seq2seq.BeamSearchDecoder: sequences, scores and alignments."""

import numpy as np

from tests.oracle import facts
from tests.oracle.programs.contrib_layers import values_by_name

APIS = ("contrib",)
WORDS, END = 6, 2


def random(*shape):
    return np.random.RandomState(8).standard_normal(shape).astype(np.float32)


def written(value):
    """Returns an array as JSON that can be compared: infinity is a word."""
    flat = [round(each, 7) for each in np.ravel(value).tolist()]
    return [list(np.shape(value))] + [str(v) if abs(v) == float("inf") else v for v in flat]


def computed(tf, build):
    with tf.Graph().as_default(), tf.Session() as session:
        flat = tf.contrib.framework.nest.flatten(build())
        tensors = [each for each in flat if isinstance(each, tf.Tensor)]
        variables = tf.trainable_variables()
        session.run(tf.global_variables_initializer())
        for variable, value in values_by_name(variables):
            variable.load(value * 2, session)
        return {
            "variables": {v.op.name: v.shape.as_list() for v in variables},
            "types": [each.dtype.name for each in tensors],
            "shapes": [each.shape.as_list() for each in tensors],
            "arrays": [i for i, each in enumerate(flat) if isinstance(each, tf.TensorArray)],
            "values": [written(each) for each in session.run(tensors)],
        }


def decoder(tf, cell, beams=3, **more):
    """Returns a decoder of two examples, from states that differ, with defaults for the rest."""
    nest = tf.contrib.framework.nest
    parts = {
        "cell": cell,
        "embedding": tf.constant(random(WORDS, 2)),
        "start_tokens": tf.fill([2], 1),
        "end_token": END,
        "beam_width": beams,
        "output_layer": tf.layers.Dense(WORDS, name="out"),
    }
    if "initial_state" not in more:
        state = nest.map_structure(lambda size: tf.constant(random(2, size)), cell.state_size)
        parts["initial_state"] = tf.contrib.seq2seq.tile_batch(state, beams)
    parts.update(more)
    return tf.contrib.seq2seq.BeamSearchDecoder(**parts)


def cells(tf):
    rnn, seq2seq = tf.nn.rnn_cell, tf.contrib.seq2seq

    class Ending(tf.layers.Dense):
        def call(self, inputs):
            return super(Ending, self).call(inputs) + 4 * tf.one_hot(END, WORDS)

    def searched(make, steps=6, **more):
        return lambda: seq2seq.dynamic_decode(decoder(tf, make(), **more), maximum_iterations=steps)

    def gru():
        return rnn.GRUCell(4)

    def lstm():
        return rnn.LSTMCell(3)

    def deep():
        return rnn.MultiRNNCell([rnn.LSTMCell(3), rnn.DropoutWrapper(rnn.GRUCell(4))])

    def unknown_batch(steps):
        def build():
            start = tf.placeholder_with_default([1, 1, 1], [None])
            fed = tf.placeholder_with_default(random(3, 4), [None, None])
            state = seq2seq.tile_batch(fed, 2)
            made = decoder(tf, gru(), 2, start_tokens=start, initial_state=state)
            return seq2seq.dynamic_decode(made, maximum_iterations=steps)

        return build

    def looked_up():
        table = tf.get_variable("table", [WORDS, 2])
        made = decoder(tf, gru(), 2, embedding=lambda ids: tf.nn.embedding_lookup([table], ids))
        return seq2seq.dynamic_decode(made, maximum_iterations=4, scope="mine")

    def by_length():
        weight = tf.placeholder_with_default(0.7, [])
        made = decoder(tf, gru(), 2, length_penalty_weight=weight)
        return seq2seq.dynamic_decode(made, maximum_iterations=4)

    def time_first():
        made = decoder(tf, gru())
        return seq2seq.dynamic_decode(made, output_time_major=True, maximum_iterations=5)

    cases = {
        "one beam": searched(gru, beams=1),
        "three beams": searched(gru),
        "more beams than words": searched(gru, 3, beams=8),
        "lstm": searched(lstm),
        "lstm, one beam": searched(lstm, beams=1),
        "deep": searched(deep, length_penalty_weight=0.5),
        "no layer": searched(lambda: rnn.GRUCell(WORDS), output_layer=None),
        "to the end": lambda: seq2seq.dynamic_decode(
            decoder(tf, gru(), output_layer=Ending(WORDS, name="out"))
        ),
        "one step": searched(gru, 1),
        "no step": searched(gru, 0),
        "time first": time_first,
        "unknown batch": unknown_batch(5),
        "unknown batch, one step": unknown_batch(1),
        "table": looked_up,
        "length fed": by_length,
    }
    for weight in (-0.5, 1.0, 3.0):
        cases["length {}".format(weight)] = searched(gru, length_penalty_weight=weight)
    return {name: computed(tf, cases[name]) for name in sorted(cases)}


def steps(tf):
    def build():
        made = decoder(tf, tf.nn.rnn_cell.GRUCell(4))
        finished, inputs, state = made.initialize()
        output, next_state, next_inputs, next_finished = made.step(
            tf.constant(0), inputs, state._replace(finished=finished)
        )
        return finished, inputs, state, output, next_state, next_inputs, next_finished

    with tf.Graph().as_default():
        made = decoder(tf, tf.nn.rnn_cell.LSTMCell(3))
        sizes, types = made.output_size, made.output_dtype
        about = {
            "sizes": [tf.TensorShape(each).as_list() for each in sizes],
            "types": [each.name for each in types],
            "fields": [list(type(each)._fields) for each in (sizes, made.initialize()[2])],
            "final": list(tf.contrib.seq2seq.FinalBeamSearchDecoderOutput._fields),
            "tracks": made.tracks_own_finished,
        }
    return {"computed": computed(tf, build), "about": about}


def attention(tf):
    seq2seq, rnn = tf.contrib.seq2seq, tf.nn.rnn_cell

    def attended(beams=3, known=True, mechanisms=1, stacked=0, history=False, **more):
        def wrapped(memory, lengths):
            found = [seq2seq.LuongAttention(4, memory, memory_sequence_length=lengths)]
            found += [seq2seq.BahdanauAttention(3, memory) for _ in range(mechanisms - 1)]
            return seq2seq.AttentionWrapper(
                rnn.GRUCell(4),
                found[0] if mechanisms == 1 else found,
                4 if mechanisms == 1 else [4] * mechanisms,
                alignment_history=history,
            )

        def build():
            memory = random(2, 3, 3)
            if not known:
                memory = tf.placeholder_with_default(memory, [None, None, 3])
            tiled = seq2seq.tile_batch(tf.convert_to_tensor(memory), beams)
            lengths = seq2seq.tile_batch(tf.constant([3, 2]), beams)
            first = seq2seq.tile_batch(tf.constant(random(2, 4)), beams)
            cell = wrapped(tiled, lengths)
            if stacked:
                others = [wrapped(tiled, None) for _ in range(stacked - 1)]
                cell = rnn.MultiRNNCell([rnn.GRUCell(4), cell] + others)
            state = cell.zero_state(2 * beams, tf.float32)
            if not stacked:
                state = state.clone(cell_state=first)
            made = decoder(tf, cell, beams, initial_state=state, **more)
            return seq2seq.dynamic_decode(made, maximum_iterations=4)

        return build

    cases = {
        "one beam": attended(1),
        "three beams": attended(),
        "length": attended(length_penalty_weight=1.0),
        "history": attended(history=True),
        "followed": attended(history=True, known=False),
        "all followed": attended(history=True, known=False, mechanisms=2),
        "as it is": attended(history=True, known=False, reorder_tensor_arrays=False),
        "coverage": attended(coverage_penalty_weight=0.5),
        "much coverage": attended(2, coverage_penalty_weight=5.0, known=False),
        "both": attended(coverage_penalty_weight=2.0, length_penalty_weight=0.6, history=True),
        "two mechanisms": attended(mechanisms=2, coverage_penalty_weight=1.0),
        "stacked": attended(stacked=1, coverage_penalty_weight=1.0),
        "twice": attended(stacked=2, coverage_penalty_weight=1.0),
        "twice two": attended(2, stacked=2, mechanisms=2, coverage_penalty_weight=1.0),
    }
    return {name: computed(tf, cases[name]) for name in sorted(cases)}


def errors(tf):
    gru = tf.nn.rnn_cell.GRUCell(4)
    state = tf.zeros([6, 4])

    def with_state(**more):
        return decoder(tf, gru, initial_state=state, **more)

    wrong = {
        "cell": lambda: decoder(tf, 3, initial_state=state),
        "start": lambda: with_state(start_tokens=1),
        "end": lambda: with_state(end_token=[2]),
        "layer": lambda: with_state(output_layer=3),
        "function": lambda: with_state(output_layer=lambda outputs: outputs),
        "untiled": lambda: decoder(tf, gru, initial_state=tf.zeros([2, 4])),
        "rank": lambda: decoder(
            tf, gru, initial_state=tf.placeholder_with_default(np.zeros([6, 4]), None)
        ),
        "coverage": lambda: with_state(coverage_penalty_weight=1.0).initialize(),
        "length": lambda: tf.contrib.seq2seq.dynamic_decode(
            with_state(length_penalty_weight=[1.0, 2.0]), maximum_iterations=1
        ),
        "impute": lambda: tf.contrib.seq2seq.dynamic_decode(
            with_state(), impute_finished=True, maximum_iterations=1
        ),
    }
    return {name: facts.error(wrong[name])[0] for name in sorted(wrong)}


def run(tf, folder):
    with tf.Graph().as_default():
        wrong = errors(tf)
    return {"cells": cells(tf), "steps": steps(tf), "attention": attention(tf), "errors": wrong}
