import type { Specimen } from '../specimen.ts';

export const httpBank: Specimen = {
  folder: 'http-bank',
  style: 'JSON over HTTP, accounts with holds',
  draws: [],
  bugs: [
    {
      kind: 'double spend',
      detail: 'held coin can be held again',
      find: 'if (!(amount > 0) || balance - held < amount)',
      replace: 'if (!(amount > 0) || balance < amount)',
    },
    {
      kind: 'double accept',
      find: "if (held.state !== 'HELD') return",
      replace: "if (held.state === 'RELEASED') return",
    },
    {
      kind: 'lock kept after withdrawal',
      find: "held.state = 'RELEASED';",
      replace: '',
    },
    { kind: 'deadline off by one', find: 'time >= held.expiresAt', replace: 'time > held.expiresAt' },
    {
      kind: 'withdrawal by a non-owner',
      find: "user === held.payer ? release(held) : [403, { error: 'not the payer' }]",
      replace: 'release(held)',
    },
    {
      kind: 'wrong receiver',
      find: 'book.balances[held.payee] = (book.balances[held.payee] ?? 0) + held.amount;',
      replace: 'book.balances[held.payer] = (book.balances[held.payer] ?? 0) + held.amount;',
    },
    {
      kind: 'payment without funds',
      find: 'if (balance - held < amount) return [402',
      replace: 'if (balance < amount) return [402',
    },
    {
      kind: 'payment without funds',
      detail: 'negative amounts',
      find: "if (!(amount > 0)) return [400, { error: 'amount must be positive' }];",
      replace: '',
    },
    {
      kind: 'total not conserved',
      detail: 'cents are lost in large payments',
      find: 'book.balances[to] = (book.balances[to] ?? 0) + amount;\n  return [201, {}];\n}\n\nfunction hold',
      replace:
        'book.balances[to] = (book.balances[to] ?? 0) + Math.floor(amount * 0.99) + 1;\n  return [201, {}];\n}\n\nfunction hold',
    },
  ],
};
