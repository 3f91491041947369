import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { Empty, Failure } from '../parts/states.js';
import { Tabs } from '../parts/tabs.js';
import { head, isDev } from '../store/live.js';
import { log, MOST_UPDATES } from '../store/log.js';
import { part } from '../store/route.js';
import { Contracts } from './contracts.js';
import { Updates } from './updates.js';

const PARTS = {
  '': { title: 'Contracts', View: Contracts },
  updates: { title: 'Updates', View: Updates },
} as const;

const TABS = Object.entries(PARTS).map(([name, { title }]) => ({
  path: name === '' ? 'ledger' : `ledger/${name}`,
  title,
}));

/** The whole log of a development server: its contracts at every moment, and its updates. */
export function LedgerView(): JSX.Element {
  useEffect(() => log.follow(), []);
  if (isDev.value === false)
    return (
      <Empty title="Only a development server shows its whole ledger">
        <p>
          Start one with <code>npm start -- serve --dev</code>. Without it, a wallet sees the contracts of its own
          party.
        </p>
      </Empty>
    );
  const { title, View } = Object.entries(PARTS).find(([name]) => name === part.value)?.[1] ?? PARTS[''];
  const loaded = log.loaded.value;
  const last = head.value ?? 0;
  return (
    <>
      <Tabs label="Ledger" tabs={TABS} current={title} />
      <h1 class="hidden">Ledger: {title}</h1>
      {log.problem.value ? <Failure problem={log.problem.value} retry={() => void log.read()} /> : null}
      {loaded < Math.min(last, MOST_UPDATES) ? (
        <p class="loading" role="status">
          Reading the log: {grouped(loaded)} of {grouped(last)} updates
        </p>
      ) : null}
      {last > MOST_UPDATES ? (
        <p class="bad">
          This log has {grouped(last)} updates; a tab shows the first {grouped(MOST_UPDATES)}. <code>coinlab log</code>{' '}
          reads all.
        </p>
      ) : null}
      <View />
    </>
  );
}
