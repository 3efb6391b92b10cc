"""Test of the support vector machine."""

from legacy.contrib import learn
from tests.legacy.contrib.learn.canned.models import X, input_fn


def test_an_svm_separates(tmp_path):
    svm = learn.SVM("id", X, model_dir=str(tmp_path), l2_regularization=1.0)
    svm.fit(input_fn=input_fn, steps=10)
    assert list(svm.predict_classes(input_fn=input_fn)) == [1, 0]
    assert set(next(iter(svm.predict(input_fn=input_fn)))) == {"classes", "logits"}
