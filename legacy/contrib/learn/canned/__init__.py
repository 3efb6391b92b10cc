"""Canned estimators of contrib.learn.

Files in reading order:
outputs              predicts one output of a canned estimator without its name
model_fns            builds the linear, deep and combined models
linear               provides linear models: LinearClassifier, LinearRegressor
dnn                  provides deep networks: DNNClassifier, DNNRegressor
dnn_linear_combined  adds the logits of a linear model and a deep network
logistic_regressor   adds metrics of two classes to a model function
sdca                 trains linear models by SDCA, and provides SVM
kmeans               clusters points by k-means
"""
