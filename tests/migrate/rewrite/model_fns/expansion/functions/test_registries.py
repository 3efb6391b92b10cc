"""Tests for calls of functions in a dictionary: branches, and calls that stay."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import registries
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

FUNCTIONS = "def a(x):\n    return x\n\ndef b(x):\n    return x * 2\n\n"
TABLE = 'NETS = {"a": a, "b": b}\n'


def _body(lines, table=TABLE):
    body = "\n".join(f"    {line}" for line in lines)
    file = SourceFile(f"{FUNCTIONS}{table}\ndef model_fn(x, params):\n{body}\n")
    draft = registries.without_registries(Draft.of(file, file.tree.body[-1]))
    changed = draft.file.text.split("\n")[draft.function.lineno :]
    return [line.removeprefix("    ") for line in changed if line]


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (['y = NETS[params["net"]](x)'], []),
        (['net = NETS[params["net"]]', "y = net(x)"], ['net = NETS[params["net"]]']),
    ],
)
def test_a_call_becomes_branches(lines, first):
    assert _body(lines) == [
        *first,
        'if params["net"] == "a":',
        "    y = a(x)",
        'elif params["net"] == "b":',
        "    y = b(x)",
        "else:",
        '    raise KeyError(params["net"])',
    ]


@pytest.mark.parametrize(
    ("lines", "table"),
    [
        (["y = NETS[len(x)](x)"], TABLE),
        (['y = NETS["a"](x)'], TABLE),
        (['y = NETS[params["net"]](x) + 1'], TABLE),
        (['y = NETS.get(params["net"])(x)'], TABLE),
        (['y = NETS[params["net"]](x)'], f'{TABLE}NETS["c"] = a\n'),
        (['y = NETS[params["net"]](x)'], f"{TABLE}NETS.update(c=a)\n"),
        (['y = NETS[params["net"]](x)'], f"{TABLE}change(NETS)\n"),
        (['y = NETS[params["net"]](x)'], 'NETS = {"a": a, "b": len}\n'),
        (['y = NETS[params["net"]](x)'], 'NETS = {"a": a, **OTHERS}\n'),
        (["b = x", 'y = NETS[params["net"]](x)'], TABLE),
        (["NETS = params", 'y = NETS[params["net"]](x)'], TABLE),
    ],
)
def test_a_call_of_unknown_functions_stays(lines, table):
    assert _body(lines, table) == lines


def _rewritten(head):
    text = base_program.BASE.replace(base_program.OUT, 'out = NETS[params["net"]](net)')
    text = text.replace("import other\n", head)
    plan = tools.plan(api="v2")
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan).text


def test_each_network_becomes_a_layer_of_a_branch():
    functions = FUNCTIONS.replace("return x", "return tf.layers.dense(x, 3)")
    text = _rewritten(functions + TABLE)
    assert '        if params["net"] == "a":\n            self.a = A(names=names)\n' in text
    assert '        elif self.params["net"] == "b":\n            out = self.b(net)\n' in text
    assert "def a(" not in text
    assert "NETS" not in text


def test_a_dictionary_with_other_uses_keeps_its_functions():
    functions = FUNCTIONS.replace("return x", "return tf.layers.dense(x, 3)")
    text = _rewritten(f"{functions}{TABLE}print(sorted(NETS))\n")
    assert "class A(" in text
    assert "def a(" in text
    assert TABLE in text


BY_NAME = """\
NETS = {}

def register(net):
    NETS[net.__name__] = net
    return net

@register
def a(x):
    return tf.layers.dense(x, 3)

@register
def b(x):
    return tf.layers.dense(x, 4)

"""


def test_decorated_functions_stay_next_to_their_layers():
    text = _rewritten(BY_NAME)
    assert '        if params["net"] == "a":\n            self.a = A(names=names)\n' in text
    assert "        return self.dense(x)\n\n\n@register\ndef a(x):" in text
    assert "NETS = {}" in text


def test_functions_with_other_decorators_stay():
    text = BY_NAME.replace("@register\ndef a", "@cached\n@register\ndef a")
    assert "class " not in _rewritten(text)
