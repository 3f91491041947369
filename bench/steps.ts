import {
  Amount,
  GENESIS_TIME,
  Instant,
  openCompactLog,
  openEngine,
  openLedger,
  PartyId,
  type Command,
  type Contract,
  type ContractId,
  type Engine,
  type Round,
  type Update,
} from '@coinlab/core';
import { median } from './measure.js';
import type { Figure } from './figure.js';
import { accept, paymentAt, sha256, World } from './world.js';

const COINS = 10_000;
const ROUNDS = 5;
const VERSIONS = 20_000;
const DSO = PartyId.of('DSO');
const NOW = GENESIS_TIME;
const FIRST_ROUND = 1000 as Round;

/**
 * S4: cost of the other frequent commands per contract that they touch, relative to a one-step transfer of the same
 * engine.
 */
export function stepFigures(): readonly Figure[] {
  const reference = transfers();
  return [
    figure('two-step transfer: offer and acceptance', offers(), reference),
    figure('merge of 100 coins', merges(), reference),
    figure('minting of 100 reward coupons', mintings(), reference),
    figure('expiry of 10,000 dust coins in one command', expiries(), reference),
    handOutFigure(),
  ];
}

function figure(what: string, nanos: number, reference: number): Figure {
  return {
    goal: 'S4',
    what: `${what}, per contract`,
    ours: `${Math.round(nanos).toLocaleString('en')} ns`,
    reference: `one-step ${Math.round(reference).toLocaleString('en')} ns`,
    ratio: nanos / reference,
    target: '3x',
  };
}

/** Returns the cost of reading the update of a packed transfer, which a `Ledger` creates and freezes on demand. */
function handOutFigure(): Figure {
  const [unread, read] = [versions(false), versions(true)];
  return {
    goal: 'S4',
    what: 'version of a Ledger whose update is read: made and deep-frozen',
    ours: `${Math.round(read).toLocaleString('en')} ns`,
    reference: `unread ${Math.round(unread).toLocaleString('en')} ns`,
    ratio: read / unread,
    target: '2x',
  };
}

/**
 * Returns the nanoseconds per payment when each payment creates a version of the ledger: the median of
 * several runs after a warm-up.
 */
function versions(readsUpdate: boolean): number {
  const world = new World(COINS);
  let ledger = openLedger(world.options);
  for (const { command, context } of world.opening()) ({ ledger } = accept(ledger.submit(command, context)));
  const preapprovals = world.preapprovals(ledger.state);
  const payments = world.payments(VERSIONS);
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    globalThis.gc?.();
    let [current, frozen] = [ledger, 0];
    const start = process.hrtime.bigint();
    for (let i = 0; i < VERSIONS; i++) {
      const { command, context } = world.command(paymentAt(payments, i), current.state, preapprovals);
      const next = current.submit(command, context);
      if (!next.ok) continue;
      if (readsUpdate && Object.isFrozen(next.value.update.created[0])) frozen += 1;
      current = next.value.ledger;
    }
    if (round > 0) times.push(Number(process.hrtime.bigint() - start) / VERSIONS);
    if (readsUpdate && frozen === 0) throw new Error('updates are handed out frozen');
  }
  return median(times);
}

type Draft = Contract extends infer C ? (C extends Contract ? Omit<C, 'id'> : never) : never;

const touchedBy = ({ archived, created }: Update): number => archived.length + created.length;

/** Returns the nanoseconds per archived or created contract: the median of several runs after a warm-up. */
function perContract(prepare: () => { engine: Engine; run: () => Iterable<number> }): number {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const { run } = prepare();
    globalThis.gc?.();
    const start = process.hrtime.bigint();
    let touched = 0;
    for (const contracts of run()) touched += contracts;
    if (round > 0) times.push(Number(process.hrtime.bigint() - start) / touched);
  }
  return median(times);
}

function transfers(): number {
  return perContract(() => {
    const { world, engine, preapprovals } = opened();
    const payments = world.payments(10_000);
    return {
      engine,
      *run() {
        for (let i = 0; i < 10_000; i++) {
          const { command, context } = world.command(paymentAt(payments, i), engine.state, preapprovals);
          const first = engine.state.nextContract;
          if (command.type === 'DirectTransfer' && engine.submit(command, context).ok)
            yield command.inputs.length + engine.state.nextContract - first;
        }
      },
    };
  });
}

