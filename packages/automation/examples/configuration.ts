// Configuration.
import { Duration } from '@coinlab/core';
import {
  DSO_DEFAULTS,
  formatAutomationConfig,
  MERGE_DEFAULTS,
  parseAutomationConfig,
  PREAPPROVAL_DEFAULTS,
} from '@coinlab/automation';

const config = { dso: DSO_DEFAULTS, superValidators: [], validators: [], mergeOperators: [] };
const json = formatAutomationConfig(config);
console.log(json);
console.log(parseAutomationConfig(json).ok);

const wrong = parseAutomationConfig(formatAutomationConfig({ ...config, dso: { ...DSO_DEFAULTS, couponBatch: 0 } }));
console.log(wrong.ok ? 'valid' : wrong.error);
console.log(MERGE_DEFAULTS, PREAPPROVAL_DEFAULTS.lifetime === Duration.days(90));

// Prints:
// {
//   dso: {
//     clockSkewGrace: '5000000',
//     expiresDust: true,
//     expiryBatch: 100,
//     couponBatch: 20,
//     markerBatch: 100
//   },
//   superValidators: [],
//   validators: [],
//   mergeOperators: []
// }
// true
// [ { field: 'dso.couponBatch', value: '0', expected: 'at least 1' } ]
// {
//   mergeAbove: 10,
//   holdingsPerCall: 100,
//   callsPerBatch: 100,
//   marksActivity: true
// } true
