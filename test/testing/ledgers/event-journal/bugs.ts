import type { Specimen } from '../specimen.ts';

export const eventJournal: Specimen = {
  folder: 'event-journal',
  style: 'events with projected balances',
  draws: [],
  bugs: [
    {
      kind: 'double spend',
      detail: 'reserved coin is available',
      find: '(this.booked.get(account) ?? 0) - (this.reserved.get(account) ?? 0)',
      replace: 'this.booked.get(account) ?? 0',
    },
    {
      kind: 'double accept',
      find: 'const { debit, credit, cents } = this.#take(event.key);',
      replace: 'const { debit, credit, cents } = this.open.get(event.key) as Reservation;',
    },
    {
      kind: 'lock kept after withdrawal',
      find: 'const { debit, cents } = this.#take(event.key);\n        this.#reserve(debit, -cents);',
      replace: 'this.#take(event.key);',
    },
    { kind: 'deadline off by one', find: 'time < found.due', replace: 'time <= found.due' },
    { kind: 'deadline off by one', detail: 'too early', find: 'time < found.due', replace: 'time < found.due - 1' },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (user !== found[side]) return { problem: 'Forbidden' };",
      replace: '',
    },
    {
      kind: 'wrong receiver',
      find: 'this.#book(debit, -cents);\n        this.#book(credit, cents);',
      replace: '',
    },
    {
      kind: 'payment without funds',
      find: 'this.view.available(debit) < cents ?',
      replace: 'this.view.available(debit) <= 0 ?',
    },
    {
      kind: 'total not conserved',
      detail: 'a reserved amount is booked twice',
      find: 'this.#reserve(event.debit, event.cents);',
      replace: 'this.#reserve(event.debit, event.cents);\n        this.#book(event.debit, -event.cents);',
    },
  ],
};
