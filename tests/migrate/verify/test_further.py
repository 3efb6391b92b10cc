"""Tests for mistakes that weights of one size hide, misplaced dropout, and other port styles."""

import functools

import pytest

from migrate import verify
from migrate.verify import results
from tests.migrate.verify import further
from tests.migrate.verify.sharing import shared_graphs

__all__ = ["shared_graphs"]  # a fixture


def run(build_model):
    return verify.verify(
        further.model_fn,
        build_model,
        further.input_fn,
        params=further.params,
        update_steps=1,
    )


@pytest.mark.parametrize(
    ("defect", "level", "named"),
    [
        ("relu", 2, "weights 16 times as large. First divergent in evaluation: the layer conv"),
        ("epsilon of layer norm", 2, "8 times as small. First divergent in evaluation: the layer"),
        ("padding", 2, "the layer conv"),
        ("mask", 2, "the layer class"),
        ("unknown words", 2, "the layer words"),
        ("dropout always", 2, "in evaluation: the model_fn drops nothing, the port 0.3"),
        ("dropout inverted", 2, "in evaluation: the model_fn drops nothing, the port 0.3"),
        ("dropout on another layer", 2, "0.3 of image/Relu where the port does not"),
        ("order of classes", 2, "the model's output"),
        ("weight of a loss", 3, "Gradients differ for 11 of 13"),
        ("clipvalue", 5, "weights 16 times as large, where gradients are large"),
        ("decay steps", 5, "global steps 199, 200, 201"),
        ("threshold", 6, "above"),
    ],
)
def test_finds_a_mistake_at_its_level_and_names_it(defect, level, named):
    report = run(functools.partial(further.port, defect))

    verdicts = [one.verdict for one in report.levels[:level]]
    assert verdicts == [results.SAME] * (level - 1) + [results.DIFFERENT]
    assert named in " ".join(report.levels[level - 1].findings)


@pytest.mark.parametrize("style", further.STYLES)
def test_passes_a_correct_port_of_another_style(style):
    report = run(further.STYLES[style])

    assert report.verdict == results.SAME, [level.findings for level in report.levels]
    assert max(level.worst.used for level in report.levels[:6] if level.worst) < 0.5
