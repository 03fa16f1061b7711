const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
const int8 = (text) => new Int8Array(bytes(text).buffer);
const int16 = (text) => {
  const view = new DataView(bytes(text).buffer);
  return Int16Array.from({ length: view.byteLength / 2 }, (_, i) => view.getInt16(2 * i, true));
};

// The sum over all windows of a table.
function windows({ height, width, folded, cells }, squares) {
  const classes = Math.floor((cols - width + 2) / 2);
  const patterns = 3 ** (height * width);
  let sum = 0;
  for (let row = 0; row + height <= rows; row++) {
    const above = rows - height - row;
    const down = folded && row > above;
    for (let col = 0; col + width <= cols; col++) {
      const right = cols - width - col;
      const mirrored = col > right;
      let pattern = 0;
      for (let k = height * width - 1; k >= 0; k--) {
        const y = Math.floor(k / width);
        const x = k % width;
        const r = row + (down ? height - 1 - y : y);
        const c = col + (mirrored ? width - 1 - x : x);
        pattern = pattern * 3 + squares[r * cols + c];
      }
      const place = (down ? above : row) * classes + (mirrored ? right : col);
      sum += cells[place * patterns + pattern];
    }
  }
  return sum;
}

// The network's value. No number here is beyond 32 bits.
function networkValue(net, squares) {
  const { height, width, units } = net;
  const patterns = 3 ** (height * width);
  const hidden = Int32Array.from(net.hiddenBiases);
  let input = 0;
  for (let row = 0; row + height <= rows; row++) {
    for (let col = 0; col + width <= cols; col++) {
      let pattern = 0;
      for (let k = height * width - 1; k >= 0; k--) {
        const square = (row + Math.floor(k / width)) * cols + col + (k % width);
        pattern = pattern * 3 + squares[square];
      }
      const start = (input + pattern) * units;
      for (let unit = 0; unit < units; unit++) hidden[unit] += net.hiddenWeights[start + unit];
      input += patterns;
    }
  }
  let sum = net.outputBias;
  for (let unit = 0; unit < units; unit++) {
    const active = Math.min(Math.max(hidden[unit], 0), net.limit);
    sum += active * active * net.outputWeights[unit];
  }
  return Math.trunc(sum / net.divisor);
}

// The weights that count at a phase, which FEATURES.md defines.
function weightsAt(phase) {
  if (!phases) return early;
  if (!Number.isInteger(phase) || phase < 0 || phase > phases) {
    throw new RangeError(`the set has weights by phase: give a phase from 0 to ${phases}`);
  }
  const between = (weight, place) => weight * (phases - phase) + late[place] * phase;
  return early.map((weight, place) => Math.trunc(between(weight, place) / phases));
}

/**
 * The terms of the static value: the name and the product of every feature, table and network, whose
 * sum is the value before it is divided by `scale`. It takes what `evaluate` takes.
 */
export function terms(squares, values = [], phase = undefined) {
  const found = weightsAt(phase).map((weight, place) => ({
    name: features[place],
    product: weight * values[place],
  }));
  for (const table of tables) found.push({ name: table.name, product: windows(table, squares) });
  if (network) found.push({ name: "network", product: networkValue(network, squares) });
  return found;
}

/**
 * The static value of an unfinished position from the side to move. `squares` has the board's rows
 * one after the other: 0 empty or blocked, 1 a piece of the side to move, 2 a piece of the other
 * side; FEATURES.md says which row comes first. `values` follow the order of `features`.
 * `phase` is the phase of the position, as FEATURES.md defines it; it matters only where `phases`
 * is not 0.
 */
export function evaluate(squares, values = [], phase = undefined) {
  let sum = 0;
  weightsAt(phase).forEach((weight, place) => (sum += weight * values[place]));
  for (const table of tables) sum += windows(table, squares);
  if (network) sum += networkValue(network, squares);
  // Without the 0, a quotient between -1 and 0 would be -0.
  return Math.trunc(sum / scale) + 0;
}
