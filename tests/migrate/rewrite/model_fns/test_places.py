"""Tests for model_fns that are methods or inner functions: the place of the class, or none."""

import textwrap

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import model_fn_programs, tools
from tests.migrate.rewrite.model_fns import base_program


def _outcome(name, old, new, **facts):
    text = model_fn_programs.ALL[name].replace("import tensorflow as tf", "")
    text = f"from legacy import estimator\nimport tensorflow.compat.v1 as tf\n{text}"
    text = text.replace("tf.estimator", "estimator")
    changed = text.replace(old, new)
    assert changed != text or not old
    rule = tools.rule("modern", "model_fns")
    return fixed_point.rewrite(changed, rule, unsafe=True, plan=tools.plan(api="v1", **facts))


@pytest.mark.parametrize("name", ["methods", "closure"])
def test_the_base_is_understood(name):
    assert _outcome(name, "", "").changes


STEP = "def fit(self, input_fn, steps):\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("class Classifier:", "class Classifier(Base):", "is derived from another one"),
        ("def input_fn", "class Other(Classifier):\n    pass\n\ndef input_fn", "is derived from"),
        (STEP, f"{STEP}        self.rate = 0.1\n", "attribute rate changes in line"),
        (STEP, f"{STEP}        self.units.append(3)\n", "attribute units changes in line"),
        (STEP, f"{STEP}        print(self.logits)\n", "it sets an attribute that line"),
        ("self.units = units", "self.__dict__.update(units=units)", "attribute units is unknown"),
        ("self.SCALE * ", "self.scale() * ", "may create variables"),
        ("self.SCALE * ", "scale(self) * ", "as a whole"),
        (
            "self.rate = rate\n",
            "pass\n",
            "attribute rate is unknown",
        ),
        (
            "    def model_fn(self,",
            "    @decorated\n    def model_fn(self,",
            "has a decorator",
        ),
        (
            'estimator.Estimator(self.model_fn, "here")',
            'estimator.Estimator(Classifier.model_fn, "here")',
            "has a decorator, or no parameter",
        ),
        (STEP, f"{STEP}        self.model_fn = other\n", "assigns another value to model_fn"),
        (
            'self.job = estimator.Estimator(self.model_fn, "here")\n',
            'self.job = estimator.Estimator(self.model_fn, "here")\n'
            "        self.rate = self.rate * 2\n",
            "set after the Estimator is made",
        ),
    ],
)
def test_other_methods_are_left_to_the_bridge(old, new, reason):
    outcome = _outcome("methods", old, new)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"changed_elsewhere": frozenset(["rate"])}, "another file changes the attribute rate"),
        ({"changed_elsewhere": frozenset(["*"])}, "another file changes the attribute"),
        ({"changed_elsewhere": frozenset(["Classifier"])}, "another class is derived"),
    ],
)
def test_other_files_may_change_the_object(facts, reason):
    outcome = _outcome("methods", "", "", **facts)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "    return model_fn\n",
            "    rate = 1.0\n    return model_fn\n",
            "reads rate, a variable",
        ),
        ("    return model_fn\n", "    return wrap(model_fn)\n", "not a function of"),
        ("job = ", "other = make_model_fn(1, 1)\njob = ", "has other uses than to make"),
        ("    scale =", "    def more():\n        nonlocal rate\n    scale =", "reads rate"),
    ],
)
def test_other_inner_functions_are_left_to_the_bridge(old, new, reason):
    outcome = _outcome("closure", old, new)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason


# Functions that return a model_fn, or define it and train it.

HEAD, _, REST = base_program.BASE.partition("def model_fn")
MODEL_FN, _, TRAINING = f"def model_fn{REST}".partition("job =")
INDENTED = "".join(f"    {line}\n" if line else "\n" for line in MODEL_FN.splitlines())
BUILDER = f"{HEAD}def builder():\n{INDENTED.rstrip()}\n    return model_fn\n\n"
JOB = 'job = e.Estimator(model_fn, params={"units": 1})\n'


def rewritten(text, **options):
    plan = tools.plan(api="v2", **options)
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan)


def test_a_builder_returns_the_class():
    text = rewritten(f"{BUILDER}model_fn = builder()\n{JOB}").text
    assert "def builder():\n    class Model(tf_keras.Model):\n" in text
    assert "    return Model\n" in text
    assert "model_class = builder()\njob = model_class({" in text


def test_a_builder_may_be_called_in_the_arguments():
    text = rewritten(BUILDER + JOB.replace("model_fn,", "builder(),")).text
    assert 'job = builder()({"units": 1})\n' in text


