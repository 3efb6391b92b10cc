"""contrib.crf: scores, likelihoods, decoding."""

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)

SCORES = np.random.RandomState(2).standard_normal((3, 4, 3)).astype(np.float32)
TRANSITIONS = np.random.RandomState(3).standard_normal((3, 3)).astype(np.float32)
TAGS = np.array([[0, 1, 2, 1], [2, 2, 0, 0], [1, 0, 0, 0]])


def scores(tf, length, known=True, dtype=np.int32, gradients=False):
    crf = tf.contrib.crf
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = tf.constant(SCORES[:, :length])
        tags = tf.constant(TAGS[:, :length].astype(dtype))
        if not known:
            inputs = tf.placeholder_with_default(SCORES[:, :length], [None, None, 3])
            tags = tf.placeholder_with_default(TAGS[:, :length].astype(dtype), [None, None])
        lengths = tf.constant(np.minimum([4, 2, 0], length).astype(dtype))
        transitions = tf.constant(TRANSITIONS)
        likelihood, same = crf.crf_log_likelihood(inputs, tags, lengths, transitions)
        fetched = {
            "sequence": crf.crf_sequence_score(inputs, tags, lengths, transitions),
            "norm": crf.crf_log_norm(inputs, lengths, transitions),
            "likelihood": likelihood,
            "unary": crf.crf_unary_score(tags, lengths, inputs),
            "binary": crf.crf_binary_score(tags, lengths, transitions),
            "decoded": crf.crf_decode(inputs, transitions, lengths),
            "allowed": crf.crf_multitag_sequence_score(
                inputs, inputs > -0.5, tf.ones_like(lengths) * length, transitions
            ),
        }
        if gradients:
            fetched["gradients"] = tf.gradients(likelihood, [inputs])
        found = facts.plain(session.run(fetched))
        found["same"] = same is transitions
    return found


def variable(tf):
    crf = tf.contrib.crf
    with tf.Graph().as_default(), tf.Session() as session:
        lengths = tf.constant([4, 2, 1])
        with tf.variable_scope("crf"):
            likelihood, made = crf.crf_log_likelihood(
                tf.constant(SCORES), tf.constant(TAGS.astype(np.int32)), lengths
            )
        loss = tf.reduce_mean(-likelihood)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        made.load(TRANSITIONS, session)
        session.run(step)
        return [made.op.name, made.shape.as_list(), facts.plain(session.run(made))]


def run(tf, folder):
    tags, score = tf.contrib.crf.viterbi_decode(SCORES[0], TRANSITIONS)
    return {
        "four": scores(tf, 4, gradients=True),
        "one": scores(tf, 1, dtype=np.int64),
        "unknown one": scores(tf, 1, known=False),
        "variable": variable(tf),
        "numpy": [[int(tag) for tag in tags], float(score)],
    }
