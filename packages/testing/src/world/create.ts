import {
  type Amount,
  Duration,
  type Law,
  LAWS,
  openLedger,
  type LedgerOptions,
  type PartyId,
  TEST_PARTIES,
} from '@coinlab/core';
import type { TestParties } from './parties.js';
import { fileCoverage, type LedgerCoverage } from './coverage.js';
import { ledgerOf, type LedgerSource } from './saved.js';
import { TestLedger } from './test-ledger.js';
import { preapprovalFeeOf } from './verbs.js';
import { amountOf } from './written.js';

/** How a test ledger begins. */
export interface TestLedgerOptions extends LedgerOptions {
  /** Coin that each of the ten parties receives, in one holding; left out: 10,000. */
  readonly funds?: Amount | string;
  /** Counts what the test does, without the commands that fund the parties; left out: the coverage of the file, if it has one. */
  readonly coverage?: LedgerCoverage;
  /** Which of the ten parties have a preapproval, so that everybody can pay them in one step; left out: all. */
  readonly preapproved?: boolean | readonly (keyof TestParties)[];
}

const PREAPPROVED_FOR: Duration = Duration.days(365);

/** How a test ledger continues from another. */
export interface ContinuedLedgerOptions {
  /** The text of `world.save()`, a ledger, its updates or a state. Nobody is allocated or funded besides. */
  readonly from: LedgerSource;
  /** Laws to check on every update; left out: all. */
  readonly laws?: readonly Law[];
  /** Counts what the test does; left out: the coverage of the ledger that it continues, or of the file. */
  readonly coverage?: LedgerCoverage;
}

/**
 * A ledger with ten funded parties and a clock that only the test moves. It opens at a fixed time, so two runs give the same log
 * and hashes. Every update is checked by all laws. With `from` it continues from another ledger, at the time of its last update.
 */
export function createTestLedger(options: TestLedgerOptions | ContinuedLedgerOptions = {}): TestLedger {
  if ('from' in options) {
    const { from, laws = LAWS } = options;
    const coverage = options.coverage ?? coverageOf(from) ?? fileCoverage();
    return new TestLedger(ledgerOf(from, laws), laws, coverage);
  }
  const { funds = '10000', preapproved = true, laws = LAWS, coverage = fileCoverage(), ...rest } = options;
  const world = new TestLedger(openLedger({ requireKnownParties: true, ...rest, laws }), laws);
  const amount = amountOf(funds, 'funds');
  for (const name of TEST_PARTIES) {
    const party = world.party(name);
    if (preapproved === true || (preapproved !== false && preapproved.includes(name))) preapprove(world, party);
    if (amount > 0n) world.mint(party, amount);
  }
  // Reports and coverage are about what the test does.
  return new TestLedger(world.ledger, laws, coverage);
}

function coverageOf(source: LedgerSource): LedgerCoverage | null {
  return source instanceof TestLedger ? source.coverage : null;
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
