"""contrib.deprecated, .distributions, .stateless, .tfprof and the colors of contrib.image."""

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def _summaries(tf):
    deprecated = tf.contrib.deprecated
    with tf.Graph().as_default(), tf.Session() as session:
        none = deprecated.merge_all_summaries()
        with tf.name_scope("scope"):
            deprecated.scalar_summary(["a b", "c"], [1.0, 2.0])
            deprecated.scalar_summary("loss", 3.0, collections=["mine"])
            deprecated.histogram_summary("h", tf.constant([1.0, 2.0, 2.0]))
            deprecated.image_summary("image", tf.zeros([4, 2, 2, 1]), max_images=2)
            deprecated.audio_summary("audio", tf.zeros([2, 8]), 8000.0)
        merged = deprecated.merge_all_summaries()
        mine = deprecated.merge_summary(tf.get_collection("mine"), name="own")
        found = {}
        for name, tensor in (("merged", merged), ("mine", mine)):
            summary = tf.Summary.FromString(session.run(tensor))
            found[name] = [[v.tag, v.WhichOneof("value"), v.simple_value] for v in summary.value]
        found["names"] = [each.op.name for each in tf.get_collection(tf.GraphKeys.SUMMARIES)]
        found["merged_names"] = [merged.op.name, mine.op.name]
        found["none"] = none
        return found


def _distributions(tf):
    distributions = tf.contrib.distributions
    normal, wide = distributions.Normal(0.0, 1.0), distributions.Normal(1.0, 2.0)
    categorical = distributions.Categorical(logits=[0.1, 0.2, 0.7])
    values = [
        distributions.kl_divergence(normal, wide),
        categorical.log_prob(1),
        categorical.entropy(),
        distributions.Bernoulli(probs=0.3).log_prob(1),
        distributions.Gamma(2.0, 3.0).mean(),
        distributions.Beta(2.0, 3.0).log_prob(0.4),
    ]
    with tf.Session() as session:
        return facts.plain(session.run(values))


def _stateless(tf):
    stateless = tf.contrib.stateless
    seed = tf.constant([1, 2], tf.int32)
    values = [
        stateless.stateless_random_uniform([3], seed),
        stateless.stateless_random_normal([3], seed),
        stateless.stateless_truncated_normal([3], seed),
        stateless.stateless_multinomial([[0.1, 0.9]], 5, seed),
    ]
    with tf.Session() as session:
        return facts.plain(session.run(values))


def _colors(tf):
    from tensorflow.contrib.image.python.ops import distort_image_ops as colors

    floats = np.linspace(0, 1, 12).reshape(2, 2, 3).astype("float32")
    # No number comes to lie near the middle between two integers.
    integers = np.arange(12).reshape(2, 2, 3).astype("uint8") * 13 + 40
    with tf.Session() as session:
        adjusted = [
            colors.adjust_hsv_in_yiq(floats, *numbers)
            for numbers in ((0.5, 1, 1), (-0.3, 2.0, 1.0), (0, 1, 1.5))
        ]
        adjusted.append(colors.adjust_hsv_in_yiq(integers, 0.3, 1.2, 0.9))
        same = colors.random_hsv_in_yiq(floats, 0, 1.5, 1.5, 2, 2)
        drawn = colors.random_hsv_in_yiq(floats, 0.5, 0.5, 1.5, 0.5, 1.5, seed=1)
        call = colors.random_hsv_in_yiq
        return {
            "adjusted": [np.round(each, 4).tolist() for each in session.run(adjusted)],
            "same": np.round(session.run(same), 4).tolist(),
            "drawn": [drawn.dtype.name, drawn.shape.as_list()],
            "errors": [
                facts.error(call, floats, -1)[0],
                facts.error(call, floats, 0, 2, 1)[0],
                facts.error(call, floats, 0, 1, 1, -1)[0],
                facts.error(call, floats, 0, 1, 1, 2, 1)[0],
            ],
        }


def _profile(tf):
    analyzer = tf.contrib.tfprof.model_analyzer
    options = analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS.copy()
    with tf.Graph().as_default() as graph:
        with tf.variable_scope("layer"):
            tf.get_variable("w", [3, 4], use_resource=False)
            tf.get_variable("b", [4], use_resource=False)
        params = analyzer.print_model_analysis(graph, tfprof_options=options)
        default = analyzer.print_model_analysis(graph)
        ops = analyzer.print_model_analysis(graph, tfprof_options=analyzer.FLOAT_OPS_OPTIONS)
    return {
        "options": {name: str(options[name]) for name in sorted(options)},
        "timing": {name: str(value) for name, value in analyzer.PRINT_ALL_TIMING_MEMORY.items()},
        "params": [params.total_parameters, default.total_parameters],
        "children": [child.name for child in params.children],
        "float_ops": ops.total_float_ops,
    }


def run(tf, folder):
    return {
        "summaries": _summaries(tf),
        "distributions": _distributions(tf),
        "stateless": _stateless(tf),
        "colors": _colors(tf),
        "profile": _profile(tf),
    }
