import type { Specimen } from '../specimen.ts';

export const objectWallets: Specimen = {
  folder: 'object-wallets',
  style: 'objects: bank, wallets, notes and cheques',
  draws: ['inputs', 'merge'],
  rules: { maxInputs: 100 },
  bugs: [
    {
      kind: 'double spend',
      find: "if (new Set(serials).size < serials.length) throw new BankError('same note twice');",
      replace: '',
    },
    {
      kind: 'double spend',
      detail: 'void notes remain in the wallet',
      find: 'for (const note of notes) note.isVoid = true;',
      replace: 'if (notes.length > 1) for (const note of notes) note.isVoid = true;',
    },
    {
      kind: 'double accept',
      find: 'const note = this.drawer.backing.get(this);\n    if (!this.#isOpen || !note)',
      replace:
        'const known = this as unknown as { note?: Note };\n    const note = (known.note ??= this.drawer.backing.get(this));\n    if (!note)',
    },
    {
      kind: 'change rounded up',
      find: 'this.put(this.#bank.print(sum - value));',
      replace: 'this.put(this.#bank.print(sum - value + ((sum - value) % 2n)));',
    },
    {
      kind: 'lock kept after withdrawal',
      find: "throw new BankError('only the drawer stops a cheque');\n    this.drawer.put(this.#close());",
      replace: "throw new BankError('only the drawer stops a cheque');\n    this.#isOpen = false;",
    },
    { kind: 'deadline off by one', find: 'today >= this.validUntil', replace: 'today > this.validUntil' },
    { kind: 'too many inputs', find: 'notes.length > Wallet.LIMIT', replace: 'notes.length > Wallet.LIMIT + 1' },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (who !== this.drawer) throw new BankError('only the drawer stops a cheque');\n    this.drawer",
      replace: 'if (who) this.drawer',
    },
    {
      kind: 'wrong receiver',
      find: "throw new BankError('only the drawer stops a cheque');\n    this.drawer.put",
      replace: "throw new BankError('only the drawer stops a cheque');\n    this.payee.put",
    },
    { kind: 'payment without funds', find: 'value <= 0n || sum < value', replace: 'value <= 0n' },
    {
      kind: 'total not conserved',
      find: 'if (sum > value) this.put',
      replace: 'if (sum > value + 1n) this.put',
    },
  ],
};
