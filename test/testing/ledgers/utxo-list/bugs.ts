import type { Specimen } from '../specimen.ts';

export const utxoList: Specimen = {
  folder: 'utxo-list',
  style: 'functions over an append-only list of outputs, amounts as numbers',
  draws: ['inputs', 'merge'],
  rules: { maxInputs: 100 },
  bugs: [
    {
      kind: 'double spend',
      find: 'output === undefined || output.spent || output.owner',
      replace: 'output === undefined || output.owner',
    },
    {
      kind: 'double spend',
      detail: 'of a locked output',
      find: 'if (output.deal !== null || found.has(output)) return null;',
      replace: 'if (found.has(output)) return null;',
    },
    {
      kind: 'double accept',
      find: "deal.status = 'done';",
      replace: '',
    },
    {
      kind: 'change rounded up',
      find: 'push(chain, owner, total - value, 1);',
      replace: 'push(chain, owner, Math.ceil((total - value) / 2) * 2, 1);',
    },
    {
      kind: 'lock kept after withdrawal',
      find: 'release(chain, id, deal, deal.payer);',
      replace: '',
    },
    { kind: 'deadline off by one', find: 'deal.expires <= clock', replace: 'deal.expires < clock' },
    {
      kind: 'too many inputs',
      find: "if (used === null || used.length === 0) return fail('missing or spent input');\n  if (used.length > 100)",
      replace:
        "if (used === null || used.length === 0) return fail('missing or spent input');\n  if (used.length > 101)",
    },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (signer !== deal[role]) return fail('bad signature');",
      replace: '',
    },
    { kind: 'wrong receiver', find: 'push(chain, payee, value, 0);', replace: 'push(chain, owner, value, 0);' },
    {
      kind: 'payment without funds',
      find: "if (total < value) return fail('insufficient funds');",
      replace: '',
    },
    {
      kind: 'total not conserved',
      find: 'push(chain, owner, deal.value, 0);',
      replace: 'push(chain, owner, deal.value - 1, 0);',
    },
  ],
};
