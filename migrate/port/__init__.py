"""Ports a program as far as its runs prove it: `python -m migrate port`.

    python -m migrate port my_job/ --output ported/ -- python my_job/task.py --train_steps=200

The only code of `migrate` that starts a user's program is `running`. It starts it in a copy.

Files in reading order:
command      runs `migrate port` from the command line
climb        climbs to the highest rung that passes, and reverts the other changes
keras_3      refuses a program that cannot go to Keras 3, before any of its runs
runs         runs each version of the program, and compares it with the unmodified one
variations   runs the unmodified program again, to measure how precise its results are
run_errors   explains the errors of runs
progress     prints a line for each step
steps        keeps the results of steps, so that an interrupted port can continue
copies       copies the program, and links its data
running      runs a program in a copy, and records it
in_program   guards a program and fixes its randomness, in its process
first_values compares the initial values of two runs
weights      gives a run the recorded initial weights
pairing      pairs folders that have other names in another run
comparison   compares two recordings
randomness   reads the dropout rates of a run, and the randomness that it did not exercise
rewriting    rewrites a copy, and determines the rung of each Estimator
estimators   finds the Estimators, and keeps chosen ones from being rewritten
certificate  writes the certificate
"""
