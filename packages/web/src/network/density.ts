export interface Points {
  readonly count: number;
  /** Seconds since the coin was made. */
  readonly ages: Float64Array;
  readonly amounts: Float64Array;
}

export interface Density {
  readonly width: number;
  readonly height: number;
  /** Row by row from the top, where the large amounts are. */
  readonly cells: Uint32Array;
  readonly most: number;
  /** Exponent of ten of the oldest age in seconds. */
  readonly oldest: number;
  /** Exponents of ten of the smallest and the largest amount. */
  readonly least: number;
  readonly largest: number;
}

export function densityOf({ count, ages, amounts }: Points, width: number, height: number): Density {
  let [oldest, smallest, largest] = [1, Infinity, 0];
  for (let i = 0; i < count; i++) {
    const [age = 0, amount = 0] = [ages[i], amounts[i]];
    if (age > oldest) oldest = age;
    if (amount < smallest) smallest = amount;
    if (amount > largest) largest = amount;
  }
  const [low, high] = count === 0 ? [0, 1] : decades(smallest, largest);
  const end = Math.max(1, Math.log10(oldest + 1));
  const cells = new Uint32Array(width * height);
  const [perAge, perAmount] = [width / end, height / (high - low)];
  let most = 0;
  for (let i = 0; i < count; i++) {
    const x = Math.min(width - 1, Math.max(0, Math.trunc(Math.log10((ages[i] ?? 0) + 1) * perAge)));
    const y = Math.min(height - 1, Math.max(0, Math.trunc((high - Math.log10(amounts[i] ?? 1)) * perAmount)));
    const cell = y * width + x;
    const now = (cells[cell] ?? 0) + 1;
    cells[cell] = now;
    if (now > most) most = now;
  }
  return { width, height, cells, most, oldest: end, least: low, largest: high };
}

function decades(smallest: number, largest: number): readonly [low: number, high: number] {
  const low = Math.floor(Math.log10(smallest));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(largest)))];
}

const FAINTEST = 70;

export function paint(canvas: HTMLCanvasElement, { width, height, cells, most }: Density, colour: Rgb): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  [canvas.width, canvas.height] = [width, height];
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [red, green, blue] = colour;
  const solid = (blue << 16) | (green << 8) | red;
  const scale = (255 - FAINTEST) / Math.log2(most + 1);
  for (let cell = 0; cell < cells.length; cell++) {
    const coins = cells[cell] ?? 0;
    // The highest byte is the opacity.
    if (coins > 0) pixels[cell] = ((FAINTEST + Math.trunc(Math.log2(coins + 1) * scale)) << 24) | solid;
  }
  context.putImageData(image, 0, 0);
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** `right` and `down` are distances from the left and the top edge, from 0 to 1. */
export function cellAt(density: Density, right: number, down: number): Cell {
  const { width, height, cells, oldest, least, largest } = density;
  const x = Math.min(width - 1, Math.max(0, Math.trunc(right * width)));
  const y = Math.min(height - 1, Math.max(0, Math.trunc(down * height)));
  const age = (at: number): number => 10 ** ((at / width) * oldest) - 1;
  const amount = (at: number): number => 10 ** (largest - (at / height) * (largest - least));
  return {
    coins: cells[y * width + x] ?? 0,
    ages: [age(x), age(x + 1)],
    amounts: [amount(y + 1), amount(y)],
  };
}

export interface Cell {
  readonly coins: number;
  readonly ages: readonly [from: number, to: number];
  readonly amounts: readonly [from: number, to: number];
}
