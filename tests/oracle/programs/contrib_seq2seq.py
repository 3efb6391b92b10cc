"""contrib.seq2seq: decoding, attention, losses."""

import numpy as np

from tests.oracle import facts
from tests.oracle.programs.contrib_layers import values_by_name

APIS = ("contrib",)


def random(*shape):
    return np.random.RandomState(6).standard_normal(shape).astype(np.float32)


def computed(tf, build, gradients=False):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = build()
        variables = tf.trainable_variables()
        flat = tf.contrib.framework.nest.flatten(outputs)
        found = {
            "variables": {v.op.name: v.shape.as_list() for v in variables},
            "shapes": [each.shape.as_list() for each in flat],
        }
        if gradients:
            of = tf.gradients([flat[0]], variables)
            sums = [tf.reduce_sum(tf.square(g)) for g in of if g is not None]
        session.run(tf.global_variables_initializer())
        for variable, value in values_by_name(variables):
            variable.load(value, session)
        found["values"] = facts.plain(session.run(flat))
        if gradients:
            found["gradients"] = facts.plain(session.run(sums))
        return found


def decoding(tf):
    seq2seq = tf.contrib.seq2seq
    gru = tf.contrib.rnn.GRUCell

    def trained():
        helper = seq2seq.TrainingHelper(tf.constant(random(3, 4, 2)), [4, 2, 0])
        cell = gru(3)
        decoder = seq2seq.BasicDecoder(
            cell, helper, cell.zero_state(3, tf.float32), tf.layers.Dense(5, name="out")
        )
        return seq2seq.dynamic_decode(decoder, impute_finished=True)

    def greedy():
        table = tf.get_variable("table", [5, 2])
        helper = seq2seq.GreedyEmbeddingHelper(table, [1, 2], 3)
        decoder = seq2seq.BasicDecoder(gru(5), helper, tf.zeros([2, 5]))
        return seq2seq.dynamic_decode(
            decoder, output_time_major=True, maximum_iterations=4, scope="mine"
        )

    def inferred():
        helper = seq2seq.InferenceHelper(
            lambda outputs: outputs[:, :2],
            [2],
            tf.float32,
            tf.constant(random(2, 2)),
            lambda sampled: sampled[:, 0] > 100.0,
        )
        decoder = seq2seq.BasicDecoder(gru(3), helper, tf.zeros([2, 3]))
        return seq2seq.dynamic_decode(decoder, maximum_iterations=3)

    def scheduled():
        table = tf.constant(random(3, 2))
        helper = seq2seq.ScheduledEmbeddingTrainingHelper(
            tf.constant(random(2, 3, 2)), [3, 2], table, 0.0
        )
        decoder = seq2seq.BasicDecoder(gru(3), helper, tf.zeros([2, 3]))
        return seq2seq.dynamic_decode(decoder)[0].rnn_output

    return {
        "trained": computed(tf, trained, gradients=True),
        "greedy": computed(tf, greedy),
        "inferred": computed(tf, inferred),
        "scheduled": computed(tf, scheduled),
    }


def attention(tf):
    seq2seq = tf.contrib.seq2seq

    def attended(kind, history=False, layer_size=4, **more):
        def build():
            memory = tf.constant(random(2, 5, 3))
            mechanism = getattr(seq2seq, kind)(4, memory, [5, 2], **more)
            cell = seq2seq.AttentionWrapper(
                tf.contrib.rnn.GRUCell(4), mechanism, layer_size, alignment_history=history
            )
            state = cell.zero_state(2, tf.float32).clone(cell_state=tf.constant(random(2, 4)))
            outputs = []
            for step in tf.unstack(tf.constant(random(2, 2, 2)), axis=1):
                output, state = cell(step, state)
                outputs.append(output)
            if history:
                outputs.append(state.alignment_history.stack())
            return outputs, state.alignments, state.attention, state.time

        return build

    def decoded():
        memory = tf.constant(random(2, 5, 3))
        mechanisms = [seq2seq.LuongAttention(4, memory), seq2seq.BahdanauAttention(2, memory)]
        cell = seq2seq.AttentionWrapper(
            tf.contrib.rnn.GRUCell(4), mechanisms, [3, 2], output_attention=False
        )
        helper = seq2seq.TrainingHelper(tf.constant(random(2, 3, 2)), [3, 2])
        decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
        outputs, state, lengths = seq2seq.dynamic_decode(decoder)
        return outputs.rnn_output, state.attention, lengths

    cases = {
        "luong": attended("LuongAttention", scale=True, history=True),
        "luong plain": attended("LuongAttention", layer_size=None),
        "bahdanau": attended("BahdanauAttention"),
        "bahdanau normalized": attended("BahdanauAttention", normalize=True),
        "luong monotonic": attended("LuongMonotonicAttention", score_bias_init=-0.5),
        "bahdanau monotonic": attended("BahdanauMonotonicAttention", mode="recursive"),
        "hard": attended("LuongMonotonicAttention", mode="hard"),
    }
    found = {name: computed(tf, cases[name]) for name in sorted(cases)}
    found["decoded"] = computed(tf, decoded)
    return found


