"""A line of help for the names of libraries that Python does not bring: NumPy, PyTorch, charts.

Names that are operations of the engine are explained by their rows in its table.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.explore.help_lines import table

ARRAYS = table("""
abs, absolute, fabs: The absolute value of each element.
acos, arccos: The angle whose cosine is each element, in radians.
asin, arcsin: The angle whose sine is each element, in radians.
atan, arctan: The angle whose tangent is each element, in radians.
atan2, arctan2: The angle of the point (x, y), given y and x, in radians.
add: The sum, element by element.
sub, subtract: The difference, element by element.
mul, multiply: The product, element by element.
div, divide, true_divide: The quotient, element by element.
pow, power: The power, element by element.
neg, negative: Each element negated.
reciprocal: One over each element.
remainder, mod: The remainder of the division, with the sign of the divisor.
floor_divide: The quotient rounded down.
fmod: The remainder of the division, with the sign of the dividend.
all: Whether every element is true.
any: Whether an element is true.
allclose: Whether two arrays are equal up to rounding.
isclose: Where two arrays are equal up to rounding.
array_equal, equal: Whether, or where, two arrays are equal.
eq: Where the elements are equal.
ne, not_equal: Where the elements differ.
gt, greater: Where the first is greater.
ge, greater_equal: Where the first is greater or equal.
lt, less: Where the first is less.
le, less_equal: Where the first is less or equal.
amax, max: The largest element, of all or along an axis; of two arrays, element by element.
amin, min: The smallest element, of all or along an axis; of two arrays, element by element.
maximum: The larger of two, element by element.
minimum: The smaller of two, element by element.
argmax: The index of the largest element.
argmin: The index of the smallest element.
argsort: The indices that would sort the elements.
sort: The elements in ascending order.
sum: The sum of the elements, of all or along an axis.
prod: The product of the elements, of all or along an axis.
mean: The mean of the elements, of all or along an axis.
average: The weighted mean of the elements.
median: The middle element in ascending order.
std: The standard deviation of the elements.
var: The variance of the elements.
ptp: The largest element minus the smallest.
percentile, quantile: The value below which a given fraction of the elements lies.
cumsum: The running sums.
cumprod: The running products.
diff: The differences of neighbours.
gradient: The slopes between neighbours, by differences.
count_nonzero: How many elements are not 0.
nonzero: The indices of the elements that are not 0.
array, asarray, asanyarray, as_tensor, from_numpy: An array of the given numbers.
arange: Numbers from start to stop, in steps.
linspace: A number of points from start to stop, evenly spaced.
logspace, geomspace: A number of points evenly spaced on a logarithmic scale.
zeros: An array of zeros of a shape.
zeros_like: Zeros in the shape of another array.
ones: An array of ones of a shape.
ones_like: Ones in the shape of another array.
full: An array of a shape filled with one number.
full_like: One number in the shape of another array.
empty: An array of a shape, here of zeros.
empty_like: An array in the shape of another, here of zeros.
eye, identity: The identity matrix.
fromiter: An array of the items of an iterable.
meshgrid: Coordinates of a grid, from those of its axes.
reshape: The same elements in another shape.
ravel, flatten: The elements in one axis.
transpose: The axes in another order; rows and columns exchanged.
swapaxes: Two axes exchanged.
squeeze: The array without its axes of length 1.
expand_dims, unsqueeze: The array with a new axis of length 1.
broadcast_to, expand: The array repeated, without a copy, to a larger shape.
atleast_1d: The array with at least one axis.
atleast_2d: The array with at least two axes.
concatenate, concat, cat: Arrays joined along an axis that they have.
stack: Arrays joined along a new axis.
hstack: Arrays joined side by side.
vstack: Arrays joined one below the other.
column_stack: Arrays as columns side by side.
split, array_split: The array in parts, along an axis.
tile: The array repeated as a whole.
repeat: Each element repeated.
flip: The elements in reverse order along an axis.
roll: The elements moved along an axis, around its end.
copy, clone: An independent copy.
unique: The distinct elements in ascending order.
bincount: How often each whole number occurs.
histogram: How many elements fall into each interval.
searchsorted: Where elements would be inserted into a sorted array.
isin: Where the elements are among others.
where: Elements of one array where a condition holds, else of another.
clip, clamp: Each element limited to an interval.
nan_to_num: The array with numbers in place of nan and infinities.
dot: The scalar product, or the product of matrices.
inner: The scalar product along the last axis.
outer: The product of each element with each of another.
matmul: The product of matrices.
vdot: The scalar product of all elements.
diag, diagonal: The diagonal of a matrix, or the matrix of a diagonal.
trace: The sum of the diagonal.
tril: The matrix with zeros above its diagonal.
triu: The matrix with zeros below its diagonal.
convolve: The convolution of two sequences.
exp: e to the power of each element.
exp2: 2 to the power of each element.
expm1: e to the power of each element, minus 1, exact near 0.
log: The natural logarithm of each element.
log2: The logarithm to base 2 of each element.
log10: The logarithm to base 10 of each element.
log1p: The logarithm of 1 plus each element, exact near 0.
sqrt: The square root of each element.
rsqrt: One over the square root of each element.
cbrt: The cube root of each element.
square: Each element squared.
hypot: The length of the hypotenuse, from the two legs.
sin: The sine of each element, in radians.
cos: The cosine of each element, in radians.
tan: The tangent of each element, in radians.
sinh: The hyperbolic sine of each element.
cosh: The hyperbolic cosine of each element.
tanh: The hyperbolic tangent of each element.
arctanh: The inverse hyperbolic tangent of each element.
arccosh: The inverse hyperbolic cosine of each element.
arcsinh: The inverse hyperbolic sine of each element.
deg2rad, radians: Degrees in radians.
rad2deg, degrees: Radians in degrees.
sign: −1, 0 or 1, by the sign of each element.
signbit: Where the sign is a minus.
heaviside: The step function.
ceil: Each element rounded up.
floor: Each element rounded down.
trunc: Each element without its fraction.
rint: Each element rounded to the nearest whole number.
round, around: Each element rounded to a number of decimals.
isfinite: Where the elements are neither nan nor infinite.
isinf: Where the elements are infinite.
isnan: Where the elements are nan.
isscalar: Whether something is a single number.
logical_and: Where both are true.
logical_or: Where one of the two is true.
logical_not: Where the elements are false.
logical_xor: Where exactly one of the two is true.
bitwise_and: The bits that both have.
bitwise_or: The bits that one of the two has.
bitwise_xor: The bits that exactly one of the two has.
invert: The bits turned around.
left_shift: The bits moved to the left.
right_shift: The bits moved to the right.
argwhere: The indices of the elements that are not 0, one in each row.
ndenumerate: Pairs of index and element.
ndindex: The indices of a shape, one after the other.
unravel_index: The indices of a place in the flat order.
vectorize: A function applied to each element.
pi: The ratio of a circle's circumference to its diameter.
e: The base of the natural logarithm.
inf: Infinity.
nan: Not a number.
euler_gamma: Euler's constant, 0.5772…
newaxis: A new axis of length 1, as an index.
ndim, ndimension, dim: The number of axes.
shape: The length of each axis.
size, numel, nelement: The number of elements; for a tensor's size(), the length of each axis.
dtype: The type of the elements.
ndarray: The type of arrays.
T, t: The array with its axes reversed.
item: The only element, as a plain number.
tolist: The elements as lists.
astype: The elements as another type.
fill: Set every element to one number.
flat: The elements one after the other.
itemsize: The bytes of an element.
nbytes: The bytes of all elements.
real: The real part, which is the array itself.
conj: The conjugate, which is the array itself.
view: The same elements, in another shape or as another type.
array2string, array_repr, array_str: The array as text.
set_printoptions: Set how arrays are printed.
get_printoptions: How arrays are printed.
printoptions: How arrays are printed, inside a with statement.
errstate: What happens at floating-point errors, inside a with statement.
seterr: Set what happens at floating-point errors.
finfo: The limits of a floating-point type.
iinfo: The limits of an integer type.
random: Random numbers.
linalg: Linear algebra.
c_: Arrays as columns, joined by indexing.
r_: Arrays joined by indexing.
""")
TYPES = table("""
bool, bool_, True_, False_: The type of truth values, and its two values.
int, int_, intp, int64, long: Whole numbers of 64 bits.
int32: Whole numbers of 32 bits.
uint8: Whole numbers from 0 to 255.
float, float64, double: Floating-point numbers of 64 bits.
float32, single: Floating-point numbers of 32 bits.
str_, object_: The type of texts, and of anything else.
number, generic, floating, integer: Kinds of types of elements.
""")
TENSORS = table("""
Tensor, tensor: Numbers in a grid, which record how they were computed.
FloatTensor: A tensor of 32-bit floating-point numbers.
Generator: A source of random numbers.
Size: The shape of a tensor.
backward: Walk back from here and add to the gradient of every leaf.
grad: The derivative of the output by this tensor, after backward().
data: The numbers themselves, without their history.
requires_grad: Whether the gradient is recorded.
requires_grad_: Record the gradient from here on.
retain_grad: Keep the gradient of this tensor, though it is no leaf.
grad_fn: The function that differentiates this tensor.
is_leaf: Whether the tensor was not computed from others that are recorded.
detach, detach_: The same numbers without their history.
no_grad, inference_mode: Nothing is recorded inside.
enable_grad, set_grad_enabled, is_grad_enabled: Whether computations are recorded.
manual_seed: Set where random numbers start.
rand: Random numbers, even from 0 to 1, of a shape.
rand_like: Random numbers, even from 0 to 1, in the shape of another tensor.
randn: Normally distributed random numbers of a shape.
randn_like: Normally distributed random numbers in the shape of another tensor.
randint: Random whole numbers below a bound.
randperm: The whole numbers below a bound in random order.
normal: Normally distributed random numbers of a mean and a deviation.
multinomial: Indices drawn by their weights.
bmm: Products of matrices, pair by pair.
mm: The product of two matrices.
mv: The product of a matrix and a vector.
norm: The square root of the sum of squares.
permute: The axes in another order.
masked_fill: One number where a mask is true.
unbind: The parts along an axis, each without it.
chunk: The tensor in a number of parts.
logsumexp: The logarithm of the sum of exponentials.
softmax: Exponentials that sum to 1.
log_softmax: The logarithm of the softmax.
relu: Each element if it is positive, else 0.
sigmoid: Each element squashed into the interval from 0 to 1.
is_tensor: Whether something is a tensor.
nn: Layers, losses and modules.
optim: Optimizers.
autograd: Automatic differentiation.
cuda, backends, device: Where tensors are: always the CPU here.
set_default_dtype: Set the type of new tensors.
type, to, type_as: The elements as another type.
is_floating_point: Whether the elements are floating-point numbers.
cpu: The tensor itself: it is on the CPU.
numpy: The numbers as a NumPy array.
contiguous: The same elements in their order.
reshape_as, view_as: The same elements in the shape of another tensor.
label: The name in the picture.
args: What it was computed from.
copy_: Take over the numbers of another tensor, in place.
fill_: Set every element to one number, in place.
zero_: Set every element to 0, in place.
normal_: Draw every element from a normal distribution, in place.
uniform_: Draw every element evenly from an interval, in place.
""")
LAYERS = table("""
Module: What layers and networks derive from: parameters(), zero_grad(), forward.
ModuleList: A list of modules whose parameters count.
Parameter: A tensor that a module trains.
Sequential: Modules, each fed by the one before.
Linear, linear: x Wᵀ + b.
Embedding: A row of a table for each index.
Flatten: All axes but the first in one.
Conv1d, conv1d: A window of weights slid along the last axis.
Conv2d, conv2d: A window of weights slid over the last two axes.
MaxPool1d, MaxPool2d, max_pool1d, max_pool2d: The largest number of each window.
AvgPool1d, AvgPool2d, avg_pool1d, avg_pool2d: The mean of each window.
BatchNorm1d, BatchNorm2d: Each channel to mean 0 and variance 1 over the batch.
LayerNorm, layer_norm: Each row to mean 0 and variance 1.
GroupNorm, group_norm: Each group of channels to mean 0 and variance 1.
RMSNorm, rms_norm: Each row over the root of its mean square.
Dropout, dropout: Some elements dropped by chance in training.
RNN, RNNCell: A state carried along a sequence.
LSTM, LSTMCell: A state and a memory with gates, carried along a sequence.
GRU, GRUCell: A state with two gates, carried along a sequence.
MultiheadAttention, scaled_dot_product_attention: Means of values, weighted by how well keys fit.
TransformerEncoderLayer: Attention and two linear layers, each added to its input.
ParameterList, ParameterDict: Parameters in a list, or by name.
Identity: What comes in.
BCELoss, binary_cross_entropy: The cross-entropy of probabilities against 0 or 1.
BCEWithLogitsLoss, binary_cross_entropy_with_logits: The cross-entropy of logits against 0 or 1.
CrossEntropyLoss, cross_entropy: The cross-entropy of logits against classes.
NLLLoss, nll_loss: The mean of minus the log-probability of each class.
MSELoss, mse_loss: The mean of the squared errors.
L1Loss, l1_loss: The mean of the absolute errors.
ELU, elu: x if it is positive, else e to the power x minus 1.
GELU, gelu: x times the standard normal distribution function of x.
LeakyReLU, leaky_relu: x if it is positive, else 0.01 x.
ReLU, relu: x if it is positive, else 0.
SiLU, silu: x times its sigmoid.
Sigmoid, sigmoid: Squashes into the interval from 0 to 1.
logsigmoid: The logarithm of the sigmoid.
Softmax, softmax: Exponentials that sum to 1.
LogSoftmax, log_softmax: The logarithm of the softmax.
Softplus, softplus: log(1 + eˣ), a smooth relu.
Tanh, tanh: Squashes into the interval from −1 to 1.
one_hot: A 1 at the index of each class, else 0.
functional: The layers and losses as functions.
init: Initial values of weights.
calculate_gain: The factor by which an activation shrinks its input.
constant_: Set every element to one number.
ones_: Set every element to 1.
zeros_: Set every element to 0.
normal_: Draw every element from a normal distribution.
uniform_: Draw every element evenly from an interval.
kaiming_normal_, kaiming_uniform_: He's initialisation, for layers before a relu.
xavier_normal_, xavier_uniform_: Glorot's initialisation, for layers before a tanh.
Adam: Steps scaled by running means of gradients and their squares.
AdamW: Adam with decoupled weight decay.
SGD: Steps against the gradient, with momentum if wanted.
Optimizer, Optimiser: What optimizers have in common: step() and zero_grad().
""")
DRAWS = table("""
Generator, RandomState, default_rng: A source of random numbers with its own seed.
seed: Set where random numbers start.
choice: Items drawn at random.
exponential: Exponentially distributed random numbers.
normal: Normally distributed random numbers of a mean and a deviation.
standard_normal, randn: Normally distributed random numbers.
permutation: The items in random order.
shuffle: Bring the items into random order, in place.
rand, random, random_sample, ranf, sample: Random numbers, even from 0 to 1.
randint: Random whole numbers from an interval.
uniform: Random numbers, even over an interval.
""")
LINEAR = table("""
LinAlgError: What singular matrices raise.
det: The determinant.
inv: The inverse matrix.
norm: The square root of the sum of squares.
solve: The solution x of a x = b.
""")
CHARTS = table("""
axes, gca: The axes that are drawn on.
figure, gcf: The figure that is drawn on.
subplots, subplot: A figure with axes in a grid.
bar: A chart of bars.
plot: Lines through points.
step: Steps through points.
scatter: Points.
hist: A histogram.
imshow, matshow: A matrix as colours.
errorbar: Points with their uncertainty.
loglog: Lines, both axes logarithmic.
semilogx: Lines, the x axis logarithmic.
semilogy: Lines, the y axis logarithmic.
title, suptitle: Set the title.
xlabel: Name the x axis.
ylabel: Name the y axis.
show: Show the chart, below the program's output.
clf, close: Begin a new figure.
""")
PROGRESS = table("""
tqdm, tqdm_notebook: The items of an iterable; its progress is not shown here.
trange, tnrange: range, whose progress is not shown here.
""")
DISPLAY = table("""
display: Print something.
clear_output: Does nothing here.
""")
QUIET = table("""
apply: Does nothing here.
breakpoint, set_trace, post_mortem: Does nothing here: step through the frames instead.
""")
HELP: Mapping[str, Mapping[str, str]] = {
    "numpy": {**ARRAYS, **TYPES},
    "numpy.random": DRAWS,
    "numpy.linalg": LINEAR,
    "torch": {**ARRAYS, **TYPES, **TENSORS},
    "torch.nn": LAYERS,
    "torch.nn.functional": LAYERS,
    "torch.nn.init": LAYERS,
    "torch.optim": LAYERS,
    "matplotlib.pyplot": CHARTS,
    "pylab": CHARTS,
    "tqdm": PROGRESS,
    "tqdm.auto": PROGRESS,
    "tqdm.notebook": PROGRESS,
    "IPython.display": DISPLAY,
    "IPython.core.display": DISPLAY,
    "nest_asyncio": QUIET,
    "pdb": QUIET,
}
"""A line of help by name, for each module that has them."""