SIZED = BUILDER.replace("builder()", "builder(size)").replace('params["units"]', "size")


def test_all_results_of_a_builder_become_classes():
    functions = (
        'def main():\n    model_fn = builder(2)\n    job = e.Estimator(model_fn, "a")\n\n'
        "def pack(size):\n    model_fn = builder(size)\n"
        '    first = e.Estimator(model_fn, "a")\n    second = e.Estimator(model_fn, "b")\n'
        '    third = e.Estimator(builder(size=3), "c")\n'
    )
    text = rewritten(SIZED.replace(", params)", ")") + functions).text
    assert "model_fn = " not in text
    assert "    model_class = builder(2)\n    job = model_class()\n" in text
    assert "    model_class = builder(size)\n    first = model_class()\n" in text
    assert "    second = model_class()\n" in text
    assert "    third = builder(size=3)()\n" in text


def test_a_result_of_a_builder_may_have_an_alias():
    job = JOB.replace("(model_fn,", "(f,")
    text = rewritten(f"{BUILDER}model_fn = builder()\nf = model_fn\n{job}").text
    assert "model_class = builder()\njob = model_class({" in text


@pytest.mark.parametrize(
    "other",
    [
        "other.use(e.Estimator(builder(3), params={'units': 1}))\n",
        "two = e.Estimator(builder(3), params={'units': 1})\ntwo.experimental()\n",
        "two = e.Estimator(functools.partial(builder(3), params={'units': 1}, config=1))\n",
    ],
)
def test_a_builder_stays_if_one_of_its_estimators_stays(other):
    outcome = rewritten(f"{SIZED}model_fn = builder(2)\n{JOB}{other}")
    assert "class Model" not in outcome.text
    reasons = [record.reason for record in outcome.suggestions]
    assert any("another Estimator of the function that returns" in reason for reason in reasons)


def test_each_estimator_gets_the_object_of_its_method():
    method = INDENTED.replace("(features", "(self, features").replace(
        'params["units"]', "self.units"
    )
    init = "    def __init__(self, units):\n        self.units = units\n\n"
    jobs = "a = Net(1)\njob = e.Estimator(a.model_fn)\n"
    jobs += "b = Net(2)\nother_job = e.Estimator(b.model_fn)\n"
    text = rewritten(f"{HEAD}class Net:\n{init}{method.replace(', params)', ')')}{jobs}").text
    assert "job = NetModel(a)\n" in text
    assert "other_job = NetModel(b)\n" in text


METHOD = INDENTED.replace("def model_fn(", "def __call__(self, ").replace(
    'params["units"]', "self.units"
)
NET = (
    f"{HEAD}class Net:\n    def __init__(self, units):\n        self.units = units\n\n"
    f"{METHOD.replace(', params)', ')')}"
)


def test_an_object_that_is_called_becomes_a_class():
    text = rewritten(f'{NET}net = Net(3)\njob = e.Estimator(net, "a")\n').text
    assert 'class NetModel(tf_keras.Model):\n    """The Keras model of Net."""' in text
    assert "job = NetModel(net)\n" in text
    assert "def __call__" not in text


def test_an_object_may_be_made_in_the_arguments():
    jobs = "job = e.Estimator(Net(3))\n" + "other_job = e.Estimator(Net(4))\n"
    text = rewritten(NET + jobs).text
    assert "job = NetModel(Net(3))\n" in text
    assert "other_job = NetModel(Net(4))\n" in text


def test_the_call_of_an_object_stays_if_its_class_has_other_uses():
    text = rewritten(f"{NET}net = Net(3)\njob = e.Estimator(net)\nother.use(Net)\n").text
    assert "job = NetModel(net)\n" in text
    assert "def __call__" in text


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("net(1, 2, 3)\n", "net has other uses"),
        ("other.use(net)\n", "net has other uses"),
        ("net.units = 4\n", "attribute units changes"),
        ("class Two(Net):\n    pass\n", "another class is derived"),
        ("net = other.net\n", "not a function of this file"),
    ],
)
def test_other_objects_stay(other, reason):
    text = f"{NET}net = Net(3)\njob = e.Estimator(net)\n{other}"
    outcome = rewritten(text)
    assert outcome.text == text
    assert reason in outcome.suggestions[0].reason


STATIC = textwrap.indent(f"@staticmethod\n{MODEL_FN.rstrip()}\n\n", "    ")
ONE = f"{HEAD}class One:\n{STATIC}"
FIT = "    def fit(self):\n        job = e.Estimator({}, params={{'units': 1}})\n"


