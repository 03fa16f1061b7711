/* The sum over all windows of a table. */
static inline int64_t @name@_windows(const uint8_t *squares, const int16_t *cells, int height,
                                     int width, int folded)
{
    const int rows = @NAME@_ROWS, cols = @NAME@_COLS;
    const int classes = (cols - width + 2) / 2;
    int64_t sum = 0;
    int row, col, y, x;
    for (row = 0; row + height <= rows; row++) {
        const int above = rows - height - row;
        const int down = folded && row > above;
        for (col = 0; col + width <= cols; col++) {
            const int right = cols - width - col;
            int32_t cell = (down ? above : row) * classes + (col > right ? right : col);
            int32_t pattern = 0;
            for (y = height - 1; y >= 0; y--) {
                for (x = width - 1; x >= 0; x--) {
                    const int r = row + (down ? height - 1 - y : y);
                    const int c = col + (col > right ? width - 1 - x : x);
                    pattern = pattern * 3 + squares[r * cols + c];
                }
            }
            for (y = 0; y < height * width; y++)
                cell *= 3;
            sum += cells[cell + pattern];
        }
    }
    return sum;
}
