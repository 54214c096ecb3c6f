# kind: class
import unittest
class TestA(unittest.TestCase):
    @classmethod
    def setUpClass(cls): print("class")
    def setUp(self): self.x = 2; print("up")
    def tearDown(self): print("down", self.id())
    def test_b(self): self.assertEqual(self.x, 2); print("b")
    def test_a(self):
        """Says what it does."""
        print(self.shortDescription())
        with self.assertRaises(ValueError) as caught: int("x")
        print(caught.exception)
        self.assertRaises(ZeroDivisionError, lambda: 1 / 0)
        with self.assertRaisesRegex(TypeError, "can only"): "a" + 1
    def test_c(self): self.fail("no")
    def test_d(self): raise KeyError("x")
    @unittest.skip("later")
    def test_e(self): print("never")
class TestB(TestA):
    def test_b(self):
        for i in range(2):
            with self.subTest(i=i): self.assertLess(i, 5)
        print("B.b")
t = unittest.TestCase()
for check, args in [("assertEqual", (1, 2)), ("assertTrue", (0,)), ("assertIn", (1, [2])),
                    ("assertAlmostEqual", (1.0, 1.1)), ("assertIsNone", (3,)), ("assertFalse", (1,)),
                    ("assertGreater", (1, 2)), ("assertNotEqual", (1, 1)), ("assertIs", (None, 1)),
                    ("assertIsInstance", (1, str)), ("assertAlmostEqual", (1, 2, 3)),
                    ("assertNotIn", (2, [2])), ("assertLessEqual", (3, 2, "why"))]:
    try: getattr(t, check)(*args)
    except AssertionError as e: print(check, "|", e)
done = unittest.main(argv=["x"], exit=False)
print(done.result.testsRun, len(done.result.failures), len(done.result.errors), len(done.result.skipped))
suite = unittest.TestLoader().loadTestsFromTestCase(TestB)
print(unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful())
