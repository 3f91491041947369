// Commands, updates and rejections.
import {
  Amount,
  COMMAND_TYPES,
  describeFaults,
  formatCommand,
  parseCommand,
  PartyId,
  REJECTION_CODES,
  REJECTIONS,
  UPDATE_KINDS,
} from '@coinlab/core';

const tap = { type: 'Tap', receiver: PartyId.of('alice'), amount: Amount.of('2.5') } as const;
const json = formatCommand(tap);
const parsed = parseCommand(json);
console.log(parsed.ok && parsed.value.type);

const broken = parseCommand({ type: 'Tap', amount: 5 });
if (!broken.ok) console.log(describeFaults(broken.error));

console.log(COMMAND_TYPES.includes('Tap'), UPDATE_KINDS.includes('Tapped'), REJECTION_CODES.includes('NO_INPUTS'));
console.log(REJECTIONS.INSUFFICIENT_FUNDS);

// Prints:
// Tap
// receiver: got nothing, expected party id; amount: got 5, expected a decimal text with at most 28 digits before and 10 after the point
// true true true
// {
//   meaning: 'the inputs are worth less than the outputs and fees; `missing` is the exact difference',
//   retry: 'refreshed'
// }
