"""Programs to measure against: the same job as the guides write it, without this toolkit.

Files in reading order:
plain_keras         trains with Keras as TensorFlow's multi-worker guides do
plain_session       trains in a v1 session, without Keras or an Estimator
original_estimator  trains with the real tf.estimator of TensorFlow 2.15
pytorch_ddp         trains with PyTorch's DistributedDataParallel
original_sparse     trains embeddings with the real tf.estimator of TensorFlow 2.15
original_columns    trains embeddings of words and of weighted lists with it
original_files      trains on TFRecord and CSV files with it
original_times      measures the training of these programs
estimator_steps     measures the steps of Estimator.train for any tf.estimator
"""
