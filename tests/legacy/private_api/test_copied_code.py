"""Test of the mark that copied code of Estimator has."""

from legacy.estimator import arguments
from legacy.private_api import copied_code


def test_export_mark_warns_once(caplog):
    class Model:
        pass

    mark = copied_code.estimator_export("estimator.Model", v1=["x"])
    assert mark(Model) is Model
    double = mark(lambda number: 2 * number)
    assert arguments.names(double) == ("number",)
    with caplog.at_level("WARNING", "tensorflow"):
        assert [type(Model()), type(Model()), double(2), double(3)] == [Model, Model, 4, 6]
    assert ["deprecated" in record.message for record in caplog.records] == [True, True]
