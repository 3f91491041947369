/** The 97.5 % quantile of the normal distribution, for an interval of 95 %. */
const Z = 1.96;

/** Formats a share with its 95 % Wilson interval: `280 of 300 = 93.3 % (95 %: 89.9 to 95.7)`. */
export function proportion(found, total) {
  if (total === 0) return '0 of 0';
  const share = found / total;
  const weight = 1 / (1 + Z ** 2 / total);
  const middle = weight * (share + Z ** 2 / (2 * total));
  const half = weight * Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  const percent = (value) => (100 * value).toFixed(1);
  return `${found} of ${total} = ${percent(share)} % (95 %: ${percent(Math.max(0, middle - half))} to ${percent(middle + half)})`;
}
