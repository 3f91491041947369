import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { control } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Field } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { At } from '../parts/values.js';
import { moment, linkTo } from '../store/route.js';
import { OF_CONTROLS, useResource, type Resource } from '../store/resource.js';
import { isName, NAME_RULE } from './names.js';

interface Snapshot {
  readonly snapshot: string | number;
  readonly offset: number;
  readonly time: string;
}
interface SnapshotList {
  readonly snapshots: readonly Snapshot[];
}

export function Snapshots(): JSX.Element {
  const list = useResource<SnapshotList>(() => control('GET', 'snapshots'), OF_CONTROLS);
  return (
    <Card title="Snapshots" className="wide">
      <NewSnapshot reload={list.reload} />
      <RevertToMoment reload={list.reload} />
      <Loaded resource={list} what="the snapshots">
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <Empty title="This ledger has no snapshot">
              <p>A snapshot keeps the ledger as it is, so that a test can return to it any number of times.</p>
            </Empty>
          ) : (
            <TakenRows rows={snapshots} list={list} />
          )
        }
      </Loaded>
    </Card>
  );
}

interface ReloadProps {
  readonly reload: () => void;
}

function NewSnapshot({ reload }: ReloadProps): JSX.Element {
  const name = useSignal('');
  const wanted = name.value.trim();
  const isValid = wanted === '' || isName(wanted);
  const call = control('POST', 'snapshot', wanted === '' ? {} : { name: wanted });
  return (
    <>
      <div class="inline-fields">
        <Field
          label="Snapshot name"
          value={name}
          placeholder="funded"
          fault={isValid ? null : NAME_RULE}
          hint="Empty: it gets a number"
        />
        <Action
          isDisabled={!isValid}
          call={call}
          done={wanted === '' ? 'Took a snapshot' : `Took the snapshot ${wanted}`}
          onDone={() => {
            name.value = '';
            reload();
          }}
        >
          Take a snapshot
        </Action>
      </div>
      <Curl call={call} />
    </>
  );
}

function RevertToMoment({ reload }: ReloadProps): JSX.Element | null {
  const offset = moment.value;
  if (offset === null) return null;
  return (
    <p class="actions">
      <Action
        kind="danger"
        call={control('POST', 'revert', { offset })}
        done={`Reverted to offset ${grouped(offset)}`}
        onDone={() => {
          moment.value = null;
          reload();
        }}
      >
        Revert to offset {grouped(offset)}, the moment shown
      </Action>
    </p>
  );
}

function TakenRows({
  rows,
  list,
}: {
  readonly rows: readonly Snapshot[];
  readonly list: Resource<SnapshotList>;
}): JSX.Element {
  return (
    <Rows<Snapshot>
      label="Snapshots"
      rows={rows.toReversed()}
      keyOf={({ snapshot }) => snapshot}
      columns={[
        { title: 'Name', width: 'minmax(5rem, 1fr)', cell: ({ snapshot }) => <bdi>{snapshot}</bdi> },
        {
          title: 'Offset',
          width: '5rem',
          isNumber: true,
          cell: ({ offset }) => <a href={linkTo('ledger', { at: String(offset) })}>{grouped(offset)}</a>,
        },
        { title: 'Ledger time (UTC)', width: 'minmax(9rem, 1fr)', cell: ({ time }) => <At time={time} /> },
        { title: 'Action', width: '11rem', cell: (row) => <Actions row={row} reload={list.reload} /> },
      ]}
    />
  );
}

function Actions({ row: { snapshot }, reload }: ReloadProps & { readonly row: Snapshot }): JSX.Element {
  return (
    <span class="actions">
      <Action
        label={`Revert to snapshot ${snapshot}`}
        call={control('POST', 'revert', { snapshot })}
        done={`Reverted to snapshot ${snapshot}; the clock goes on, so automation may add updates`}
        onDone={reload}
      >
        Revert
      </Action>
      <Action
        label={`Delete snapshot ${snapshot}`}
        call={control('DELETE', `snapshots/${snapshot}`)}
        done={`Deleted the snapshot ${snapshot}`}
        onDone={reload}
      >
        Delete
      </Action>
    </span>
  );
}
