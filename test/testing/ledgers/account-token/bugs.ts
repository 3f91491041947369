import type { Specimen } from '../specimen.ts';

export const accountToken: Specimen = {
  folder: 'account-token',
  style: 'accounts with held balances, reasons returned',
  draws: ['merge'],
  bugs: [
    { kind: 'double spend', find: 'payer.available -= escrow.amount;', replace: '' },
    {
      kind: 'double accept',
      find: 'this.account(escrow.to).available += escrow.amount;\n    delete this.#escrows[id];',
      replace: 'this.account(escrow.to).available += escrow.amount;',
    },
    { kind: 'lock kept after withdrawal', find: 'payer.held -= amount;\n    payer.available += amount;', replace: '' },
    { kind: 'deadline off by one', find: 'time >= escrow.deadline', replace: 'time > escrow.deadline' },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (caller !== escrow.from) return 'ERR_NOT_SENDER';",
      replace: '',
    },
    {
      kind: 'wrong receiver',
      find: 'this.account(escrow.to).available += escrow.amount;',
      replace: 'this.account(escrow.from).available += escrow.amount;',
    },
    {
      kind: 'payment without funds',
      find: 'if (amount > payer.available)',
      replace: 'if (amount > payer.available + 1n)',
    },
    {
      kind: 'payment without funds',
      detail: 'negative amounts',
      find: "if (amount <= 0n) return 'ERR_AMOUNT';",
      replace: '',
    },
    {
      kind: 'total not conserved',
      detail: 'stale balance of a payment to oneself',
      find: 'payer.available -= amount;\n    this.account(to).available += amount;',
      replace:
        'const before = this.account(to).available;\n    payer.available -= amount;\n    this.account(to).available = before + amount;',
    },
  ],
};
