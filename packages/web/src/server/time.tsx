import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { control, post, type Call } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { shownTime } from '../format/times.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { clockSpeed, head, ledgerNow } from '../store/live.js';
import { Snapshots } from './snapshots.js';

const SPANS = [
  { seconds: 60, label: '1 minute' },
  { seconds: 600, label: '10 minutes' },
  { seconds: 3_600, label: '1 hour' },
  { seconds: 86_400, label: '1 day' },
] as const;

export function Time(): JSX.Element {
  return (
    <div class="overview">
      <Card title="Clock" aside={speedText(clockSpeed.value)}>
        <p class="figure small">{shownTime(ledgerNow.value)} UTC</p>
        <p class="quiet">
          Automation runs at every due time on the way: rounds open, rewards are issued, offers expire.
        </p>
        <div class="actions" role="group" aria-label="Advance the clock">
          {SPANS.map(({ seconds, label }) => (
            <Action
              key={seconds}
              label={`Advance ${label}`}
              call={post('dev/advance', { seconds })}
              done={`The clock is ${label} later`}
            >
              +{label}
            </Action>
          ))}
        </div>
        <AdvanceRounds />
      </Card>
      <Card title="Start over">
        <p>
          Reverts the ledger to its start, before its first payment. The log has {grouped(head.value ?? 0)} updates now.
          The clock goes on.
        </p>
        <Action kind="danger" call={RESET} done="The ledger is at its start">
          Reset the ledger
        </Action>
      </Card>
      <Snapshots />
    </div>
  );
}

function speedText(speed: number): string {
  if (speed === 0) return 'manual';
  return speed === 1 ? 'real time' : `${grouped(speed)} times real time`;
}

const RESET: Call = control('POST', 'reset');
const MOST_ROUNDS = 1_000;

function AdvanceRounds(): JSX.Element {
  const text = useSignal('1');
  const rounds = /^[1-9]\d{0,3}$/.test(text.value.trim()) ? Number(text.value) : null;
  const isValid = rounds !== null && rounds <= MOST_ROUNDS;
  return (
    <div class="inline-fields">
      <Field
        label="Rounds"
        value={text}
        inputMode="numeric"
        fault={isValid ? null : `Type a whole number from 1 to ${grouped(MOST_ROUNDS)}.`}
      />
      <Action
        isDisabled={!isValid}
        call={post('dev/advance', { rounds: rounds ?? 1 })}
        done={rounds === 1 ? 'A round has passed' : `${text.value} rounds have passed`}
      >
        Advance by rounds
      </Action>
    </div>
  );
}
