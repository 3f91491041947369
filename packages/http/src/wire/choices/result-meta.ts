import { Amount, type Json } from '@coinlab/core';

/*
 * Metadata of results, by which wallets label their history.
 * Source: specification of the API §12.5.
 */

const PREFIX = 'splice.lfdecentralizedtrust.org/';

interface MetaEntries {
  readonly reason?: string;
  readonly sender?: string;
  readonly burned?: string;
}

export function holdingMeta(kind: string, entries: MetaEntries, more: Readonly<Record<string, string>> = {}): Json {
  const own = Object.entries(entries).map(([key, value]) => [PREFIX + key, value] as const);
  return { values: { ...more, ...Object.fromEntries(own), [`${PREFIX}tx-kind`]: kind } };
}

export function burnedMeta(burned: Amount): Json {
  return { values: burned > 0n ? { [`${PREFIX}burned`]: Amount.short(burned) } : {} };
}

export function burnMeta(reason: string, burned: Amount): Json {
  return holdingMeta('burn', { reason, burned: Amount.short(burned) });
}
