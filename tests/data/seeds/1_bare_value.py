a = Value(2.0)
a # Python will internally use the __repr__ function to return the string "Value(data={self.data})"
