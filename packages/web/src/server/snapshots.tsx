import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { post } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { shownTime } from '../format/times.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { head, ledgerNow } from '../store/live.js';
import { act } from '../store/notices.js';
import { moment } from '../store/route.js';

/** A snapshot that this tab took. */
interface Taken {
  readonly snapshot: number;
  readonly offset: number;
  readonly time: string;
}

/** Newest first. */
const taken = signal<readonly Taken[]>([]);

/** Takes snapshots and reverts to them. */
export function Snapshots(): JSX.Element {
  const isBusy = useSignal(false);
  const take = async (): Promise<void> => {
    isBusy.value = true;
    const answer = await act<{ readonly snapshot: number }>(
      post('dev/snapshot', undefined),
      ({ snapshot }) => `Took snapshot ${snapshot}`,
    );
    isBusy.value = false;
    if (!answer.ok) return;
    const { snapshot } = answer.body;
    taken.value = [{ snapshot, offset: head.peek() ?? 0, time: shownTime(ledgerNow.peek()) }, ...taken.peek()];
  };
  return (
    <Card title="Snapshots">
      <p>
        <button type="button" disabled={isBusy.value || moment.value !== null} onClick={() => void take()}>
          Take a snapshot
        </button>
      </p>
      {taken.value.length === 0 ? (
        <Empty title="This tab has taken no snapshot">
          <p>A snapshot keeps the ledger as it is, so that a test can return to it any number of times.</p>
        </Empty>
      ) : (
        <TakenRows rows={taken.value} />
      )}
    </Card>
  );
}

function TakenRows({ rows }: { readonly rows: readonly Taken[] }): JSX.Element {
  return (
    <Rows<Taken>
      label="Snapshots"
      rows={rows}
      keyOf={({ snapshot }) => snapshot}
      columns={[
        { title: 'Id', width: '3rem', cell: ({ snapshot }) => snapshot },
        { title: 'Offset', width: '5rem', isNumber: true, cell: ({ offset }) => grouped(offset) },
        { title: 'Taken (UTC)', cell: ({ time }) => time },
        { title: 'Action', width: 'minmax(6rem, max-content)', cell: (row) => <Revert row={row} /> },
      ]}
    />
  );
}

function Revert({ row: { snapshot } }: { readonly row: Taken }): JSX.Element {
  return (
    <Action
      label={`Revert to snapshot ${snapshot}`}
      call={post('dev/revert', { snapshot })}
      done={`Reverted to snapshot ${snapshot}; the clock goes on, so automation may add updates`}
      // A revert drops later snapshots.
      onDone={() => (taken.value = taken.peek().filter((one) => one.snapshot <= snapshot))}
    >
      Revert
    </Action>
  );
}