export function offers(): number {
  return perContract(() => {
    const { world, engine, preapprovals } = opened();
    const payments = world.payments(5_000);
    return {
      engine,
      *run() {
        for (let i = 0; i < 5_000; i++) {
          const { command } = world.command(paymentAt(payments, i), engine.state, preapprovals);
          if (command.type !== 'DirectTransfer') continue;
          const { sender, receiver, amount, inputs } = command;
          const executeBefore = Instant.latest;
          const offered = engine.submit(
            { type: 'CreateOffer', sender, receiver, amount, inputs, executeBefore },
            { now: NOW, actAs: [sender] },
          );
          if (!offered.ok || offered.value.update.kind !== 'TransferOffered') continue;
          yield touchedBy(offered.value.update);
          const { instruction } = offered.value.update.detail;
          yield touchedBy(accepted(engine, { type: 'AcceptOffer', instruction }, receiver));
        }
      },
    };
  });
}

function merges(): number {
  return perContract(() => {
    const engine = opening();
    const owners = Array.from({ length: 200 }, (_, i) => PartyId.of(`owner-${i}`));
    const wallets = owners.map((owner) =>
      put(
        engine,
        Array.from({ length: 100 }, (_, i) => coin(owner, BigInt(1_000_000_000 + i * 7_919))),
      ),
    );
    return {
      engine,
      *run() {
        for (const [i, owner] of owners.entries())
          yield touchedBy(
            accepted(engine, { type: 'MergeHoldings', owner, inputs: wallets[i] as ContractId[] }, owner),
          );
      },
    };
  });
}

export function mintings(): number {
  return perContract(() => {
    const engine = opening();
    const round = 5 as Round;
    const perCoupon = Amount.of('0.5');
    put(engine, [
      {
        template: 'IssuingMiningRound',
        round,
        opensAt: NOW,
        targetClosesAt: Instant.latest,
        perValidatorRewardCoupon: perCoupon,
        perFeaturedAppRewardCoupon: perCoupon,
        perUnfeaturedAppRewardCoupon: perCoupon,
        perSvRewardCoupon: perCoupon,
        perValidatorFaucetCoupon: perCoupon,
      },
    ]);
    const owners = Array.from({ length: 200 }, (_, i) => PartyId.of(`provider-${i}`));
    const coupons = owners.map((provider) =>
      put(
        engine,
        Array.from({ length: 100 }, (_, i) => ({
          template: 'AppRewardCoupon' as const,
          provider,
          featured: true,
          amount: Amount.ofUnits(BigInt(1_000_000_000 + i)),
          round,
          beneficiary: null,
        })),
      ),
    );
    return {
      engine,
      *run() {
        for (const [i, owner] of owners.entries())
          yield touchedBy(
            accepted(engine, { type: 'MergeHoldings', owner, inputs: coupons[i] as ContractId[] }, owner),
          );
      },
    };
  });
}

function expiries(): number {
  return perContract(() => {
    const engine = opening();
    const holdings = Array.from({ length: 100 }, (_, owner) =>
      put(
        engine,
        Array.from({ length: 100 }, (_, i) => coin(PartyId.of(`owner-${owner}`), BigInt(i + 1))),
      ),
    ).flat();
    return {
      engine,
      *run() {
        yield touchedBy(accepted(engine, { type: 'ExpireDust', holdings }, DSO));
      },
    };
  });
}

/** Returns the generated network, with its log in the compact form. */
function opened(): { world: World; engine: Engine; preapprovals: readonly ContractId[] } {
  const world = new World(COINS);
  const log = openCompactLog(1, sha256);
  const engine = openEngine({ ...world.options, log });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  return { world, engine, preapprovals: world.preapprovals(engine.state) };
}

/** Returns an engine with coins of round 1 that have become dust, with its log in the compact form. */
function opening(): Engine {
  const log = openCompactLog(1, sha256);
  return openEngine({ initialRound: FIRST_ROUND, log });
}

function coin(owner: PartyId, units: bigint): Draft {
  return {
    template: 'Holding',
    owner,
    amount: Amount.ofUnits(units),
    createdAt: 1 as Round,
    ratePerRound: Amount.of('0.0038'),
    lock: null,
  };
}

/** Creates contracts directly by an update, without a workflow. */
function put(engine: Engine, contracts: readonly Draft[]): readonly ContractId[] {
  const { state } = engine;
  const created = contracts.map((contract, i) => ({ id: state.nextContract + i, ...contract }) as unknown as Contract);
  let minted = 0n;
  for (const contract of created) if (contract.template === 'Holding') minted += contract.amount;
  const detail = { minted, burned: 0n, ...blankMint };
  const update = {
    offset: state.offset + 1,
    updateId: '',
    recordTime: NOW,
    kind: 'Minted',
    actAs: [DSO],
    archived: [],
  };
  engine.apply({ ...update, created, detail } as unknown as Update);
  return created.map(({ id }) => id);
}

const blankMint = { receiver: DSO, amount: Amount.unit, holding: 1 };

function accepted(engine: Engine, command: Command, actor: PartyId): Update {
  return accept(engine.submit(command, { now: NOW, actAs: [actor] })).update;
}
