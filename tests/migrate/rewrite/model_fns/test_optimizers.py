"""Tests for train_ops that become optimizers: refusals and their reasons."""

import pytest
import tensorflow as tf
import tf_keras

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.TRAIN,
            "with tf.control_dependencies([tf.scatter_add(other.count, 0, 1)]):\n"
            f"        {base_program.TRAIN}",
            "the train_op 'train_op'",
        ),
        ("AdamOptimizer", "ProximalAdagradOptimizer", "tf.train.ProximalAdagradOptimizer"),
        (
            base_program.TRAIN,
            "opt = tf.contrib.opt.NadamOptimizer(0.1)\n    train_op = opt.minimize(loss, step)",
            "tf.contrib.opt.NadamOptimizer",
        ),
        (
            base_program.TRAIN,
            "opt = tf.contrib.opt.AdamWOptimizer(0.1 * tf.cast(step, tf.float32))\n"
            "    train_op = opt.minimize(loss, step)",
            "it uses tf.train.get_global_step",
        ),
        ("(loss, step)", "(loss * 2, step)", "instead of its loss"),
        ("(0.1)", "(0.1 * tf.cast(step, tf.float32) * tf.reduce_mean(out))", "depends on features"),
        ("(0.1)", "(tf.train.linear_cosine_decay(0.1, step, 5))", "tf.train.linear_cosine_decay"),
        ("(loss, step)", "(loss)", "increments the global step never"),
        ("(loss, step)", "(loss, other.variable)", "another variable than the global step"),
        ("(loss, step)", "(loss, step, [other.variable])", "trains the variables"),
        (
            "(loss, step)",
            "(loss, step, var_list=tf.trainable_variables('dense'))",
            "trains the variables \"tf.trainable_variables('dense')\"",
        ),
        (
            "(loss, step)",
            "(loss, step, tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, 'dense'))",
            "trains the variables",
        ),
        (
            base_program.TRAIN,
            "train_op = tf.contrib.layers.optimize_loss(\n"
            "        loss, step, 0.1, 'Adam', increment_global_step=False)",
            "the arguments of optimize_loss",
        ),
        ("(0.1)", "(tf.reduce_mean(out))", "depends on features"),
        (
            "(0.1)",
            "(tf.train.noisy_linear_cosine_decay(0.1, step, 5))",
            "noisy_linear_cosine_decay",
        ),
        (base_program.TRAIN, f"{base_program.TRAIN}\n    loss = loss * 2.0", "the train_op"),
        (base_program.TRAIN, "train_op = other.train(loss)", "the train_op"),
        (
            base_program.TRAIN,
            f"{base_program.TRAIN}\n    train_op = tf.group([train_op, other.op])",
            "the train_op",
        ),
        (
            base_program.TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n    gradients = opt.compute_gradients(loss)\n"
            "    gradients = [(other.f(g), v) for g, v in gradients]\n"
            "    train_op = opt.apply_gradients(gradients, step)",
            "the gradients 'gradients'",
        ),
        (
            base_program.TRAIN,
            "opt = tf.train.AdamOptimizer(0.1)\n"
            "    pairs = [(tf.clip_by_value(g, -1.0, 2.0), v) "
            "for g, v in opt.compute_gradients(loss)]\n"
            "    train_op = opt.apply_gradients(pairs, step)",
            "asymmetric",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


def optimizer_lines(new):
    """Returns the body of `make_optimizer` for a changed train_op."""
    text = base_program.BASE.replace(base_program.TRAIN, new)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    body = outcome.text.partition("def make_optimizer(self):\n")[2].partition("\n\n")[0]
    return [line.removeprefix(" " * 8) for line in body.splitlines()]


ADAM = "return tf_keras.optimizers.Adam(learning_rate=0.1, epsilon=1e-08)"
GATHER = "w = tf.gather(net, [0])\n    "
SGD = "return tf_keras.optimizers.SGD(learning_rate=0.1)"
MINIMIZE = "\n    train_op = opt.minimize(loss, step)"


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (
            "opt = tf.train.MomentumOptimizer(0.1, 0.9)" + MINIMIZE,
            ["return tf_keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)"],
        ),
        (
            GATHER + "opt = tf.train.MomentumOptimizer(0.1, 0.9)" + MINIMIZE,
            ["return classic.Momentum(learning_rate=0.1, momentum=0.9)"],
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1)\n    variables = tf.trainable_variables()\n"
            "    train_op = opt.minimize(loss, step, var_list=variables)",
            [ADAM],
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1)\n    pairs = opt.compute_gradients(loss, "
            "tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES))\n"
            "    train_op = opt.apply_gradients(pairs, step)",
            [ADAM],
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, None, 0.1, 'Adam', "
            "variables=tf.trainable_variables(), colocate_gradients_with_ops=True, "
            "increment_global_step=True)",
            [ADAM],
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1)\n    variables = tf.trainable_variables()\n"
            "    grads = tf.gradients(loss, variables, colocate_gradients_with_ops=True)\n"
            "    grads, _ = tf.clip_by_global_norm(grads, 2.0)\n"
            "    train_op = opt.apply_gradients(zip(grads, variables), step)",
            [ADAM.replace("epsilon=1e-08", "epsilon=1e-08, global_clipnorm=2.0")],
        ),
        (
            "opt = tf.contrib.opt.LazyAdamOptimizer(0.1, use_locking=True)" + MINIMIZE,
            ["return classic.LazyAdam(learning_rate=0.1)"],
        ),
        (
            "opt = tf.contrib.opt.AdamWOptimizer(params['decay'], beta1=0.8)" + MINIMIZE,
            ["return classic.AdamW(weight_decay=self.params['decay'], beta_1=0.8)"],
        ),
        (
            GATHER + "opt = tf.train.FtrlOptimizer(0.1)" + MINIMIZE,
            ["return tf_keras.optimizers.legacy.Ftrl(learning_rate=0.1)"],
        ),
        (
            "if params['sgd']:\n        opt = tf.train.GradientDescentOptimizer(0.1)\n"
            "    else:\n        opt = tf.train.AdamOptimizer(0.1)" + MINIMIZE,
            ["if self.params['sgd']:", f"    {SGD}", ADAM],
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1)\n    if params['sgd']:\n"
            "        opt = tf.train.GradientDescentOptimizer(0.1)" + MINIMIZE,
            ["if self.params['sgd']:", f"    {SGD}", ADAM],
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1) if params['adam'] "
            "else tf.train.GradientDescentOptimizer(0.1)" + MINIMIZE,
            ["if self.params['adam']:", f"    {ADAM}", SGD],
        ),
        (
            "name = params['opt']\n    if name == 'a':\n        opt = tf.train.AdamOptimizer(0.1)\n"
            "    elif name == 's':\n        opt = tf.train.GradientDescentOptimizer(0.1)\n"
            "    else:\n        raise ValueError(name)" + MINIMIZE,
            [
                "name = self.params['opt']",
                *("if name == 'a':", f"    {ADAM}", "if name == 's':", f"    {SGD}"),
                "raise ValueError(name)",
            ],
        ),
        (
            "if params['adam']:\n        opt = tf.train.AdamOptimizer(0.1)" + MINIMIZE,
            [
                *("if self.params['adam']:", f"    {ADAM}"),
                'raise ValueError("no optimizer has this name")',
            ],
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, step, None, "
            "optimizer=tf.train.AdamOptimizer(0.1))",
            [ADAM],
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, step, 0.1, "
            "lambda r: tf.train.AdamOptimizer(r))",
            [ADAM],
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, step, 0.1, 'SGD', "
            "learning_rate_decay_fn=lambda r, s: tf.train.exponential_decay(r, s, 5, 0.9))",
            [
                "return tf_keras.optimizers.SGD(",
                "    learning_rate=tf_keras.optimizers.schedules.ExponentialDecay("
                "initial_learning_rate=0.1, decay_steps=5, decay_rate=0.9),",
                ")",
            ],
        ),
        (
            "opt = tf.train.GradientDescentOptimizer(0.1)\n    tvars = tf.trainable_variables()\n"
            "    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, tvars), 5.0)\n"
            "    train_op = opt.apply_gradients(zip(grads, tvars), step)",
            ["return tf_keras.optimizers.SGD(learning_rate=0.1, global_clipnorm=5.0)"],
        ),
    ],
)
def test_optimizers_of_several_forms(new, expected):
    assert optimizer_lines(new) == expected


