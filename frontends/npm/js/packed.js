// Weight files as bytes, also from the form of the package: there tables and hidden weights are
// separate, compressed files, which sets can share. docs/src/compact.md in the repository defines it.

const PACKED = ".pack";
const UTF8 = new TextEncoder();

/** A copy of the bytes of a weight file, which may be text or an object too. */
export function fileBytes(file) {
  if (Array.isArray(file)) return Uint8Array.from(file);
  const isObject = Object(file) === file;
  if (isObject && file.byteLength >= 0) return new Uint8Array(file.buffer ?? file, file.byteOffset, file.byteLength).slice();
  if (!isObject && typeof file !== "string") throw new TypeError(`weights of ${file}: give the text, bytes or object of a file`);
  return UTF8.encode(isObject ? JSON.stringify(file) : file);
}

/** Decompresses bytes in the format `gzip` or `deflate` (zlib). */
async function unpacked(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Decompresses a file if it is gzip: some servers already decompress such files. */
export async function plain(bytes) {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes, "gzip") : bytes;
}

/** The bytes of a weight file, by its name in the list of sets. */
export async function readSet(file, read) {
  const bytes = await read(file);
  if (!file.endsWith(PACKED)) return plain(bytes);
  const { header, tables, cells, hidden_weights: hidden } = JSON.parse(new TextDecoder().decode(bytes));
  const part = async (name) => (name ? unpacked(await read(name), "deflate") : new Uint8Array());
  const [planes, weights] = await Promise.all([part(cells), part(hidden)]);
  return compact(header, allCells(tables, planes), weights);
}

/** The cells of every table, restored from the independent cells. */
function allCells(tables, planes) {
  const half = planes.length / 2;
  let at = 0;
  const next = () => {
    const folded = planes[at] | (planes[half + at] << 8);
    at += 1;
    return (folded >> 1) ^ -(folded & 1);
  };
  return tables.map(({ cells: count, shape }) => {
    const cells = new Int16Array(count);
    const other = shape ? opposite(shape) : (cell) => cell;
    for (let cell = 0; cell < count; cell += 1) {
      const earlier = other(cell);
      cells[cell] = earlier < cell ? -cells[earlier] : next();
    }
    return cells;
  });
}

/** Returns a function from each cell of a table to the cell that the opponent sees. */
function opposite({ height, width, classes, lines, turned }) {
  const patterns = 3 ** (height * width);
  const image = (pattern) => {
    let seen = 0;
    for (let square = 0; square < height * width; square += 1) {
      const row = Math.floor(square / width);
      const place = (turned ? height - 1 - row : row) * width + (square % width);
      seen += [0, 2, 1][Math.floor(pattern / 3 ** square) % 3] * 3 ** place;
    }
    return seen;
  };
  const images = Int32Array.from({ length: patterns }, (_, pattern) => image(pattern));
  return (cell) => {
    const block = Math.floor(cell / patterns);
    const line = Math.floor(block / classes);
    const seen = turned ? lines - 1 - line : line;
    return (seen * classes + (block % classes)) * patterns + images[cell % patterns];
  };
}

/** The compact form of a weight file, as bytes. */
function compact(header, tables, hidden) {
  const text = UTF8.encode(header);
  const size = Math.ceil(text.length / 8) * 8;
  const cells = tables.reduce((sum, table) => sum + table.length, 0);
  const bytes = new Uint8Array(16 + size + 4 * (tables.length + 1) + 2 * cells + hidden.length + 4);
  const view = new DataView(bytes.buffer);
  const number = (at, value) => view.setUint32(at, value, true);
  bytes.set(UTF8.encode("SPARSET\n"));
  number(8, 1);
  number(12, size);
  bytes.fill(0x20, 16, 16 + size);
  bytes.set(text, 16);
  let at = 16 + size;
  for (const { length } of [...tables, hidden]) {
    number(at, length);
    at += 4;
  }
  for (const table of tables) {
    for (const cell of table) {
      view.setInt16(at, cell, true);
      at += 2;
    }
  }
  bytes.set(hidden, at);
  number(bytes.length - 4, crc32(bytes.subarray(0, -4)));
  return bytes;
}

function crc32(bytes) {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    return sum;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 0xff];
  return ~sum >>> 0;
}
