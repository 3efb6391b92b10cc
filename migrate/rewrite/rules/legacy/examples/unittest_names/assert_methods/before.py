import tensorflow.compat.v1 as tf
class Case(tf.test.TestCase):
    def runTest(self):
        self.assertEquals(1, 1)
        with self.assertRaisesRegexp(ValueError, 'x'):
            raise ValueError('x')
class More(Case):
    def runTest(self):
        self.assertItemsEqual([1, 2], [2, 1])
x = [case().run().wasSuccessful() for case in (Case, More)]
