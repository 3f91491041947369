import { momentsOf, steadyStateOf, type RunResult } from '@coinlab/sim';
import { intervalText } from '../interval-text.js';

/** Reports per group what MSER-5 would cut as warm-up, with the mean after it; nothing for groups without a warm-up. */
export function warmupText(results: readonly RunResult[]): string {
  return (results[0]?.scenario.groups ?? [])
    .map(({ name }) => {
      const steady = steadyStateOf(results.map(({ series }) => momentsOf(series, name)));
      if (steady === null || steady.cutDays === 0) return '';
      const { cutDays, days, mean } = steady;
      return `UTXOs of ${name} after a warm-up of ${cutDays.toFixed(1)} of ${days.toFixed(1)} days (MSER-5): ${intervalText(mean)} per party\n`;
    })
    .join('');
}
