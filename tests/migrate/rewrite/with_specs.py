"""Programs with train_and_evaluate."""

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULES = tools.rule("modern", "train_and_evaluate")
HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"
INPUT = "def f(n=1):\n    return tf.data.Dataset.range(n)\n"
JOB = "job = e.Estimator(m, 'a')\n"
MARKER = (
    "# There is no Keras model for it yet: its model_fn is not a function of this file.\n"
    "# migrate: Keras trains the unchanged model_fn (python -m migrate recipes custom_model_fn)\n"
)
BRIDGED = (
    f"{MARKER}strategy = as_estimator.strategy('a')\n"
    "with strategy.scope():\n"
    "    job = bridge.KerasModelFn(m)\n"
    "as_estimator.restore(job, 'a', save_secs=600)\n"
)


def rewritten(text):
    return fixed_point.rewrite(HEAD + INPUT + text, RULES, unsafe=True, plan=tools.plan(api="v2"))


def after_job(text):
    """Returns the rewritten code after the Estimator."""
    outcome = rewritten(JOB + text)
    assert not [made for made in outcome.suggestions if not made.applicable], outcome.suggestions
    return outcome.text.partition("save_secs=600)\n")[2]
