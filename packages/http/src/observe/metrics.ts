import { contractCount, countOfTemplate, openRoundsOf } from '@coinlab/core/views';
import { TEMPLATE_NAMES } from '@coinlab/core/contracts';
import type { LedgerState, TemplateName } from '@coinlab/core';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { EventLoopDelay } from './event-loop-delay.js';
import { RequestTimes } from './request-times.js';

/** Metrics of one server, in a registry of their own, so that several servers of a process do not mix. */
export interface Metrics {
  /** @param route the declared route; never the path, which would create unbounded series */
  answered(method: string, route: string, status: number, seconds: number): void;
  updated(kind: string): void;
  refused(code: string): void;
  appended(updates: number, seconds: number): void;
  notAppended(updates: number): void;
  exposed(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface Instruments {
  readonly registry: Registry;
  readonly updates: Counter<'kind'>;
  readonly rejections: Counter<'code'>;
  readonly groups: Histogram;
  readonly syncs: Histogram;
  readonly lost: Counter;
}

const MOST_WAITING = 1000;

interface Measured {
  state(): LedgerState;
  readers(): number;
}

/**
 * Loads the library with the first scrape or after 1,000 measurements: loading takes as long as opening a ledger, and
 * most servers in tests are never scraped.
 */
export function serverMetrics(measured: Measured): Metrics {
  const requests = new RequestTimes(
    'coinlab_http_request_duration_seconds',
    'Time from a request to the start of its response, by declared route.',
  );
  const delay = new EventLoopDelay(
    'coinlab_event_loop_delay_seconds',
    'Lateness of a timer of 20 ms of the Node process, since the first scrape. A stall counts once.',
  );
  let loading: Promise<Instruments> | null = null;
  let loaded: Instruments | null = null;
  let waiting: ((instruments: Instruments) => void)[] = [];
  const load = (): Promise<Instruments> =>
    (loading ??= instrumentsOf(measured).then((instruments) => {
      loaded = instruments;
      for (const measure of waiting) measure(instruments);
      waiting = [];
      return instruments;
    }));
  const measure = (take: (instruments: Instruments) => void): void => {
    if (loaded) take(loaded);
    else if (waiting.push(take) > MOST_WAITING) void load();
  };
  return {
    answered: (method, route, status, seconds) => requests.observe(method, route, status, seconds),
    updated: (kind) => measure(({ updates }) => updates.inc({ kind })),
    refused: (code) => measure(({ rejections }) => rejections.inc({ code })),
    appended: (count, seconds) =>
      measure(({ groups, syncs }) => {
        groups.observe(count);
        syncs.observe(seconds);
      }),
    notAppended: (count) => measure(({ lost }) => lost.inc(count)),
    async exposed() {
      const { registry } = await load();
      return { contentType: registry.contentType, text: (await registry.metrics()) + requests.text() + delay.text() };
    },
  };
}

async function instrumentsOf({ state, readers }: Measured): Promise<Instruments> {
  // A bundler turns this CommonJS module into one with a default export only.
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client')).default;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string>(
    name: string,
    help: string,
    read: (gauge: Gauge<Label>) => void,
    labelNames: Label[] = [],
  ): Gauge<Label> =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        read(this);
      },
    });
  gauge('coinlab_ledger_offset', 'Offset of the last update.', (one) => one.set(state().offset));
  gauge('coinlab_ledger_time_seconds', 'Ledger time of the last update, in seconds since 1970.', (one) =>
    one.set(Number(state().time) / 1e6),
  );
  gauge('coinlab_open_rounds', 'Mining rounds that are open.', (one) => one.set(openRoundsOf(state()).length));
  gauge('coinlab_newest_round', 'Number of the newest open round.', (one) =>
    one.set(Number(openRoundsOf(state()).at(-1)?.round ?? 0)),
  );
  gauge('coinlab_websocket_readers', 'Websockets of the JSON Ledger API that follow the log.', (one) =>
    one.set(readers()),
  );
  gauge<'template'>(
    'coinlab_active_contracts',
    'Active contracts and records, by template.',
    (one) => {
      for (const [template, count] of contractsByTemplate(state())) one.set({ template }, count);
    },
    ['template'],
  );
  return {
    registry,
    updates: new Counter({ name: 'coinlab_updates_total', help: 'Updates, by kind.', labelNames: ['kind'], registers }),
    rejections: new Counter({
      name: 'coinlab_rejections_total',
      help: 'Commands that the ledger refused, by code, including those of automation.',
      labelNames: ['code'],
      registers,
    }),
    groups: new Histogram({
      name: 'coinlab_log_group_updates',
      help: 'Updates that were written to the log together.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
      registers,
    }),
    syncs: new Histogram({
      name: 'coinlab_log_append_seconds',
      help: 'Writing and syncing one group.',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    lost: new Counter({
      name: 'coinlab_log_refused_updates_total',
      help: 'Updates that the log failed to append; they have no effect.',
      registers,
    }),
  };
}

function contractsByTemplate(state: LedgerState): readonly (readonly [template: TemplateName, count: number])[] {
  const others = TEMPLATE_NAMES.filter((name): name is Exclude<TemplateName, 'Holding'> => name !== 'Holding').map(
    (name) => [name, countOfTemplate(state, name)] as const,
  );
  const holdings = contractCount(state) - others.reduce((sum, [, count]) => sum + count, 0);
  return [['Holding', holdings], ...others];
}