def functions(tf):
    seq2seq = tf.contrib.seq2seq
    logits, targets = tf.constant(random(2, 3, 4)), tf.constant([[0, 1, 2], [3, 0, 0]])
    weights = tf.constant([[1.0, 0.5, 1.0], [2.0, 0.0, 0.0]])
    ids = tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 0], [9, 2]]])
    parents = tf.constant([[[0, 0], [0, 0]], [[1, 0], [0, 0]], [[1, 1], [1, 0]]])
    chosen = tf.constant([[0.2, 0.9, 0.4], [0.5, 0.1, 0.0]])
    first = tf.constant([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    found = {
        "loss": seq2seq.sequence_loss(logits, targets, weights),
        "time": seq2seq.sequence_loss(logits, targets, weights, average_across_batch=False),
        "batch": seq2seq.sequence_loss(logits, targets, weights, average_across_timesteps=False),
        "none": seq2seq.sequence_loss(logits, targets, weights, False, False),
        "summed": seq2seq.sequence_loss(logits, targets, weights, False, False, True, True),
        "sum time": seq2seq.sequence_loss(logits, targets, weights, False, False, True),
        "tiled": seq2seq.tile_batch(
            {"a": tf.constant([[1, 2], [3, 4]]), "b": tf.constant([5, 6])}, 2
        ),
        "hardmax": seq2seq.hardmax(logits),
        "tree": seq2seq.gather_tree(ids, parents, [3, 2], 9),
        "other tree": seq2seq.gather_tree(ids, parents, [5, 0], 5),
        "product": seq2seq.safe_cumprod(chosen, axis=1),
    }
    for mode in ("recursive", "parallel", "hard"):
        found[mode] = seq2seq.monotonic_attention(chosen, first, mode)
    with tf.Session() as session:
        return facts.plain(session.run(found))


def errors(tf):
    seq2seq = tf.contrib.seq2seq
    memory = tf.constant(random(2, 5, 3))
    logits = tf.constant(random(2, 3, 4))
    gru = tf.contrib.rnn.GRUCell(4)
    wrong = {
        "decoder": lambda: seq2seq.dynamic_decode(3),
        "helper": lambda: seq2seq.BasicDecoder(gru, 3, None),
        "lengths": lambda: seq2seq.TrainingHelper(memory, [[1]]),
        "start": lambda: seq2seq.GreedyEmbeddingHelper(memory, 1, 2),
        "end": lambda: seq2seq.GreedyEmbeddingHelper(memory, [1], [2]),
        "mechanism": lambda: seq2seq.AttentionWrapper(gru, 3),
        "layers": lambda: seq2seq.AttentionWrapper(gru, seq2seq.LuongAttention(4, memory), [1, 2]),
        "mode": lambda: seq2seq.monotonic_attention(logits[0], logits[0], "mine"),
        "logits": lambda: seq2seq.sequence_loss(logits[0], logits[0], logits[0]),
        "both": lambda: seq2seq.sequence_loss(
            logits, tf.zeros([2, 3], tf.int32), tf.zeros([2, 3]), sum_over_batch=True
        ),
        "tile": lambda: seq2seq.tile_batch(3, 2),
    }
    return {name: facts.error(wrong[name])[0] for name in sorted(wrong)}


def run(tf, folder):
    return {
        "decoding": decoding(tf),
        "attention": attention(tf),
        "functions": functions(tf),
        "errors": errors(tf),
    }
