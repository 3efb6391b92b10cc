"""Records the runs of a program, and compares the results of two of them.

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
initial_values   saves the initial values of a training that saves no checkpoint
loss_readers     reads the loss of each step
prediction_log   keeps the predictions of a call, up to a limit
gradients        reads the norm of the gradients of each step
examples         keeps a few examples of the features
nests            lists the differences of nested values
exports          compares the signatures of SavedModels and their outputs
saved_variables  compares an Estimator's checkpoint with a Keras checkpoint
series           aligns losses and gradients by steps
allowances       measures the differences that rounding alone causes
comparison       compares two recordings
"""

from migrate.same_run.comparison import Outcome, same_run
from migrate.same_run.recording import Recording
from migrate.same_run.running import record

__all__ = ["Outcome", "Recording", "record", "same_run"]
