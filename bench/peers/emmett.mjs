// A decider for accounts over Emmett's in-memory store: a transfer reads the sender's stream, decides, and appends an
// event to it.
import { measure } from './pace.mjs';

const SHORT = { accounts: 100, opening: 1, transfers: 10 };
const LONG = { accounts: 1, opening: 10_000, transfers: 100 };
const streams = process.argv.includes('long') ? LONG : SHORT;

await measure({
  async first() {
    const { DeciderCommandHandler, getInMemoryEventStore } = await import('@event-driven-io/emmett');
    const peer = { getInMemoryEventStore, handle: DeciderCommandHandler({ initialState, evolve, decide }), sent: 0 };
    const store = getInMemoryEventStore();
    await open(store, 'account-0', 1);
    await peer.handle(store, 'account-0', transfer(0));
    return peer;
  },

  // A new store for each batch: appends count the events of all streams, so a growing store would become slower.
  async prepare({ getInMemoryEventStore }) {
    const store = getInMemoryEventStore();
    for (let i = 0; i < streams.accounts; i++) await open(store, `account-${i}`, streams.opening);
    return store;
  },

  async make(peer, store) {
    peer.last = store;
    for (let round = 0; round < streams.transfers; round++)
      for (let i = 0; i < streams.accounts; i++) await peer.handle(store, `account-${i}`, transfer(i));
    return streams.transfers * streams.accounts;
  },

  async check({ last }) {
    const { events } = await last.readStream('account-0');
    const expected = streams.opening + streams.transfers;
    if (events.length !== expected) throw new Error(`a stream has ${events.length} events, expected ${expected}`);
  },
});

function open(store, stream, events) {
  const deposit = { type: 'Deposited', data: { amount: 1_000 } };
  return store.appendToStream(
    stream,
    Array.from({ length: events }, () => deposit),
  );
}

function transfer(i) {
  return { type: 'Transfer', data: { receiver: `account-${i + 1}`, amount: 1 } };
}

function initialState() {
  return { balance: 0 };
}

function evolve({ balance }, { type, data }) {
  return { balance: type === 'Deposited' ? balance + data.amount : balance - data.amount };
}

function decide({ data }, { balance }) {
  if (balance < data.amount) throw new Error('insufficient funds');
  return { type: 'Transferred', data };
}
