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

/** The options of a new test ledger. */
export interface TestLedgerOptions extends LedgerOptions {
  /** Initial coin of each of the ten parties, in one holding; default: 10,000. */
  readonly funds?: Amount | string;
  /**
   * Counts the test's commands without those of the set-up; default: the coverage of the file, if
   * `collectCoverage` was called.
   */
  readonly coverage?: LedgerCoverage;
  /** The parties with a preapproval, to whom others can pay in one step; default: all ten. */
  readonly preapproved?: boolean | readonly (keyof TestParties)[];
}

const PREAPPROVED_FOR: Duration = Duration.days(365);

/** The options of a test ledger that continues another. */
export interface ContinuedLedgerOptions {
  /**
   * The text of `world.save()`, a ledger, its updates or a state. No parties are allocated or funded in
   * addition.
   */
  readonly from: LedgerSource;
  /** Laws to check on every update; default: all. */
  readonly laws?: readonly Law[];
  /** Counts the test's commands. Default: the coverage that the continued ledger uses, else that of the test file. */
  readonly coverage?: LedgerCoverage;
}

/**
 * Returns a ledger with ten funded parties and a manual clock. It opens at a fixed time, so equal tests have
 * equal logs and hashes. All laws are checked on every update. With `from`, it continues another ledger at
 * the time of that ledger's last update.
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
  // Reports and coverage exclude the setup.
  return new TestLedger(world.ledger, laws, coverage);
}

function coverageOf(source: LedgerSource): LedgerCoverage | null {
  return source instanceof TestLedger ? source.coverage : null;
}

function preapprove(world: TestLedger, party: PartyId): void {
  const { dso } = world;
  const fee = preapprovalFeeOf(world.ledger, world.now, PREAPPROVED_FOR);
  if (fee > 0n) world.mint(dso, fee);
  const command = world.commands(party, dso).preapprove({ provider: dso, expiresIn: PREAPPROVED_FOR });
  const refusal = world.ledger.check(command, { now: world.now, actAs: [party, dso] });
  // In profiles with transfer fees, burning the preapproval fee costs a fee too.
  const inputs =
    refusal?.code === 'INSUFFICIENT_FUNDS' ? [...command.inputs, world.mint(dso, refusal.missing)] : command.inputs;
  world.execute({ ...command, inputs }, party, dso);
}