@pytest.mark.parametrize("name", ["One.model_fn", "self.model_fn"])
def test_a_static_method_becomes_a_class(name):
    text = rewritten(ONE + FIT.format(name)).text
    assert "class OneModel(tf_keras.Model):" in text
    assert "job = OneModel({'units': 1})" in text
    assert "staticmethod" not in text


def test_a_function_of_a_class_without_self_is_static_by_the_name_of_the_class():
    text = ONE.replace("    @staticmethod\n", "") + FIT.format("One.model_fn")
    text = rewritten(text).text
    assert "class OneModel(tf_keras.Model):" in text
    assert "job = OneModel({'units': 1})" in text


def test_classes_may_have_static_methods_of_one_name():
    two = f"class Two(One):\n{STATIC}".replace("0.1", "0.2")
    text = rewritten(ONE + FIT.format("One.model_fn") + two + FIT.format("Two.model_fn")).text
    first, second = text.split("class TwoModel(")
    assert "learning_rate=0.1" in first
    assert "job = OneModel({'units': 1})" in first
    assert "learning_rate=0.2" in second
    assert "job = TwoModel({'units': 1})" in second
    assert "staticmethod" not in text


def test_a_static_method_that_other_files_use_stays_beside_its_class():
    text = rewritten(ONE + FIT.format("One.model_fn"), used_elsewhere=frozenset(["model_fn"])).text
    assert "class OneModel(tf_keras.Model):" in text
    assert "    @staticmethod\n    def model_fn(" in text


@pytest.mark.parametrize(
    ("text", "facts", "reason"),
    [
        (f"{ONE}{FIT.format('self.model_fn')}class Two(One):\n    pass\n", {}, "is derived from"),
        (f"{ONE}{FIT.format('One.model_fn')}One.model_fn = 3\n", {}, "assigns another value"),
        (
            ONE + FIT.format("One.model_fn"),
            {"changed_elsewhere": frozenset(["model_fn"])},
            "assigns another value",
        ),
        (f"{ONE}class Two(One):\n{FIT.format('Two.model_fn')}", {}, "unknown class"),
        (
            ONE.replace("@staticmethod", "@classmethod") + FIT.format("One.model_fn"),
            {},
            "has a decorator",
        ),
        (
            ONE.replace("class One:", "class One(metaclass=Other):") + FIT.format("One.model_fn"),
            {},
            "not a plain class",
        ),
    ],
)
def test_other_static_methods_stay(text, facts, reason):
    outcome = rewritten(text, **facts)
    assert outcome.text == text
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("names", "is_changed"), [((), True), (("*",), True), (("builder",), False), (("@*",), False)]
)
def test_a_builder_that_other_files_do_not_use_returns_the_class(names, is_changed):
    outcome = rewritten(
        f"{BUILDER}def main():\n    {JOB}".replace("(model_fn, p", "(builder(), p"),
        is_shared=True,
        used_elsewhere=frozenset(names),
    )
    assert ("class Model(" in outcome.text) is is_changed


def test_a_class_in_the_function_that_trains_it():
    job = "".join(f"    {line}\n" for line in JOB.splitlines())
    text = rewritten(f"{HEAD}def main():\n{INDENTED.rstrip()}\n{job}").text
    assert "    class Model(tf_keras.Model):\n" in text
    assert '    job = Model({"units": 1})\n' in text


@pytest.mark.parametrize(
    ("text", "shared", "reason"),
    [
        (f"{BUILDER}model_fn = builder()\n{JOB}print(model_fn)\n", False, "has other uses"),
        (f"{BUILDER}model_fn = builder()\n{JOB}other.take(builder)\n", False, "has other uses"),
        (f"{BUILDER}model_fn = builder()\n{JOB}", True, "other files may use the function"),
        (
            f"{BUILDER}model_fn = builder()\n{JOB}".replace(
                "return model_fn", "return other.wrapped(model_fn)"
            ),
            False,
            "not a function of this file",
        ),
        (
            f"{BUILDER}model_fn = builder()\n{JOB}".replace(
                "    return model_fn", "    print(model_fn)\n    return model_fn"
            ),
            False,
            "has other uses",
        ),
    ],
)
def test_a_builder_with_other_uses_stays(text, shared, reason):
    outcome = rewritten(text, is_shared=shared)
    assert outcome.text == text
    (made,) = outcome.suggestions
    assert reason in made.reason
