"""Records the runs of a program and tells whether two of them gave the same results.

    from migrate import same_run

    before = same_run.record(["python", "-m", "legacy.run", "job.py"], "runs/before")
    after = same_run.record(["python", "rewritten/job.py"], "runs/after", first_weights=before)
    outcome = same_run.same_run(before, after)
    print(outcome)

Files in reading order:
recording        stores a run: trainings, evaluations, predictions, exports and checkpoints
running          runs a program in a process and records it
after_import     calls functions with modules that a program imports later
recorder         records the trainings and evaluations in the program's process
gradients        reads the norm of the gradients of each step
examples         keeps a few examples of the features
nests            lists the differences of nested values
exports          compares the signatures of SavedModels and their outputs
saved_variables  compares an Estimator's checkpoint with one of Keras
series           aligns losses and gradients by steps
allowances       tells the differences that rounding alone makes
comparison       compares two recordings
"""

from migrate.same_run.comparison import Outcome, same_run
from migrate.same_run.recording import Recording
from migrate.same_run.running import record

__all__ = ["Outcome", "Recording", "record", "same_run"]
