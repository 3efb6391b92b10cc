"""Tests that HParams become a namespace if the file only uses their attributes."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "hparams")
START = "from legacy import contrib\nhparams = contrib.training.HParams(rate=0.5)\n"


@pytest.mark.parametrize(
    "rest",
    [
        "d = {}\nx = d.get('a'), d.values()\n",
        "import argparse\nparser = argparse.ArgumentParser()\nx = parser.parse('a')\n",
        "def f(features, rate):\n    return features.get('a')\nf({}, hparams.rate)\n",
        "x = hparams.rate in (0.5, 1)\n",
        "x = model.to_json()\n",
    ],
)
def test_methods_of_other_objects_do_not_count(rest):
    outcome = fixed_point.rewrite(START + rest, RULE, unsafe=True, plan=tools.plan())
    assert "hparams = types.SimpleNamespace(rate=0.5)\n" in outcome.text


@pytest.mark.parametrize(
    ("rest", "used"),
    [
        ("x = hparams.values()\n", "values"),
        ("get = hparams.get\n", "get"),
        ("x = 'rate' in hparams\n", "in"),
        ("def f(params):\n    return params.get('rate')\nf(hparams)\n", "get"),
        ("def f(**rest):\n    return g(p=1)\ndef g(p):\n    p.parse('')\nf(p=hparams)\n", "parse"),
        (
            "class Model:\n    def __init__(self, hp):\n        self.hp = hp\n"
            "    def f(self):\n        return self.hp.to_json()\nModel(hparams)\n",
            "to_json",
        ),
        (
            "import functools\ndef f(a, params):\n    return params.values()\n"
            "functools.partial(f, params=hparams)\n",
            "values",
        ),
        (
            "import functools\ndef f(params, a):\n    return params.values()\n"
            "functools.partial(f, hparams)\n",
            "values",
        ),
        ("def make():\n    return hparams\nx = make().get('a')\n", "get"),
        ("params = {'hparams': hparams}\nx = params['hparams'].values()\n", "values"),
        ("a, b = 1, hparams\nx = b.values()\n", "values"),
        ("unknown.set_hparam('rate', 1)\n", "set_hparam"),
        ("x = contrib.training.HParams(a=1).values()\n", "values"),
    ],
)
def test_methods_of_hparams_count_under_any_name(rest, used):
    outcome = tools.check_noop(START + rest, RULE, unsafe=True)
    assert f"this file uses {used} of HParams" in outcome.suggestions[0].reason
