/* What this machine could do: the four tasks as a patient programmer would write them in C.

   cc -O3 -march=native -ffast-math limit.c -o limit -lm      (flags that help more: limit.py)

   Every size is a constant where it is used, so that the compiler unrolls and keeps whole tiles of
   a product in registers. Activations lie sample by sample, the neurons of a layer side by side in
   the lanes of a vector. Weights of hidden layers lie input by input (w[input][neuron]), those of
   the last layer neuron by neuron (w[neuron][input]): either way no sum runs across lanes except
   in the last layer's outputs.

   It reads commands and answers each with one line:
     start T2 <rows x columns numbers> <parameters>  ->  ready 1
     train 100                                       ->  seconds
     parameters                                      ->  all of them, neuron by neuron */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
/* `value` in the lanes where `mask` (all bits or none) holds, else 0. */
#define WHERE(vector, mask, value) (vector)((mask) & (__typeof__(mask))(value))

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));
#ifdef __AVX512F__
enum { LANES = 8, SUMS = 26 }; /* of a vector; vectors that may hold sums at the same time */
#else
enum { LANES = 4, SUMS = 12 };
#endif

enum activation { LINEAR, TANH, RELU };
enum loss { SQUARES, MEAN_SQUARES, HINGE, CROSS_ENTROPY };
enum { LAYERS = 3, WIDEST = 32, MOST_ROWS = 500, MOST_INPUTS = 3 };

typedef struct {
  int rows, batch, sizes[LAYERS + 1];
  enum activation hidden, output;
  enum loss loss;
  double rate, l2;
  int adam;
} task;

typedef struct {
  double w[WIDEST * WIDEST], b[WIDEST];
} __attribute__((aligned(64))) layer;

static double inputs[MOST_ROWS * MOST_INPUTS], targets[MOST_ROWS];
static layer parameters[LAYERS], gradients[LAYERS], first[LAYERS], second[LAYERS];
static double out[LAYERS][MOST_ROWS * WIDEST] __attribute__((aligned(64)));
static double back[LAYERS][MOST_ROWS * WIDEST] __attribute__((aligned(64)));
static double decay1, decay2; /* Adam: the powers of its two betas */
static int at;                /* first row of the next batch */

/* How many rows of a product are computed side by side: as many as registers hold. */
INLINE int together(const int rows, const int parts) {
  int tile = 1;
  for (int n = 2; n <= 10 && n * parts <= SUMS; n++)
    if (rows % n == 0) tile = n;
  return tile;
}

/* z[r][c] = bias[c] + sum over d of x[r * row + d * step] * w[d][c], and what `kind` does to it:
   relu itself if `seen` is null, else the product with the slope at the activation `seen`.
   Up to four vectors of columns are computed side by side. */
#define PRODUCT(name, vector, lanes)                                                               \
  INLINE void name(const int rows, const int depth, const int columns, const double *restrict x,   \
                   const int row, const int step, const double *restrict w,                        \
                   const double *restrict bias, const enum activation kind,                        \
                   const double *restrict seen, double *restrict z) {                              \
    const int all = columns / lanes, parts = all < 4 ? all : 4, tile = together(rows, parts);      \
    for (int left = 0; left < columns; left += parts * lanes)                                      \
      for (int r = 0; r < rows; r += tile) {                                                       \
        vector sum[10][4];                                                                         \
        UNROLL for (int i = 0; i < tile; i++) UNROLL for (int p = 0; p < parts; p++)               \
          sum[i][p] = bias ? *(const vector *)(bias + left + p * lanes) : (vector){0};             \
        for (int d = 0; d < depth; d++) {                                                          \
          UNROLL for (int i = 0; i < tile; i++) {                                                  \
            const double factor = x[(r + i) * row + d * step];                                     \
            UNROLL for (int p = 0; p < parts; p++)                                                 \
              sum[i][p] += factor * *(const vector *)(w + d * columns + left + p * lanes);         \
          }                                                                                        \
        }                                                                                          \
        UNROLL for (int i = 0; i < tile; i++) UNROLL for (int p = 0; p < parts; p++) {             \
          const int where = (r + i) * columns + left + p * lanes;                                  \
          vector value = sum[i][p];                                                                \
          if (seen) {                                                                              \
            const vector y = *(const vector *)(seen + where);                                      \
            if (kind == TANH) value *= 1 - y * y;                                                  \
            if (kind == RELU) value = WHERE(vector, y > 0, value);                                 \
          } else if (kind == RELU) value = WHERE(vector, value > 0, value);                        \
          *(vector *)(z + where) = value;                                                          \
        }                                                                                          \
      }                                                                                            \
  }
