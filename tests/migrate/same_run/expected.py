"""Results of rungs that are not "same": known defects and documented divergences.

A rung that is not listed gives the same results. An entry that no longer holds makes a test fail.
Remove it in the change that makes it wrong.
"""

import dataclasses

DIFFERENT, COULD_NOT_TELL = "different", "could not tell"
DIVERGENCE, DEFECT = "documented divergence", "known defect"


@dataclasses.dataclass(frozen=True)
class Expected:
    """An expected result.

    Attributes:
      verdict: Verdict of the `Result`.
      line: Text that one of the `Result`'s lines contains.
      kind: DIVERGENCE or DEFECT.
      reason: Reason for the result.
    """

    verdict: str
    line: str
    kind: str
    reason: str


# Programs that `legacy.run` refuses -> part of the message.
NOT_RUN = {
    "boosted_trees": "tf.estimator.BoostedTreesClassifier is not provided",
}

_UNSEEDED = Expected(
    DIFFERENT,
    "training 1, loss at step 1: ",
    DIVERGENCE,
    "tf_random_seed does not reach the input and the dropout of a Keras program.",
)

_SEEDED_ORDER = Expected(
    DIFFERENT,
    "training 1, loss at step 1: ",
    DIVERGENCE,
    "Keras' fit begins the data twice, and a shuffle draws a new order: the rewriter says so.",
)

BY_RUNG = {
    ("augmented_images", "bridge"): _UNSEEDED,
    ("augmented_images", "keras"): _UNSEEDED,
    ("dropout_net", "bridge"): _UNSEEDED,
    ("dropout_net", "keras"): _UNSEEDED,
    ("iris_premade", "bridge"): _UNSEEDED,
    ("iris_premade", "keras"): _UNSEEDED,
    ("shuffled_input", "keras"): _SEEDED_ORDER,
}
