import type { JSX } from 'preact';
import { Coin, Party } from '../parts/values.js';
import { isParty } from './contract-text.js';

const DECIMAL = /^-?\d{1,28}\.\d{10}$/;

export function Fields({ value }: { readonly value: unknown }): JSX.Element {
  if (isParty(value)) return <Party id={value} canCopy />;
  if (typeof value === 'string')
    return DECIMAL.test(value) ? <Coin amount={value} /> : <bdi>{value === '' ? '“”' : value}</bdi>;
  if (typeof value !== 'object' || value === null) return <span>{value === null ? 'none' : String(value)}</span>;
  if (Array.isArray(value))
    return value.length === 0 ? (
      <span class="quiet">empty</span>
    ) : (
      <ol class="fields">
        {value.map((one, index) => (
          <li key={index}>
            <Fields value={one} />
          </li>
        ))}
      </ol>
    );
  return (
    <dl class="facts">
      {Object.entries(value).map(([name, one]) => (
        <div key={name} class="pair">
          <dt>{name}</dt>
          <dd>
            <Fields value={one} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
