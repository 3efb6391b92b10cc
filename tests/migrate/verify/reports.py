"""A small report of a verification, made by hand."""

from migrate.verify import results


def report(deviation=1e-7, finding=None):
    """Returns a report of two levels, of which the second has one comparison."""
    names = results.Level(1, "variables", results.SAME, "2 pairs")
    forward = results.Level(2, "forward pass", compared="1 output", notes=["Dropout is <off>."])
    forward.comparisons.append(results.Comparison("dense/BiasAdd:0", "dense", deviation, 1e-5, 2.0))
    forward.findings += [finding] if finding else []
    asked = {
        "legacy": {"name": "job:model_fn", "file": "job.py", "sha256": "a" * 64},
        "modern": {"name": "port:Model", "file": "port.py", "sha256": "b" * 64},
        "input": {"name": "job:input_fn", "file": "job.py", "sha256": "a" * 64},
        "checkpoint": [],
    }
    return results.Report(
        levels=[names, forward.conclude()],
        pairs={"dense/kernel": "dense/kernel"},
        asked=asked,
        versions={"tensorflow": "2.19.0"},
        randomness=["Dropout: the model_fn has none."],
        notes=["Compared on this machine."],
        created="2026-01-02T03:04:05+00:00",
        seconds=1.5,
    )
