a = Value(3.0, label='a')
b = a + a
