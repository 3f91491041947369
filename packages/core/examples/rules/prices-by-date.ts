// Prices by date.
import { Amount, genesisConfig } from '@coinlab/core';
import { DEFAULT_PRESET, PRESET_NAMES, PRESETS, withPrices } from '@coinlab/core/rules';

for (const name of PRESET_NAMES) console.log(name, PRESETS[name].profile, PRESETS[name].amuletPrice);

console.log(DEFAULT_PRESET === PRESET_NAMES.at(-1));
const config = withPrices(genesisConfig('feeless'), PRESETS['2026-04']);
console.log(Amount.short(config.traffic.extraTrafficPriceUsd));
console.log(config.issuanceCurve.map(({ issuance }) => Amount.short(issuance.validatorFaucetCapUsd)).join(' '));

// Prints:
// genesis feeless 0.005
// 2025-02 legacy-fees 0.005
// 2025-07 legacy-fees 0.05
// 2026-04 feeless 0.1509
// 2026-06 feeless 0.1558
// true
// 60.0
// 0.6 0.6 0.6 0.6 0.6