PRODUCT(product_of_fours, four, 4)
PRODUCT(product_of_eights, eight, 8)

INLINE void product(const int rows, const int depth, const int columns, const double *x,
                    const int row, const int step, const double *w, const double *bias,
                    const enum activation kind, const double *seen, double *z) {
  if (columns % 8 == 0 && LANES == 8)
    product_of_eights(rows, depth, columns, x, row, step, w, bias, kind, seen, z);
  else
    product_of_fours(rows, depth, columns, x, row, step, w, bias, kind, seen, z);
}

INLINE void hyperbolic(const int count, double *z) {
  for (int i = 0; i < count; i++) z[i] = tanh(z[i]);
}

/* g[c] = sum of d[r][c] over the rows. */
INLINE void column_sums(const int rows, const int columns, const double *restrict d,
                        double *restrict g) {
  double sum[WIDEST] = {0};
  for (int r = 0; r < rows; r++)
    UNROLL for (int c = 0; c < columns; c++) sum[c] += d[r * columns + c];
  for (int c = 0; c < columns; c++) g[c] = sum[c];
}

/* The outputs of the last layer: few neurons, each a scalar product for each row. */
INLINE void outputs(const int rows, const int depth, const int columns, const double *restrict x,
                    const layer *restrict last, double *restrict z) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      double sum = 0;
      for (int d = 0; d < depth; d++) sum += x[r * depth + d] * last->w[c * depth + d];
      z[r * columns + c] = sum + last->b[c];
    }
}

/* The derivative of the batch's loss by each output of the network. */
INLINE void pull_loss(const enum loss loss, const int rows, const int columns,
                      const double *restrict z, const double *restrict y, double *restrict d) {
  if (loss == CROSS_ENTROPY) {
    for (int r = 0; r < rows; r++) {
      const double *row = z + r * columns;
      double largest = row[0], sum = 0;
      for (int c = 1; c < columns; c++) largest = row[c] > largest ? row[c] : largest;
      for (int c = 0; c < columns; c++) d[r * columns + c] = row[c] - largest;
      for (int c = 0; c < columns; c++) sum += d[r * columns + c] = exp(d[r * columns + c]);
      for (int c = 0; c < columns; c++)
        d[r * columns + c] = (d[r * columns + c] / sum - (c == (int)y[r])) / rows;
    }
    return;
  }
  for (int r = 0; r < rows; r++) {
    if (loss == SQUARES) d[r] = 2 * (z[r] - y[r]);
    if (loss == MEAN_SQUARES) d[r] = 2 * (z[r] - y[r]) / rows;
    if (loss == HINGE) d[r] = y[r] * z[r] < 1 ? -y[r] / rows : 0;
  }
}

INLINE void move(const task *t, const int count, double *restrict p, const double *restrict g,
                 double *restrict m, double *restrict v) {
  if (t->adam) {
    const double long1 = 1 / (1 - decay1), long2 = 1 / (1 - decay2);
    for (int i = 0; i < count; i++) {
      m[i] = 0.9 * m[i] + 0.1 * g[i];
      v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
      p[i] -= t->rate * (m[i] * long1) / (sqrt(v[i] * long2) + 1e-8);
    }
  } else
    for (int i = 0; i < count; i++) p[i] -= t->rate * (g[i] + 2 * t->l2 * p[i]);
}

