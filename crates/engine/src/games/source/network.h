/* The network's value. */
static inline int64_t @name@_network(const uint8_t *squares)
{
    enum { ROWS = @NAME@_ROWS, COLS = @NAME@_COLS, HEIGHT = @height@, WIDTH = @width@,
           UNITS = @units@, PATTERNS = @patterns@ };
    int32_t hidden[UNITS];
    int64_t sum = @output_bias@;
    int32_t window = 0;
    int row, col, y, x, unit;
    for (unit = 0; unit < UNITS; unit++)
        hidden[unit] = @name@_hidden_biases[unit];
    for (row = 0; row + HEIGHT <= ROWS; row++) {
        for (col = 0; col + WIDTH <= COLS; col++) {
            const int8_t *weights;
            int32_t pattern = 0;
            for (y = HEIGHT - 1; y >= 0; y--)
                for (x = WIDTH - 1; x >= 0; x--)
                    pattern = pattern * 3 + squares[(row + y) * COLS + col + x];
            weights = @name@_hidden_weights + (window++ * PATTERNS + pattern) * UNITS;
            for (unit = 0; unit < UNITS; unit++)
                hidden[unit] += weights[unit];
        }
    }
    for (unit = 0; unit < UNITS; unit++) {
        int64_t active = hidden[unit] < 0 ? 0 : hidden[unit] > @limit@ ? @limit@ : hidden[unit];
        sum += active * active * @name@_output_weights[unit];
    }
    return sum / @divisor@;
}
