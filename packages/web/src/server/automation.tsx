import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { control } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Field } from '../parts/field.js';
import { Empty, Loaded } from '../parts/states.js';
import { act } from '../store/notices.js';
import { OF_CONTROLS, useResource } from '../store/resource.js';
import { devUsers } from '../store/session.js';

interface Accepted {
  readonly receiver: string;
  readonly fromParties: readonly string[];
}
interface Sweep {
  readonly sender: string;
  readonly receiver: string;
  readonly maxBalanceUSD: string;
  readonly minBalanceUSD: string;
  readonly useTransferPreapproval: boolean;
}
interface Settings {
  readonly pollSeconds: number;
  readonly rewardPollSeconds: number;
  readonly topUp?: { readonly targetThroughput: number };
  readonly sweeps: readonly Sweep[];
  readonly autoAccept: readonly Accepted[];
  readonly [habit: string]: unknown;
}

const HABITS = {
  dso: 'Open rounds, issue rewards and expire contracts',
  rewards: 'Collect rewards and merge coins of wallets',
  preapprovals: 'Accept preapproval proposals and renew preapprovals',
  foreignPreapprovals: 'Also for receivers that this validator does not host',
  mergeDelegations: 'Merge coins of owners with a merge delegation',
  acceptsMergeDelegations: 'Accept merge delegations',
  mintingDelegations: 'Collect rewards of beneficiaries with a minting delegation',
  autoAcceptsInstructions: 'Auto-accept also token-standard transfers',
} as const;

export function AutomationSettings(): JSX.Element {
  const settings = useResource<Settings>(() => control('GET', 'automation'), OF_CONTROLS);
  return (
    <div class="overview">
      <Card title="Habits">
        <Loaded resource={settings} what="the settings">
          {(found) => <Habits found={found} reload={settings.reload} />}
        </Loaded>
      </Card>
      <Card title="Auto-accept">
        <Loaded resource={settings} what="the senders">
          {({ autoAccept }) => <AutoAccept rules={autoAccept} reload={settings.reload} />}
        </Loaded>
      </Card>
      <Card title="Sweeps">
        <Loaded resource={settings} what="the sweeps">
          {({ sweeps }) => <Sweeps sweeps={sweeps} reload={settings.reload} />}
        </Loaded>
      </Card>
    </div>
  );
}

interface ReloadProps {
  readonly reload: () => void;
}

function Habits({ found, reload }: ReloadProps & { readonly found: Settings }): JSX.Element {
  const { pollSeconds, rewardPollSeconds, topUp } = found;
  return (
    <>
      <ul class="switches">
        {Object.entries(HABITS).map(([name, label]) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={found[name] === true || (name === 'acceptsMergeDelegations' && found[name] === undefined)}
                onChange={({ currentTarget: { checked } }) =>
                  void act(
                    control('POST', 'automation', { [name]: checked }),
                    `${label}: ${checked ? 'on' : 'off'}`,
                  ).then(reload)
                }
              />
              {label}
            </label>
          </li>
        ))}
      </ul>
      <p class="quiet">
        Runs every {pollSeconds} seconds of ledger time, rewards and merges every {rewardPollSeconds} seconds.{' '}
        {topUp && topUp.targetThroughput > 0
          ? `Buys traffic for ${grouped(topUp.targetThroughput)} bytes a second.`
          : 'Buys no traffic.'}
      </p>
    </>
  );
}

function AutoAccept({ rules, reload }: ReloadProps & { readonly rules: readonly Accepted[] }): JSX.Element {
  const [receiver, sender] = [useSignal(''), useSignal('')];
  const [to, from] = [receiver.value.trim(), sender.value.trim()];
  const users = (devUsers.value ?? []).map(({ user }) => ({ value: user, label: user }));
  const call = control('POST', 'automation', { autoAccept: [...rules, { receiver: to, fromParties: [from] }] });
  return (
    <div class="stack">
      {rules.length === 0 ? (
        <Empty title="No offer is accepted automatically" />
      ) : (
        <ul class="plain-list">
          {rules.map((rule, index) => (
            <li key={index}>
              <span>
                <bdi>{rule.receiver}</bdi> from <bdi>{rule.fromParties.join(', ')}</bdi>
              </span>
              <Action
                label={`Stop accepting for ${rule.receiver} from ${rule.fromParties.join(', ')}`}
                call={control('POST', 'automation', { autoAccept: rules.filter((one) => one !== rule) })}
                done="Offers wait for an answer again"
                onDone={reload}
              >
                Remove
              </Action>
            </li>
          ))}
        </ul>
      )}
      <Field label="Receiver who accepts" value={receiver} list={users} placeholder="bob" />
      <Field label="Offers from" value={sender} list={users} placeholder="alice" />
      <Action
        isDisabled={to === '' || from === ''}
        call={call}
        done={`Offers from ${from} to ${to} are accepted automatically`}
        onDone={reload}
      >
        Accept automatically
      </Action>
      <Curl call={call} />
    </div>
  );
}

function Sweeps({ sweeps, reload }: ReloadProps & { readonly sweeps: readonly Sweep[] }): JSX.Element {
  const [sender, receiver, most, least] = [useSignal(''), useSignal(''), useSignal('100'), useSignal('10')];
  const users = (devUsers.value ?? []).map(({ user }) => ({ value: user, label: user }));
  const isUsd = (text: string): boolean => /^\d{1,12}(\.\d{1,10})?$/.test(text.trim());
  const areUsd = isUsd(most.value) && isUsd(least.value);
  const sweep = {
    sender: sender.value.trim(),
    receiver: receiver.value.trim(),
    maxBalanceUSD: most.value.trim(),
    minBalanceUSD: least.value.trim(),
    useTransferPreapproval: true,
  };
  const call = control('POST', 'automation', { sweeps: [...sweeps, sweep] });
  return (
    <div class="stack">
      {sweeps.length === 0 ? (
        <Empty title="No wallet is swept" />
      ) : (
        <ul class="plain-list">
          {sweeps.map((one, index) => (
            <li key={index}>
              <span>
                <bdi>{one.sender}</bdi> to <bdi>{one.receiver}</bdi> above {one.maxBalanceUSD} USD, down to{' '}
                {one.minBalanceUSD} USD
              </span>
              <Action
                label={`Stop sweeping ${one.sender}`}
                call={control('POST', 'automation', { sweeps: sweeps.filter((other) => other !== one) })}
                done="The wallet is not swept any more"
                onDone={reload}
              >
                Remove
              </Action>
            </li>
          ))}
        </ul>
      )}
      <Field label="Swept wallet" value={sender} list={users} placeholder="alice" />
      <Field label="To" value={receiver} list={users} placeholder="bob" />
      <Field
        label="Above (USD)"
        value={most}
        inputMode="decimal"
        fault={areUsd ? null : 'Type two amounts in USD, such as 100 and 10.'}
      />
      <Field label="Down to (USD)" value={least} inputMode="decimal" />
      <Action
        isDisabled={sweep.sender === '' || sweep.receiver === '' || !areUsd}
        call={call}
        done={`The wallet of ${sweep.sender} is swept`}
        onDone={reload}
      >
        Sweep
      </Action>
      <Curl call={call} />
    </div>
  );
}