def test_a_function_of_the_rate_does_not_hide_an_outer_name():
    text = base_program.BASE.replace(
        base_program.TRAIN,
        "rate = learning_rate * tf.cast(step, "
        "tf.float32)\n    train_op = tf.train.AdamOptimizer(rate).minimize(loss, step)",
    )
    text = text.replace("import other\n", "import other\nlearning_rate = 0.5\n")
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    assert "        def rate_of_step(global_step):\n" in outcome.text
    assert "            rate = learning_rate * tf.cast(step, tf.float32)\n" in outcome.text
    assert "porting.Schedule(rate_of_step)" in outcome.text


UNCOUNTED = "opt = tf.train.AdamOptimizer(0.1)\n    trained = opt.minimize(loss)\n    "


@pytest.mark.parametrize(
    "new",
    [
        "train_op = tf.group(trained, tf.assign_add(step, 1))",
        "train_op = tf.group(trained, [step.assign_add(1)])",
        "train_op = tf.group(tf.assign(step, step + 1), trained)",
        "next_step = step + 1\n    train_op = tf.group(trained, step.assign(next_step))",
        "with tf.control_dependencies([trained]):\n        train_op = tf.assign_add(step, 1)",
        "with tf.control_dependencies([trained]):\n        train_op = tf.assign_add(step, 1).op",
    ],
)
def test_a_step_that_is_counted_apart_is_counted(new):
    assert optimizer_lines(UNCOUNTED + new) == [ADAM]


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("train_op = tf.group(trained, tf.assign_add(step, 2))", "the train_op"),
        ("train_op = tf.group(trained, tf.assign_sub(step, 1))", "the train_op"),
        ("train_op = tf.group(trained, tf.assign_add(other.step, 1))", "the train_op"),
        ("train_op = tf.group(trained, step.assign(1))", "the train_op"),
        ("train_op = tf.group(trained, *[step.assign_add(1)] * 2)", "the train_op"),
        (
            "train_op = tf.group(trained, step.assign_add(1), tf.assign_add(step, 1))",
            "the train_op",
        ),
        ("train_op = tf.group(opt.minimize(loss, step), step.assign_add(1))", "step twice"),
        ("train_op = tf.assign_add(step, 1)", "the train_op"),
        (
            "once = tf.group(trained, step.assign_add(1))\n"
            "    train_op = tf.group(once, step.assign_add(1))",
            "the train_op",
        ),
    ],
)
def test_a_step_that_is_counted_otherwise_is_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.TRAIN, UNCOUNTED + new)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            "if params['a']:\n        rate = 0.1\n        opt = tf.train.AdamOptimizer(rate)\n"
            "    else:\n        opt = tf.train.AdamOptimizer(0.2)" + MINIMIZE,
            "its optimizer depends on rate",
        ),
        (
            "if params['a']:\n        opt = other.optimizer\n"
            "    else:\n        opt = tf.train.AdamOptimizer(0.2)" + MINIMIZE,
            "its optimizer is other.optimizer",
        ),
        (
            "opt = tf.train.AdamOptimizer(0.1)\n"
            "    other_loss = loss * 2.0\n    tvars = tf.trainable_variables()\n"
            "    grads, _ = tf.clip_by_global_norm(tf.gradients(other_loss, tvars), 5.0)\n"
            "    train_op = opt.apply_gradients(zip(grads, tvars), step)",
            "instead of its loss",
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, step, 0.1, 'SGD', "
            "learning_rate_decay_fn=other.decay)",
            "other.decay() in line 12 may create variables",
        ),
        (
            "train_op = tf.contrib.layers.optimize_loss(loss, step, 0.1, 'SGD', "
            "learning_rate_decay_fn=lambda r, s: tf.train.exponential_decay(r, step + s, 5, 0.9))",
            "does not depend on the global step",
        ),
    ],
)
def test_other_forms_are_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.TRAIN, new)


