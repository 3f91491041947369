/**
 * Returns the two-sided probability that a Student t variable lies within ±t: the finite trigonometric series, exact for integer
 * degrees of freedom. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
 */
export function withinT(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const squared = Math.cos(angle) ** 2;
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  // Terms fall at least as fast as powers of cos², so the series ends when they become negligible.
  for (let k = isOdd ? 3 : 2; k < degrees && term > Number.EPSILON * sum; k += 2) {
    term *= (squared * (k - 1)) / k;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/**
 * Returns the two-sided quantile of Student's t distribution: 2.262… for level 0.95 and 9 degrees of freedom.
 * @param degrees integer, at least one
 */
export function tQuantile(level: number, degrees: number): number {
  let most = 1;
  while (withinT(most, degrees) < level) most *= 2;
  let least = 0;
  // A double has 53 bits, so more bisections change nothing.
  for (let i = 0; i < 60; i++) {
    const middle = (least + most) / 2;
    if (withinT(middle, degrees) < level) least = middle;
    else most = middle;
  }
  return most;
}
