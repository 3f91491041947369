import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { control } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Choice, Field } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { At } from '../parts/values.js';
import { forkName } from '../store/fork.js';
import { param, moment } from '../store/route.js';
import { OF_CONTROLS, useResource } from '../store/resource.js';
import { isName, NAME_RULE } from './names.js';

interface Fork {
  readonly name: string;
  readonly path: string;
  readonly from: { readonly offset: number };
  readonly offset: number;
  readonly time: string;
}
interface ForkList {
  readonly forks: readonly Fork[];
}

export function Forks(): JSX.Element {
  const list = useResource<ForkList>(() => control('GET', 'forks'), OF_CONTROLS);
  return (
    <div class="overview">
      <Card title="Forks" className="wide">
        <Loaded resource={list} what="the forks">
          {({ forks }) =>
            forks.length === 0 ? (
              <Empty title="This server has one ledger">
                <p>
                  A fork is a second live ledger with the same past: try something there, and this ledger stays as it
                  is.
                </p>
              </Empty>
            ) : (
              <ForkRows rows={forks} reload={list.reload} />
            )
          }
        </Loaded>
      </Card>
      <NewFork reload={list.reload} />
    </div>
  );
}

interface ReloadProps {
  readonly reload: () => void;
}

function ForkRows({ rows, reload }: ReloadProps & { readonly rows: readonly Fork[] }): JSX.Element {
  return (
    <Rows<Fork>
      label="Forks"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Name', width: 'minmax(6rem, 1fr)', cell: (fork) => <Open fork={fork} /> },
        { title: 'Left at', width: '5rem', isNumber: true, cell: ({ from }) => grouped(from.offset) },
        { title: 'Offset', width: '5rem', isNumber: true, cell: ({ offset }) => grouped(offset) },
        { title: 'Ledger time (UTC)', width: 'minmax(9rem, 1fr)', cell: ({ time }) => <At time={time} /> },
        {
          title: 'Action',
          width: '7rem',
          cell: ({ name }) =>
            name === forkName ? (
              <span class="quiet">this page</span>
            ) : (
              <Action
                label={`Remove the fork ${name}`}
                call={control('DELETE', `forks/${name}`)}
                done={`Removed the fork ${name}`}
                onDone={reload}
              >
                Remove
              </Action>
            ),
        },
      ]}
    />
  );
}

function Open({ fork: { name, path } }: { readonly fork: Fork }): JSX.Element {
  const user = param('user');
  const root = location.pathname.replace(/\/fork\/[^/]+\/$/, '/');
  return (
    <a href={`${root}${path.slice(1)}/#/wallet${user === null ? '' : `?user=${encodeURIComponent(user)}`}`}>
      <bdi>{name}</bdi>
    </a>
  );
}

function NewFork({ reload }: ReloadProps): JSX.Element {
  const name = useSignal('');
  const from = useSignal('now');
  const wanted = name.value.trim();
  const isValid = isName(wanted);
  const at = moment.value;
  const options = [
    { value: 'now', label: 'the newest update' },
    ...(at === null ? [] : [{ value: 'moment', label: `offset ${grouped(at)}, the moment shown` }]),
  ];
  const call = control('POST', 'fork', { name: wanted, ...(from.value === 'moment' && at !== null ? { at } : {}) });
  return (
    <Card title="New fork">
      <div class="stack">
        <Field
          label="Name of the fork"
          value={name}
          placeholder="what-if"
          fault={isValid || wanted === '' ? null : NAME_RULE}
          hint="Its routes begin with /fork/NAME"
        />
        <Choice label="Continue from" value={from} options={options} />
        <Action
          kind="main"
          isDisabled={!isValid}
          call={call}
          done={`Created the fork ${wanted}`}
          onDone={() => {
            name.value = '';
            reload();
          }}
        >
          Fork the ledger
        </Action>
        <Curl call={call} />
      </div>
    </Card>
  );
}