def test_variables_from_before_the_layers_are_not_all():
    text = base_program.BASE.replace("(loss, step)", "(loss, step, variables)").replace(
        "    net = features", "    variables = tf.trainable_variables()\n    net = features"
    )
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert "trains the variables 'variables'" in outcome.suggestions[0].reason


def schedule_text(decay):
    """Returns the text of the Keras schedule for a decay of tf.train."""
    train = base_program.TRAIN.replace("0.1", f"tf.train.{decay}")
    _, line, _, _ = optimizer_lines(train)
    return line.strip().removeprefix("learning_rate=").removesuffix(",")


@pytest.mark.parametrize(
    "decay",
    [
        "cosine_decay(0.1, step, 9, 0.2)",
        "cosine_decay_restarts(0.1, step, 5, t_mul=1.5, m_mul=0.9, alpha=0.01)",
        "exponential_decay(0.1, step, 5, 0.5, staircase=True)",
        "inverse_time_decay(0.1, step, 5, 0.5)",
        "natural_exp_decay(0.1, step, 5, 0.3)",
        "natural_exp_decay(0.1, step, 5, 0.1 + 0.2, staircase=True)",
        "piecewise_constant_decay(step, [3, 7], [0.1, 0.05, 0.01])",
        "polynomial_decay(0.1, step, 9, 0.02, power=2.0, cycle=True)",
    ],
)
def test_decays_have_the_same_values_in_each_step(decay):
    text = schedule_text(decay)
    rate = eval(text, {"tf": tf, "tf2": tf, "tf_keras": tf_keras})
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        step = tf.compat.v1.placeholder(tf.int64, [])
        old = eval(f"train.{decay}", {"train": tf.compat.v1.train, "step": step})
        expected = [session.run(old, {step: i}) for i in range(20)]
    assert [float(rate(tf.constant(i, tf.int64))) for i in range(20)] == pytest.approx(
        [float(value) for value in expected], rel=1e-6
    )


def test_the_rate_of_a_natural_decay_is_an_exponent():
    text = schedule_text("natural_exp_decay(0.1, step, 5, params['a'] + 0.1)")
    assert text.endswith("decay_steps=5, decay_rate=tf2.exp(-(self.params['a'] + 0.1)))")
