"""Tests of values that HParams rejects. The oracle compares parsing and storage."""

import pytest

from legacy.contrib.training import HParams, parse_values


def test_a_value_keeps_its_type():
    hparams = HParams(rate=0.1, units=[64, 32]).parse("rate=1,units=[8]")
    assert (hparams.rate, type(hparams.rate), hparams.units) == (1.0, float, [8])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rate=fast", "Could not parse hparam 'rate' of type 'float' with value 'fast'"),
        ("rate=1,rate=2", "Multiple assignments to variable 'rate'"),
        ("units[0]=[1]", "Assignment of a list to a list index"),
        ("other=1", "Unknown hyperparameter type for other"),
        ("rate;1", "Malformed hyperparameter value: rate;1"),
        ("units=5", "Must pass a list for multi-valued parameter: units"),
        ("rate=[1]", "Must not pass a list for single-valued parameter: rate"),
    ],
)
def test_a_mistake_is_named(text, message):
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        HParams(rate=0.1, units=[64, 32]).parse(text)


def test_index_assignments():
    assert parse_values("a[1]=2,a[0]=3", {"a": int}) == {"a": {1: 2, 0: 3}}
    with pytest.raises(ValueError, match=r"Multiple assignments to variable 'a\[1\]'"):
        parse_values("a[1]=2,a[1]=3", {"a": int})


def test_only_what_a_protocol_buffer_can_hold_is_written():
    with pytest.raises(ValueError, match="Unsupported parameter type: .*dict"):
        HParams(settings={"a": 1}).to_proto()
    with pytest.raises(AssertionError, match="is no HParamDef: 'text'"):
        HParams(hparam_def="text")
