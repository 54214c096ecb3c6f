"""A line of help for the names and keywords of Python."""

from __future__ import annotations

from app.explore.help_lines import table

PYTHON = table("""
real: The real part.
imag: The imaginary part.
numerator: The number above the line of the fraction.
denominator: The number below the line of the fraction.
start: Where it starts.
stop: Where it ends; excluded.
step: The distance of neighbours.
count: How often something occurs.
maxlen: The largest number of items.
default_factory: What makes the value of a missing key.
args: What it was made with.
func: The function that is called.
keywords: Arguments that are given by name.
cache_info: How often results were found again.
cache_clear: Forget the results kept.
forward: What comes out for given inputs.
random: A random number, even from 0 to 1.
""")
KEYWORDS = table("""
and: True if both are; the second is computed only if the first is true.
or: True if one of the two is; the second is computed only if the first is false.
not: True if the condition is false.
if, elif, else: Which lines run depends on a condition.
for: Once for each item.
while: Again as long as a condition holds.
break: Leave the loop.
continue: Go on with the next round of the loop.
def: Define a function.
return: Leave the function with a result.
yield: Hand out a value and wait for the next request.
lambda: A function in one expression.
class: Define a class.
pass: Do nothing.
import, from: Make a module, or names in it, known.
as: Under another name.
in: Whether something is among others; in a loop, where the items come from.
is: Whether two are the same object.
None: Nothing.
True, False: The truth values.
try, except, finally: What to do about exceptions.
raise: Raise an exception.
assert: Raise an AssertionError unless a condition holds.
with: Enter something and leave it again, whatever happens.
del: Delete a name, an item or an attribute.
global: The name of the module, not of the function.
nonlocal: The name of the function around this one.
match, case: Which lines run depends on a pattern.
""")
