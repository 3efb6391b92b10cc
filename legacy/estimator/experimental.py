"""tf.estimator.experimental (v2 API): the names; each is made where it is at home.

    from legacy import estimator

    hook = estimator.experimental.stop_if_no_decrease_hook(classifier, "loss", 1000)
"""

__all__: list[str] = []
