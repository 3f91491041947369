import { Amount } from '@coinlab/core';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { post } from '../api/call.js';
import type { RoundsFound, RulesFound } from '../api/shapes.js';
import { amountOf, shownAmount, typedAmount } from '../format/amounts.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { openRoundsIn } from '../store/network.js';
import type { Resource } from '../store/resource.js';

interface TapProps {
  readonly rules: Resource<RulesFound>;
  readonly rounds: Resource<RoundsFound>;
  readonly token: string;
}

export function TapCard({ rules, rounds, token }: TapProps): JSX.Element | null {
  const dollars = useSignal('50');
  if (rules.body.value?.amulet_rules_update.contract.payload.isDevNet !== true) return null;
  const amount = typedAmount(dollars.value);
  const price = rounds.body.value === null ? null : (openRoundsIn(rounds.body.value)[0]?.price ?? null);
  const coin = amount === null || price === null ? null : Amount.divUp(amount, amountOf(price));
  return (
    <Card title="Tap" aside="development network">
      <Field
        label="Dollars"
        value={dollars}
        inputMode="decimal"
        fault={amount === null ? 'Type an amount above zero, with at most ten places.' : null}
        hint={coin === null ? '' : `${shownAmount(coin)} CC at ${price} USD per coin`}
      />
      <Action
        kind="main"
        isDisabled={amount === null}
        call={post('v0/wallet/tap', { amount: amount === null ? '' : Amount.short(amount) }, token)}
        done={coin === null ? 'Tapped' : `Tapped ${shownAmount(coin)} CC`}
      >
        Tap
      </Action>
    </Card>
  );
}
