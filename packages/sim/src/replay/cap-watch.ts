import { NETWORK_CAP } from '../metrics/limits.js';
import type { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { ReplayWallets } from './wallets.js';

/**
 * Finds the first row whose payment needs more inputs than the cap, or more than 100 without a cap. A payment that fits
 * only after a merge counts too.
 */
export class CapWatch {
  row: number | null = null;

  endRow(row: number, { all }: ScenarioMetrics, { capMerges }: ReplayWallets): void {
    if (this.row === null && (capMerges > 0 || all.inputs.max > NETWORK_CAP)) this.row = row;
  }
}
