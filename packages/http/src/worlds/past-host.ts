import type { Instant, LedgerState, Submitted } from '@coinlab/core';
import type { Clock } from '../host/clock.js';
import { Host } from '../host/host.js';
import type { AutomationDriver } from '../network/automation-driver.js';
import { Problem } from '../problem.js';

export class PastHost extends Host {
  readonly #refusal: () => Problem;

  constructor(state: LedgerState, now: Instant, { rules }: Pick<Host, 'rules'>) {
    super({ clock: stopped(now), log: null, state, readTransaction: rules.readTransaction });
    if (rules.charges) this.chargeTraffic(rules.charges);
    this.#refusal = () => readOnly(state.offset);
  }

  override async submitFrom(): Promise<Submitted> {
    throw this.#refusal();
  }

  override submitAhead(): Submitted {
    throw this.#refusal();
  }

  override replaceState(): boolean {
    throw this.#refusal();
  }

  override async revertTo(): Promise<void> {
    throw this.#refusal();
  }

  override requireWritable(): void {
    throw this.#refusal();
  }

  automation(settings: AutomationDriver['settings']): AutomationDriver {
    const refuse = async (): Promise<never> => {
      throw this.#refusal();
    };
    const configure = (): never => {
      throw this.#refusal();
    };
    return { run: refuse, advance: refuse, catchUp: refuse, settings, configure, stop: () => undefined };
  }
}

export function readOnly(offset: number): Problem {
  return new Problem(
    409,
    `the ledger at offset ${offset} is past and read-only; send the request without /dev/at, or fork the ledger: POST /dev/fork {"name": "mine", "at": ${offset}}`,
  );
}

function stopped(now: Instant): Clock {
  return { now: () => now, speed: 0, advance: () => undefined };
}
