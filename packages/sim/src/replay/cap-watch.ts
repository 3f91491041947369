import { NETWORK_CAP } from '../metrics/limits.js';
import type { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { ReplayWallets } from './wallets.js';

/** Finds the first row with a payment of more inputs than the cap: it has more than 100, or a merge made it fit. */
export class CapWatch {
  row: number | null = null;

  endRow(row: number, { all }: ScenarioMetrics, { capMerges }: ReplayWallets): void {
    if (this.row === null && (capMerges > 0 || all.inputs.max > NETWORK_CAP)) this.row = row;
  }
}
