import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { Empty, Failure } from '../parts/states.js';
import { head, isDev } from '../store/live.js';
import { log, MOST_UPDATES } from '../store/log.js';

export function LogState(): JSX.Element | null {
  const loaded = log.loaded.value;
  const last = head.value ?? 0;
  if (isDev.value === false)
    return (
      <Empty title="Only a development server shows its whole ledger">
        <p>
          Start one with <code>npm start -- serve --dev</code>. Without it, a wallet sees the contracts of its own
          party.
        </p>
      </Empty>
    );
  if (log.problem.value) return <Failure problem={log.problem.value} retry={() => void log.read()} />;
  if (loaded < Math.min(last, MOST_UPDATES))
    return (
      <p class="loading" role="status">
        Reading the log: {grouped(loaded)} of {grouped(last)} updates
      </p>
    );
  if (last > MOST_UPDATES)
    return (
      <p class="bad">
        This log has {grouped(last)} updates; a tab shows the first {grouped(MOST_UPDATES)}. <code>coinlab log</code>{' '}
        reads all.
      </p>
    );
  return null;
}
