import { type Amount, Duration, LAWS, openLedger, type LedgerOptions, type PartyId } from '@coinlab/core';
import { TEST_PARTIES, type TestParties } from './parties.js';
import { TestLedger } from './test-ledger.js';
import { preapprovalFeeOf } from './verbs.js';
import { amountOf } from './written.js';

/** How a test ledger begins. */
export interface TestLedgerOptions extends LedgerOptions {
  /** Coin that each of the ten parties receives, in one holding; left out: 10,000. */
  readonly funds?: Amount | string;
  /** Which of the ten parties have a preapproval, so that everybody can pay them in one step; left out: all. */
  readonly preapproved?: boolean | readonly (keyof TestParties)[];
}

const PREAPPROVED_FOR: Duration = Duration.days(365);

/**
 * A ledger with ten funded parties and a clock that only the test moves. It opens at a fixed time, so two runs give the same log
 * and hashes. Every update is checked by all laws.
 */
export function createTestLedger(options: TestLedgerOptions = {}): TestLedger {
  const { funds = '10000', preapproved = true, laws = LAWS, ...rest } = options;
  const world = new TestLedger(openLedger({ ...rest, laws }), laws);
  const amount = amountOf(funds, 'funds');
  for (const name of TEST_PARTIES) {
    const party = world.party(name);
    if (preapproved === true || (preapproved !== false && preapproved.includes(name))) preapprove(world, party);
    if (amount > 0n) world.mint(party, amount);
  }
  return world;
}

/** Preapproves a party for a year. The DSO is the provider: the coin for the fee is minted for it and burned at once. */
function preapprove(world: TestLedger, party: PartyId): void {
  const { dso } = world;
  const fee = preapprovalFeeOf(world.ledger, world.now, PREAPPROVED_FOR);
  if (fee > 0n) world.mint(dso, fee);
  const command = world.commands(party, dso).preapprove({ provider: dso, expiresIn: PREAPPROVED_FOR });
  const refusal = world.ledger.check(command, { now: world.now, actAs: [party, dso] });
  // Where transfers cost fees, paying the fee costs some too.
  const inputs =
    refusal?.code === 'INSUFFICIENT_FUNDS' ? [...command.inputs, world.mint(dso, refusal.missing)] : command.inputs;
  world.execute({ ...command, inputs }, party, dso);
}
