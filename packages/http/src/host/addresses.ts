import type { ServerConfig } from '../config.js';

/** A port of the server and its APIs. */
export interface Address {
  readonly port: number;
  /** Index of the validator in the setting `validators`. */
  readonly validator: number;
  readonly serves: 'all' | 'ledger';
  /** The setting with the port, for messages. */
  readonly setting: string;
}

export function addressesOf({
  port,
  ledgerPort: ownPort,
  validators,
}: Pick<ServerConfig, 'port' | 'ledgerPort' | 'validators'>): readonly [Address, ...Address[]] {
  const own = validators.flatMap(({ name, ports, ledgerPort }, validator): readonly Address[] => [
    ...ports.map((one) => ({ port: one, validator, serves: 'all' as const, setting: `ports of ${name}` })),
    ...(ledgerPort === undefined
      ? []
      : [{ port: ledgerPort, validator, serves: 'ledger' as const, setting: `ledgerPort of ${name}` }]),
  ]);
  return [
    { port, validator: 0, serves: 'all', setting: 'port' },
    ...(ownPort === null ? [] : [{ port: ownPort, validator: 0, serves: 'ledger' as const, setting: 'ledgerPort' }]),
    ...own,
  ];
}

export function listensOn({ host }: Pick<ServerConfig, 'host'>): readonly [string, ...string[]] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
}
