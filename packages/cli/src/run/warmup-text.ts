import { momentsOf, steadyStateOf, type RunResult } from '@coinlab/sim';
import { intervalText } from '../interval-text.js';

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