INLINE void step(const task t) {
  const int n = t.batch, s0 = t.sizes[0], s1 = t.sizes[1], s2 = t.sizes[2], s3 = t.sizes[3];
  const double *x = inputs + at * s0, *y = targets + at;
  layer *p = parameters, *g = gradients;
  at = at + n < t.rows ? at + n : 0;

  product(n, s0, s1, x, s0, 1, p[0].w, p[0].b, t.hidden, 0, out[0]);
  if (t.hidden == TANH) hyperbolic(n * s1, out[0]);
  product(n, s1, s2, out[0], s1, 1, p[1].w, p[1].b, t.hidden, 0, out[1]);
  if (t.hidden == TANH) hyperbolic(n * s2, out[1]);
  outputs(n, s2, s3, out[1], p + 2, out[2]);
  if (t.output == TANH) hyperbolic(n * s3, out[2]);

  pull_loss(t.loss, n, s3, out[2], y, back[2]);
  if (t.output == TANH)
    for (int i = 0; i < n * s3; i++) back[2][i] *= 1 - out[2][i] * out[2][i];
  product(s3, n, s2, back[2], 1, s3, out[1], 0, LINEAR, 0, g[2].w);
  column_sums(n, s3, back[2], g[2].b);
  product(n, s3, s2, back[2], s3, 1, p[2].w, 0, t.hidden, out[1], back[1]);
  product(s1, n, s2, out[0], 1, s1, back[1], 0, LINEAR, 0, g[1].w);
  column_sums(n, s2, back[1], g[1].b);
  double turned[WIDEST * WIDEST] __attribute__((aligned(64)));
  for (int i = 0; i < s1; i++)
    for (int j = 0; j < s2; j++) turned[j * s1 + i] = p[1].w[i * s2 + j];
  product(n, s2, s1, back[1], s2, 1, turned, 0, t.hidden, out[0], back[0]);
  product(s0, n, s1, x, 1, s0, back[0], 0, LINEAR, 0, g[0].w);
  column_sums(n, s1, back[0], g[0].b);

  decay1 *= 0.9, decay2 *= 0.999;
  UNROLL for (int l = 0; l < LAYERS; l++) {
    move(&t, t.sizes[l] * t.sizes[l + 1], p[l].w, g[l].w, first[l].w, second[l].w);
    move(&t, t.sizes[l + 1], p[l].b, g[l].b, first[l].b, second[l].b);
  }
}

static const task T1 = {4, 4, {3, 4, 4, 1}, TANH, TANH, SQUARES, 0.05, 0, 0};
static const task T2 = {100, 100, {2, 16, 16, 1}, RELU, LINEAR, HINGE, 0.1, 1e-4, 0};
static const task T3 = {500, 10, {2, 8, 8, 1}, TANH, TANH, MEAN_SQUARES, 0.015, 0, 0};
static const task T4 = {300, 300, {2, 32, 32, 3}, TANH, LINEAR, CROSS_ENTROPY, 0.01, 0, 1};
static __attribute__((noinline)) void step1(void) { step(T1); }
static __attribute__((noinline)) void step2(void) { step(T2); }
static __attribute__((noinline)) void step3(void) { step(T3); }
static __attribute__((noinline)) void step4(void) { step(T4); }
static const task *const tasks[] = {&T1, &T2, &T3, &T4};
static void (*const steps[])(void) = {step1, step2, step3, step4};

/* Weight i of neuron j: the last layer lies the other way round. */
static double *weight(const task *t, int l, int j, int i) {
  return parameters[l].w + (l == LAYERS - 1 ? j * t->sizes[l] + i : i * t->sizes[l + 1] + j);
}

static int start(const task *t) {
  int read = 1;
  for (int r = 0; r < t->rows; r++) {
    for (int i = 0; i < t->sizes[0]; i++) read &= scanf("%lf", inputs + r * t->sizes[0] + i) == 1;
    read &= scanf("%lf", targets + r) == 1;
  }
  for (int l = 0; l < LAYERS; l++)
    for (int j = 0; j < t->sizes[l + 1]; j++) {
      for (int i = 0; i < t->sizes[l]; i++) read &= scanf("%lf", weight(t, l, j, i)) == 1;
      read &= scanf("%lf", parameters[l].b + j) == 1;
    }
  memset(first, 0, sizeof first);
  memset(second, 0, sizeof second);
  decay1 = decay2 = 1;
  at = 0;
  return read;
}

static void show(const task *t) {
  for (int l = 0; l < LAYERS; l++)
    for (int j = 0; j < t->sizes[l + 1]; j++) {
      for (int i = 0; i < t->sizes[l]; i++) printf("%.17g ", *weight(t, l, j, i));
      printf("%.17g ", parameters[l].b[j]);
    }
  printf("\n");
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void) {
  char word[16];
  int task = 0, count;
  while (scanf("%15s", word) == 1) {
    if (!strcmp(word, "start") && scanf(" T%d", &task) == 1 && task >= 1 && task <= 4)
      printf(start(tasks[task - 1]) ? "ready 1\n" : "failed to read the numbers\n");
    else if (!strcmp(word, "train") && task && scanf("%d", &count) == 1) {
      const double began = seconds();
      for (int i = 0; i < count; i++) steps[task - 1]();
      printf("%.9g\n", seconds() - began);
    } else if (!strcmp(word, "parameters") && task) show(tasks[task - 1]);
    else return 1;
    fflush(stdout);
  }
  return 0;
}
