import { randomUUID } from 'node:crypto';
import { Instant, type LedgerState } from '@coinlab/core';
import { faults } from '../gates/faults.js';
import { Refusals } from '../gates/refusals.js';
import type { History } from '../history/history.js';
import { DevControl } from '../network/dev-control.js';
import { Problem } from '../problem.js';
import { PastHost } from './past-host.js';
import { SNAPSHOT_NAME } from './names.js';
import type { Moments, World } from './world.js';

const MOST_KEPT = 32;

interface Moment {
  readonly offset: number;
  readonly time: Instant;
}

type Present = Omit<World, 'moments'>;

export function momentsOf(present: Present): Moments {
  const kept = new Map<string, World>();
  present.host.onReplaced(() => kept.clear());
  return {
    async at(text) {
      const moment = momentOf(text, present);
      const state = await stateAt(moment, present);
      const key = `${moment.offset} ${moment.time}`;
      const known = kept.get(key);
      const world = known?.state === state ? known : pastWorld(state, moment.time, present);
      kept.delete(key);
      kept.set(key, world);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return world;
    },
  };
}

async function stateAt({ offset }: Moment, { history }: Present): Promise<LedgerState> {
  try {
    return await history.reachState(offset);
  } catch (error) {
    // The ledger was reverted meanwhile.
    if (offset > history.head) throw future(offset, history.head);
    throw error;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT/;

function momentOf(text: string, { history, host, control }: Present): Moment {
  const { head } = history;
  if (SNAPSHOT_NAME.test(text)) return control.snapshotOf(text);
  if (/^\d{1,15}$/.test(text)) {
    const offset = Number(text);
    if (offset > head) throw future(offset, head);
    if (offset === 0) throw new Problem(404, `offset 0 has no ledger: expected an offset from 1 to ${head}`);
    return { offset, time: history.timeAt(offset) };
  }
  const time = TIME.test(text) ? timeOf(text) : null;
  if (time === null)
    throw new Problem(
      400,
      `moment: expected an offset such as ${head}, a time such as ${Instant.format(history.timeAt(head))}, or the name of a snapshot, got ${text.slice(0, 80)}`,
    );
  const now = host.now();
  if (time > now) throw new Problem(404, `${text} is in the future: it is ${Instant.format(now)}`);
  const offset = history.offsetAt(time);
  if (offset === 0)
    throw new Problem(404, `${text} is before the ledger: it begins at ${Instant.format(history.timeAt(1))}`);
  return { offset, time };
}

function timeOf(text: string): Instant | null {
  const time = Instant.parse(text, 'moment');
  return time.ok ? time.value : null;
}

function future(offset: number, head: number): Problem {
  return new Problem(404, `offset ${offset} is in the future: the newest is ${head}`);
}

function pastWorld(state: LedgerState, time: Instant, present: Present): World {
  const { offset } = state;
  const { created, wallets, ofParties, submissions, network, tail, tokenClock, ending } = present;
  const host = new PastHost(state, time, present.host);
  const automation = host.automation(present.automation.settings);
  const history = historyUntil(offset, present.history);
  return {
    state,
    startedAt: time,
    now: () => time,
    host,
    history,
    created,
    wallets: {
      page: (party, page) => wallets.page(party, { ...page, until: offset }),
      transferUnder(sender, trackingId) {
        const made = wallets.transferUnder(sender, trackingId);
        return made && made.offset <= offset ? made : null;
      },
    },
    ofParties: {
      offsetsOf: (party, { begin, end }) => ofParties.offsetsOf(party, { begin, end: Math.min(end, offset) }),
      witnessedBy: (party, { begin, end }) => ofParties.witnessedBy(party, { begin, end: Math.min(end, offset) }),
    },
    submissions: {
      offsetsOf: (user, { begin, end }) => submissions.offsetsOf(user, { begin, end: Math.min(end, offset) }),
    },
    tail,
    network: {
      rulesBefore: (at) => network.rulesBefore(at),
      factoryBefore: (at) => network.factoryBefore(at),
      roundBefore: (at, when) => network.roundBefore(at, when),
      archivedAt(contract) {
        const at = network.archivedAt(contract);
        return at !== null && at <= offset ? at : null;
      },
    },
    // The log does not record transits.
    inTransit: new Set(),
    automation,
    control: new DevControl({ host, automation, history }),
    faults: faults(ending),
    refusals: new Refusals(),
    salt: randomUUID,
    tokenClock,
    ending,
    moments: {
      at: async () => {
        throw new Problem(400, 'moment: a past moment has no moments of its own; use /dev/at once');
      },
    },
  };
}

function historyUntil(head: number, history: History): History {
  const requireUntil = (offset: number): number => {
    if (offset > head) throw new RangeError(`there is no update at offset ${offset}`);
    return offset;
  };
  return {
    head,
    get transferCommandOffsets() {
      return history.transferCommandOffsets.filter((offset) => offset <= head);
    },
    updateAt: (offset) => history.updateAt(requireUntil(offset)),
    lineAt: (offset) => history.lineAt(requireUntil(offset)),
    idAt: (offset) => history.idAt(requireUntil(offset)),
    offsetOf(updateId) {
      const offset = history.offsetOf(updateId);
      return offset !== null && offset <= head ? offset : null;
    },
    offsetAt: (time) => Math.min(head, history.offsetAt(time)),
    recordedUntil: (time) => Math.min(head, history.recordedUntil(time)),
    timeAt: (offset) => history.timeAt(requireUntil(offset)),
    recordTimeAt: (offset) => history.recordTimeAt(requireUntil(offset)),
    stateAt: (offset) => history.stateAt(requireUntil(offset)),
    reachState: (offset) => history.reachState(requireUntil(offset)),
    beginning: (offset) => history.beginning(requireUntil(offset)),
  };
}
