import {
  Amount,
  Duration,
  Engine,
  holdingsOf,
  Instant,
  updateOf,
  type Command,
  type ContractId,
  type PartyId,
  type Result,
  type Update,
  TEST_PARTIES,
} from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { createServer } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';

/** Number of updates per write; large groups need few syncs. */
const GROUP = 1_000;
const PAID = Amount.of('0.5');

/**
 * Writes the log of a development server with ten users who pay each other by offers with tracking ids. Each
 * payment spends several small coins, so the number of coins per wallet stays the same. The commands go
 * directly to an engine, because the benchmark measures reading.
 * @param snapshotsAt offsets; each snapshot is written at the end of the group that contains its offset
 * @returns the offset of the last update
 */
export async function writeLog(folder: string, updates: number, snapshotsAt: readonly number[]): Promise<number> {
  const { engine, log, parties } = await founded();
  const opened = await openFileStore({ folder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const store = opened.value;
  const wanted = [...snapshotsAt].sort((a, b) => a - b);
  const write = async (): Promise<void> => {
    required(await store.append(store.head().offset, log.splice(0)));
    while (wanted.length > 0 && (wanted[0] as number) <= engine.state.offset) {
      wanted.shift();
      required(await store.snapshot(engine.snapshot()));
    }
  };
  for (let made = 0; engine.state.offset < updates; made++) {
    pay(engine, parties, made);
    if (log.length >= GROUP) await write();
  }
  await write();
  const head = store.head().offset;
  await store.close();
  return head;
}

/** Submits an offer and its acceptance, ten milliseconds after the previous pair. */
export function pay(engine: Engine, parties: readonly PartyId[], made: number): void {
  const party = (at: number): PartyId => parties[at % parties.length] as PartyId;
  const sender = party(made);
  const receiver = party(made + 1 + (Math.floor(made / 64) % 8));
  const now = Instant.plus(engine.state.time, Duration.ofMicros(10_000n));
  const coins = [
    ...firstOf(holdingsOf(engine.state, sender, 'largest'), 1),
    ...firstOf(holdingsOf(engine.state, sender, 'smallest'), 4),
  ];
  const submit = (command: Command, by: PartyId): Update =>
    required(engine.submit(command, { now, actAs: [by] })).update;
  const offered = submit(
    {
      type: 'CreateOffer',
      sender,
      receiver,
      amount: PAID,
      executeBefore: Instant.plus(now, Duration.hours(24)),
      inputs: [...new Set(coins)],
      meta: { [TRACKING_ID_KEY]: `payment-${made}` },
    },
    sender,
  );
  const instruction = offered.created.find(({ template }) => template === 'TransferInstruction')?.id as ContractId;
  submit({ type: 'AcceptOffer', instruction }, receiver);
}

/** Returns an engine with the set-up of a development server. */
export async function founded(): Promise<{ engine: Engine; log: Update[]; parties: readonly PartyId[] }> {
  const log: Update[] = [];
  const server = await createServer(
    { dev: true, clock: 'manual' },
    {
      log: {
        append: async (_, updates) => ({ ok: true, value: void log.push(...updates) }),
        close: async () => undefined,
      },
    },
  );
  const { host } = server;
  await server.close();
  const parties = TEST_PARTIES.map((user) => server.party(user));
  return { engine: new Engine({ onEntry: (entry) => void log.push(updateOf(entry)) }, host.state), log, parties };
}

function firstOf(holdings: Iterable<{ readonly id: ContractId }>, count: number): readonly ContractId[] {
  const ids: ContractId[] = [];
  for (const { id } of holdings) {
    if (ids.length === count) break;
    ids.push(id);
  }
  return ids;
}

function required<Value>(answer: Result<Value, unknown>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
