"""Tests that each common porting mistake is found at its level and named."""

import dataclasses

import pytest

from migrate import verify
from migrate.verify import results
from tests.migrate.verify import program
from tests.migrate.verify.sharing import shared_graphs

__all__ = ["shared_graphs"]  # a fixture


@dataclasses.dataclass(frozen=True)
class Planted:
    defect: str
    level: int
    named: str  # text that the findings must contain
    optimizer: str = "sgd"
    small: bool = False  # without hidden layers, which do not matter to an optimizer


PLANTED = [
    Planted("frozen layer", 1, "is trained by the model_fn; in the port it is frozen"),
    Planted("epsilon of batch-norm", 2, "the layer norm (BatchNormalization"),
    Planted("transposed kernel", 2, "the layer second (Transposed"),
    Planted("swapped layers", 2, "the layer third (Dense, which has third/kernel"),
    Planted("combiner", 2, "the layer words (Words"),
    Planted("other activation", 2, "the layer second (Dense"),
    Planted("dropout rate", 2, "drops 0.4"),
    Planted("softmax of softmax", 2, "model's output"),
    Planted("softmax twice", 3, "applied twice"),
    Planted("sum of losses", 3, "SUM for MEAN"),
    Planted("no regularizer", 3, "conv/kernel"),
    Planted("decay of biases", 3, "first/bias"),
    Planted("no label smoothing", 3, "Gradients differ for 12 of 12"),
    Planted("momentum of batch-norm", 5, "norm/moving_mean"),
    Planted("decay for rho", 5, "rms", "rmsprop", small=True),
    Planted("epsilon inside the root", 5, "words/embeddings", "adam", small=True),
    Planted("Keras' epsilon", 5, "words/embeddings", "adam", small=True),
    Planted("schedule off by one", 5, "after step 2", "momentum", small=True),
    Planted("schedule too short", 5, "global steps 500", "momentum", small=True),
    Planted("clipped one by one", 5, "after step 1"),
    Planted("mean of batches", 6, "accuracy"),
]


def run(build_model, optimizer="sgd", small=False, **options):
    return verify.verify(
        program.model_fn,
        build_model,
        program.input_fn,
        eval_input_fn=program.eval_input_fn,
        params={**program.params, "optimizer": optimizer, "small": small},
        **{"update_steps": 2, **options},
    )


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.defect)
def test_finds_a_planted_defect_at_its_level_and_names_it(planted):
    port = program.with_defect(planted.defect, planted.optimizer, planted.small)
    report = run(port, planted.optimizer, planted.small)

    verdicts = {level.number: level.verdict for level in report.levels}
    assert verdicts[planted.level] == results.DIFFERENT
    assert {verdicts[number] for number in range(1, planted.level)} <= {results.SAME}
    assert {verdicts[number] for number in range(planted.level + 1, 7)} <= {results.NOT_REACHED}
    findings = " ".join(report.levels[planted.level - 1].findings)
    assert planted.named in findings
    assert report.exit_code == 1


@pytest.mark.parametrize("optimizer", ["momentum", "rmsprop"])
def test_passes_the_correct_port_with_each_optimizer(optimizer):
    report = run(program.with_defect(None, optimizer), optimizer)

    assert report.verdict == results.SAME, report.levels
    assert report.exit_code == 0
