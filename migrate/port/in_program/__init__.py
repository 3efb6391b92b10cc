"""Code that runs in the process of a user's program, before the program.

Files in reading order:
starting         starts the recorder and the modules below
guard            refuses writes outside of the copy
step_order       orders the assignment of a global step after the reads of the step
model_calls      calls a function for each EstimatorSpec of an Estimator
last_step        lets the updates of a step wait for its data
update_order     orders the updates of variables in a training step
serial           runs the iterations of loops and the functions of datasets one after the other
queues           returns the elements of queues in the order in which they were added
intervals        keeps intervals in seconds from elapsing
initializers     lets the initializers of Keras draw the numbers of TensorFlow 1
determinism      fixes seeds, the order of shuffled data and the masks of dropout
folders          names the folders of Estimators and models that have none
initial_weights  copies the recorded weights into the folders of the models that the program creates
places           records the lines at which a program creates Estimators
"""
