import tensorflow.compat.v1 as tf
class Case(tf.test.TestCase):
    def runTest(self):
        self.assertEqual(1, 1)
        with self.assertRaisesRegex(ValueError, 'x'):
            raise ValueError('x')
class More(Case):
    def runTest(self):
        self.assertCountEqual([1, 2], [2, 1])
x = [case().run().wasSuccessful() for case in (Case, More)]
