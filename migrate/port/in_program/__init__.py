"""Code that runs in the process of a user's program, before the program.

Files in reading order:
starting     begins the others and the recorder
guard        refuses to write outside of the copy
step_order   orders the assignment of a global step after the reads of the step
determinism  fixes seeds, the order of shuffled data and the masks of dropout
folders      names the folders of Estimators and models that have none
carried      puts the recorded weights into the folders of the models that the program makes
places       records the lines at which a program makes Estimators
"""
