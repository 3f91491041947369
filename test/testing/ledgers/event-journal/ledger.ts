/** Every fact is an event; balances are projections of the events. */
export type Event =
  | { readonly kind: 'Issued'; readonly account: string; readonly cents: number }
  | { readonly kind: 'Moved'; readonly debit: string; readonly credit: string; readonly cents: number }
  | {
      readonly kind: 'Reserved';
      readonly key: string;
      readonly debit: string;
      readonly credit: string;
      readonly cents: number;
      readonly due: number;
    }
  | { readonly kind: 'Captured'; readonly key: string }
  | { readonly kind: 'Released'; readonly key: string };

type Reservation = Extract<Event, { kind: 'Reserved' }>;

export type Decision = { readonly events: readonly Event[] } | { readonly problem: string };

/** The state that decisions need, kept current by each event. */
class Projection {
  readonly booked = new Map<string, number>();
  readonly reserved = new Map<string, number>();
  readonly open = new Map<string, Reservation>();

  apply(event: Event): void {
    switch (event.kind) {
      case 'Issued':
        this.#book(event.account, event.cents);
        break;
      case 'Moved':
        this.#book(event.debit, -event.cents);
        this.#book(event.credit, event.cents);
        break;
      case 'Reserved':
        this.#reserve(event.debit, event.cents);
        this.open.set(event.key, event);
        break;
      case 'Captured': {
        const { debit, credit, cents } = this.#take(event.key);
        this.#reserve(debit, -cents);
        this.#book(debit, -cents);
        this.#book(credit, cents);
        break;
      }
      case 'Released': {
        const { debit, cents } = this.#take(event.key);
        this.#reserve(debit, -cents);
      }
    }
  }

  available(account: string): number {
    return (this.booked.get(account) ?? 0) - (this.reserved.get(account) ?? 0);
  }

  #book(account: string, cents: number): void {
    this.booked.set(account, (this.booked.get(account) ?? 0) + cents);
  }

  #reserve(account: string, cents: number): void {
    this.reserved.set(account, (this.reserved.get(account) ?? 0) + cents);
  }

  #take(key: string): Reservation {
    const reservation = this.open.get(key);
    if (!reservation) throw new Error(`event for unknown reservation ${key}`);
    this.open.delete(key);
    return reservation;
  }
}

export class Journal {
  readonly #events: Event[] = [];
  readonly view = new Projection();

  record(decision: Decision): Decision {
    if ('problem' in decision) return decision;
    for (const event of decision.events) {
      this.#events.push(event);
      this.view.apply(event);
    }
    return decision;
  }

  issue(account: string, cents: number): Decision {
    return this.record({ events: [{ kind: 'Issued', account, cents }] });
  }

  move(user: string, debit: string, credit: string, cents: number): Decision {
    return this.record(this.#movable(user, debit, cents) ?? { events: [{ kind: 'Moved', debit, credit, cents }] });
  }

  reserve(user: string, debit: string, credit: string, cents: number, due: number): Decision {
    const key = `R-${this.#events.length}`;
    return this.record(
      this.#movable(user, debit, cents) ?? { events: [{ kind: 'Reserved', key, debit, credit, cents, due }] },
    );
  }

  capture(user: string, key: string, time: number): Decision {
    const found = this.view.open.get(key);
    if (!found) return { problem: 'NotReserved' };
    if (user !== found.credit) return { problem: 'Forbidden' };
    if (!(time < found.due)) return { problem: 'Overdue' };
    return this.record({ events: [{ kind: 'Captured', key }] });
  }

  release(user: string, key: string, side: 'debit' | 'credit'): Decision {
    const found = this.view.open.get(key);
    if (!found) return { problem: 'NotReserved' };
    if (user !== found[side]) return { problem: 'Forbidden' };
    return this.record({ events: [{ kind: 'Released', key }] });
  }

  /** The problem of a movement, or null. */
  #movable(user: string, debit: string, cents: number): Decision | null {
    if (user !== debit) return { problem: 'Forbidden' };
    if (!(cents > 0)) return { problem: 'NotPositive' };
    return this.view.available(debit) < cents ? { problem: 'Insufficient' } : null;
  }
}
